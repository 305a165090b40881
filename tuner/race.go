package tuner

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"polytune/store"
)

// standing is where a race stands.
type standing struct {
	// leader is the fastest so far, the original if nothing beats it.
	leader string
	// field are the variants that have not been sent away for good, contenders
	// those of them that take part in the next round besides the original.
	field, contenders []string
	// final says that the field is that of the leaders.
	final bool
	// controlled is the variant whose program is timed twice in the next round.
	controlled string
	// rounds is the least number of undisturbed rounds that a contender has; less than
	// decide the race while the original has too few.
	rounds int
	// slow says that the original is not timed in every round, baseline how many more
	// undisturbed rounds it needs.
	slow     bool
	baseline int
	// apart is that of the policy.
	apart bool
	// settled says that further rounds have nothing to decide.
	settled bool
}

// stand finds out where the race stands, from the samples alone, so that an
// interrupted race goes on where it was. Variants in failed keep their place
// among the entrants, but take no part.
func stand(h history, failed map[string]bool, p policy) standing {
	field, final := h.replay(entrants(h.times, failed, p), p)
	e := h.evidence(math.MaxInt, p)
	s := standing{leader: store.Original, field: field, contenders: field, final: final, rounds: e.least(field), controlled: store.Original}
	if len(field) == 0 {
		s.settled = true
		return s
	}
	greatest := e.gain(s.leader)
	if s.apart = p.apart; s.apart {
		greatest = math.Inf(-1)
	}
	for _, variant := range field {
		if gain := e.gain(variant); gain > greatest {
			s.leader, greatest = variant, gain
		}
	}
	timed := roundsUpTo(e.timings[store.Original], math.MaxInt)
	// An original that leads the race was not slow, but the screening wrong.
	if s.slow = h.times.slow(math.MaxInt) && (s.leader != store.Original || timed == 0); s.slow {
		s.baseline = max(baselineRounds()-timed, 0)
	}
	if final {
		s.contenders = slices.DeleteFunc(slices.Clone(field), func(v string) bool { return e.clearlySlower(v, s.leader) })
		s.rounds = e.least(append([]string{s.leader}, s.contenders...))
		if s.baseline > 0 {
			s.rounds = min(s.rounds, p.roundsMin-1)
		}
		promising := s.rounds >= p.roundsMin && s.rounds < p.roundsKnown && e.promising(s)
		s.settled = !promising && (s.rounds >= p.roundsMax || s.rounds >= p.roundsMin && e.decided(s))
		if promising && s.slow {
			s.baseline = 1
		}
	}
	s.controlled = h.times.controlled(s)
	return s
}

// entrants are the variants that go from the screening into the race, fastest
// first: at most p.entrants, within p.screeningFactor of the best.
func entrants(t timings, failed map[string]bool, p policy) []string {
	type place struct {
		variant string
		seconds float64
	}
	var screened []place
	best := math.Inf(1)
	for variant, samples := range t {
		seconds, timed := samples[screeningRound]
		if !timed {
			continue
		}
		if !p.apart || !store.IsOriginal(variant) {
			best = min(best, seconds)
		}
		if variant != store.Original {
			screened = append(screened, place{variant, seconds})
		}
	}
	slices.SortFunc(screened, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.seconds, b.seconds), cmp.Compare(a.variant, b.variant))
	})
	var variants []string
	for _, s := range screened[:min(len(screened), p.entrants)] {
		if !failed[s.variant] && s.seconds <= p.screeningFactor*best {
			variants = append(variants, s.variant)
		}
	}
	return variants
}

// halvingRounds and leadersRounds are the undisturbed rounds after which the slower half,
// and then all but the leaders, leave the race.
const halvingRounds, leadersRounds = 3, 5

// stage sends all but some variants away once all have so many rounds.
type stage struct{ rounds, keep int }

