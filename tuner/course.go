package tuner

import (
	"maps"
	"math"
	"slices"

	"polytune/store"
	"polytune/tuner/stat"
)

// Race says how a race went, and what its timings are worth.
type Race struct {
	// Rounds counts the rounds that were timed. Disturbances are those of them
	// that do not count.
	Rounds       int
	Disturbances []Disturbance
	// Drift is how the speed of the machine changed, zero where it did not.
	Drift Drift
	Noise Noise
	// RoundTrip is the time in seconds of a cache line between two processors of
	// the timings and back, Frequency that of their clock in Hz, both as found in
	// front of the rounds.
	RoundTrip, Frequency Spread
}

// Spread is the median and the bounds of what was found in some rounds; Rounds is 0
// where nothing was.
type Spread struct {
	Rounds            int
	Median, Low, High float64
}

// Noise is how far the two times of one program are apart that was timed twice
// in every round: no claim about different programs is smaller.
type Noise struct {
	// Variants are those whose programs were timed twice: usually the original
	// alone. It is empty where there was no race.
	Variants []string
	// Rounds is the number of pairs, Ratio that of the second time to the first, and
	// Certainty what that is worth.
	Rounds    int
	Ratio     store.Estimate
	Certainty store.Certainty
}

// course says how the race went.
func (h history) course(p policy) Race {
	r := Race{Rounds: len(h.races(math.MaxInt)), Disturbances: h.disturbances(math.MaxInt, p)}
	r.Drift = h.drift(r.Disturbances, p)
	if noise := h.evidence(math.MaxInt, p).noise; noise.N > 0 {
		r.Noise = Noise{Variants: slices.Sorted(maps.Keys(h.controls)), Rounds: noise.N, Ratio: estimate(noise), Certainty: certaintyOf(noise)}
	}
	r.RoundTrip = h.spread(func(s store.RoundState) float64 { return s.RoundTrip })
	r.Frequency = h.spread(func(s store.RoundState) float64 { return s.Frequency })
	return r
}

// spread is that of one value of the states of rounds, of those in which it is
// known.
func (h history) spread(value func(store.RoundState) float64) Spread {
	var known []float64
	for _, state := range h.states {
		if v := value(state); v > 0 {
			known = append(known, v)
		}
	}
	median, err := stat.Median(known)
	if err != nil {
		return Spread{}
	}
	return Spread{Rounds: len(known), Median: median, Low: slices.Min(known), High: slices.Max(known)}
}
