package tuner

import (
	"cmp"
	"math"
	"slices"

	"polytune/store"
	"polytune/tuner/stat"
)

const (
	// slowFactor is how many times longer than the fastest variant the original may take
	// to be timed in every round of the race.
	slowFactor = 10
	// earlyRounds of the race leave such an original out: the variants are told apart
	// first, should the budget end.
	earlyRounds = 3
)

// baselineRounds is how many rounds a slow original is timed in: as many as an interval
// of 95% takes.
func baselineRounds() int { return claimRounds(confidence) }

// slow says that the original takes so long that it is not timed in every round, by the
// single timings of the screening: of those who race or, before the race, of all.
func (t timings) slow(last int) bool {
	fastest, raced := math.Inf(1), math.Inf(1)
	for variant, samples := range t {
		seconds, screened := samples[screeningRound]
		if !screened || variant == store.Original {
			continue
		}
		fastest = min(fastest, seconds)
		if roundsUpTo(samples, last) > 0 {
			raced = min(raced, seconds)
		}
	}
	if !math.IsInf(raced, 1) {
		fastest = raced
	}
	return t[store.Original][screeningRound] > slowFactor*fastest
}

// roundsUpTo is the number of rounds of the race up to the last.
func roundsUpTo(samples map[int]float64, last int) int {
	n := 0
	for round := range samples {
		if round > screeningRound && round <= last {
			n++
		}
	}
	return n
}

// referenceUpTo is the variant that the others are compared with round by round: the original
// or, where that is too slow to be timed in every round, the one with the most rounds up to
// the last, which was the fastest of these in the screening. No variant has been timed in
// a round without it, but for runs that failed.
func (t timings) referenceUpTo(last int) string {
	if !t.slow(last) {
		return store.Original
	}
	type place struct {
		variant string
		rounds  int
		seconds float64
	}
	var places []place
	for variant, samples := range t {
		if rounds := roundsUpTo(samples, last); rounds > 0 {
			places = append(places, place{variant, rounds, samples[screeningRound]})
		}
	}
	if len(places) == 0 {
		return store.Original
	}
	first := slices.MinFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.rounds, a.rounds), cmp.Compare(a.seconds, b.seconds), cmp.Compare(a.variant, b.variant))
	})
	if roundsUpTo(t[store.Original], last) == first.rounds {
		return store.Original
	}
	return first.variant
}

// chained is what the samples say about a variant where the original was timed in a few
// rounds: the ratio of the original to the reference in these, times that of the reference
// to the variant in all. Where the original has no such round its time of the screening is
// compared with the variant's times, of which the row shows the median: the two numbers of
// a row are of the same samples.
func (e evidence) chained(variant string) (store.Summary, bool) {
	pace, times := e.pairs(e.reference, variant)
	seconds, err := stat.MedianInterval(e.secondsBeside(e.reference, variant), confidence)
	if err != nil {
		return store.Summary{}, false
	}
	summary := store.Summary{Rounds: len(times), Seconds: estimate(seconds)}
	over, ok := e.compare(store.Original, e.reference, confidence)
	if !ok {
		typical, err := stat.Median(times)
		if err != nil {
			return summary, false
		}
		ratio := e.timings[store.Original][screeningRound] / typical
		summary.Speedup = store.Estimate{Median: ratio, Low: ratio, High: ratio}
		return summary, ratio > 0
	}
	// What the first ratio leaves of the 5% is the second one's.
	ahead, err := stat.Speedup(pace, times, min(1-max(over.Coverage-confidence, 0), 1-1e-6))
	if err != nil {
		return store.Summary{}, false
	}
	speedup := stat.Product(over, ahead)
	summary.Speedup, summary.Coverage = estimate(speedup), speedup.Coverage
	return summary, true
}
