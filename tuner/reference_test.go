package tuner

import (
	"math"
	"slices"
	"testing"

	"polytune/store"
)

// An original that is a hundred times slower is timed in a few rounds; the best is found
// and called so as often as with a fast one, and the interval of its speedup is right.
func TestSlowOriginalIsTimedInFewRounds(t *testing.T) {
	times, winner := crowd(0.05)
	times[store.Original] = 100
	found, right, most := 0, 0, 0
	for seed := range uint64(100) {
		m := newSimulation(seed, times)
		h, _ := m.session(seed, racePolicy)
		if j := m.verdictOf(h, racePolicy); j.winner == winner && j.verdict == Best {
			found++
		}
		e := h.evidence(math.MaxInt, racePolicy)
		summary, ok := e.summary(winner)
		if ok && summary.Speedup.Low <= 100 && 100 <= summary.Speedup.High && summary.Coverage >= confidence {
			right++
		}
		most = max(most, roundsUpTo(h.times[store.Original], math.MaxInt))
	}
	t.Logf("found in %d sessions of 100, interval right in %d, the original timed up to %d times", found, right, most)
	// A third of the rounds may be disturbed, and is repeated.
	if found < 95 || right < 95 || most > 2*baselineRounds() {
		t.Errorf("found in %d sessions of 100, interval right in %d, the original timed up to %d times", found, right, most)
	}
}

// A slow original comes after the first rounds, as often as its interval needs; without it
// the race is not decided.
func TestRoundsOfASlowOriginal(t *testing.T) {
	m := newSimulation(3, map[string]float64{store.Original: 30, "0.a": 1, "0.b": 2, "0.c": 2.2})
	m.slowdown, m.drift, m.tail = 1, 0, 0
	h := m.screen()
	var with []int
	number := 1
	for ; ; number++ {
		place := stand(h, nil, racePolicy)
		if place.settled {
			break
		}
		order := place.order(1, number)
		if slices.Contains(order, run{store.Original, false}) {
			with = append(with, number)
		}
		if slices.Contains(order, run{store.Original, true}) || !slices.ContainsFunc(order, func(r run) bool { return r.control }) {
			t.Errorf("round %d has the wrong control: %v", number, order)
		}
		m.round(h, number, order)
	}
	if want := []int{4, 5, 6, 7, 8, 9}; !slices.Equal(with, want) || number != 10 {
		t.Errorf("the original is in the rounds %v and the race has %d; want %v", with, number-1, want)
	}
	e := h.evidence(math.MaxInt, racePolicy)
	if e.reference != "0.a" || !e.clearlySlower(store.Original, "0.a") || e.clearlySlower("0.a", store.Original) {
		t.Errorf("reference %s; the original is clearly slower: %v", e.reference, e.clearlySlower(store.Original, "0.a"))
	}
	if j := m.verdictOf(h, racePolicy); j.winner != "0.a" || j.verdict != Best {
		t.Errorf("judged %+v", j)
	}
	if summary, ok := e.summary(store.Original); !ok || summary.Rounds != 6 || summary.Speedup.Median != 1 {
		t.Errorf("the original: %+v", summary)
	}
	if race := h.course(racePolicy); race.Rounds != 9 || race.Noise.Rounds != 9 {
		t.Errorf("race %+v", race)
	}
}

// Until a slow original is in a round, its time in the screening is what speedups are over,
// and the race decides who is first. The time and the speedup of a row are of the same
// samples, and nothing is known to be faster.
func TestSlowOriginalWithoutRounds(t *testing.T) {
	h := known(timings{store.Original: {0: 50}, "0.a": {0: 0.9, 1: 1, 2: 1.01, 3: 1}, "0.b": {0: 1, 1: 0.9, 2: 0.91, 3: 0.9}})
	e := h.evidence(math.MaxInt, racePolicy)
	a, _ := e.summary("0.a")
	b, _ := e.summary("0.b")
	if e.reference != "0.a" || b.Speedup.Median <= a.Speedup.Median || b.Rounds != 3 || b.Coverage != 0 || math.Abs(a.Speedup.Median*a.Seconds.Median-50) > 1e-9 || math.Abs(b.Speedup.Median*b.Seconds.Median-50) > 1e-9 {
		t.Errorf("reference %s, a %+v, b %+v", e.reference, a, b)
	}
	if j := judge(e, variants(h)); j.winner != store.Original || j.first != "0.b" || j.verdict != NotSeparated {
		t.Errorf("judged %+v", j)
	}
}

