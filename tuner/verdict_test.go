package tuner

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"polytune/store"
	"polytune/tuner/stat"
)

// model makes timings as machines do: a drift that all share within a round,
// jitter, and now and then a long run.
type model struct {
	random *rand.Rand
	// true times by variant, jitter and drift as standard deviations of the
	// logarithm.
	times         map[string]float64
	jitter, drift float64
}

func newModel(seed uint64, times map[string]float64) *model {
	return &model{random: rand.New(rand.NewPCG(seed, 17)), times: times, jitter: 0.01, drift: 0.02}
}

func (m *model) round(t timings, number int, variants []string) {
	drift := m.random.NormFloat64() * m.drift
	for _, v := range variants {
		logarithm := math.Log(m.times[v]) + drift + m.random.NormFloat64()*m.jitter
		if m.random.IntN(25) == 0 {
			logarithm += m.random.ExpFloat64() * 0.05
		}
		if t[v] == nil {
			t[v] = map[int]float64{}
		}
		t[v][number] = math.Exp(logarithm)
	}
}

// race plays a whole race, and counts the timings.
func (m *model) race(p policy) (t timings, runs int) {
	t = timings{}
	var all []string
	for v := range m.times {
		all = append(all, v)
	}
	slices.Sort(all)
	m.round(t, screeningRound, all)
	for number := 1; ; number++ {
		place := stand(t, nil, p)
		if place.settled {
			return t, runs
		}
		round := append([]string{store.Original}, place.contenders...)
		m.round(t, number, round)
		runs += len(round)
	}
}

var racePolicy = policy{entrants: 24, leaders: 8, roundsMin: 6, roundsMax: 30, screeningFactor: 2.5, indifference: 0.01}

func variants(t timings) []string {
	var all []string
	for v := range t {
		all = append(all, v)
	}
	slices.Sort(all)
	return all
}

func TestFivePercentAreFound(t *testing.T) {
	times := map[string]float64{store.Original: 4}
	for i := range 40 {
		times[VariantID([]int{i}, "")] = 1.05 + 0.05*float64(i%20)
	}
	winner := VariantID([]int{77}, "")
	times[winner] = 1
	found, sure, right := 0, 0, 0
	const repetitions = 60
	for seed := range uint64(repetitions) {
		samples, runs := newModel(seed, times).race(racePolicy)
		j := judge(samples, variants(samples), racePolicy.indifference)
		if j.winner == winner {
			found++
			if j.verdict == Best {
				sure++
			}
		}
		if runs > 250 {
			t.Errorf("seed %d: %d timings", seed, runs)
		}
		if summary, ok := samples.summary(winner); ok && summary.Speedup.Low <= 4 && 4 <= summary.Speedup.High && summary.Coverage >= confidence {
			right++
		}
	}
	if found < repetitions*97/100 || sure < repetitions*9/10 || right < repetitions*9/10 {
		t.Errorf("the winner was found in %d races of %d and sure in %d; the interval was right in %d", found, repetitions, sure, right)
	}
}

// Equal variants must not be told apart, whatever the noise.
func TestEqualVariantsHaveNoBest(t *testing.T) {
	times := map[string]float64{store.Original: 1.6, "0.a": 1, "0.b": 1, "0.c": 1}
	claims := 0
	const repetitions = 200
	for seed := range uint64(repetitions) {
		m := newModel(seed, times)
		m.jitter = 0.03
		samples, _ := m.race(racePolicy)
		j := judge(samples, variants(samples), racePolicy.indifference)
		if j.verdict == Best {
			claims++
		}
		if j.verdict == Best != (len(j.rivals) == 0) || j.winner == store.Original || slices.Contains(j.rivals, store.Original) {
			t.Errorf("seed %d: %+v", seed, j)
		}
	}
	if claims > repetitions*6/100 {
		t.Errorf("%d claims of a best one among equals in %d races", claims, repetitions)
	}
}

func TestOriginalAgainstItself(t *testing.T) {
	times := map[string]float64{store.Original: 1, "0.a": 1}
	claims := 0
	for seed := range uint64(200) {
		samples, _ := newModel(seed, times).race(racePolicy)
		if judge(samples, variants(samples), racePolicy.indifference).verdict == Best {
			claims++
		}
	}
	if claims > 12 {
		t.Errorf("%d claims in 200 races", claims)
	}
}

