package report

import (
	"slices"
	"strings"
	"testing"

	"polytune/isl/points"
	"polytune/runner"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/schedule/profile"
	"polytune/scop"
	"polytune/scop/mark"
	"polytune/transform"
)

func exactly(n float64) points.Count { return points.Count{Value: n, Exact: true} }

// twoCores is a machine with caches of 1000 and 10000 bytes, the outer one shared.
var twoCores = runner.Machine{CPUs: []int{0, 1}, Siblings: [][]int{{0}, {1}}, Cores: 2, Caches: []runner.Cache{
	{Level: 1, Kind: "Data", Size: 1000, SharedBy: []int{0}}, {Level: 2, Kind: "Unified", Size: 10000, SharedBy: []int{0, 1}}}}

// TestBound computes the roofline by hand: 1e9 operations and 1e8, 1e7 or 1e6
// bytes a second for each thread.
func TestBound(t *testing.T) {
	rate := func(threads float64, levels ...runner.Bandwidth) runner.Rate {
		for k := range levels {
			levels[k].Rate *= threads
		}
		return runner.Rate{Threads: int(threads), Double: 1e9 * threads, Single: 2e9 * threads, Bandwidths: levels}
	}
	all := func() []runner.Bandwidth {
		return []runner.Bandwidth{{Level: 1, Rate: 1e8}, {Level: 2, Rate: 1e7}, {Rate: 1e6}}
	}
	for name, c := range map[string]struct {
		rates      []runner.Rate
		threads    int
		operations float64
		element    int
		elements   float64
		want       *Bound
	}{
		"unknown peaks":              {nil, 1, 100, 8, 10, nil},
		"data in L1":                 {[]runner.Rate{rate(1, all()...)}, 1, 1e6, 8, 100, &Bound{1, "computation", 1e-3, 800e-8, 1, 1e-3}},
		"two L1 have twice as much":  {[]runner.Rate{rate(1, all()...), rate(2, all()...)}, 2, 0, 8, 200, &Bound{2, "memory", 0, 1600 / 2e8, 1, 1600 / 2e8}},
		"one L2 is shared":           {[]runner.Rate{rate(1, all()...), rate(2, all()...)}, 2, 0, 8, 1000, &Bound{2, "memory", 0, 8000 / 2e7, 2, 8000 / 2e7}},
		"from memory":                {[]runner.Rate{rate(1, all()...)}, 1, 0, 8, 2000, &Bound{1, "memory", 0, 16000e-6, 0, 16000e-6}},
		"floats are faster":          {[]runner.Rate{rate(1, all()...)}, 1, 2e6, 4, 100, &Bound{1, "computation", 1e-3, 400e-8, 1, 1e-3}},
		"L1 was not told apart":      {[]runner.Rate{rate(1, all()[1:]...)}, 1, 0, 8, 100, &Bound{1, "memory", 0, 800e-7, 2, 800e-7}},
		"fewer threads are measured": {[]runner.Rate{rate(1, all()...)}, 2, 1e6, 8, 100, &Bound{2, "computation", 1e-3, 800e-8, 1, 1e-3}},
	} {
		v := Variant{Machine: twoCores, Threads: 2}
		if c.rates != nil {
			v.Peaks = &runner.Peaks{Rates: c.rates}
		}
		class := &profile.Class{Floating: exactly(c.operations), ElementBytes: c.element,
			Arrays: []profile.Array{{ElementBytes: c.element, Elements: exactly(c.elements), Loaded: exactly(c.elements)}}}
		got := v.bound(class, c.threads)
		if (got == nil) != (c.want == nil) || got != nil && !near(*got, *c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func near(a, b Bound) bool {
	close := func(x, y float64) bool { return x-y < 1e-12 && y-x < 1e-12 }
	return a.Threads == b.Threads && a.By == b.By && a.Level == b.Level && close(a.Computation, b.Computation) && close(a.Memory, b.Memory) && close(a.Seconds, b.Seconds)
}

// TestReasons has what no golden of tune explain shows.
func TestReasons(t *testing.T) {
	term := schedule.Term{Size: 1}
	sum := []scop.Clause{{Operator: "+", Array: "x"}}
	for name, c := range map[string]struct {
		loop    schedule.Loop
		facts   transform.LoopFacts
		outside surroundings
		want    string
	}{
		"reduction":                  {schedule.Loop{Name: "c0.1", Terms: []schedule.Term{term}, Marks: mark.Set{mark.Parallel{Reductions: sum}}}, transform.LoopFacts{}, surroundings{}, "it carries nothing but reduction(+:x)"},
		"one thread":                 {schedule.Loop{Name: "c0.1", Terms: []schedule.Term{term}}, transform.LoopFacts{Parallel: true}, surroundings{}, "left to one thread"},
		"a loop outside has threads": {schedule.Loop{Name: "c0.1", Terms: []schedule.Term{term}}, transform.LoopFacts{Parallel: true}, surroundings{threads: true, parallel: true}, ""},
		"diamonds":                   {schedule.Loop{Name: "c0.1t", Level: 1, Terms: []schedule.Term{{Size: 8}, {Size: 8}}}, transform.LoopFacts{}, surroundings{}, "start together"},
	} {
		l := profile.Loop{Loop: &c.loop}
		v := Variant{Loops: map[string]transform.LoopFacts{"c0.1": c.facts}, ConcurrentStart: true}
		got := strings.Join(v.reasons(l, &profile.Node{Loops: []profile.Loop{l}}, c.outside), "; ")
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	l := profile.Loop{Loop: &schedule.Loop{Name: "c0.1", Terms: []schedule.Term{term}, Marks: mark.Set{mark.Parallel{}, mark.Threads{From: 4000}}}, Trips: exactly(100), Work: 100}
	v := Variant{Threads: 2}
	if got := v.done(l); !slices.Equal(got, []string{"on 2 threads from 4000 iterations on"}) || (&profile.Node{Loops: []profile.Loop{l}}).HasThreads() {
		t.Errorf("a short loop: %q", got)
	}
	relay := profile.Loop{Loop: &schedule.Loop{Name: "c0.1t", Level: 1, Terms: []schedule.Term{{Size: 16}}, Requests: []schedule.Request{command.Relay{Loop: "c0.1t", Handed: "c0_0.3", Shared: "c0_1.2r", From: 32}}}}
	want := []string{"over tiles of 16", "run by 2 threads as in a relay from 32 iterations of c0_1.2r on, each with its share of that and of c0_0.3"}
	if got := v.done(relay); !slices.Equal(got, want) {
		t.Errorf("a relay: %q", got)
	}
	for trips, want := range map[float64]bool{31: false, 32: true} {
		shared := profile.Loop{Loop: &schedule.Loop{Name: "c0_1.2r", Terms: []schedule.Term{term}}, Trips: exactly(trips)}
		node := &profile.Node{Loops: []profile.Loop{relay}, Parts: []*profile.Node{{}, {Loops: []profile.Loop{shared}}}}
		if node.HasThreads() != want {
			t.Errorf("a relay with %g iterations to share runs on threads: %t", trips, !want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for want, got := range map[string]string{
		"40 times": times(exactly(40)), "about 38.8 times on average": times(points.Count{Value: 38.77}),
		"0 FLOP": operations(exactly(0), "FLOP"), "about 5.33 GFLOP": operations(points.Count{Value: 5.33e9}, "FLOP"), "999 OP": operations(exactly(999), "OP"),
		"1000 B": size(1000), "24.0 KiB": sizeOf(exactly(24576)), "about 2.00 TiB": sizeOf(points.Count{Value: 2 << 40}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
