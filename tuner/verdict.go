package tuner

import (
	"cmp"
	"math"
	"slices"

	"polytune/store"
	"polytune/tuner/stat"
)

// Verdict says how sure a result is.
type Verdict string

// The verdicts.
const (
	// Best: the best variant is clearly faster than all others.
	Best Verdict = "best"
	// Tied: some others are as fast, within the indifference of the settings.
	Tied Verdict = "tied"
	// NotSeparated: some others may be faster or slower; more rounds are
	// needed to tell.
	NotSeparated Verdict = "not-separated"
)

// judgement is the verdict on the variants of a session.
type judgement struct {
	verdict Verdict
	// winner is the best variant, the original unless one is known to be faster.
	winner string
	// first is the variant that would be it without that condition: the first of the
	// ranked ones.
	first string
	// rivals are the variants that are tied with the winner or not separated
	// from it, fastest first.
	rivals []string
	// behind counts those that are taken for slower without a claim: they had too few
	// timings for one, and lost in these.
	behind int
	// further estimates the rounds that would separate the rivals, all of them, or
	// allow any claim; 0 if no sensible number would, or none is needed. Where the original
	// is the winner for want of knowledge, they are those that would tell whether the first
	// is faster.
	further int
	claims  Claims
}

// Claims are about the variants, the original among them, that had timings enough to be
// told from the winner.
type Claims struct {
	// Compared counts these variants, and Slower those of them that are claimed to be slower.
	Compared, Slower int
	// P is the greatest of the probabilities, over those claimed to be slower, that one
	// which is as fast looks at least as slow: by the sign test of its times and the
	// winner's in the same rounds, or for an original that is seldom timed by that of Mann
	// and Whitney, with Holm's correction for all that were compared. That
	// the question was asked after every round is not in it, but is why a claim asks for
	// more than 95% confidence. P is 1 where nothing is claimed.
	P float64
}

// summary is what the samples say about a variant: from the rounds of the
// race, or else from the screening. ok is false without a timing of both the
// variant and the baseline.
func (e evidence) summary(variant string) (summary store.Summary, ok bool) {
	summary, raced, ok := e.estimates(variant)
	switch {
	case !raced:
		summary.Certainty = store.Screened
	case summary.Coverage >= confidence && summary.Speedup.Low > 1 && e.faster(variant):
		summary.Certainty = store.Faster
	default:
		summary.Certainty = certaintyOf(stat.Interval{Coverage: summary.Coverage})
	}
	return summary, ok
}

// certaintyOf is what an interval over rounds is worth.
func certaintyOf(i stat.Interval) store.Certainty {
	if i.Coverage < confidence {
		return store.Raced
	}
	return store.Bounded
}

// faster is the claim that a variant is faster than the original. One that another compiler
// has built is ahead of what that makes of the original, too, where both raced.
func (e evidence) faster(variant string) bool {
	if variant == store.Original || e.claim == 0 || !e.clearlySlower(store.Original, variant) {
		return false
	}
	_, compiler := store.SplitVariant(variant)
	own := store.BuiltBy(store.Original, compiler)
	if own == store.Original || own == variant {
		return true
	}
	ratio, both := e.compare(own, variant, confidence)
	return !both || ratio.Median > 1
}

// estimates are the numbers of a summary; raced says that they are those of rounds.
func (e evidence) estimates(variant string) (summary store.Summary, raced, ok bool) {
	if variant != store.Original && e.reference != store.Original {
		if _, times := e.pairs(e.reference, variant); len(times) > 0 {
			summary, ok = e.chained(variant)
			return summary, true, ok
		}
	}
	baseline, times := e.pairs(store.Original, variant)
	taken := e.secondsBeside(store.Original, variant)
	raced = len(times) > 0
	if !raced {
		first, timed := e.timings[variant][screeningRound]
		original, both := e.timings[store.Original][screeningRound]
		if !timed || !both {
			return store.Summary{}, false, false
		}
		baseline, times, taken = []float64{original}, []float64{first}, []float64{first}
		if e.seconds != nil {
			taken[0] = e.seconds[variant][screeningRound]
		}
	}
	seconds, err := stat.MedianInterval(taken, confidence)
	if err != nil {
		return store.Summary{}, raced, false
	}
	speedup, err := stat.Speedup(baseline, times, confidence)
	if err != nil {
		return store.Summary{}, raced, false
	}
	return store.Summary{
		Rounds: len(times), Seconds: estimate(seconds), Speedup: estimate(speedup), Coverage: speedup.Coverage,
	}, raced, true
}

