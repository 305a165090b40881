package store

import "testing"

func TestTiming(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	query := TimingQuery{KernelID: testKey.Kernel, Machine: testKey.Machine, Toolchain: testKey.Toolchain, Size: testKey.Size, Recipe: "tile"}
	if _, found, err := s.Timing(t.Context(), query); found || err != nil {
		t.Fatalf("found %v, %v", found, err)
	}
	record(t, s, session, "a", okay(3))
	record(t, s, session, "b", Outcome{Status: WrongResult})
	if _, found, err := s.Timing(t.Context(), query); found || err != nil {
		t.Errorf("a wrong result is a timing: %v", err)
	}
	record(t, s, session, "b", okay(2))
	record(t, s, session, "b", okay(4))
	got, found, err := s.Timing(t.Context(), query)
	if err != nil || !found || got.Seconds.Median != 0.25 || got.Speedup.Median != 4 {
		t.Errorf("%+v, found %v, %v", got, found, err)
	}
	for _, other := range []func(*TimingQuery){
		func(q *TimingQuery) { q.Recipe = "tile more" }, func(q *TimingQuery) { q.Size = "large" },
		func(q *TimingQuery) { q.Machine = "other" }, func(q *TimingQuery) { q.Toolchain = "clang" }, func(q *TimingQuery) { q.KernelID = "other" },
	} {
		q := query
		other(&q)
		if _, found, err := s.Timing(t.Context(), q); found || err != nil {
			t.Errorf("%+v: found %v, %v", q, found, err)
		}
	}
}
