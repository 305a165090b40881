package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// timed is the outcome of a verified trial that takes so many seconds.
func timed(speedup, seconds float64) Outcome {
	o := okay(speedup)
	o.Summary.Seconds = Estimate{seconds, seconds * 0.9, seconds * 1.1}
	return o
}

// twoCompilers is a session of gcc-1 that has tried clang-1, too.
func twoCompilers(t *testing.T, s *Store) (session Session, byClang string) {
	t.Helper()
	session = begin(t, s, testKey)
	must(t, s.RegisterToolchain(t.Context(), Toolchain{ID: "clang-1", Name: "clang", Version: "19.1.7", Description: []byte(`{"name": "clang"}`)}))
	must(t, s.RegisterVariants(t.Context(), Variant{Kernel: testKey.Kernel, ID: BuiltBy("a", "clang"), Partition: "0-0-1-1", Recipe: "fuse"}))
	record(t, s, session, Original, timed(1, 1))
	record(t, s, session, "a", timed(2, 0.5))
	outcome := timed(4, 0.25)
	outcome.Finished = time.Now()
	byClang, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: BuiltBy("a", "clang"), Toolchain: "clang-1", Outcome: outcome})
	must(t, err)
	return session, byClang
}

// bests are the lines of Best: toolchain, variant and seconds.
func bests(t *testing.T, s *Store, q BestQuery) string {
	t.Helper()
	list, err := s.Best(t.Context(), q)
	must(t, err)
	var lines []string
	for _, b := range list {
		lines = append(lines, fmt.Sprintf("%s %s %g", b.Toolchain, b.Variant.ID, b.Summary.Seconds.Median))
	}
	return strings.Join(lines, "; ")
}

func TestBestOfEachToolchain(t *testing.T) {
	s := newStore(t)
	_, trial := twoCompilers(t, s)
	own := testKey
	own.Toolchain = "clang-1"
	few := timed(9, 0.1)
	few.Summary.Coverage, few.Summary.Certainty = 0.5, Raced
	for _, step := range []struct {
		name    string
		variant string
		outcome Outcome
		want    string
	}{
		{"in a session of another", "", Outcome{}, "clang-1 a@clang 0.25; gcc-1 a 0.5"},
		{"a greater speedup over a slower original", "b", timed(9, 0.3), "clang-1 a@clang 0.25; gcc-1 a 0.5"},
		{"fewer seconds in few rounds", "c", few, "clang-1 a@clang 0.25; gcc-1 a 0.5"},
		{"fewer seconds in its own session", "c", timed(10, 0.2), "clang-1 c 0.2; gcc-1 a 0.5"},
	} {
		if step.variant != "" {
			must(t, s.RegisterVariants(t.Context(), Variant{Kernel: own.Kernel, ID: Original}))
			session, err := s.BeginSession(t.Context(), own, nil)
			must(t, err)
			record(t, s, session, step.variant, step.outcome)
		}
		if got := bests(t, s, BestQuery{}); got != step.want {
			t.Errorf("%s: best are %q; want %q", step.name, got, step.want)
		}
	}
	if got := bests(t, s, BestQuery{Toolchain: "gcc-1"}); got != "gcc-1 a 0.5" {
		t.Errorf("of gcc: %q", got)
	}
	for view, want := range map[string][]string{
		"SELECT toolchain || ' ' || variant FROM trials WHERE variant LIKE 'a%' ORDER BY 1":   {"clang-1 a@clang", "gcc-1 a"},
		"SELECT toolchain || ' ' || variant FROM speedups WHERE variant LIKE 'a%' ORDER BY 1": {"clang-1 a@clang", "gcc-1 a"},
		"SELECT toolchain || ' ' || variant FROM best ORDER BY 1":                             {"clang-1 c", "gcc-1 a"},
	} {
		if got := selectLines(t, s, view); !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", view, got, want)
		}
	}
	p, err := s.Provenance(t.Context(), trial)
	must(t, err)
	if string(p.Toolchain) != `{"name":"clang"}` || string(p.Baseline) != `{}` {
		t.Errorf("built by %s, over the original of %s", p.Toolchain, p.Baseline)
	}
	for toolchain, want := range map[string]float64{"gcc-1": 0.5, "clang-1": 0.25} {
		got, found, err := s.Timing(t.Context(), TimingQuery{KernelID: testKey.Kernel, Machine: testKey.Machine, Toolchain: toolchain, Size: testKey.Size, Recipe: "fuse"})
		if err != nil || !found || got.Seconds.Median != want {
			t.Errorf("the recipe built by %s: %+v, %v, %v; want %v seconds", toolchain, got, found, err, want)
		}
	}
}

// A trial by the session's own toolchain has none of its own, and one by a toolchain that is
// not registered is refused.
func TestTrialToolchain(t *testing.T) {
	s := newStore(t)
	session, byClang := twoCompilers(t, s)
	_, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "b", Toolchain: testKey.Toolchain})
	must(t, err)
	if _, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "c", Toolchain: "nobody"}); err == nil {
		t.Error("a trial by a toolchain that is not there")
	}
	trials, err := s.Trials(t.Context(), testKey)
	must(t, err)
	var got []string
	for _, trial := range trials {
		got = append(got, trial.Variant+" "+trial.Toolchain)
	}
	if want := []string{"original ", "a ", "a@clang clang-1", "b "}; !slices.Equal(got, want) {
		t.Errorf("trials %q; want %q", got, want)
	}
	var record Record
	must(t, s.EachRecord(t.Context(), session.UUID, func(r Record) error {
		if r.UUID == byClang {
			record = r
		}
		return nil
	}))
	if record.Toolchain != "clang-1" || record.Recipe != "fuse" {
		t.Errorf("record %+v", record)
	}
}

func TestVariantNames(t *testing.T) {
	for _, c := range []struct {
		variant, compiler, id string
		original              bool
	}{
		{Original, "", "original", true},
		{Original, "clang-19.1", "original@clang-19.1", true},
		{"0-1.3fa9c1d0", "", "0-1.3fa9c1d0", false},
		{"0-1.3fa9c1d0", "/opt/gcc/bin/gcc", "0-1.3fa9c1d0@/opt/gcc/bin/gcc", false},
	} {
		id := BuiltBy(c.variant, c.compiler)
		variant, compiler := SplitVariant(id)
		if id != c.id || variant != c.variant || compiler != c.compiler || IsOriginal(id) != c.original {
			t.Errorf("%s by %q is %s, which is %s by %q, the original: %v", c.variant, c.compiler, id, variant, compiler, IsOriginal(id))
		}
	}
}
