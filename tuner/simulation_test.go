package tuner

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/store"
)

// simulation is a machine that times programs as machines do: log-normal jitter,
// a clock that drifts slowly, neighbours that slow everything down for a while,
// and now and then a run that takes much longer. It has a clock of its own,
// which every run moves on.
type simulation struct {
	random *rand.Rand
	// times are the true seconds by variant.
	times map[string]float64
	// jitter is the standard deviation of a time's logarithm, drift that of the
	// slow change, which is forgotten after driftSeconds.
	jitter, drift, driftSeconds float64
	// slowdown is the factor of neighbours, who come about every gap seconds
	// and stay for about stay.
	slowdown, gap, stay float64
	// tailShare of the runs take longer by a factor with mean 1 + tail.
	tailShare, tail float64

	now, level       float64
	arrival, leaving float64
}

// newSimulation has the noise of a busy node.
func newSimulation(seed uint64, times map[string]float64) *simulation {
	m := &simulation{
		random: rand.New(rand.NewPCG(seed, 17)), times: times, jitter: 0.01, drift: 0.02, driftSeconds: 300,
		slowdown: 1.08, gap: 60, stay: 10, tailShare: 0.04, tail: 0.1,
	}
	m.level = m.random.NormFloat64()
	m.arrival = m.random.ExpFloat64() * m.gap
	m.leaving = m.arrival + m.random.ExpFloat64()*m.stay
	return m
}

// run times a program once.
func (m *simulation) run(variant string) float64 {
	logarithm := math.Log(m.times[variant]) + m.level*m.drift + m.random.NormFloat64()*m.jitter
	for m.now > m.leaving {
		m.arrival = m.leaving + m.random.ExpFloat64()*m.gap
		m.leaving = m.arrival + m.random.ExpFloat64()*m.stay
	}
	if m.now >= m.arrival {
		logarithm += math.Log(m.slowdown)
	}
	if m.random.Float64() < m.tailShare {
		logarithm += math.Log1p(m.random.ExpFloat64() * m.tail)
	}
	seconds := math.Exp(logarithm)
	m.pass(seconds + 0.05)
	return seconds
}

// pass lets time go by.
func (m *simulation) pass(seconds float64) {
	m.now += seconds
	kept := math.Exp(-seconds / m.driftSeconds)
	m.level = m.level*kept + math.Sqrt(1-kept*kept)*m.random.NormFloat64()
}

// round times the runs of a round.
func (m *simulation) round(h history, number int, runs []run) {
	for position, r := range runs {
		h.add(r.variant, r.control, store.Sample{Round: number, Position: position, Seconds: m.run(r.variant)})
	}
}

// screen times every variant once.
func (m *simulation) screen() history {
	h := newHistory("")
	for _, variant := range append([]string{store.Original}, others(m.times)...) {
		h.add(variant, false, store.Sample{Round: screeningRound, Seconds: m.run(variant)})
	}
	return h
}

// others are the variants besides the original.
func others(times map[string]float64) []string {
	var all []string
	for variant := range times {
		if variant != store.Original {
			all = append(all, variant)
		}
	}
	slices.Sort(all)
	return all
}

// session plays a whole race and counts its timings.
func (m *simulation) session(seed uint64, p policy) (h history, runs int) {
	h = m.screen()
	for number := 1; ; number++ {
		place := stand(h, nil, p)
		if place.settled {
			return h, runs
		}
		order := place.order(seed, number)
		m.round(h, number, order)
		runs += len(order)
	}
}

// verdictOf judges a simulated session.
func (m *simulation) verdictOf(h history, p policy) judgement {
	return judge(h.evidence(math.MaxInt, p), append([]string{store.Original}, others(m.times)...))
}

var racePolicy = policy{
	entrants: 24, leaders: 8, roundsMin: 9, roundsMax: 30, roundsKnown: 30, screeningFactor: 2.5, indifference: 0.01,
	claim: claimConfidence, disturbed: disturbedShare, processors: 1,
}

// crowd is an original that takes 4 seconds, forty variants, and one that is
// faster than all others by the share ahead.
func crowd(ahead float64) (times map[string]float64, winner string) {
	times = map[string]float64{store.Original: 4}
	for i := range 40 {
		times[VariantID([]int{i}, "")] = (1 + 0.05*float64(i%20)) * (1 + ahead)
	}
	winner = VariantID([]int{77}, "")
	times[winner] = 1
	return times, winner
}

// A variant that is 5% faster than all others is found, and called the best, in
// at least 95 of 100 sessions.
func TestFivePercentAreFound(t *testing.T) {
	times, winner := crowd(0.05)
	found, right, most := 0, 0, 0
	for seed := range uint64(100) {
		m := newSimulation(seed, times)
		h, runs := m.session(seed, racePolicy)
		if j := m.verdictOf(h, racePolicy); j.winner == winner && j.verdict == Best {
			found++
		}
		most = max(most, runs)
		e := h.evidence(math.MaxInt, racePolicy)
		if summary, ok := e.summary(winner); ok && summary.Speedup.Low <= 4 && 4 <= summary.Speedup.High && summary.Coverage >= confidence {
			right++
		}
	}
	if found < 95 || right < 90 || most > 400 {
		t.Errorf("the best was found in %d sessions of 100; the interval of its speedup was right in %d; up to %d timings", found, right, most)
	}
	t.Logf("found in %d sessions of 100, interval right in %d, up to %d timings", found, right, most)
}

// One program as two variants, as three, or as the original and a variant, is
// called tied or not separated in at least 95 of 100 sessions; the short test has 40.
func TestEqualProgramsAreNotSeparated(t *testing.T) {
	sessions := 40
	if kerneltest.Long() {
		sessions = 100
	}
	for name, times := range map[string]map[string]float64{
		"two variants":                  {store.Original: 1.6, "0.a": 1, "0.b": 1},
		"three variants":                {store.Original: 1.6, "0.a": 1, "0.b": 1, "0.c": 1},
		"two, and a slow original":      {store.Original: 16, "0.a": 1, "0.b": 1},
		"the original and one variant":  {store.Original: 1, "0.a": 1},
		"the original and two variants": {store.Original: 1, "0.a": 1, "0.b": 1},
	} {
		for jitter, claims := range map[float64]int{0.01: 0, 0.03: 0} {
			for seed := range uint64(sessions) {
				m := newSimulation(seed, times)
				m.jitter = jitter
				h, _ := m.session(seed, racePolicy)
				j := m.verdictOf(h, racePolicy)
				if j.verdict == Best {
					claims++
				}
				if (j.verdict == Best) != (len(j.rivals) == 0) {
					t.Errorf("%s, seed %d: %+v", name, seed, j)
				}
			}
			t.Logf("%s, jitter %v: %d claims of a best one among equals in %d sessions", name, jitter, claims, sessions)
			if claims*20 > sessions {
				t.Errorf("%s, jitter %v: %d claims of a best one among equals in %d sessions", name, jitter, claims, sessions)
			}
		}
	}
}
