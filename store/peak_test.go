package store

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestPeaks(t *testing.T) {
	s := newStore(t)
	must(t, register(t.Context(), s, testKey))
	if _, found, err := s.LastPeaks(t.Context(), testKey.Machine, testKey.Toolchain); found || err != nil {
		t.Fatalf("found %v, %v", found, err)
	}
	first := time.Date(2026, 3, 1, 12, 0, 0, 5e6, time.UTC)
	for k, rates := range []string{`{"a": 1}`, `{"a": 3}`, `{"a": 2}`} {
		measured := first.Add(time.Duration([]int{0, 2, 1}[k]) * time.Hour)
		must(t, s.RecordPeaks(t.Context(), Peaks{testKey.Machine, testKey.Toolchain, json.RawMessage(rates), measured}))
	}
	got, found, err := s.LastPeaks(t.Context(), testKey.Machine, testKey.Toolchain)
	if err != nil || !found || string(got.Rates) != `{"a":3}` || !got.Measured.Equal(first.Add(2*time.Hour)) {
		t.Errorf("%+v, found %v, %v", got, found, err)
	}
	for _, other := range [][2]string{{"elsewhere", testKey.Toolchain}, {testKey.Machine, "clang"}} {
		if _, found, err := s.LastPeaks(t.Context(), other[0], other[1]); found || err != nil {
			t.Errorf("%v: found %v, %v", other, found, err)
		}
	}
}

func TestPeaksAreFinal(t *testing.T) {
	s := newStore(t)
	must(t, register(t.Context(), s, testKey))
	if err := s.RecordPeaks(t.Context(), Peaks{Machine: "nobody", Toolchain: testKey.Toolchain, Rates: json.RawMessage(`{}`)}); err == nil {
		t.Error("peaks of a machine that is not registered")
	}
	if err := s.RecordPeaks(t.Context(), Peaks{Machine: testKey.Machine, Toolchain: testKey.Toolchain, Rates: json.RawMessage(`{`)}); err == nil {
		t.Error("broken JSON")
	}
	must(t, s.RecordPeaks(t.Context(), Peaks{testKey.Machine, testKey.Toolchain, json.RawMessage(`{}`), time.Now()}))
	for _, change := range []string{`UPDATE peak SET rates = '[]'`, `DELETE FROM peak`} {
		if _, err := s.db.ExecContext(t.Context(), change); err == nil || !strings.Contains(err.Error(), "measured peak is never") {
			t.Errorf("%s: %v", change, err)
		}
	}
}
