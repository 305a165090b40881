package tuner

import (
	"maps"
	"math"
	"slices"
	"time"

	"polytune/store"
	"polytune/tuner/stat"
)

const (
	// confidence is that of all reported intervals.
	confidence = 0.95
	// screeningRound holds the single timings of the screening; the rounds of
	// the race count from 1.
	screeningRound = 0
)

// timings are samples of a session: seconds by variant and round.
type timings map[string]map[int]float64

// set notes a sample, unless there is one for that round; fresh says that there
// was none.
func (t timings) set(variant string, round int, seconds float64) (fresh bool) {
	if t[variant] == nil {
		t[variant] = map[int]float64{}
	}
	if _, known := t[variant][round]; known {
		return false
	}
	t[variant][round] = seconds
	return true
}

// clone is a copy that shares nothing, nil of nil.
func (t timings) clone() timings {
	if t == nil {
		return nil
	}
	c := make(timings, len(t))
	for variant, samples := range t {
		c[variant] = maps.Clone(samples)
	}
	return c
}

// rounds are those in which a variant was timed, in order.
func (t timings) rounds(variant string) []int {
	return slices.Sorted(maps.Keys(t[variant]))
}

// pairs gives the times of two variants in the race's rounds that have both, in
// no certain order.
func (t timings) pairs(a, b string) (timesA, timesB []float64) {
	for round, first := range t[a] {
		if second, both := t[b][round]; both && round > screeningRound {
			timesA, timesB = append(timesA, first), append(timesB, second)
		}
	}
	return timesA, timesB
}

// compare estimates slow's time divided by fast's; ok is false when they have
// no round in common.
func (t timings) compare(slow, fast string, level float64) (interval stat.Interval, ok bool) {
	timesSlow, timesFast := t.pairs(slow, fast)
	interval, err := stat.Speedup(timesSlow, timesFast, level)
	return interval, err == nil
}

// raced are the times of a variant in the race's rounds, in no certain order.
func (t timings) raced(variant string) []float64 {
	var times []float64
	for round, seconds := range t[variant] {
		if round > screeningRound {
			times = append(times, seconds)
		}
	}
	return times
}

// typical is the median of all times of a variant, 0 if there are none.
func (t timings) typical(variant string) float64 {
	median, err := stat.Median(slices.Collect(maps.Values(t[variant])))
	if err != nil {
		return 0
	}
	return median
}

// history is what a session has measured: all that its decisions come from.
type history struct {
	// objective says what is compared, as store.On.Timing does.
	objective string
	// times are what is compared of the samples of the variants: seconds, unless the objective is
	// another one. controls are the second timings of a variant in a round.
	times, controls timings
	// seconds are those of the samples of the variants; nil where times are seconds.
	seconds timings
	// strain is what the system did in each round.
	strain map[int]strain
	// states are what was found out about the machine in front of each round.
	states map[int]store.RoundState
}

// strain is what the operating system counted in a round, over all its runs.
// The sums are of integers, so that they do not depend on the order of adding.
type strain struct {
	// preempted counts the involuntary context switches.
	preempted int64
	// elapsed is the duration of the processes, stolen the time that the host
	// took from their processors.
	elapsed, stolen time.Duration
}

func newHistory(objective string) history {
	h := history{objective: objective, times: timings{}, controls: timings{}, strain: map[int]strain{}, states: map[int]store.RoundState{}}
	if (store.On{Timing: objective}).IsObjective() {
		h.seconds = timings{}
	}
	return h
}

// inSeconds are the seconds of the samples of the variants.
func (h history) inSeconds() timings {
	if h.seconds == nil {
		return h.times
	}
	return h.seconds
}

// add notes a sample of a variant, or of its control. A known one changes
// nothing, as does one of which what is compared is not known.
func (h history) add(variant string, control bool, sample store.Sample) {
	t := h.times
	if control {
		t = h.controls
	}
	cost, known := sample.Cost(h.objective)
	if !known {
		return
	}
	c := sample.Counters
	fresh := t.set(variant, sample.Round, cost)
	if fresh && !control && h.seconds != nil {
		h.seconds.set(variant, sample.Round, sample.Seconds)
	}
	if !fresh || c == nil {
		return
	}
	s := h.strain[sample.Round]
	s.preempted += c.InvoluntarySwitches
	s.elapsed += time.Duration(c.Elapsed * float64(time.Second))
	s.stolen += time.Duration(c.Stolen * float64(time.Second))
	h.strain[sample.Round] = s
}

