package tuner

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"polytune/store"
	"polytune/tuner/stat"
)

// contest is a way to run a race: it plays a session on a machine.
type contest struct {
	name   string
	policy policy
	play   func(m *simulation, seed uint64, p policy) (h history, runs int)
}

// contests are the ways that docs/architecture.md compares: the one that is used
// comes last.
func contests() []contest {
	plain := racePolicy
	plain.disturbed = 0
	early := plain
	early.claim, early.roundsMin = 0.95, 6
	return []contest{
		{"claims at 95%, random order, no control, no repeats", early, func(m *simulation, seed uint64, p policy) (history, int) {
			return m.contest(seed, p, false, false)
		}},
		{"claims at 99%, else the same", plain, func(m *simulation, seed uint64, p policy) (history, int) {
			return m.contest(seed, p, false, false)
		}},
		{"and the final forwards and backwards", plain, func(m *simulation, seed uint64, p policy) (history, int) {
			return m.contest(seed, p, true, false)
		}},
		{"and no claim below the noise", plain, func(m *simulation, seed uint64, p policy) (history, int) {
			return m.contest(seed, p, true, true)
		}},
		{"and Friedman's test with Conover's comparison from round 4 on", plain, (*simulation).conoverSession},
		{"instead of that, disturbed rounds repeated (used)", racePolicy, (*simulation).session},
	}
}

// contest is a session that may do without turning the order of the final
// round, and without controls.
func (m *simulation) contest(seed uint64, p policy, turning, controls bool) (h history, runs int) {
	h = m.screen()
	for number := 1; ; number++ {
		place := stand(h, nil, p)
		if place.settled {
			return h, runs
		}
		place.final = place.final && turning
		order := place.order(seed, number)
		if !controls {
			order = slices.DeleteFunc(order, func(r run) bool { return r.control })
		}
		m.round(h, number, order)
		runs += len(order)
	}
}

// conoverSession is a session without halving: from the fourth round on, those
// leave who are slower than the leader by Conover's comparison, corrected by
// Holm, once Friedman's test says that there is a difference.
func (m *simulation) conoverSession(seed uint64, p policy) (h history, runs int) {
	h = m.screen()
	field := entrants(h.times, nil, p)
	for number := 1; ; number++ {
		e := h.evidence(math.MaxInt, p)
		field = conoverSurvivors(e, field)
		leader := e.fastest(append([]string{store.Original}, field...), 1)[0]
		s := standing{leader: leader, field: field, contenders: field, final: len(field) <= p.leaders, rounds: e.least(field)}
		if s.rounds >= p.roundsMax || s.rounds >= p.roundsMin && e.decided(s) {
			return h, runs
		}
		s.controlled = h.times.controlled(s)
		order := s.order(seed, number)
		m.round(h, number, order)
		runs += len(order)
	}
}

// conoverSurvivors are the variants that are not slower than the best of them.
func conoverSurvivors(e evidence, field []string) []string {
	const least, level = 4, 0.05
	if len(field) < 2 || e.least(field) < least {
		return field
	}
	var blocks [][]float64
	for _, round := range e.rounds(store.Original) {
		var block []float64
		for _, variant := range field {
			if seconds, timed := e.timings[variant][round]; timed && round > screeningRound {
				block = append(block, seconds)
			}
		}
		if len(block) == len(field) {
			blocks = append(blocks, block)
		}
	}
	ranking, err := stat.Friedman(blocks)
	if err != nil || ranking.P >= level {
		return field
	}
	best := slices.Index(ranking.RankSums, slices.Min(ranking.RankSums))
	p := make([]float64, len(field))
	for i := range field {
		p[i], _ = ranking.Compare(i, best)
	}
	adjusted, err := stat.Holm(p)
	if err != nil {
		return field
	}
	var left []string
	for i, variant := range field {
		if adjusted[i] >= level {
			left = append(left, variant)
		}
	}
	return left
}

// tally is what a contest did in many sessions.
type tally struct {
	best, right, runs int
	regret            float64
}

func (c contest) tally(sessions int, times map[string]float64, winner string, change func(*simulation)) (t tally) {
	for seed := range uint64(sessions) {
		m := newSimulation(seed+1000, times)
		change(m)
		h, runs := c.play(m, seed, c.policy)
		j := m.verdictOf(h, c.policy)
		if j.verdict == Best {
			t.best++
		}
		if j.winner == winner {
			t.right++
		}
		t.runs += runs
		t.regret += times[j.winner]/times[winner] - 1
	}
	return t
}

// TestPolicies prints the table of docs/architecture.md, and fails where the way
// that is used breaks its promise.
func TestPolicies(t *testing.T) {
	if os.Getenv("POLYTUNE_LONG") == "" {
		t.Skip("POLYTUNE_LONG is not set")
	}
	const sessions = 1000
	equal := map[string]float64{store.Original: 1.6, "0.a": 1, "0.b": 1}
	five, winner := crowd(0.05)
	two, _ := crowd(0.02)
	var table strings.Builder
	table.WriteString("| way | equal: called best | noisy: called best | 5%: found | called best | 2%: found | called best | mean regret | timings |\n")
	for _, c := range contests() {
		calm := c.tally(sessions, equal, "0.a", func(*simulation) {})
		noisy := c.tally(sessions, equal, "0.a", func(m *simulation) { m.jitter, m.drift = 0.03, 0.04 })
		clear := c.tally(sessions, five, winner, func(*simulation) {})
		near := c.tally(sessions, two, winner, func(*simulation) {})
		share := func(n int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/sessions) }
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s | %s | %s | %.3f%% | %d |\n", c.name, share(calm.best), share(noisy.best),
			share(clear.right), share(clear.best), share(near.right), share(near.best), 100*near.regret/sessions, near.runs/sessions)
		if c.policy == racePolicy && (calm.best > sessions/20 || noisy.best > sessions/20 || clear.right < sessions*95/100 || clear.best < sessions*95/100) {
			t.Errorf("%s: %+v, %+v, %+v", c.name, calm, noisy, clear)
		}
	}
	t.Log("\n" + table.String())
}