func estimate(i stat.Interval) store.Estimate {
	return store.Estimate{Median: i.Median, Low: i.Low, High: i.High}
}

// secondsBeside are the seconds of a variant in the race's rounds that it has in common with
// another one.
func (e evidence) secondsBeside(other, variant string) (seconds []float64) {
	if e.seconds == nil {
		_, seconds = e.pairs(other, variant)
		return seconds
	}
	for round := range e.timings[other] {
		if s, both := e.seconds[variant][round]; both && round > screeningRound {
			seconds = append(seconds, s)
		}
	}
	return seconds
}

// ranked orders verified variants as the store's view "leading_trial" does: those that look
// faster than the original first, of these those with a full interval, then those that
// raced, then by speedup, then by id.
func (e evidence) ranked(verified []string) (variants []string, known map[string]bool) {
	summaries := map[string]store.Summary{}
	known = map[string]bool{}
	for _, variant := range verified {
		if summary, ok := e.summary(variant); ok {
			summaries[variant] = summary
			known[variant] = summary.Certainty == store.Faster
			variants = append(variants, variant)
		}
	}
	slices.SortFunc(variants, func(a, b string) int {
		return cmp.Or(cmp.Compare(notFaster(a, summaries[a]), notFaster(b, summaries[b])), summaries[a].CompareTimings(summaries[b]), cmp.Compare(a, b))
	})
	return variants, known
}

// notFaster is 1 for the original and what does not look faster, else 0.
func notFaster(variant string, s store.Summary) int {
	if variant == store.Original || s.Speedup.Median <= 1 {
		return 1
	}
	return 0
}

// judged are those of the verified variants that the verdict is about: where the original is the
// baseline alone, those without it, if there are any.
func judged(verified []string, apart bool) []string {
	if !apart {
		return verified
	}
	if variants := slices.DeleteFunc(slices.Clone(verified), store.IsOriginal); len(variants) > 0 {
		return variants
	}
	return verified
}

// judge gives the verdict on verified variants, the original among them. The winner is the
// first that is known to be faster than the original, which wins where there is none.
func judge(e evidence, verified []string) judgement {
	ranked, known := e.ranked(verified)
	if len(ranked) == 0 {
		return judgement{verdict: NotSeparated, claims: Claims{P: 1}}
	}
	j := judgement{verdict: Best, winner: ranked[0], first: ranked[0]}
	if at := slices.IndexFunc(ranked, func(v string) bool { return known[v] }); at >= 0 {
		j.winner = ranked[at]
	} else if slices.Contains(ranked, store.Original) {
		j.winner = store.Original
	}
	others := slices.DeleteFunc(slices.Clone(ranked), func(v string) bool { return v == j.winner })
	j.claims = e.claims(others, j.winner)
	if missing := claimRounds(e.claim) - e.least([]string{j.winner}); len(others) > 0 && missing > 0 {
		j.verdict, j.further = NotSeparated, missing
	}
	j.compare(e, others)
	if j.winner == store.Original && j.first != j.winner && j.verdict == NotSeparated {
		j.further = e.furtherRounds(j.first, j.winner)
	}
	return j
}

// compare finds the rivals among the others, and how many rounds would tell them apart.
func (j *judgement) compare(e evidence, others []string) {
	hopeless := false
	for _, rival := range others {
		switch e.relation(rival, j.winner) {
		case behind:
			j.behind++
		case equal:
			j.rivals = append(j.rivals, rival)
			if j.verdict == Best {
				j.verdict = Tied
			}
		case open:
			j.rivals = append(j.rivals, rival)
			j.verdict = NotSeparated
			needed := e.furtherRounds(rival, j.winner)
			hopeless = hopeless || needed == 0
			j.further = max(j.further, needed)
		}
	}
	if hopeless {
		j.further = 0
	}
}

