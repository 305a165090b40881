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

// contest is a way to run a race: it plays a session on a machine, and gives the
// verdict and the number of timings.
type contest struct {
	name   string
	policy policy
	play   func(m *simulation, seed uint64, p policy) (j judgement, runs int)
}

// contests are the ways that docs/decisions/0088-policies.md compares: the one that is used comes
// last.
func contests() []contest {
	plain, bold := racePolicy, racePolicy
	plain.claim, plain.roundsMin, plain.disturbed = 0.99, 8, 0
	bold.claim, bold.roundsMin = 0.99, 8
	early := plain
	early.claim, early.roundsMin = 0.95, 6
	with := func(turning, controls bool) func(*simulation, uint64, policy) (judgement, int) {
		return func(m *simulation, seed uint64, p policy) (judgement, int) {
			return m.contest(seed, p, turning, controls)
		}
	}
	ranks := func(level float64) func(*simulation, uint64, policy) (judgement, int) {
		return func(m *simulation, seed uint64, p policy) (judgement, int) { return m.rankedContest(seed, p, level) }
	}
	return []contest{
		{"signs 95%, random order", early, with(false, false)},
		{"signs 99%", plain, with(false, false)},
		{"99%, to and fro", plain, with(true, false)},
		{"and control", plain, with(true, true)},
		{"Friedman 5%", plain, ranks(0.05)},
		{"Friedman 1%", plain, ranks(0.01)},
		{"99%, control, repeats", bold, with(true, true)},
		{"used: 99.5%, the same", racePolicy, with(true, true)},
	}
}

// contest is a session that may do without turning the order of the final
// round, and without controls.
func (m *simulation) contest(seed uint64, p policy, turning, controls bool) (j judgement, runs int) {
	h := m.screen()
	for number := 1; ; number++ {
		place := stand(h, nil, p)
		if place.settled {
			return m.verdictOf(h, p), runs
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

// rankedContest is a session without halving: from the fourth round on, those
// leave who are slower than the best by Conover's comparison, corrected by Holm,
// once Friedman's test says that there is a difference. Who is left alone is
// the best.
func (m *simulation) rankedContest(seed uint64, p policy, level float64) (j judgement, runs int) {
	h := m.screen()
	field := append([]string{store.Original}, entrants(h.times, nil, p)...)
	for number := 1; ; number++ {
		e := h.evidence(math.MaxInt, p)
		field = survivors(e, field, level)
		if len(field) == 1 || number > p.roundsMax {
			j := judgement{verdict: NotSeparated, winner: e.fastest(field, 1)[0]}
			if len(field) == 1 {
				j.verdict = Best
			}
			return j, runs
		}
		racers := slices.DeleteFunc(slices.Clone(field), func(v string) bool { return v == store.Original })
		order := standing{field: racers, contenders: racers, controlled: store.Original, final: len(field) <= p.leaders}.order(seed, number)
		order = slices.DeleteFunc(order, func(r run) bool { return r.control })
		m.round(h, number, order)
		runs += len(order)
	}
}

// survivors are the programs that are not slower than the best of them.
func survivors(e evidence, field []string, level float64) []string {
	const least = 4
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
	if len(blocks) < least {
		return field
	}
	ranking, err := stat.Friedman(blocks)
	if err != nil || ranking.P >= level {
		return field
	}
	best := slices.Index(ranking.RankSums, slices.Min(ranking.RankSums))
	var rivals []string
	var p []float64
	for i, variant := range field {
		if i != best {
			compared, _ := ranking.Compare(i, best)
			rivals, p = append(rivals, variant), append(p, compared)
		}
	}
	adjusted, err := stat.Holm(p)
	if err != nil {
		return field
	}
	left := []string{field[best]}
	for i, variant := range rivals {
		if adjusted[i] >= level {
			left = append(left, variant)
		}
	}
	return left
}

// tally is what a contest did in many sessions.
type tally struct {
	best, right, runs int
}

func (c contest) tally(sessions int, times map[string]float64, winner string, change func(*simulation)) (t tally) {
	for seed := range uint64(sessions) {
		m := newSimulation(seed+1000, times)
		change(m)
		j, runs := c.play(m, seed, c.policy)
		if j.verdict == Best {
			t.best++
		}
		if j.winner == winner {
			t.right++
		}
		t.runs += runs
	}
	return t
}

// TestPolicies prints the table of docs/decisions/0088-policies.md, which says what its columns are,
// and fails where the way that is used breaks its promise.
func TestPolicies(t *testing.T) {
	if os.Getenv("POLYTUNE_LONG") == "" {
		t.Skip("POLYTUNE_LONG is not set")
	}
	const sessions = 1000
	equal := map[string]float64{store.Original: 1.6, "0.a": 1, "0.b": 1}
	five, winner := crowd(0.05)
	two, _ := crowd(0.02)
	var table strings.Builder
	table.WriteString("| way | equal | noisy | slow | 5%: found | best | timings | 2%: found | best | timings |\n")
	for _, c := range contests() {
		calm := c.tally(sessions, equal, "0.a", func(*simulation) {})
		noisy := c.tally(sessions, equal, "0.a", func(m *simulation) { m.jitter, m.drift = 0.03, 0.04 })
		slow := c.tally(sessions, map[string]float64{store.Original: 16, "0.a": 1, "0.b": 1}, "0.a", func(*simulation) {})
		clear := c.tally(sessions, five, winner, func(*simulation) {})
		near := c.tally(sessions, two, winner, func(*simulation) {})
		share := func(n int) string { return fmt.Sprintf("%.1f", 100*float64(n)/sessions) }
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s | %s | %d | %s | %s | %d |\n", c.name, share(calm.best), share(noisy.best), share(slow.best),
			share(clear.right), share(clear.best), clear.runs/sessions, share(near.right), share(near.best), near.runs/sessions)
		if c.policy == racePolicy && (max(calm.best, noisy.best, slow.best) > sessions/20 || clear.right < sessions*95/100 || clear.best < sessions*95/100) {
			t.Errorf("%s: %+v, %+v, %+v", c.name, calm, noisy, clear)
		}
	}
	t.Log("\n" + table.String())
}
