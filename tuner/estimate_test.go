package tuner

import (
	"testing"
	"time"

	"polytune/store"
)

// A race has as many entrants as the time that is left has rounds for until a claim is possible, at
// least two.
func TestRaceWithinBudget(t *testing.T) {
	full := policy{entrants: 16, leaders: 8, roundsMin: 9}
	even := raceCosts{contender: 450 * time.Millisecond, baseline: 470 * time.Millisecond}
	slow := raceCosts{contender: 100 * time.Millisecond, baseline: 20 * time.Second, budget: time.Minute}
	for _, test := range []struct {
		name              string
		left              time.Duration
		costs             raceCosts
		entrants, leaders int
	}{
		{"time enough", time.Hour, even, 16, 8},
		{"half a minute", 30 * time.Second, even, 7, 3},
		{"too little for two", 5 * time.Second, even, 2, 2},
		{"none", -time.Second, even, 2, 2},
		{"a slow original", 30 * time.Second, slow, 16, 8},
	} {
		p := full.within(test.left, test.costs)
		if p.entrants != test.entrants || p.leaders != test.leaders {
			t.Errorf("%s: %d entrants, %d leaders", test.name, p.entrants, p.leaders)
		}
		if least, _ := test.costs.least(p); least > test.left && p.entrants > leastEntrants {
			t.Errorf("%s: %v in %v", test.name, least, test.left)
		}
	}
}

// What processes take besides the timed function is known from the screening.
func TestProcessTime(t *testing.T) {
	h := newHistory("")
	if h.processTime() != 0 {
		t.Errorf("%v is known of nothing", h.processTime())
	}
	for variant, seconds := range map[string]float64{"a": 0.4, "b": 0.8} {
		h.add(variant, false, store.Sample{Round: screeningRound, Seconds: 0.01, Counters: &store.Counters{Elapsed: seconds}})
		h.add(variant, false, store.Sample{Round: screeningRound + 1, Seconds: 0.01, Counters: &store.Counters{Elapsed: 7}})
	}
	if h.processTime() != 600*time.Millisecond {
		t.Errorf("%v for processes of 0.4 and 0.8 s", h.processTime())
	}
}