// Where the screening was wrong, and the original is the fastest of all, it is in every round
// as soon as that shows, and wins.
func TestFastOriginalThatSeemedSlow(t *testing.T) {
	m := newSimulation(5, map[string]float64{store.Original: 0.5, "0.a": 1, "0.b": 1.1})
	h := m.screen()
	h.times["0.a"][screeningRound], h.times["0.b"][screeningRound] = 0.01, 0.02
	for number := 1; ; number++ {
		place := stand(h, nil, racePolicy)
		if place.settled {
			break
		}
		if number > 30 {
			t.Fatalf("no end: %+v", place)
		}
		m.round(h, number, place.order(1, number))
	}
	if j := m.verdictOf(h, racePolicy); j.winner != store.Original || j.verdict != Best {
		t.Errorf("judged %+v", j)
	}
}

// The reference is the original unless that is slow and the others have more rounds.
func TestReference(t *testing.T) {
	for _, c := range []struct {
		name    string
		timings timings
		want    string
	}{
		{"nothing", timings{}, store.Original},
		{"a fast original", timings{store.Original: steady(3, 5, 0), "0.a": steady(4, 1, 0)}, store.Original},
		{"a slow one that is in all rounds", timings{store.Original: steady(4, 50, 0), "0.a": steady(4, 1, 0)}, store.Original},
		{"a slow one", timings{store.Original: steady(3, 50, 0), "0.a": steady(4, 1, 0), "0.b": steady(4, 0.9, 0), "0.c": steady(3, 0.8, 0)}, "0.b"},
		{"before the race", timings{store.Original: {0: 50}, "0.a": {0: 1}}, store.Original},
		{"slow beside one that never raced", timings{store.Original: steady(3, 5, 0), "0.a": steady(4, 1, 0), "0.b": {0: 0.1}}, store.Original},
	} {
		if got := c.timings.referenceUpTo(math.MaxInt); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Some runs take many times as long where other work has the processors. A quick race goes on until
// a variant that is many times as fast as the original is known to be so, however slow that is; of
// one that is as fast it is not said.
func TestQuickRaceOnABusyMachine(t *testing.T) {
	r := &Request{Effort: Quick}
	r.Settings.Measurement.RoundsMin, r.Settings.Measurement.RoundsMax, r.Settings.Measurement.Indifference = 9, 30, racePolicy.indifference
	r.Settings.Measurement.ScreeningFactor = racePolicy.screeningFactor
	p := r.policy()
	for _, c := range []struct {
		original     float64
		least, most  int
		roundsOnMean int
	}{{15, 95, 100, 12}, {5, 95, 100, 14}, {1, 0, 3, 18}} {
		claimed, rounds := 0, 0
		for seed := range uint64(100) {
			m := newSimulation(seed, map[string]float64{store.Original: c.original, "0.a": 1, "0.b": 1.3})
			m.tailShare, m.tail = 0.1, 10
			h, _ := m.session(seed, p)
			if m.verdictOf(h, p).winner != store.Original {
				claimed++
			}
			rounds += h.lastRound()
		}
		t.Logf("an original that takes %g times as long: known in %d of 100 sessions, of %.1f rounds", c.original, claimed, float64(rounds)/100)
		if claimed < c.least || claimed > c.most || rounds > 100*c.roundsOnMean {
			t.Errorf("an original that takes %g times as long: known in %d of 100 sessions, of %.1f rounds", c.original, claimed, float64(rounds)/100)
		}
	}
}
