package tuner

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"polytune/tuner/stat"
)

// Disturbance is a round of the race that does not count, because the machine
// was not the same as in the others. Its samples are kept, and another round
// takes its place.
type Disturbance struct {
	Round int   `json:"round"`
	Cause Cause `json:"cause"`
	// Ratio is, for Level and Apart, the time of the reference programs, or of a cache line between
	// processors, in this round divided by that in the others; for Preempted the involuntary
	// context switches per second of a processor; for Stolen the share of the processors' time that
	// the host took.
	Ratio float64 `json:"ratio"`
}

// Cause is by what a round was seen to be disturbed.
type Cause string

// The causes.
const (
	// Level: the original, and every other program that was timed twice, took
	// much longer or shorter than in the other rounds.
	Level Cause = "level"
	// Preempted: other programs ran on the processors of the timings.
	Preempted Cause = "preempted"
	// Stolen: the host of this virtual machine gave its processors to others.
	Stolen Cause = "stolen"
	// Apart: the round trip of a cache line between two processors of the timings
	// was much longer or shorter, as when the host has moved them.
	Apart Cause = "apart"
)

const (
	// leastLevels is the least number of rounds among which one stands out.
	leastLevels = 5
	// preemptions, in switches per second of a processor, and stolenShare of
	// its time are by how much a round must exceed the median of all. Another
	// program that computes on the same processor causes hundreds of switches
	// a second; timers and daemons cause a few.
	preemptions = 50
	stolenShare = 0.05
	// strainFactor is by which factor it must exceed it.
	strainFactor = 3
	// apartFactor is the factor between the round trips of two states of a
	// machine: hosts that move processors change it several times over.
	apartFactor = 1.6
)

// suspect is a round that may be disturbed; excess says how much it stands out,
// above 1 for one that does.
type suspect struct {
	Disturbance
	excess float64
}

// disturbances are the disturbed rounds up to and including the last, in order:
// those that stand out most, and of all no greater share than the policy
// allows, since where most rounds are disturbed the disturbance is what the
// machine is like. They follow from the samples up to there alone.
func (h history) disturbances(last int, p policy) []Disturbance {
	rounds := h.races(last)
	worst := map[int]suspect{}
	for _, s := range slices.Concat(h.unlevel(rounds, h.times.referenceUpTo(last), p.indifference), h.strained(rounds, p.processors), h.apart(rounds)) {
		if s.excess > worst[s.Round].excess {
			worst[s.Round] = s
		}
	}
	suspects := slices.SortedFunc(maps.Values(worst), func(a, b suspect) int {
		return cmp.Or(cmp.Compare(b.excess, a.excess), cmp.Compare(a.Round, b.Round))
	})
	var disturbances []Disturbance
	for _, s := range suspects[:min(len(suspects), int(p.disturbed*float64(len(rounds))+1e-9))] {
		disturbances = append(disturbances, s.Disturbance)
	}
	slices.SortFunc(disturbances, func(a, b Disturbance) int { return cmp.Compare(a.Round, b.Round) })
	return disturbances
}

// races are the rounds of the race up to the last that have the reference.
func (h history) races(last int) []int {
	return slices.DeleteFunc(h.times.rounds(h.times.referenceUpTo(last)), func(round int) bool { return round <= screeningRound || round > last })
}

// levels are, by round, the logarithm of the time that the reference programs
// took, relative to their own medians: the middle one of the reference (usually the
// original), the program that was timed twice and its control, or the lesser of two.
// So one long run alone does not make a level.
func (h history) levels(rounds []int, reference string) []float64 {
	centres := map[string]float64{}
	centre := func(variant string) float64 {
		if _, known := centres[variant]; !known {
			centres[variant] = h.centre(variant, rounds)
		}
		return centres[variant]
	}
	levels := make([]float64, len(rounds))
	for i, round := range rounds {
		witnesses := []float64{math.Log(h.times[reference][round]) - centre(reference)}
		for variant, controls := range h.controls {
			again, timed := controls[round]
			if !timed {
				continue
			}
			witnesses = append(witnesses, math.Log(again)-centre(variant))
			if seconds, both := h.times[variant][round]; both && variant != reference {
				witnesses = append(witnesses, math.Log(seconds)-centre(variant))
			}
		}
		slices.Sort(witnesses)
		levels[i] = witnesses[(len(witnesses)-1)/2]
	}
	return levels
}

// centre is the median logarithm of a program's times in some rounds, its
// controls included.
func (h history) centre(variant string, rounds []int) float64 {
	var logarithms []float64
	for _, round := range rounds {
		for _, t := range []timings{h.times, h.controls} {
			if seconds, timed := t[variant][round]; timed {
				logarithms = append(logarithms, math.Log(seconds))
			}
		}
	}
	median, err := stat.Median(logarithms)
	if err != nil {
		return 0
	}
	return median
}

