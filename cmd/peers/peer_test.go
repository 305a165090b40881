package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/scripttest"
	"polytune/runner"
)

// subjectOf is a built-in kernel of PolyBench.
func subjectOf(t *testing.T, name string) *subject {
	t.Helper()
	b, err := benchmarks.Find("polybench/" + name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSubject(b, "mini")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// quickPeer is a peer that gcc builds without delay, or what it lacks.
var quickPeer = sync.OnceValues(func() (entry, *peer) {
	one := spec{compilers: gccs, flags: []string{"-O0"}}
	return one.find(context.Background())
})

// quick is such a peer with a source and objects of its own.
func quick(t *testing.T, name string, source maker, objects ...string) *peer {
	t.Helper()
	e, found := quickPeer()
	if found == nil {
		t.Fatal(e.Missing)
	}
	p := *found
	p.Name, p.source, p.objects = name, source, objects
	return &p
}

// laboratory is that of a kernel at its smallest size.
func laboratory(t *testing.T, s *subject, first *peer) *lab {
	t.Helper()
	l, err := newLab(t.Context(), s, options{threads: 1, tolerance: runner.Tolerance{Double: 1e-6, Single: 1e-3}}, first)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// object is a C file of testdata, compiled.
func object(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "object.o")
	if output, err := exec.Command("gcc", "-c", filepath.Join("testdata", name), "-o", path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return path
}

// The calls of the libraries compute what the kernels do, for all kernels that
// have some.
func TestBLASBodies(t *testing.T) {
	cblas := object(t, "cblas.c")
	first := quick(t, reference, asWritten)
	p := quick(t, "library", withBLAS, cblas)
	for _, name := range []string{"gemm", "2mm", "3mm", "syrk", "syr2k", "trmm", "symm"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkEntry(t, laboratory(t, subjectOf(t, name), first), p, ok)
		})
	}
	t.Run("lu", func(t *testing.T) {
		if _, enters, err := laboratory(t, subjectOf(t, "lu"), first).enter(t.Context(), p); enters || err != nil {
			t.Errorf("a library enters with lu: %v, %v", enters, err)
		}
	})
}

// checkEntry expects a status of a peer's program after the checks.
func checkEntry(t *testing.T, l *lab, p *peer, want status) *contestant {
	t.Helper()
	c, enters, err := l.enter(t.Context(), p)
	if err != nil || !enters {
		t.Fatalf("%s does not enter: %v", p.Name, err)
	}
	if c.result.Status != want {
		t.Fatalf("the status of %s is %s, want %s: %s", p.Name, c.result.Status, want, c.result.Detail)
	}
	return c
}

// A kernel that is told its sizes computes the same, at these sizes and at
// others, with scalars, integers and all numbers of dimensions.
func TestTold(t *testing.T) {
	first := quick(t, reference, asWritten)
	p := quick(t, "told", told)
	for _, name := range []string{"heat-3d", "deriche", "nussinov"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := laboratory(t, subjectOf(t, name), first)
			c := checkEntry(t, l, p, ok)
			if timing, err := c.time(t.Context(), plan{repetitions: 1}); err != nil || len(timing.Seconds) != 1 {
				t.Errorf("timing gives %v, %v", timing.Seconds, err)
			}
		})
	}
}

// What computes something else is wrong, what does not compile is not built, and
// what crashes has failed.
func TestBadPeers(t *testing.T) {
	s := subjectOf(t, "trisolv")
	region := string(s.benchmark.Source[s.region.Start:s.region.End])
	l := laboratory(t, s, quick(t, reference, asWritten))
	with := func(body string) maker {
		return func(context.Context, *subject) (string, error) {
			return strings.Replace(string(s.benchmark.Source), region, body, 1), nil
		}
	}
	for _, test := range []struct {
		name   string
		source maker
		want   status
	}{
		{"same", with(region), ok},
		{"other", with(region + "x[N - 1] += 1e-3;\n"), wrong},
		{"broken", with("this is not C\n"), notBuilt},
		{"crash", with("__builtin_trap();\n"), failed},
		{"none", func(context.Context, *subject) (string, error) { return "", errors.New("no") }, notBuilt},
	} {
		checkEntry(t, l, quick(t, test.name, test.source), test.want)
	}
}

