package tuner

import (
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"polytune/store"
	"polytune/tuner/stat"
)

// raced is a history of so many rounds of the original, twice, and one variant:
// seconds gives the time of each in a round.
func raced(rounds int, seconds func(variant string, control bool, round int) float64) history {
	h := newHistory("")
	for round := 1; round <= rounds; round++ {
		for _, r := range []run{{store.Original, false}, {store.Original, true}, {"0.a", false}} {
			h.add(r.variant, r.control, store.Sample{Round: round, Seconds: seconds(r.variant, r.control, round)})
		}
	}
	return h
}

// ripple is a small change from round to round, so that no two are equal.
func ripple(round int) float64 { return 1 + 0.001*float64(round*7%5) }

// of are the rounds of disturbances.
func of(disturbances []Disturbance) (rounds []int) {
	for _, d := range disturbances {
		rounds = append(rounds, d.Round)
	}
	return rounds
}

func TestRoundsOfAnotherLevelAreDisturbed(t *testing.T) {
	for _, c := range []struct {
		name   string
		rounds int
		factor func(variant string, control bool, round int) float64
		want   []int
	}{
		{"calm", 10, func(string, bool, int) float64 { return 1 }, nil},
		{"a neighbour in two rounds", 10, func(_ string, _ bool, round int) float64 {
			return map[bool]float64{true: 1.08, false: 1}[round == 4 || round == 5]
		}, []int{4, 5}},
		{"a fast round", 10, func(_ string, _ bool, round int) float64 {
			return map[bool]float64{true: 0.9, false: 1}[round == 7]
		}, []int{7}},
		{"one long run of the original", 10, func(variant string, control bool, round int) float64 {
			return map[bool]float64{true: 1.5, false: 1}[round == 4 && variant == store.Original && !control]
		}, nil},
		{"less than matters", 10, func(_ string, _ bool, round int) float64 {
			return map[bool]float64{true: 1.005, false: 1}[round == 4]
		}, nil},
		{"too few rounds to tell", 4, func(_ string, _ bool, round int) float64 {
			return map[bool]float64{true: 2, false: 1}[round == 4]
		}, nil},
		{"a share at most", 9, func(_ string, _ bool, round int) float64 {
			return map[bool]float64{true: 1.08 + 0.01*float64(round), false: 1}[round > 5]
		}, []int{7, 8, 9}},
	} {
		h := raced(c.rounds, func(variant string, control bool, round int) float64 {
			return ripple(round) * c.factor(variant, control, round)
		})
		found := h.disturbances(math.MaxInt, racePolicy)
		if !slices.Equal(of(found), c.want) {
			t.Errorf("%s: %+v, want %v", c.name, found, c.want)
		}
		for _, d := range found {
			if want := c.factor("0.a", false, d.Round); d.Cause != Level || math.Abs(d.Ratio-want) > 0.01*want {
				t.Errorf("%s: %+v, want a ratio of %v", c.name, d, want)
			}
		}
	}
}

// Where the leader is timed twice, the original's long run alone is none of the
// machine's; that of all is.
func TestLevelsWithTheLeaderAsControl(t *testing.T) {
	for name, want := range map[string][]int{"original": nil, "all": {3}} {
		h := newHistory("")
		for round := 1; round <= 8; round++ {
			for _, r := range []run{{store.Original, false}, {"0.a", false}, {"0.a", true}} {
				seconds := ripple(round) * map[string]float64{store.Original: 20, "0.a": 1}[r.variant]
				if round == 3 && (name == "all" || r.variant == name) {
					seconds *= 1.2
				}
				h.add(r.variant, r.control, store.Sample{Round: round, Seconds: seconds})
			}
		}
		if found := h.disturbances(math.MaxInt, racePolicy); !slices.Equal(of(found), want) {
			t.Errorf("%s: %+v, want %v", name, found, want)
		}
	}
}

// What the system counted shows a disturbance also in the third round.
func TestStrainedRoundsAreDisturbed(t *testing.T) {
	for _, c := range []struct {
		name     string
		counters store.Counters
		want     Cause
	}{
		{"calm", store.Counters{Elapsed: 1, InvoluntarySwitches: 4}, ""},
		{"a busy neighbour", store.Counters{Elapsed: 1, InvoluntarySwitches: 120}, Preempted},
		{"a long round", store.Counters{Elapsed: 60, InvoluntarySwitches: 120}, ""},
		{"the host", store.Counters{Elapsed: 1, InvoluntarySwitches: 3, Stolen: 0.2}, Stolen},
	} {
		h := newHistory("")
		for round := 1; round <= 3; round++ {
			counters := store.Counters{Elapsed: 1, InvoluntarySwitches: 3, Stolen: 0.01}
			if round == 2 {
				counters = c.counters
			}
			h.add(store.Original, false, store.Sample{Round: round, Seconds: 1, Counters: &counters})
		}
		found := h.disturbances(math.MaxInt, racePolicy)
		if c.want == "" && len(found) != 0 || c.want != "" && (len(found) != 1 || found[0].Round != 2 || found[0].Cause != c.want) {
			t.Errorf("%s: %+v", c.name, found)
		}
		more := racePolicy
		more.processors = 100
		if found := h.disturbances(math.MaxInt, more); len(found) != 0 {
			t.Errorf("%s, shared by a hundred processors: %+v", c.name, found)
		}
	}
}