// unlevel finds the rounds whose level is an outlier among all, by more than
// the difference that does not matter.
func (h history) unlevel(rounds []int, reference string, indifference float64) (suspects []suspect) {
	if len(rounds) < leastLevels {
		return nil
	}
	levels := h.levels(rounds, reference)
	scores, err := stat.ModifiedZScores(levels)
	if err != nil {
		return nil
	}
	centre, err := stat.Median(levels)
	if err != nil {
		return nil
	}
	for i, round := range rounds {
		away := levels[i] - centre
		if excess := math.Abs(scores[i]) / stat.OutlierThreshold; excess > 1 && math.Abs(away) > math.Log1p(indifference) {
			suspects = append(suspects, suspect{Disturbance{round, Level, math.Exp(away)}, excess})
		}
	}
	return suspects
}

// strained finds the rounds in which the system took the processors away from
// the runs far more than in the others. processors is their number in a run.
func (h history) strained(rounds []int, processors int) []suspect {
	preempted, stolen := make([]float64, len(rounds)), make([]float64, len(rounds))
	for i, round := range rounds {
		s := h.strain[round]
		if seconds := s.elapsed.Seconds() * float64(max(processors, 1)); seconds > 0 {
			preempted[i], stolen[i] = float64(s.preempted)/seconds, s.stolen.Seconds()/seconds
		}
	}
	return append(excessive(rounds, preempted, Preempted, preemptions), excessive(rounds, stolen, Stolen, stolenShare)...)
}

// excessive finds the rounds whose value is above the median by more than the
// margin, and several times the median.
func excessive(rounds []int, values []float64, cause Cause, margin float64) (suspects []suspect) {
	median, err := stat.Median(values)
	if err != nil {
		return nil
	}
	for i, value := range values {
		if excess := (value - median) / margin; excess > 1 && value > strainFactor*median {
			suspects = append(suspects, suspect{Disturbance{rounds[i], cause, value}, excess})
		}
	}
	return suspects
}

// apart finds the rounds in front of which cache lines took another time between
// the processors, of those where that is known.
func (h history) apart(rounds []int) (suspects []suspect) {
	var logarithms []float64
	for _, round := range rounds {
		if trip := h.states[round].RoundTrip; trip > 0 {
			logarithms = append(logarithms, math.Log(trip))
		}
	}
	median, err := stat.Median(logarithms)
	if err != nil || len(logarithms) < leastLevels {
		return nil
	}
	for _, round := range rounds {
		if trip := h.states[round].RoundTrip; trip > 0 {
			away := math.Log(trip) - median
			if excess := math.Abs(away) / math.Log(apartFactor); excess > 1 {
				suspects = append(suspects, suspect{Disturbance{round, Apart, math.Exp(away)}, excess})
			}
		}
	}
	return suspects
}

// Drift is a change of the machine's speed during the race that was too slow, or
// lasted too long, to be left out. Comparisons within rounds stand all the
// same; times of different rounds are not those of one machine.
type Drift struct {
	// Ratio is the time that the reference programs took in the end, divided by
	// that in the beginning; for a step, after and before it.
	Ratio float64 `json:"ratio"`
	// Step is the first round after a step, or 0 for a trend.
	Step int `json:"step"`
	// P is the probability of as much without any drift.
	P float64 `json:"p"`
}

const (
	// driftLevel is the probability below which there is a drift, driftRounds
	// the least number of rounds that can show one.
	driftLevel  = 0.01
	driftRounds = 8
)

// drift looks for a trend and for a step in the levels of the rounds that were
// not disturbed; the zero Drift where there is none that matters.
func (h history) drift(disturbances []Disturbance, p policy) Drift {
	rounds := slices.DeleteFunc(h.races(math.MaxInt), func(round int) bool {
		return slices.ContainsFunc(disturbances, func(d Disturbance) bool { return d.Round == round })
	})
	if len(rounds) < driftRounds {
		return Drift{}
	}
	levels := h.levels(rounds, h.times.referenceUpTo(math.MaxInt))
	trend, err := stat.KendallTrend(levels)
	if err != nil {
		return Drift{}
	}
	step, err := stat.PettittStep(levels)
	if err != nil {
		return Drift{}
	}
	third := len(levels) / 3
	d := Drift{P: trend.P, Ratio: change(levels[:third], levels[len(levels)-third:])}
	if step.P < trend.P {
		d = Drift{P: step.P, Step: rounds[step.At], Ratio: change(levels[:step.At], levels[step.At:])}
	}
	if d.P >= driftLevel || math.Abs(math.Log(d.Ratio)) <= math.Log1p(p.indifference) {
		return Drift{}
	}
	return d
}

// change is the ratio of the medians of two sets of levels.
func change(before, after []float64) float64 {
	first, err1 := stat.Median(before)
	second, err2 := stat.Median(after)
	if err1 != nil || err2 != nil {
		return 1
	}
	return math.Exp(second - first)
}
