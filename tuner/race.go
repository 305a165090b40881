package tuner

import (
	"math"
	"slices"
	"strings"

	"polytune/store"
	"polytune/tuner/stat"
)

const (
	// confidence is that of all reported intervals.
	confidence = 0.95
	// dropConfidence is asked for before a variant leaves the race or the
	// race ends early: these questions are asked again after every round, and
	// each time there is a chance of a wrong answer.
	dropConfidence = 0.99
	// screeningRound holds the single timings of the screening; the rounds of
	// the race count from 1.
	screeningRound = 0
)

// timings are the samples of a session: seconds by variant and round.
type timings map[string]map[int]float64

// pairs gives the times of two variants in the race's rounds that have both,
// in the order of the rounds, up to and including the last.
func (t timings) pairs(a, b string, last int) (timesA, timesB []float64) {
	for _, round := range t.rounds(a) {
		second, both := t[b][round]
		if both && round > screeningRound && round <= last {
			timesA, timesB = append(timesA, t[a][round]), append(timesB, second)
		}
	}
	return timesA, timesB
}

// rounds are those in which a variant was timed, in order.
func (t timings) rounds(variant string) []int {
	rounds := make([]int, 0, len(t[variant]))
	for round := range t[variant] {
		rounds = append(rounds, round)
	}
	slices.Sort(rounds)
	return rounds
}

// compare estimates slow's time divided by fast's; ok is false when they have
// no round in common.
func (t timings) compare(slow, fast string, level float64) (interval stat.Interval, ok bool) {
	timesSlow, timesFast := t.pairs(slow, fast, math.MaxInt)
	interval, err := stat.Speedup(timesSlow, timesFast, level)
	return interval, err == nil
}

// gain is the median logarithm of the baseline's time divided by the
// variant's, up to a round; -Inf without a round.
func (t timings) gain(variant string, last int) float64 {
	baseline, times := t.pairs(store.Original, variant, last)
	interval, err := stat.Speedup(baseline, times, confidence)
	if err != nil {
		return math.Inf(-1)
	}
	return math.Log(interval.Median)
}

// standing is where a race stands.
type standing struct {
	// leader is the fastest so far, the original if nothing beats it.
	leader string
	// contenders take part in the next round besides the original.
	contenders []string
	// rounds is the least number of rounds that a contender has.
	rounds int
	// settled says that further rounds have nothing to decide.
	settled bool
}

// stand finds out where the race stands, from the samples alone, so that an
// interrupted race goes on where it was. Variants in failed keep their place
// among the entrants, but take no part.
func stand(t timings, failed map[string]bool, p policy) standing {
	active, final := t.replay(entrants(t, failed, p), p)
	s := standing{leader: store.Original, contenders: active, rounds: t.least(active)}
	if len(active) == 0 {
		s.settled = true
		return s
	}
	for _, variant := range active {
		if t.gain(variant, math.MaxInt) > t.gain(s.leader, math.MaxInt) {
			s.leader = variant
		}
	}
	if !final {
		return s
	}
	s.contenders = slices.DeleteFunc(slices.Clone(active), func(v string) bool { return t.beaten(v, s.leader) })
	s.rounds = t.least(append([]string{s.leader}, s.contenders...))
	s.settled = s.rounds >= p.roundsMax || s.rounds >= p.roundsMin && t.decided(s, p)
	return s
}

// entrants are the variants that go from the screening into the race, fastest
// first: at most p.entrants, within p.screeningFactor of the best.
func entrants(t timings, failed map[string]bool, p policy) []string {
	var screened []string
	best := math.Inf(1)
	for variant, samples := range t {
		seconds, timed := samples[screeningRound]
		if !timed {
			continue
		}
		best = min(best, seconds)
		if variant != store.Original {
			screened = append(screened, variant)
		}
	}
	slices.SortFunc(screened, func(a, b string) int {
		if difference := t[a][screeningRound] - t[b][screeningRound]; difference != 0 {
			return int(math.Copysign(1, difference))
		}
		return strings.Compare(a, b)
	})
	screened = screened[:min(len(screened), p.entrants)]
	return slices.DeleteFunc(screened, func(v string) bool {
		return failed[v] || t[v][screeningRound] > p.screeningFactor*best
	})
}

// replay goes through the rounds and sends away the slower half once all have
// three rounds, then all but the leaders once those have five: too few rounds
// for a claim, so that all of whom a claim is made stay to the end. final says
// that both have happened.
func (t timings) replay(active []string, p policy) (remaining []string, final bool) {
	stages := []struct{ rounds, keep int }{{3, max((len(active)+1)/2, p.leaders)}, {5, p.leaders}}
	counts := map[string]int{}
	for _, round := range t.rounds(store.Original) {
		if round == screeningRound {
			continue
		}
		for _, variant := range active {
			if _, timed := t[variant][round]; timed {
				counts[variant]++
			}
		}
		for len(stages) > 0 && len(active) > 0 && fewest(counts, active) >= stages[0].rounds {
			active = t.fastest(active, stages[0].keep, round)
			stages = stages[1:]
		}
	}
	return active, len(stages) == 0
}

func fewest(counts map[string]int, variants []string) int {
	least := math.MaxInt
	for _, variant := range variants {
		least = min(least, counts[variant])
	}
	return least
}

// fastest are the n variants with the greatest gain up to a round.
func (t timings) fastest(variants []string, n, last int) []string {
	sorted := slices.Clone(variants)
	slices.SortStableFunc(sorted, func(a, b string) int {
		gainA, gainB := t.gain(a, last), t.gain(b, last)
		switch {
		case gainA > gainB:
			return -1
		case gainA < gainB:
			return 1
		}
		return strings.Compare(a, b)
	})
	return sorted[:min(n, len(sorted))]
}

// least is the smallest number of rounds that one of the variants has in
// common with the baseline.
func (t timings) least(variants []string) int {
	least := math.MaxInt
	for _, variant := range variants {
		times, _ := t.pairs(variant, store.Original, math.MaxInt)
		least = min(least, len(times))
	}
	if len(variants) == 0 {
		return 0
	}
	return least
}

// beaten says that a variant is clearly slower than the leader.
func (t timings) beaten(variant, leader string) bool {
	interval, ok := t.compare(variant, leader, dropConfidence)
	return ok && variant != leader && interval.Median > 1 && interval.Separates(1, dropConfidence)
}

// decided says that every contender, and the original, is either clearly
// slower than the leader or as fast.
func (t timings) decided(s standing, p policy) bool {
	for _, variant := range append([]string{store.Original}, s.contenders...) {
		if variant == s.leader || t.beaten(variant, s.leader) {
			continue
		}
		interval, ok := t.compare(variant, s.leader, confidence)
		if !ok || !indifferent(interval, p.indifference) {
			return false
		}
	}
	return true
}

// indifferent says that a ratio of times is, with confidence, too near to 1 to
// matter.
func indifferent(ratio stat.Interval, zone float64) bool {
	return ratio.Coverage >= confidence && ratio.Low >= 1/(1+zone) && ratio.High <= 1+zone
}