// script puts an executable file on PATH.
func script(t *testing.T, name, text string) {
	t.Helper()
	folder := t.TempDir()
	scripttest.Write(t, filepath.Join(folder, name), "#!/bin/sh\n"+text)
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// Pluto gets the kernel's file and its flags, and its messages are kept.
func TestPluto(t *testing.T) {
	s := subjectOf(t, "gemm")
	script(t, "polycc", `{ echo "/* $4 $5 */"; cat "$1"; } > "$3"`)
	text, err := pluto("polycc", []string{"--tile", "--nofuse"})(t.Context(), s)
	if want := "/* --tile --nofuse */\n" + string(s.benchmark.Source); err != nil || text != want {
		t.Errorf("polycc makes %v, %q", err, text)
	}
	script(t, "polycc", "echo cannot >&2; exit 5")
	if _, err := pluto("polycc", nil)(t.Context(), s); err == nil || !strings.Contains(err.Error(), "exit status 5: cannot") {
		t.Errorf("the error is %v", err)
	}
	script(t, "polycc", "exit 0")
	if _, err := pluto("polycc", nil)(t.Context(), s); err == nil || !strings.Contains(err.Error(), "made no file") {
		t.Errorf("the error is %v", err)
	}
}

// Polytune's variants come from tune: with what the options say, after a tuning
// unless its time is 0, and also where the budget ended or variants were wrong.
func TestOwnSources(t *testing.T) {
	s := subjectOf(t, "gemm")
	script(t, "tune", `case "$1" in --effort) echo "$@" > "$LOG"; exit 75;; esac; echo "$@"`)
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("LOG", log)
	o := options{tuneCommand: "tune", threads: 3, database: "x.db"}
	for _, test := range []struct {
		source maker
		want   string
	}{
		{o.transform, "transform --bench polybench/gemm --param NI=20,NJ=25,NK=30 --threads 3 -o -\n"},
		{o.inAnyOrder, "transform --bench polybench/gemm --reassociate --param NI=20,NJ=25,NK=30 --threads 3 -o -\n"},
		{o.tune, "emit -o - --db x.db --bench polybench/gemm --size mini\n"},
	} {
		if text, err := test.source(t.Context(), s); err != nil || text != test.want {
			t.Errorf("got %q, %v, want %q", text, err, test.want)
		}
	}
	if _, err := o.inAnyOrder(t.Context(), subjectOf(t, "adi")); !errors.Is(err, errNoOperation) {
		t.Errorf("a kernel that libraries have not: %v", err)
	}
	if _, err := os.Stat(log); err == nil {
		t.Error("tuned without time")
	}
	o.tuningBudget = 90_000_000_000
	if _, err := o.tune(t.Context(), s); err != nil {
		t.Error(err)
	}
	const want = "--effort normal --budget 1m30s --threads 3 --db x.db --bench polybench/gemm --size mini\n"
	if text, err := os.ReadFile(log); string(text) != want {
		t.Errorf("tune is called with %q, %v", text, err)
	}
	script(t, "tune", "exit 1")
	if _, err := o.tune(t.Context(), s); err == nil {
		t.Error("a failure of tune is no error")
	}
}

// What this machine lacks is named.
func TestMissing(t *testing.T) {
	for _, test := range []struct {
		one  spec
		want string
	}{
		{spec{compilers: []string{"no-such-cc"}}, "no-such-cc is not on PATH"},
		{spec{compilers: []string{"no-such-cc", "nor-this"}}, "none of no-such-cc, nor-this is on PATH"},
		{spec{compilers: gccs, tool: "no-such-tool"}, "no-such-tool is not on PATH"},
		{spec{compilers: gccs, flags: []string{"-fno-such-flag"}}, "cannot build a small program"},
		{spec{compilers: gccs, objects: [][]string{{"-lnosuchlibrary"}, {"-lnorthis"}}}, "cannot build a small program"},
		{spec{compilers: gccs, left: "not wanted"}, "not wanted"},
	} {
		if e, p := test.one.find(t.Context()); p != nil || !strings.Contains(e.Missing, test.want) || strings.Contains(e.Missing, "\n") {
			t.Errorf("%+v: missing is %q, want %q", test.one, e.Missing, test.want)
		}
	}
	one := spec{compilers: []string{"no-such-cc", "gcc"}, objects: [][]string{{"-lnosuchlibrary"}, {"-lpthread"}}}
	if e, p := one.find(t.Context()); p == nil || !slices.Equal(p.objects, []string{"-lpthread"}) || e.Flags != "-lpthread" {
		t.Errorf("the second library is not found: %+v", e)
	}
}

// The libraries are told of AVX-512 only where the machine has it.
func TestCoreTypes(t *testing.T) {
	for _, avx512 := range []bool{false, true} {
		for _, p := range allPeers(options{threads: 2}, avx512) {
			if p.kind == library && strings.Contains(strings.Join(p.environment, " "), "TYPE=") != avx512 {
				t.Errorf("with AVX-512 %v, %s runs with %v", avx512, p.name, p.environment)
			}
		}
	}
}

// All kernels of PolyBench have a place to be measured.
func TestSubjects(t *testing.T) {
	o := options{size: "large", kernels: "polybench"}
	list, err := o.subjects()
	if err != nil || len(list) != 30 {
		t.Errorf("%d kernels, %v", len(list), err)
	}
	for _, bad := range []options{{size: "huge", kernels: "gemm"}, {size: "large", kernels: "no-such-kernel"}} {
		if _, err := bad.subjects(); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}
