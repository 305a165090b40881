package store

import (
	"slices"
	"testing"
	"time"
)

// TestLeading has a session whose variants are timed again in a later one: the newest
// interval of each counts, also where an earlier one looked better, but a single timing
// replaces no interval.
func TestLeading(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	first := begin(t, s, testKey)
	once := func(speedup float64) Outcome {
		outcome := okay(speedup)
		outcome.Summary.Rounds, outcome.Summary.Coverage, outcome.Summary.Certainty = 1, 0, Screened
		return outcome
	}
	twin := okay(9)
	twin.Detail = SameCode + "a, which was timed"
	record(t, s, first, Original, okay(1))
	record(t, s, first, "a", okay(4))
	record(t, s, first, "b", okay(3))
	record(t, s, first, "c", twin)
	query := LeadingQuery{KernelID: testKey.Kernel, Size: testKey.Size, Machine: testKey.Machine, Toolchain: testKey.Toolchain}
	check := func(want ...string) {
		t.Helper()
		list, err := s.Leading(t.Context(), query)
		must(t, err)
		var ids []string
		for _, b := range list {
			ids = append(ids, b.Variant.ID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("leading are %v, not %v", ids, want)
		}
	}
	check("a", "b")

	must(t, s.ConcludeSession(t.Context(), first.UUID))
	key := testKey
	key.Settings = []byte(`{"threads": 2, "revision": "again"}`)
	time.Sleep(2 * time.Millisecond) // the resolution of times
	second := begin(t, s, key)
	record(t, s, second, "a", okay(2))
	record(t, s, second, "b", once(8))
	check("b", "a")
	if list, err := s.Leading(t.Context(), query); err != nil || list[0].Summary.Speedup.Median != 3 {
		t.Errorf("b has a speedup of %v (%v), though 8 is a single timing", list[0].Summary.Speedup.Median, err)
	}

	query.Toolchain = "another"
	check()
	query.Toolchain = ""
	check("b", "a")
	query.Size = "large"
	check()
}