// Rounds in front of which a cache line took another time between processors are
// left out, where that is known of enough rounds.
func TestRoundsOfAnotherStateAreDisturbed(t *testing.T) {
	for _, c := range []struct {
		name  string
		trips []float64
		want  []int
	}{
		{"unknown", make([]float64, 9), nil},
		{"steady", []float64{90e-9, 95e-9, 110e-9, 88e-9, 92e-9, 90e-9}, nil},
		{"moved for two rounds", []float64{90e-9, 95e-9, 390e-9, 385e-9, 92e-9, 90e-9}, []int{3, 4}},
		{"moved together", []float64{390e-9, 380e-9, 90e-9, 385e-9, 388e-9}, []int{3}},
		{"known of some", []float64{90e-9, 0, 95e-9, 0, 390e-9, 90e-9, 91e-9}, []int{5}},
		{"too few to tell", []float64{90e-9, 390e-9, 95e-9, 91e-9, 0, 0}, nil},
	} {
		h := raced(len(c.trips), func(_ string, _ bool, round int) float64 { return ripple(round) })
		for k, trip := range c.trips {
			h.states[k+1] = store.RoundState{Round: k + 1, RoundTrip: trip}
		}
		found := h.disturbances(math.MaxInt, racePolicy)
		if !slices.Equal(of(found), c.want) {
			t.Errorf("%s: %+v, want %v", c.name, found, c.want)
		}
		for _, d := range found {
			if trip := c.trips[d.Round-1]; d.Cause != Apart || d.Ratio < 0.9*trip/390e-9 || d.Ratio > 1.1*trip/90e-9 {
				t.Errorf("%s: %+v", c.name, d)
			}
		}
	}
}

// The course of a race has the states of its rounds.
func TestCourseHasStates(t *testing.T) {
	h := raced(4, func(_ string, _ bool, round int) float64 { return ripple(round) })
	if race := h.course(racePolicy); race.RoundTrip.Rounds != 0 || race.Frequency.Rounds != 0 {
		t.Errorf("%+v", race)
	}
	for round, state := range map[int]store.RoundState{1: {RoundTrip: 1e-7, Frequency: 2e9}, 2: {RoundTrip: 3e-7}, 3: {RoundTrip: 2e-7, Frequency: 3e9}} {
		h.states[round] = state
	}
	h.states[9] = store.RoundState{Round: 9}
	if last := h.lastRound(); last != 9 {
		t.Errorf("last round %d; one that was interrupted after the look at the machine is not begun again", last)
	}
	race := h.course(racePolicy)
	if race.RoundTrip != (Spread{3, 2e-7, 1e-7, 3e-7}) || race.Frequency != (Spread{2, 2.5e9, 2e9, 3e9}) {
		t.Errorf("%+v", race)
	}
}

// Among many variants reports become rare, but for messages and new phases.
func TestReportsAmongManyVariants(t *testing.T) {
	for count, want := range map[int]int{2: 100, manyVariants + 2: 1} {
		s := &session{ledger: newLedger(""), request: &Request{}}
		for k := range count - 1 {
			s.ledger.get(VariantID([]int{k}, ""))
		}
		due := func(phase Phase, message string) bool {
			s.reportedAt = time.Now().Add(time.Hour) // as if no time went by
			return s.dueReport(phase, message)
		}
		due(Building, "")
		n := 1
		for range 99 {
			if due(Building, "") {
				n++
			}
		}
		if n != want {
			t.Errorf("%d variants: %d reports of 100, want %d", count, n, want)
		}
		if !due(Building, "read this") || !due(Screening, "") {
			t.Errorf("%d variants: a message or a phase was not reported", count)
		}
		s.reportedAt = time.Now().Add(-reportInterval)
		if !s.dueReport(Screening, "") {
			t.Errorf("%d variants: nothing is reported after some time", count)
		}
	}
}

