package store

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// bestLine is what Best and the view say for the only row there is.
func bestLine(t *testing.T, s *Store, q BestQuery) string {
	t.Helper()
	list, err := s.Best(t.Context(), q)
	must(t, err)
	if len(list) == 0 {
		return ""
	}
	if len(list) > 1 {
		t.Fatalf("Best(%+v) gives %d rows", q, len(list))
	}
	b := list[0]
	return fmt.Sprintf("%s %s %.2f", b.Variant.Kernel, b.Variant.ID, b.Summary.Speedup.Median)
}

func TestBest(t *testing.T) {
	few := okay(9)
	few.Summary.Coverage, few.Summary.Certainty = 0.5, Raced
	screened := okay(12)
	screened.Summary.Coverage, screened.Summary.Certainty, screened.Summary.Rounds = 0, Screened, 1
	unclear := okay(4)
	unclear.Summary.Certainty = Bounded
	unverified := okay(9)
	unverified.Verified = false
	for _, c := range []struct {
		name   string
		trials map[string]Outcome
		// want is the best, first the first of the list.
		want, first string
	}{
		{"nothing", nil, "", ""},
		{"only failures", map[string]Outcome{"a": {Status: Crashed}, "b": {Status: WrongResult}}, "", ""},
		{"greatest speedup", map[string]Outcome{Original: okay(1), "a": okay(2), "b": okay(3)}, "kernel-1 b 3.00", "kernel-1 b 3.00"},
		{"nothing faster", map[string]Outcome{Original: okay(1), "a": okay(0.5)}, "kernel-1 original 1.00", "kernel-1 original 1.00"},
		{"not known to be faster", map[string]Outcome{Original: okay(1), "a": unclear}, "kernel-1 original 1.00", "kernel-1 a 4.00"},
		{"known beside not known", map[string]Outcome{Original: okay(1), "a": unclear, "b": okay(2)}, "kernel-1 b 2.00", "kernel-1 a 4.00"},
		{"not verified", map[string]Outcome{"a": okay(2), "b": unverified}, "kernel-1 a 2.00", "kernel-1 a 2.00"},
		{"too few rounds", map[string]Outcome{"a": okay(2), "b": few}, "kernel-1 a 2.00", "kernel-1 a 2.00"},
		{"too few rounds everywhere", map[string]Outcome{Original: okay(1), "b": few}, "kernel-1 original 1.00", "kernel-1 b 9.00"},
		{"rounds before the screening", map[string]Outcome{"b": few, "a": screened}, "", "kernel-1 b 9.00"},
		{"equals", map[string]Outcome{"b": okay(2), "a": okay(2), "c": okay(2)}, "kernel-1 a 2.00", "kernel-1 a 2.00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			session := begin(t, s, testKey)
			for variant, outcome := range c.trials {
				record(t, s, session, variant, outcome)
			}
			if got := bestLine(t, s, BestQuery{Kernel: "polybench/2mm", Size: "small"}); got != c.want {
				t.Errorf("best is %q; want %q", got, c.want)
			}
			if got := bestLine(t, s, BestQuery{Kernel: "polybench/2mm", Size: "small", Any: true}); got != c.first {
				t.Errorf("first is %q; want %q", got, c.first)
			}
			view := selectLines(t, s, "SELECT variant FROM best")
			if (c.want == "") != (len(view) == 0) {
				t.Errorf("the view has %q", view)
			}
		})
	}
}

