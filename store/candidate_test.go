package store

import (
	"math"
	"reflect"
	"testing"
	"time"
)

func TestCandidates(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	first := Candidate{Partition: "0-0-1-1", Variant: "a", Binary: "f00"}
	second := Candidate{Partition: "0-0-1-1", Setting: "tile=wide", Variant: "b", Batch: 2}
	must(t, s.RecordCandidates(t.Context(), session.UUID, second))
	must(t, s.RecordCandidates(t.Context(), session.UUID, first, second))
	changed := second
	changed.Variant, changed.Batch = "c", 3
	must(t, s.RecordCandidates(t.Context(), session.UUID, changed))
	must(t, s.RecordCandidates(t.Context(), session.UUID))
	list, err := s.Candidates(t.Context(), session.UUID)
	if err != nil || !reflect.DeepEqual(list, []Candidate{first, second}) {
		t.Errorf("candidates %+v, %v", list, err)
	}
	if err := s.RecordCandidates(t.Context(), "nobody", first); err == nil {
		t.Error("a candidate of no session was kept")
	}
	if _, err := s.db.Exec(`DELETE FROM candidate`); err == nil {
		t.Error("candidates can be deleted")
	}
}

func TestFindVariant(t *testing.T) {
	s := newStore(t)
	begin(t, s, testKey)
	v, found, err := s.FindVariant(t.Context(), testKey.Kernel, "b")
	if err != nil || !found || v.Recipe != "tile" || v.Partition != "0-1-1-2" || v.ID != "b" {
		t.Errorf("variant %+v, %v, %v", v, found, err)
	}
	if v, found, err := s.FindVariant(t.Context(), testKey.Kernel, "z"); err != nil || found || v != (Variant{}) {
		t.Errorf("variant %+v, %v, %v", v, found, err)
	}
}

// TestRecorded has a timed candidate, a twin of it, and one that failed.
func TestRecorded(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	trial := func(variant string, seconds float64) {
		t.Helper()
		record := Trial{Session: session.UUID, Variant: variant}
		if seconds > 0 {
			record.Samples = []Sample{{Round: 0, Seconds: seconds}, {Round: 1, Seconds: 100}}
		} else {
			record.Outcome = Outcome{Status: CompileFailed, Finished: time.Now()}
		}
		_, err := s.RecordTrial(t.Context(), record)
		must(t, err)
	}
	candidates := []Candidate{
		{Partition: "0-0-1-1", Variant: "a", Binary: "f00"},
		{Partition: "0-0-1-1", Setting: "tile=wide", Variant: "c", Binary: "f00"},
		{Partition: "0-1-1-2", Variant: "b"},
	}
	must(t, s.RecordCandidates(t.Context(), session.UUID, candidates...))
	query := RecordedQuery{Kernel: testKey.Kernel, Size: testKey.Size}
	if rows, err := s.Recorded(t.Context(), query); err != nil || len(rows) != 0 {
		t.Errorf("without a time of the original %v, %v", rows, err)
	}
	trial(Original, 4)
	trial("a", 2)
	trial("b", 0)
	rows, err := s.Recorded(t.Context(), query)
	must(t, err)
	var want []Recorded
	for k, c := range candidates {
		want = append(want, Recorded{Candidate: c, Session: session.UUID, Machine: testKey.Machine, Toolchain: testKey.Toolchain, Size: testKey.Size,
			Recipe: []string{"fuse", "tile more", "tile"}[k], Seconds: []float64{2, 0, 0}[k], Original: 4})
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("recorded %+v\nwant %+v", rows, want)
	}
	if rows, err := s.Recorded(t.Context(), RecordedQuery{Kernel: testKey.Kernel}); err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("at any size %+v, %v", rows, err)
	}
	for name, other := range map[string]RecordedQuery{
		"size":      {Kernel: testKey.Kernel, Size: "large"},
		"machine":   {Kernel: testKey.Kernel, Size: testKey.Size, Machine: "elsewhere"},
		"toolchain": {Kernel: testKey.Kernel, Size: testKey.Size, Toolchain: "clang"},
		"time":      {Kernel: testKey.Kernel, Size: testKey.Size, Before: time.Now().Add(-time.Hour)},
	} {
		if rows, err := s.Recorded(t.Context(), other); err != nil || len(rows) != 0 {
			t.Errorf("of another %s %v, %v", name, rows, err)
		}
	}
	query.Machine, query.Toolchain, query.Before = testKey.Machine, testKey.Toolchain, time.Now().Add(time.Hour)
	if again, err := s.Recorded(t.Context(), query); err != nil || !reflect.DeepEqual(again, rows) {
		t.Errorf("of the same place %v, %v", again, err)
	}
}

// TestPace has six trials three seconds apart, and a seventh after an hour's pause.
func TestPace(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	start := time.Now().Add(-2 * time.Hour)
	record := func(k int, at time.Duration) {
		t.Helper()
		_, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: []string{"a", "b", "c"}[k%3], Started: start.Add(at),
			Outcome: Outcome{Status: Crashed, Finished: start.Add(at)}})
		must(t, err)
	}
	for k := range 5 {
		record(k, time.Duration(3*k)*time.Second)
	}
	if _, found, err := s.Pace(t.Context(), testKey.Machine, "polybench/2mm", "small", ""); err != nil || found {
		t.Errorf("found %v with four gaps, %v", found, err)
	}
	record(5, 15*time.Second)
	record(6, time.Hour)
	for _, of := range []struct{ kernel, size string }{{"polybench/2mm", "small"}, {"polybench/gemm", "small"}, {"polybench/2mm", "large"}} {
		seconds, found, err := s.Pace(t.Context(), testKey.Machine, of.kernel, of.size, "")
		if err != nil || !found || math.Abs(seconds-3) > 0.01 {
			t.Errorf("%v: %v seconds, %v, %v", of, seconds, found, err)
		}
	}
	if _, found, err := s.Pace(t.Context(), "elsewhere", "polybench/2mm", "small", ""); err != nil || found {
		t.Errorf("another machine: %v, %v", found, err)
	}
}
