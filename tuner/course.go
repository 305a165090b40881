package tuner

import (
	"maps"
	"math"
	"slices"

	"polytune/store"
)

// Race says how a race went, and what its timings are worth.
type Race struct {
	// Rounds counts the rounds in which the original was timed. Disturbances
	// are those of them that do not count.
	Rounds       int
	Disturbances []Disturbance
	// Drift is how the speed of the machine changed, zero where it did not.
	Drift Drift
	Noise Noise
}

// Noise is how far the two times of one program are apart that was timed twice
// in every round: no claim about different programs is smaller.
type Noise struct {
	// Variants are those whose programs were timed twice: usually the original
	// alone. It is empty where there was no race.
	Variants []string
	// Rounds is the number of pairs, Ratio that of the second time to the first.
	Rounds int
	Ratio  store.Estimate
}

// course says how the race went.
func (h history) course(p policy) Race {
	r := Race{Rounds: len(h.races(math.MaxInt)), Disturbances: h.disturbances(math.MaxInt, p)}
	r.Drift = h.drift(r.Disturbances, p)
	if noise := h.evidence(math.MaxInt, p).noise; noise.N > 0 {
		r.Noise = Noise{Variants: slices.Sorted(maps.Keys(h.controls)), Rounds: noise.N, Ratio: estimate(noise)}
	}
	return r
}
