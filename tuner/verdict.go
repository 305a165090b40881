package tuner

import (
	"math"
	"slices"
	"strings"

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
	// winner is the best variant, the original if nothing was faster.
	winner string
	// rivals are the variants that are tied with the winner or not separated
	// from it, fastest first.
	rivals []string
	// further estimates the rounds that would separate them; 0 if no sensible
	// number would, or none is needed.
	further int
}

// summary is what the samples say about a variant: from the rounds of the
// race, or else from the screening. ok is false without a timing of both the
// variant and the baseline.
func (t timings) summary(variant string) (summary store.Summary, ok bool) {
	baseline, times := t.pairs(store.Original, variant, math.MaxInt)
	if len(times) == 0 {
		first, timed := t[variant][screeningRound]
		reference, both := t[store.Original][screeningRound]
		if !timed || !both {
			return store.Summary{}, false
		}
		baseline, times = []float64{reference}, []float64{first}
	}
	seconds, err := stat.MedianInterval(times, confidence)
	if err != nil {
		return store.Summary{}, false
	}
	speedup, err := stat.Speedup(baseline, times, confidence)
	if err != nil {
		return store.Summary{}, false
	}
	return store.Summary{
		Rounds: len(times), Seconds: estimate(seconds), Speedup: estimate(speedup), Coverage: speedup.Coverage,
	}, true
}

func estimate(i stat.Interval) store.Estimate {
	return store.Estimate{Median: i.Median, Low: i.Low, High: i.High}
}

// ranked orders verified variants as the store's view "best" does: those with
// a full interval first, then by speedup, then by id.
func (t timings) ranked(verified []string) []string {
	type place struct {
		variant string
		full    bool
		speedup float64
	}
	var places []place
	for _, variant := range verified {
		if summary, ok := t.summary(variant); ok {
			places = append(places, place{variant, summary.Coverage >= confidence, summary.Speedup.Median})
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		switch {
		case a.full != b.full:
			return map[bool]int{true: -1, false: 1}[a.full]
		case a.speedup != b.speedup:
			return map[bool]int{true: -1, false: 1}[a.speedup > b.speedup]
		}
		return strings.Compare(a.variant, b.variant)
	})
	variants := make([]string, len(places))
	for i, p := range places {
		variants[i] = p.variant
	}
	return variants
}

// judge gives the verdict on verified variants, the original among them.
func judge(t timings, verified []string, indifference float64) judgement {
	ranked := t.ranked(verified)
	if len(ranked) == 0 {
		return judgement{verdict: NotSeparated}
	}
	j := judgement{verdict: Best, winner: ranked[0]}
	if summary, _ := t.summary(j.winner); len(ranked) > 1 && summary.Coverage < confidence {
		j.verdict = NotSeparated
	}
	for _, rival := range ranked[1:] {
		switch t.relation(rival, j.winner, indifference) {
		case equal:
			j.rivals = append(j.rivals, rival)
			if j.verdict == Best {
				j.verdict = Tied
			}
		case open:
			j.rivals = append(j.rivals, rival)
			j.verdict = NotSeparated
			ratio, _ := t.compare(rival, j.winner, confidence)
			j.further = max(j.further, furtherRounds(ratio, indifference))
		}
	}
	return j
}

// relation is how a rival stands to the winner.
type relation int

const (
	slower relation = iota
	equal
	open
)

// relation compares a rival with the winner. Of a rival that left the race
// before an interval was possible, the median decides. One that never entered
// it lost in the screening.
func (t timings) relation(rival, winner string, indifference float64) relation {
	ratio, ok := t.compare(rival, winner, confidence)
	switch {
	case !ok:
		return slower
	case indifferent(ratio, indifference):
		return equal
	case ratio.Coverage >= confidence && ratio.Low <= 1:
		return open
	case ratio.Coverage >= confidence || ratio.Median > 1+indifference:
		return slower
	case ratio.Median < 1/(1+indifference):
		return open
	}
	return equal
}

// usefulRounds bounds the estimates of further rounds that are worth a word.
const usefulRounds = 1000

// furtherRounds estimates how many more rounds would show that two variants
// differ, or that the difference does not matter; 0 when too many.
func furtherRounds(ratio stat.Interval, indifference float64) int {
	needed, possible, err := stat.FurtherRounds(ratio, confidence)
	if err != nil || !possible {
		needed = math.MaxInt
	}
	margin := math.Log1p(indifference) - math.Abs(math.Log(ratio.Median))
	if margin > 0 && ratio.N > 0 {
		half := max(math.Log(ratio.High/ratio.Median), math.Log(ratio.Median/ratio.Low))
		total := math.Ceil(float64(ratio.N) * (half / margin) * (half / margin))
		least, err := stat.MinimumSize(confidence)
		if err == nil && total < usefulRounds {
			needed = min(needed, max(int(total), least, ratio.N+1)-ratio.N)
		}
	}
	if needed > usefulRounds {
		return 0
	}
	return needed
}