// claims says how sure it is that the rivals are slower which are said to be.
func (e evidence) claims(rivals []string, winner string) Claims {
	var probabilities []float64
	var slow []bool
	for _, rival := range rivals {
		if p, told := e.chance(rival, winner); told {
			probabilities, slow = append(probabilities, p), append(slow, e.relation(rival, winner) == slower)
		}
	}
	c := Claims{Compared: len(probabilities), P: 1}
	adjusted, err := stat.Holm(probabilities)
	if err != nil {
		return c
	}
	for i, p := range adjusted {
		if slow[i] {
			if c.Slower++; c.Slower == 1 {
				c.P = 0
			}
			c.P = max(c.P, p)
		}
	}
	return c
}

// chance is the probability that two equally fast variants look at least as different;
// told says that there are timings enough for a claim.
func (e evidence) chance(rival, winner string) (p float64, told bool) {
	if rival == store.Original && e.reference != store.Original {
		test, err := stat.MannWhitney(e.raced(rival), e.raced(winner))
		return test.P, err == nil
	}
	slow, fast := e.pairs(rival, winner)
	if len(slow) < claimRounds(e.claim) {
		return 0, false
	}
	for i := range slow {
		slow[i] = math.Log(slow[i]) - math.Log(fast[i])
	}
	test, err := stat.SignTest(slow)
	return test.P, err == nil
}

// claimRounds is the least number of rounds that allow a claim with some
// confidence.
func claimRounds(claim float64) int {
	least, err := stat.MinimumSize(claim)
	if err != nil {
		return math.MaxInt
	}
	return least
}

// relation is how a rival stands to the winner.
type relation int

const (
	slower relation = iota
	behind
	equal
	open
)

// relation compares a rival with the winner. Of a rival that left the race
// before a claim was possible, the median decides. One that never entered it
// lost in the screening. Both are behind, which is no claim. Where the race has not begun,
// whoever was faster than the original in the screening may be so.
func (e evidence) relation(rival, winner string) relation {
	ratio, ok := e.compare(rival, winner, confidence)
	switch {
	case !ok && winner == store.Original && e.screenedFaster(rival):
		return open
	case !ok:
		return behind
	case e.indifferent(rival, winner):
		return equal
	case e.clearlySlower(rival, winner):
		return slower
	case ratio.N >= claimRounds(e.claim):
		return open
	case ratio.Median > 1+e.indifference:
		return behind
	case ratio.Median < 1/(1+e.indifference):
		return open
	}
	return equal
}

// screenedFaster says that the original was timed in no round yet, and that a variant was
// faster than its single time.
func (e evidence) screenedFaster(variant string) bool {
	summary, _, ok := e.estimates(variant)
	return ok && summary.Speedup.Median > 1 && len(e.raced(store.Original)) == 0
}

// usefulRounds bounds the estimates of further rounds that are worth a word.
const usefulRounds = 1000

// furtherRounds estimates how many more rounds would show that a rival differs
// from the winner, or that the difference does not matter; 0 when too many. Without a
// round in common they are as many as any claim takes.
func (e evidence) furtherRounds(rival, winner string) int {
	wide, ok := e.compare(rival, winner, e.claim)
	if !ok {
		return claimRounds(e.claim)
	}
	ratio, _ := e.compare(rival, winner, confidence)
	needed := min(roundsToClaim(wide, e.claim), roundsToEqual(ratio, e.indifference))
	if needed == math.MaxInt {
		return 0
	}
	return needed
}

// roundsToClaim are the further rounds until a ratio of times is clearly not 1,
// math.MaxInt when they are too many to be worth a word.
func roundsToClaim(ratio stat.Interval, claim float64) int {
	needed, possible, err := stat.FurtherRounds(ratio, claim)
	if err != nil || !possible || needed > usefulRounds {
		return math.MaxInt
	}
	return needed
}

// roundsToEqual are the further rounds until a ratio of times is clearly too
// near to 1 to matter, math.MaxInt when they are too many.
func roundsToEqual(ratio stat.Interval, indifference float64) int {
	margin := math.Log1p(indifference) - math.Abs(math.Log(ratio.Median))
	least, err := stat.MinimumSize(confidence)
	if margin <= 0 || ratio.N < 1 || err != nil {
		return math.MaxInt
	}
	half := max(math.Log(ratio.High/ratio.Median), math.Log(ratio.Median/ratio.Low)) / margin
	total := math.Ceil(float64(ratio.N) * half * half)
	if total >= usefulRounds {
		return math.MaxInt
	}
	return max(int(total), least, ratio.N+1) - ratio.N
}
