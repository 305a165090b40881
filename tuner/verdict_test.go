package tuner

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"polytune/store"
	"polytune/tuner/stat"
)

// steady are the times of rounds 1 to n without noise, but for a small
// alternation.
func steady(n int, seconds, alternation float64) map[int]float64 {
	samples := map[int]float64{}
	for r := range n + 1 {
		samples[r] = seconds * (1 + alternation*float64(r%2))
	}
	return samples
}

// known is a history of these timings alone.
func known(t timings) history {
	h := newHistory("")
	h.times = t
	return h
}

// variants are those of a history, in order.
func variants(h history) []string { return slices.Sorted(maps.Keys(h.times)) }

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name    string
		timings timings
		want    judgement
	}{
		{"nothing", timings{}, judgement{verdict: NotSeparated}},
		{"only the original", timings{"original": steady(3, 2, 0)}, judgement{verdict: Best, winner: "original"}},
		{"clear", timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": steady(9, 1.1, 0)}, judgement{verdict: Best, winner: "0.a"}},
		{"clear but indifferent", timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": steady(9, 1.004, 0)}, judgement{verdict: Tied, winner: "0.a", rivals: []string{"0.b"}}},
		{"the original wins", timings{"original": steady(9, 1, 0), "0.a": steady(9, 2, 0)}, judgement{verdict: Best, winner: "original"}},
		{"the original ties", timings{"original": steady(9, 1, 0), "0.a": steady(9, 1, 0)}, judgement{verdict: Tied, winner: "original", rivals: []string{"0.a"}}},
		{"too few rounds", timings{"original": steady(8, 2, 0), "0.a": steady(8, 1, 0)}, judgement{verdict: NotSeparated, winner: "original", rivals: []string{"0.a"}, further: 1}},
		{"three rounds", timings{"original": steady(3, 2, 0), "0.a": steady(3, 1, 0), "0.b": steady(3, 1.5, 0)}, judgement{verdict: NotSeparated, winner: "original", rivals: []string{"0.a", "0.b"}, further: 6}},
		{"screened alone", timings{"original": {0: 2}, "0.a": {0: 1}, "0.b": {0: 3}}, judgement{verdict: NotSeparated, winner: "original", rivals: []string{"0.a"}, further: 9, behind: 1}},
		{"the first is not known to be faster", timings{"original": steady(9, 1.2, 0), "0.a": steady(3, 1, 0), "0.b": steady(9, 1.1, 0)}, judgement{verdict: NotSeparated, winner: "0.b", rivals: []string{"0.a"}, further: 6}},
		{"noise", timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": steady(9, 0.97, 0.08)},
			judgement{verdict: NotSeparated, winner: "0.a", rivals: []string{"0.b"}}},
		{"left early and near", timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": steady(3, 1.005, 0)}, judgement{verdict: Tied, winner: "0.a", rivals: []string{"0.b"}}},
		{"left early and slower", timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": steady(3, 1.05, 0)}, judgement{verdict: Best, winner: "0.a", behind: 1}},
		{"screened only", timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": {0: 1.005}}, judgement{verdict: Best, winner: "0.a", behind: 1}},
	} {
		h := known(c.timings)
		j := judge(h.evidence(math.MaxInt, racePolicy), variants(h))
		if j.verdict != c.want.verdict || j.winner != c.want.winner || !slices.Equal(j.rivals, c.want.rivals) {
			t.Errorf("%s: %+v, want %+v", c.name, j, c.want)
		}
		if j.behind != c.want.behind || c.want.further > 0 && j.further != c.want.further {
			t.Errorf("%s: %d behind, %d further rounds; want %d and %d", c.name, j.behind, j.further, c.want.behind, c.want.further)
		}
	}
}

// What is claimed is as sure as the sign test and Holm's correction say: nine rounds that
// agree have the probability 2/2^9, of which there are as many as were compared.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		name    string
		timings timings
		want    Claims
	}{
		{"nothing", timings{}, Claims{P: 1}},
		{"only the original", timings{"original": steady(9, 2, 0)}, Claims{P: 1}},
		{"two slower ones", timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": steady(9, 1.1, 0)}, Claims{2, 2, 4.0 / 512}},
		{"too few rounds", timings{"original": steady(8, 2, 0), "0.a": steady(8, 1, 0)}, Claims{P: 1}},
		{"one as fast", timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": steady(9, 1, 0)}, Claims{2, 1, 4.0 / 512}},
		{"one that left early", timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": steady(3, 1.5, 0)}, Claims{1, 1, 2.0 / 512}},
	} {
		h := known(c.timings)
		if got := judge(h.evidence(math.MaxInt, racePolicy), variants(h)).claims; got.Compared != c.want.Compared || got.Slower != c.want.Slower || math.Abs(got.P-c.want.P) > 1e-12 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// All that is claimed of a final of eight leaders and the original is sure by more than
// 95%, however many there are: that is what one claim's confidence is chosen for.
func TestClaimsOfAFinalAreSureTogether(t *testing.T) {
	for seed := range uint64(40) {
		times, _ := crowd(0.05)
		m := newSimulation(seed, times)
		j, _ := m.contest(seed, racePolicy, true, true)
		if c := j.claims; c.Slower == 0 && j.verdict == Best || c.Slower > 0 && c.P >= 0.05 || c.Compared > racePolicy.leaders || c.Slower == 0 && c.P != 1 {
			t.Errorf("seed %d: %s with %+v", seed, j.verdict, c)
		}
	}
}

func TestRoundsToDecide(t *testing.T) {
	for _, c := range []struct {
		ratio        stat.Interval
		claim, equal int
	}{
		{stat.Interval{Median: 1.02, Low: 0.98, High: 1.06, Coverage: 0.99, N: 8}, 25, math.MaxInt},
		{stat.Interval{Median: 1.0001, Low: 0.98, High: 1.02, Coverage: 0.99, N: 8}, math.MaxInt, 26},
		{stat.Interval{Median: 1.01, Low: 0.5, High: 2, Coverage: 0.99, N: 8}, math.MaxInt, math.MaxInt},
		{stat.Interval{Median: 1.1, Low: 1.1, High: 1.1, Coverage: 0.75, N: 3}, 6, math.MaxInt},
	} {
		if claim, equal := roundsToClaim(c.ratio, claimConfidence), roundsToEqual(c.ratio, 0.01); claim != c.claim || equal != c.equal {
			t.Errorf("%+v: %d and %d rounds, want %d and %d", c.ratio, claim, equal, c.claim, c.equal)
		}
	}
}

// A rival that alternates around the winner needs more rounds, one that is
// nowhere near none.
func TestFurtherRounds(t *testing.T) {
	h := known(timings{"original": steady(9, 2, 0), "0.a": steady(9, 1, 0), "0.b": steady(9, 0.98, 0.05)})
	j := judge(h.evidence(math.MaxInt, racePolicy), variants(h))
	if j.verdict != NotSeparated || !slices.Equal(j.rivals, []string{"0.b"}) || j.further < 1 || j.further > usefulRounds {
		t.Errorf("%+v", j)
	}
	// Beside another rival that no number of rounds would separate, none is named.
	hopeless := steady(9, 1, 0)
	for round := range hopeless {
		hopeless[round] *= []float64{0.5, 1.0101, 2}[round%3]
	}
	h.times["0.h"] = hopeless
	if j := judge(h.evidence(math.MaxInt, racePolicy), variants(h)); !slices.Contains(j.rivals, "0.h") || !slices.Contains(j.rivals, "0.b") || j.further != 0 {
		t.Errorf("with a hopeless rival: %+v", j)
	}
	if n := h.evidence(math.MaxInt, racePolicy).furtherRounds("0.c", "0.a"); n != 9 {
		t.Errorf("of one that never raced: %d", n)
	}
}

// A race that is interrupted at any point stands where it stood.
func TestStandIsAFunctionOfTheSamples(t *testing.T) {
	times := map[string]float64{store.Original: 3}
	for i := range 30 {
		times[VariantID([]int{i}, "")] = 1 + 0.03*float64(i)
	}
	m := newSimulation(5, times)
	m.slowdown, m.drift = 1, 0
	h := m.screen()
	sizes := []int{}
	for number := 1; number <= 45; number++ {
		place := stand(h, nil, racePolicy)
		if place.settled {
			break
		}
		sizes = append(sizes, len(place.contenders))
		torn := place.order(1, number)
		if number == 2 || number == 6 {
			torn = torn[:len(torn)/2]
		}
		m.round(h, number, torn)
		if number == 2 {
			if again := stand(h, nil, racePolicy); len(again.contenders) != len(place.contenders) || again.rounds != 1 {
				t.Errorf("after a torn round: %+v", again)
			}
		}
	}
	if len(sizes) < 9 || !slices.Equal(sizes[:6], []int{24, 24, 24, 24, 12, 12}) || sizes[len(sizes)-1] > 8 {
		t.Errorf("contenders by round: %v", sizes)
	}
}

func TestFailedVariantsLeaveTheRace(t *testing.T) {
	h := known(timings{"original": steady(1, 2, 0), "0.a": steady(1, 1, 0), "0.b": steady(1, 1.2, 0), "0.slow": {0: 2.6}})
	place := stand(h, map[string]bool{"0.a": true}, racePolicy)
	if !slices.Equal(place.contenders, []string{"0.b"}) || place.leader != "0.b" {
		t.Errorf("%+v", place)
	}
	if place := stand(known(timings{"original": steady(1, 2, 0)}), nil, racePolicy); !place.settled {
		t.Errorf("a race of one: %+v", place)
	}
}

// The original is timed twice, unless that would take most of the round.
func TestWhoIsTimedTwice(t *testing.T) {
	for seconds, want := range map[float64]string{2: store.Original, 10: store.Original, 11: "0.a"} {
		h := known(timings{"original": steady(2, seconds, 0), "0.a": steady(2, 1, 0), "0.b": steady(2, 1.1, 0)})
		if place := stand(h, nil, racePolicy); place.controlled != want {
			t.Errorf("an original of %v s: %s is timed twice, want %s", seconds, place.controlled, want)
		}
	}
}

// Every round times all contenders, the original, and one of them again; the
// final goes forwards and backwards, whoever leaves.
func TestOrderOfRounds(t *testing.T) {
	place := standing{field: []string{"0.a", "0.b", "0.c", "0.d"}, contenders: []string{"0.a", "0.b", "0.c", "0.d"}, controlled: store.Original}
	orders := map[string]bool{}
	for number := range 20 {
		order := place.order(1, number)
		seen := map[run]bool{}
		for _, r := range order {
			seen[r] = true
		}
		if len(order) != 6 || len(seen) != 6 || !seen[run{store.Original, true}] || !seen[run{store.Original, false}] {
			t.Fatalf("round %d: %v", number, order)
		}
		orders[fmt.Sprint(order)] = true
	}
	if len(orders) < 15 {
		t.Errorf("%d orders in 20 rounds", len(orders))
	}
	place.final = true
	for number := 2; number < 20; number += 2 {
		forwards := place.order(1, number)
		place.contenders = []string{"0.a", "0.d"}
		backwards := place.order(1, number+1)
		place.contenders = place.field
		forwards = slices.DeleteFunc(forwards, func(r run) bool { return r.variant == "0.b" || r.variant == "0.c" })
		slices.Reverse(backwards)
		if !slices.Equal(forwards, backwards) || len(forwards) != 4 {
			t.Errorf("rounds %d and %d: %v and, reversed, %v", number, number+1, forwards, backwards)
		}
	}
}

func TestPartitionText(t *testing.T) {
	if id := VariantID([]int{0, 1, 12}, "tile"); id != "0-1-12."+id[7:] || len(id) != 15 || !slices.Equal(partitionOf(id), []int{0, 1, 12}) {
		t.Errorf("id %q", id)
	}
	if VariantID([]int{0}, "a") == VariantID([]int{0}, "b") || partitionOf(store.Original) != nil {
		t.Error("ids do not tell variants apart")
	}
	for _, text := range []string{"0-", "a", "0--1", "-1"} {
		if _, err := ParsePartition(text); err == nil {
			t.Errorf("%q is a partition", text)
		}
	}
	if _, err := ParseEffort("hard"); err == nil {
		t.Error("there is an effort \"hard\"")
	}
}