// replay goes through the rounds and sends away the slower half once all have
// three undisturbed rounds, then all but the leaders once those have five: too
// few rounds for a claim, so that all of whom a claim is made stay to the end.
// What it decides after a round depends on the rounds up to there alone. final
// says that both have happened.
func (h history) replay(field []string, p policy) (remaining []string, final bool) {
	stages := []stage{{halvingRounds, max((len(field)+1)/2, p.leaders)}, {leadersRounds, p.leaders}}
	for n, round := range h.races(math.MaxInt) {
		if len(stages) == 0 {
			break
		}
		if n+1 < stages[0].rounds {
			continue
		}
		e := h.evidence(round, p)
		for len(stages) > 0 && e.least(field) >= stages[0].rounds {
			field = e.fastest(field, stages[0].keep)
			stages = stages[1:]
		}
	}
	return field, len(stages) == 0
}

// fastest are the n variants with the greatest gain.
func (e evidence) fastest(variants []string, n int) []string {
	gains := map[string]float64{}
	for _, variant := range variants {
		gains[variant] = e.gain(variant)
	}
	sorted := slices.Clone(variants)
	slices.SortFunc(sorted, func(a, b string) int {
		return cmp.Or(cmp.Compare(gains[b], gains[a]), cmp.Compare(a, b))
	})
	return sorted[:min(n, len(sorted))]
}

// least is the smallest number of rounds that one of the variants has in
// common with the reference.
func (e evidence) least(variants []string) int {
	if len(variants) == 0 {
		return 0
	}
	least := math.MaxInt
	for _, variant := range variants {
		times, _ := e.pairs(variant, e.reference)
		least = min(least, len(times))
	}
	return least
}

// decided says that every contender, and the original, is either clearly
// slower than the leader or as fast.
func (e evidence) decided(s standing) bool {
	others := s.contenders
	if !s.apart {
		others = append([]string{store.Original}, others...)
	}
	for _, variant := range others {
		if variant != s.leader && !e.clearlySlower(variant, s.leader) && !e.indifferent(variant, s.leader) {
			return false
		}
	}
	return true
}

// promising says that the leader looks faster than the original by more than does not matter, and
// that this is not known: a few runs that other work has disturbed keep the intervals of the least
// number of rounds from it, also where the leader is many times as fast.
func (e evidence) promising(s standing) bool {
	if s.apart || s.leader == store.Original {
		return false
	}
	summary, ok := e.summary(s.leader)
	return ok && summary.Certainty != store.Faster && summary.Speedup.Median > 1+e.indifference
}

// controlFactor is how many times longer than all contenders together the
// original may take to be timed twice.
const controlFactor = 5

// controlled chooses the variant whose program is timed twice in a round: the
// original, or the leader where a second run of the original would take most of
// the round, or it is not timed in every round.
func (t timings) controlled(s standing) string {
	switch {
	case s.slow && s.leader != store.Original:
		return s.leader
	case s.slow && len(s.contenders) > 0:
		return s.contenders[0]
	}
	round := 0.0
	for _, variant := range s.contenders {
		round += t.typical(variant)
	}
	if t.typical(store.Original) > controlFactor*round && round > 0 {
		return s.leader
	}
	return store.Original
}

// run is one timing of a round.
type run struct {
	variant string
	control bool
}

// order is that of the runs of a round: random, and in the final first forwards
// and then, in the next round, backwards (ABBA), so that what changes evenly
// from run to run cancels out of two rounds. A round's order does not depend
// on who has left. A slow original is in as few rounds as it needs, but not in the first.
func (s standing) order(seed uint64, round int) []run {
	stream, backwards := uint64(round), false
	if s.final {
		stream, backwards = uint64(round/2)|1<<32, round%2 == 1
	}
	all := []run{{s.controlled, true}, {store.Original, false}}
	for _, variant := range s.field {
		all = append(all, run{variant, false})
	}
	random := rand.New(rand.NewPCG(seed, stream))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if backwards {
		slices.Reverse(all)
	}
	return slices.DeleteFunc(all, func(r run) bool {
		switch {
		case r.control:
			return false
		case r.variant == store.Original:
			return s.slow && (s.baseline == 0 || round <= earlyRounds)
		}
		return !slices.Contains(s.contenders, r.variant)
	})
}