// processTime is the mean duration of the processes that were timed in the screening; 0 where nobody
// knows it.
func (h history) processTime() time.Duration {
	processes := 0
	for _, t := range []timings{h.times, h.controls} {
		for _, samples := range t {
			if _, timed := samples[screeningRound]; timed {
				processes++
			}
		}
	}
	return h.strain[screeningRound].elapsed / time.Duration(max(processes, 1))
}

// clone is a copy that shares nothing.
func (h history) clone() history {
	return history{objective: h.objective, times: h.times.clone(), controls: h.controls.clone(), seconds: h.seconds.clone(), strain: maps.Clone(h.strain), states: maps.Clone(h.states)}
}

// lastRound is the number of the last round that was begun, be it only with a look
// at the machine.
func (h history) lastRound() int {
	last := screeningRound
	for round := range h.states {
		last = max(last, round)
	}
	for _, t := range []timings{h.times, h.controls} {
		for _, samples := range t {
			for round := range samples {
				last = max(last, round)
			}
		}
	}
	return last
}

// evidence is what a history shows: the timings without the rounds that were
// disturbed, and how far equal programs are apart.
type evidence struct {
	timings
	// seconds are those of the rounds that the timings have; nil where timings are seconds.
	seconds timings
	// reference is the variant that the others are paired with.
	reference string
	// noise is the ratio of the two times of one program; N is 0 without one.
	noise stat.Interval
	// claim and indifference are those of the policy.
	claim, indifference float64
}

// evidence is that of the rounds up to and including the last.
func (h history) evidence(last int, p policy) evidence {
	disturbed := map[int]bool{}
	for _, d := range h.disturbances(last, p) {
		disturbed[d.Round] = true
	}
	left := func(t timings) timings {
		kept := make(timings, len(t))
		for variant, samples := range t {
			if _, screened := samples[screeningRound]; screened && len(samples) == 1 {
				kept[variant] = samples
				continue
			}
			kept[variant] = maps.Clone(samples)
			maps.DeleteFunc(kept[variant], func(round int, _ float64) bool { return round > last || disturbed[round] })
		}
		return kept
	}
	e := evidence{timings: left(h.times), claim: p.claim, indifference: p.indifference}
	if h.seconds != nil {
		e.seconds = left(h.seconds)
	}
	e.reference = e.referenceUpTo(last)
	e.noise = noise(e.timings, left(h.controls))
	return e
}

// gain is the median logarithm of the reference's time divided by the
// variant's; -Inf without a round.
func (e evidence) gain(variant string) float64 {
	reference, times := e.pairs(e.reference, variant)
	for i := range times {
		reference[i] = math.Log(reference[i]) - math.Log(times[i])
	}
	median, err := stat.Median(reference)
	if err != nil {
		return math.Inf(-1)
	}
	return median
}

// noise compares the two times of programs that were timed twice in a round.
func noise(times, controls timings) stat.Interval {
	var once, again []float64
	for _, variant := range slices.Sorted(maps.Keys(controls)) {
		for _, round := range controls.rounds(variant) {
			if seconds, both := times[variant][round]; both {
				once, again = append(once, seconds), append(again, controls[variant][round])
			}
		}
	}
	ratio, err := stat.Speedup(again, once, confidence)
	if err != nil {
		return stat.Interval{}
	}
	return ratio
}

// floor is the noise floor: the ratio, at least 1, by which the two times of
// one program differ.
func (e evidence) floor() float64 {
	if e.noise.N == 0 {
		return 1
	}
	return max(e.noise.Median, 1/e.noise.Median)
}

// clearlySlower is the claim that a variant is slower than another: with confidence,
// and by more than equal programs differ.
func (e evidence) clearlySlower(variant, other string) bool {
	if variant == store.Original && e.reference != store.Original {
		return e.farSlower(variant, other)
	}
	ratio, ok := e.compare(variant, other, e.claim)
	return ok && ratio.Median > e.floor() && ratio.Separates(1, e.claim)
}

// farSlower is the claim of clearlySlower by the times of all rounds, paired or not,
// for an original that is too slow to be timed in every round.
func (e evidence) farSlower(variant, other string) bool {
	slow, fast := e.raced(variant), e.raced(other)
	test, err := stat.MannWhitney(slow, fast)
	if err != nil || test.Superiority <= 0.5 || test.P > 1-e.claim {
		return false
	}
	slowest, err1 := stat.Median(slow)
	fastest, err2 := stat.Median(fast)
	return err1 == nil && err2 == nil && slowest > e.floor()*fastest
}

// indifferent is the claim that the times of two variants are, with confidence, too
// near to each other to matter.
func (e evidence) indifferent(variant, other string) bool {
	ratio, ok := e.compare(variant, other, confidence)
	return ok && ratio.Coverage >= confidence && ratio.Low >= 1/(1+e.indifference) && ratio.High <= 1+e.indifference
}