// steady are the times of rounds 1 to n without noise, but for a small
// alternation.
func steady(n int, seconds, alternation float64) map[int]float64 {
	samples := map[int]float64{}
	for r := range n + 1 {
		samples[r] = seconds * (1 + alternation*float64(r%2))
	}
	return samples
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name    string
		timings timings
		want    judgement
	}{
		{"nothing", timings{}, judgement{verdict: NotSeparated}},
		{"only the original", timings{"original": steady(3, 2, 0)}, judgement{verdict: Best, winner: "original"}},
		{"clear", timings{"original": steady(6, 2, 0), "0.a": steady(6, 1, 0), "0.b": steady(6, 1.1, 0)}, judgement{verdict: Best, winner: "0.a"}},
		{"clear but indifferent", timings{"original": steady(6, 2, 0), "0.a": steady(6, 1, 0), "0.b": steady(6, 1.004, 0)}, judgement{verdict: Tied, winner: "0.a", rivals: []string{"0.b"}}},
		{"the original wins", timings{"original": steady(6, 1, 0), "0.a": steady(6, 2, 0)}, judgement{verdict: Best, winner: "original"}},
		{"the original ties", timings{"original": steady(6, 1, 0), "0.a": steady(6, 1, 0)}, judgement{verdict: Tied, winner: "0.a", rivals: []string{"original"}}},
		{"too few rounds", timings{"original": steady(5, 2, 0), "0.a": steady(5, 1, 0)}, judgement{verdict: NotSeparated, winner: "0.a"}},
		{"noise", timings{"original": steady(8, 2, 0), "0.a": steady(8, 1, 0), "0.b": steady(8, 0.97, 0.08)},
			judgement{verdict: NotSeparated, winner: "0.a", rivals: []string{"0.b"}, further: 60}},
		{"left early and near", timings{"original": steady(8, 2, 0), "0.a": steady(8, 1, 0), "0.b": steady(3, 1.005, 0)}, judgement{verdict: Tied, winner: "0.a", rivals: []string{"0.b"}}},
		{"left early and slower", timings{"original": steady(8, 2, 0), "0.a": steady(8, 1, 0), "0.b": steady(3, 1.05, 0)}, judgement{verdict: Best, winner: "0.a"}},
		{"screened only", timings{"original": steady(8, 2, 0), "0.a": steady(8, 1, 0), "0.b": {0: 1.005}}, judgement{verdict: Best, winner: "0.a"}},
	} {
		j := judge(c.timings, variants(c.timings), 0.01)
		if j.verdict != c.want.verdict || j.winner != c.want.winner || !slices.Equal(j.rivals, c.want.rivals) {
			t.Errorf("%s: %+v, want %+v", c.name, j, c.want)
		}
	}
}

func TestFurtherRounds(t *testing.T) {
	for _, c := range []struct {
		ratio stat.Interval
		want  int
	}{
		{stat.Interval{Median: 1.02, Low: 0.98, High: 1.06, Coverage: 0.96, N: 8}, 25},
		{stat.Interval{Median: 1.0001, Low: 0.98, High: 1.02, Coverage: 0.96, N: 8}, 26},
		{stat.Interval{Median: 1.01, Low: 0.5, High: 2, Coverage: 0.96, N: 8}, 0},
		{stat.Interval{Median: 1.1, Low: 1.1, High: 1.1, Coverage: 0.75, N: 3}, 3},
	} {
		if got := furtherRounds(c.ratio, 0.01); got != c.want {
			t.Errorf("%+v: %d rounds, want %d", c.ratio, got, c.want)
		}
	}
}

// A race that is interrupted at any point stands where it stood.
func TestStandIsAFunctionOfTheSamples(t *testing.T) {
	times := map[string]float64{store.Original: 3}
	for i := range 30 {
		times[VariantID([]int{i}, "")] = 1 + 0.03*float64(i)
	}
	m, samples := newModel(5, times), timings{}
	m.round(samples, screeningRound, slices.Sorted(func(yield func(string) bool) {
		for v := range times {
			if !yield(v) {
				return
			}
		}
	}))
	sizes := []int{}
	for number := 1; number <= 40; number++ {
		place := stand(samples, nil, racePolicy)
		if place.settled {
			break
		}
		sizes = append(sizes, len(place.contenders))
		torn := append([]string{store.Original}, place.contenders...)
		if number == 2 || number == 6 {
			torn = torn[:len(torn)/2]
		}
		m.round(samples, number, torn)
		if number == 2 {
			if again := stand(samples, nil, racePolicy); len(again.contenders) != len(place.contenders) || again.rounds != 1 {
				t.Errorf("after a torn round: %+v", again)
			}
		}
	}
	if len(sizes) < 9 || !slices.Equal(sizes[:6], []int{24, 24, 24, 24, 12, 12}) || sizes[7] > 8 {
		t.Errorf("contenders by round: %v", sizes)
	}
}

func TestFailedVariantsLeaveTheRace(t *testing.T) {
	samples := timings{"original": steady(1, 2, 0), "0.a": steady(1, 1, 0), "0.b": steady(1, 1.2, 0), "0.slow": {0: 2.6}}
	place := stand(samples, map[string]bool{"0.a": true}, racePolicy)
	if !slices.Equal(place.contenders, []string{"0.b"}) || place.leader != "0.b" {
		t.Errorf("%+v", place)
	}
	if place := stand(timings{"original": steady(1, 2, 0)}, nil, racePolicy); !place.settled {
		t.Errorf("a race of one: %+v", place)
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