// What is decided about a round does not depend on later ones, so that a race
// that is resumed has the same field.
func TestDisturbancesFollowFromEarlierRounds(t *testing.T) {
	times := map[string]float64{store.Original: 3}
	for i := range 12 {
		times[VariantID([]int{i}, "")] = 1 + 0.01*float64(i)
	}
	for seed := range uint64(5) {
		h, _ := newSimulation(seed, times).session(seed, racePolicy)
		last := h.lastRound()
		for round := 1; round <= last; round++ {
			early := newHistory("")
			for t, target := range map[*timings]timings{&h.times: early.times, &h.controls: early.controls} {
				for variant, samples := range *t {
					target[variant] = maps.Clone(samples)
					maps.DeleteFunc(target[variant], func(r int, _ float64) bool { return r > round })
				}
			}
			if a, b := h.disturbances(round, racePolicy), early.disturbances(math.MaxInt, racePolicy); !slices.Equal(a, b) {
				t.Fatalf("seed %d, round %d: %+v, and with later rounds %+v", seed, round, b, a)
			}
		}
	}
}

// A disturbed round is replaced: the race goes on for one more.
func TestDisturbedRoundsAreRepeated(t *testing.T) {
	calm := raced(9, func(_ string, _ bool, round int) float64 { return ripple(round) })
	shaken := raced(9, func(_ string, _ bool, round int) float64 {
		return ripple(round) * map[bool]float64{true: 1.1, false: 1}[round == 6]
	})
	for _, h := range []history{calm, shaken} {
		h.times.set(store.Original, screeningRound, 1)
		h.times.set("0.a", screeningRound, 1)
	}
	if place := stand(calm, nil, racePolicy); place.rounds != 9 || !place.settled {
		t.Errorf("calm: %+v", place)
	}
	if place := stand(shaken, nil, racePolicy); place.rounds != 8 || place.settled {
		t.Errorf("shaken: %+v", place)
	}
	if e := shaken.evidence(math.MaxInt, racePolicy); slices.Contains(e.rounds(store.Original), 6) || e.noise.N != 8 || len(shaken.times[store.Original]) != 10 {
		t.Errorf("evidence %+v of %+v", e, shaken)
	}
	if race := shaken.course(racePolicy); race.Rounds != 9 || len(race.Disturbances) != 1 || race.Noise.Rounds != 8 || race.Drift != (Drift{}) {
		t.Errorf("course %+v", race)
	}
}

func TestDrift(t *testing.T) {
	for _, c := range []struct {
		name  string
		level func(round int) float64
		step  int
		ratio float64
	}{
		{"none", func(int) float64 { return 1 }, 0, 0},
		{"too small to matter", func(round int) float64 { return 1 + 0.0005*float64(round) }, 0, 0},
		{"a trend", func(round int) float64 { return math.Pow(1.01, float64(round)) }, 0, math.Pow(1.01, 8)},
		{"getting faster", func(round int) float64 { return math.Pow(0.99, float64(round)) }, 0, math.Pow(0.99, 8)},
		{"a step", func(round int) float64 { return 1 + 0.04*float64(round/7) }, 7, 1.04},
	} {
		h := raced(12, func(_ string, _ bool, round int) float64 { return ripple(round) * c.level(round) })
		d := h.course(racePolicy).Drift
		if (d == Drift{}) != (c.ratio == 0) || d.Step != c.step || math.Abs(d.Ratio-c.ratio) > 0.01 {
			t.Errorf("%s: %+v, want a step at %d, ratio %v", c.name, d, c.step, c.ratio)
		}
	}
}

// Of programs whose second run is always the slower one, no smaller difference
// is believed.
func TestNoClaimBelowTheNoise(t *testing.T) {
	for _, c := range []struct {
		noise, gap float64
		want       bool
	}{{0, 0.03, true}, {0.02, 0.03, true}, {0.04, 0.03, false}, {-0.04, 0.03, false}, {0.04, 0.05, true}} {
		h := raced(10, func(variant string, control bool, round int) float64 {
			switch {
			case control:
				return ripple(round) * (1 + c.noise)
			case variant == store.Original:
				return ripple(round) * (1 + c.gap)
			}
			return ripple(round)
		})
		for _, controls := range h.controls {
			for round := range controls {
				controls[round] *= 1 + c.gap
			}
		}
		e := h.evidence(math.MaxInt, racePolicy)
		if got := e.clearlySlower(store.Original, "0.a"); got != c.want {
			t.Errorf("noise %v, gap %v: claimed %v; %+v", c.noise, c.gap, got, e.noise)
		}
		j := judge(e, []string{store.Original, "0.a"})
		if (j.verdict == Best) != c.want || (j.winner == "0.a") != c.want || j.first != "0.a" {
			t.Errorf("noise %v, gap %v: %+v", c.noise, c.gap, j)
		}
	}
}

func TestNoiseOfNothing(t *testing.T) {
	if e := newHistory("").evidence(math.MaxInt, racePolicy); e.noise != (stat.Interval{}) || e.floor() != 1 {
		t.Errorf("%+v", e)
	}
	if race := newHistory("").course(racePolicy); race.Rounds != 0 || race.Noise.Rounds != 0 {
		t.Errorf("%+v", race)
	}
}