func TestBestRestricts(t *testing.T) {
	s := newStore(t)
	must(t, s.RegisterMachine(t.Context(), Machine{ID: "machine-2", Name: "beta"}))
	speedup := 1.0
	for _, machine := range []string{"machine-1", "machine-2"} {
		for _, toolchain := range []string{"gcc-1", "gcc-2"} {
			for _, size := range []string{"small", "large"} {
				key := testKey
				key.Machine, key.Toolchain, key.Size = machine, toolchain, size
				speedup++
				record(t, s, begin(t, s, key), "a", okay(speedup))
			}
		}
	}
	for _, c := range []struct {
		query BestQuery
		rows  int
	}{
		{BestQuery{}, 8},
		{BestQuery{Kernel: "polybench/2mm"}, 8},
		{BestQuery{Kernel: "polybench/3mm"}, 0},
		{BestQuery{KernelID: "kernel-1", Size: "large"}, 4},
		{BestQuery{Machine: "machine-2"}, 4},
		{BestQuery{Machine: "beta", Toolchain: "gcc-2"}, 2},
		{BestQuery{Kernel: "polybench/2mm", Size: "small", Machine: "machine-1", Toolchain: "gcc-2"}, 1},
	} {
		list, err := s.Best(t.Context(), c.query)
		must(t, err)
		if len(list) != c.rows {
			t.Errorf("Best(%+v) has %d rows; want %d", c.query, len(list), c.rows)
		}
	}
	list, err := s.Best(t.Context(), BestQuery{Size: "small", Machine: "beta"})
	must(t, err)
	if len(list) != 2 || list[0].Summary.Seconds.Median > list[1].Summary.Seconds.Median {
		t.Errorf("not the fastest first: %+v", list)
	}
}

// A change of the source is another kernel of the same name; going back to the
// older source makes that one current again.
func TestBestIsOfTheSourceTunedLast(t *testing.T) {
	s := newStore(t)
	changed := testKey
	changed.Kernel = "kernel-2"
	later := func() { time.Sleep(2 * time.Millisecond) }
	name := BestQuery{Kernel: "polybench/2mm"}

	record(t, s, begin(t, s, testKey), "a", okay(5))
	later()
	session := begin(t, s, changed)
	if got := bestLine(t, s, name); got != "" {
		t.Errorf("before any trial of the changed source, best is %q", got)
	}
	record(t, s, session, "b", okay(2))
	if got := bestLine(t, s, name); got != "kernel-2 b 2.00" {
		t.Errorf("after the change, best is %q", got)
	}
	if got := bestLine(t, s, BestQuery{KernelID: "kernel-1"}); got != "kernel-1 a 5.00" {
		t.Errorf("by hash, best is %q", got)
	}
	later()
	begin(t, s, testKey)
	if got := bestLine(t, s, name); got != "kernel-1 a 5.00" {
		t.Errorf("back at the first source, best is %q", got)
	}
	if view := selectLines(t, s, "SELECT variant FROM best"); len(view) != 1 || view[0] != "a" {
		t.Errorf("the view has %q", view)
	}
}

// What was timed anew with an interval counts, where it is the same piece of work.
func TestNewestTimingCounts(t *testing.T) {
	few := okay(9)
	few.Summary.Coverage, few.Summary.Certainty = 0.5, Raced
	for name, c := range map[string]struct {
		settings string
		again    Outcome
		want     string
	}{
		"slower":               {`{"threads": 2, "again": 1}`, okay(1.5), "kernel-1 b 2.00"},
		"no faster any more":   {`{"threads": 2, "again": 1}`, okay(0.9), "kernel-1 b 2.00"},
		"still the first":      {`{"threads": 2, "again": 1}`, okay(2.5), "kernel-1 a 2.50"},
		"too few rounds":       {`{"threads": 2, "again": 1}`, few, "kernel-1 a 3.00"},
		"another thread count": {`{"threads": 1, "again": 1}`, okay(0.9), "kernel-1 a 3.00"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			key := testKey
			key.Settings = json.RawMessage(`{"threads": 2}`)
			first := begin(t, s, key)
			record(t, s, first, Original, okay(1))
			record(t, s, first, "a", okay(3))
			record(t, s, first, "b", okay(2))
			key.Settings = json.RawMessage(c.settings)
			record(t, s, begin(t, s, key), "a", c.again)
			if got := bestLine(t, s, BestQuery{}); got != c.want {
				t.Errorf("best is %q; want %q", got, c.want)
			}
		})
	}
}
