package tuner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"polytune/configs"
	"polytune/internal/quicklink"
	"polytune/internal/scripttest"
	"polytune/runner"
	"polytune/scop"
	"polytune/store"
	"polytune/target/openmp/omp"
)

// The kernel of these tests takes about a third of a millisecond; its variants
// are written by hand.
const head = `#ifdef OPTIMIZED
#define OPTIMISED_BELOW 100
#else
#define OPTIMISED_BELOW 0
#endif
#ifdef STRICT
#define ROUNDED_BELOW 0
#else
#define ROUNDED_BELOW OPTIMISED_BELOW
#endif
void sweep(int n, double a[n], double b[n])
{
  for (int r = 0; r < 20; r++)
`

const originalSource = head + `    for (int i = 0; i < n; i++)
      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);
}
`

// sources are the variants by axis: what is done r times.
var sources = map[string]string{
	"blocked":  "    for (int t = 0; t < n; t += 64)\n      for (int i = t; i < t + 64 && i < n; i++)\n        b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);\n}\n",
	"backward": "    for (int i = n - 1; i >= 0; i--)\n      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);\n}\n",
	"slow":     "    for (volatile int w = 0; w < 4; w++)\n      for (int i = 0; i < n; i++) {\n        if (w < 3) { volatile double x = a[i]; (void) (x / (x + 1)); continue; }\n        b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);\n      }\n}\n",
	"wrong":    "    for (int i = 0; i < n - (r == 7); i++)\n      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);\n}\n",
	"late":     "    for (int i = 0; i < n - (n > 1000 && r == 7); i++)\n      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);\n}\n",
	"broken":   "    nonsense;\n}\n",
	"crash":    "    __builtin_trap();\n  (void) a; (void) b; (void) n;\n}\n",
	"endless":  "    for (volatile int i = 0; i < n; ) b[0] = a[0];\n}\n",
	"sleepy":   "    for (int i = 0; i < n; i++) {\n      for (volatile long w = 0; n > 1000 && w < 100000000L; w++) ;\n      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);\n    }\n}\n",
	// mistaken is wrong at small sizes, as an optimiser may make it, and rounded is only as far as
	// it rounds by itself.
	"mistaken": "    for (int i = 0; i < n - (n < OPTIMISED_BELOW && r == 7); i++)\n      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);\n}\n",
	"rounded":  "    for (int i = 0; i < n; i++)\n      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0) + (n < ROUNDED_BELOW ? 1e-3 : 0);\n}\n",
	// disturbed takes a second longer, and a quarter of a millisecond for each step of a call, in the
	// first process of those that are timed, which makes the file that FIRST names.
	"disturbed": `  {
    extern void disturb(int n);
    disturb(n);
    for (int i = 0; i < n; i++)
      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);
  }
}
extern int atexit(void (*)(void)), open(const char *, int, ...);
extern long clock(void);
static void spend(long microseconds)
{
  for (long begin = clock(); clock() - begin < microseconds; ) ;
}
static void wait(void) { spend(1100000); }
void disturb(int n)
{
  static int first = -1;
  if (n > 1000 && first < 0 && (first = open(FIRST, 0300, 0600) >= 0))
    atexit(wait);
  if (first > 0)
    spend(250);
}
`,
	"beyond": "    for (int i = 0; i <= n; i++) b[i] = a[0];\n}\n",
}

// generator returns the sources, and fails for the axes of its errors.
type generator struct {
	calls atomic.Int32
	// at, if not nil, is called for every candidate.
	at func(axis string)
}

func (g *generator) Generate(_ context.Context, c Candidate) (Generated, error) {
	g.calls.Add(1)
	if g.at != nil {
		g.at(c.Axis)
	}
	switch c.Axis {
	case "illegal":
		return Generated{}, &IllegalError{Recipe: "reverse c0.1", Err: errors.New("S0 -> S0 runs backwards")}
	case "uncodable":
		return Generated{}, errors.New("too many operations")
	case "panic":
		panic("a bug")
	}
	axis, _, _ := strings.Cut(c.Axis, "/")
	return Generated{Recipe: "make " + c.Axis, Source: []byte(head + sources[axis])}, nil
}

var foundGCC = sync.OnceValues(func() (runner.Toolchain, error) {
	return runner.FindToolchain(context.Background(), runner.ToolchainSpec{
		Runtime: omp.Runtime{}, Name: "gcc", Command: "gcc", Flags: []string{"-O1", "-fopenmp"}, CheckFlags: []string{"-O0", "-ffp-contract=off", "-fopenmp"}, Libraries: append(quicklink.Options(), "-lm"),
	})
})

// request is a small and quick session with the given axes as candidates.
func request(t testing.TB, g *generator, axes ...string) Request {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Fatal("no gcc on this machine; make test installs it")
	}
	toolchain, err := foundGCC()
	if err != nil {
		t.Fatal(err)
	}
	machine, err := runner.Detect("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TUNE_LOCK_FOLDER", t.TempDir())
	db, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "tune.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	driver, err := runner.GenerateDriver(scop.Function{Name: "sweep", Arguments: []scop.Argument{
		{Name: "n", Type: "int", Role: scop.Size},
		{Name: "a", Type: "double", Role: scop.Pointer, Extents: []string{"n"}},
		{Name: "b", Type: "double", Role: scop.Pointer, Extents: []string{"n"}},
	}}, runner.DriverOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := Request{
		Kernel: "test/sweep", KernelID: "k1", Source: []byte(originalSource), Subject: runner.Subject{Harness: driver},
		Size: "small", Params: map[string]int{"n": 4001}, Checks: []map[string]int{{"n": 13}, {"n": 207}},
		Machine: machine, Toolchain: toolchain, Settings: quickSettings(), Generator: g,
		Original: Original{Partition: []int{0}, Recipe: "as written"},
		Legal:    len(axes), Effort: Quick, Seed: 1, Store: db,
	}
	for i, axis := range axes {
		r.Candidates = append(r.Candidates, Candidate{Partition: []int{0, i}, Axis: axis})
	}
	return r
}

// withoutScreening keeps the variants of a session for its race however long one run of theirs
// takes on a machine that does other work.
func withoutScreening(r Request) Request {
	r.Settings.Measurement.ScreeningFactor = 1e6
	r.Settings.Limits.RunFloorSeconds = 20
	return r
}

func quickSettings() configs.Settings {
	return configs.Settings{
		Threads: 1, Jobs: 2,
		Limits:       configs.Limits{BuildSeconds: 30, RunFactor: 2.5, RunFloorSeconds: 0.5, RunMaxSeconds: 20},
		Measurement:  configs.Measurement{RoundsMin: 5, RoundsMax: 6, ScreeningFactor: 2.5, SampleSeconds: 0.002, Indifference: 0.01},
		Verification: configs.Verification{Tolerance: 1e-9, ToleranceSingle: 1e-5},
	}
}

// statuses are "axis status" of all variants, through the candidates' order.
func statuses(result Result, r Request) map[string]store.Status {
	found := map[string]store.Status{}
	for _, row := range result.Rows {
		name := row.Variant
		if len(row.Partition) > 1 {
			name = r.Candidates[row.Partition[1]].Axis
		}
		found[name] = row.Status
	}
	return found
}

func expectStatuses(t *testing.T, result Result, r Request, want map[string]store.Status) {
	t.Helper()
	got := statuses(result, r)
	for axis, status := range want {
		if got[axis] != status {
			t.Errorf("%s: status %q, want %q", axis, got[axis], status)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d variants, want %d: %v", len(got), len(want), got)
	}
}

func detail(result Result, status store.Status) string {
	var all []string
	for _, row := range result.Rows {
		if row.Status == status {
			all = append(all, row.Detail)
		}
	}
	return strings.Join(all, "\n")
}

func TestEveryFault(t *testing.T) {
	g := &generator{}
	r := request(t, g, "blocked", "wrong", "broken", "crash", "endless", "sleepy", "beyond", "illegal", "uncodable", "panic", "late", "slow")
	var loud []string
	r.Progress = func(e Event) {
		if e.Message != "" {
			loud = append(loud, e.Message)
		}
	}
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	expectStatuses(t, result, r, map[string]store.Status{
		"original": store.OK, "blocked": store.OK, "slow": store.OK, "wrong": store.WrongResult, "late": store.WrongResult,
		"broken": store.CompileFailed, "crash": store.Crashed, "endless": store.Timeout, "sleepy": store.Timeout,
		"beyond": store.WrongResult, "illegal": store.Illegal, "uncodable": store.CodegenFailed, "panic": store.CodegenFailed,
	})
	if counts := result.Counts(); counts[store.OK] != 2 || counts[store.CodegenFailed] != 2 || result.Tried != 12 || result.Candidates != 12 || !result.Complete {
		t.Errorf("counts %v, tried %d of %d, complete %v", counts, result.Tried, result.Candidates, result.Complete)
	}
	if best := statuses(result, r); result.Best.Status != store.OK || best["wrong"] == store.OK {
		t.Errorf("best is %+v", result.Best)
	}
	for _, want := range []string{"at n=13: wrong result: b[12] is", "expected", ".c)", "-wrong-results/test-sweep.0-1."} {
		if !strings.Contains(detail(result, store.WrongResult), want) {
			t.Errorf("detail of the wrong results lacks %q:\n%s", want, detail(result, store.WrongResult))
		}
	}
	if !strings.Contains(detail(result, store.CompileFailed), "nonsense") {
		t.Errorf("compile failure: %s", detail(result, store.CompileFailed))
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(r.Store.Path()), "*-wrong-results", "*.c")); len(files) != 3 || len(loud) != 3 {
		t.Errorf("%d kept sources, %d loud messages: %q", len(files), len(loud), loud)
	}
}

func TestOriginalMayWin(t *testing.T) {
	r := request(t, &generator{}, "crash", "illegal")
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if result.Best.Variant != store.Original || result.Verdict != Best || !slices.Equal(result.Best.Partition, r.Original.Partition) || result.Recipe != r.Original.Recipe {
		t.Errorf("best %+v with recipe %q, verdict %s", result.Best, result.Recipe, result.Verdict)
	}
	best, err := r.Store.Best(context.Background(), store.BestQuery{Kernel: r.Kernel})
	if err != nil || len(best) != 1 || best[0].Variant.ID != store.Original {
		t.Errorf("the store's best is %+v, %v", best, err)
	}
}

func TestFinishedSessionIsRecalled(t *testing.T) {
	g := &generator{}
	r := request(t, g, "blocked", "backward", "blocked/again", "wrong", "slow")
	first, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	calls := g.calls.Load()
	second, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if !second.Recalled || first.Recalled || g.calls.Load() != calls {
		t.Errorf("recalled %v, %d candidates generated again", second.Recalled, g.calls.Load()-calls)
	}
	second.Recalled, second.Elapsed, second.Overhead, second.Waited = first.Recalled, first.Elapsed, first.Overhead, first.Waited
	if a, b := fmt.Sprintf("%+v", first), fmt.Sprintf("%+v", second); a != b {
		t.Errorf("the answers differ:\n%s\n%s", a, b)
	}
	for _, row := range first.Rows {
		if row.Twin != "" && (row.Status != store.OK || row.Rounds == 0 || !strings.Contains(row.Detail, row.Twin)) {
			t.Errorf("twin %+v", row)
		}
	}
	best, err := r.Store.Best(context.Background(), store.BestQuery{Kernel: r.Kernel})
	// On a busy machine the original may win, whose recipe the store does not have.
	if err != nil || len(best) != 1 || best[0].Variant.ID != first.Best.Variant || first.Best.Variant != store.Original && best[0].Variant.Recipe != first.Recipe {
		t.Errorf("the store's best is %+v (%v), the session's %s", best, err, first.Best.Variant)
	}
	r.Toolchain.ID = "another"
	third, err := Tune(context.Background(), r)
	if err != nil || third.Recalled {
		t.Errorf("another compiler: recalled %v, %v", third.Recalled, err)
	}
}

func TestTwinIsTimedOnce(t *testing.T) {
	r := request(t, &generator{}, "blocked", "blocked/again")
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	expectStatuses(t, result, r, map[string]store.Status{"original": store.OK, "blocked": store.OK, "blocked/again": store.OK})
	twin, timed := result.Rows[1], result.Rows[2]
	if timed.Twin != "" {
		twin, timed = timed, twin
	}
	if twin.Twin != timed.Variant || twin.Seconds != timed.Seconds || len(result.Rivals) > 1 {
		t.Errorf("twin %+v of %+v, rivals %v", twin, timed, result.Rivals)
	}
}

func TestInterruptAndResume(t *testing.T) {
	axes := []string{"blocked", "wrong", "broken", "slow", "backward", "crash"}
	unscreened := func() Request { return withoutScreening(request(t, &generator{}, axes...)) }
	calm := unscreened()
	undisturbed, err := Tune(context.Background(), calm)
	if err != nil {
		t.Fatal(err)
	}
	r := unscreened()
	interruptions, phases := 0, []Phase{Preparing, Building, Screening, Racing, Racing}
	for _, phase := range phases {
		ctx, cancel := context.WithCancel(context.Background())
		r.Progress = func(e Event) {
			if e.Phase == phase {
				cancel()
			}
		}
		partial, err := Tune(ctx, r)
		cancel()
		if err == nil {
			continue
		}
		interruptions++
		if !errors.Is(err, ErrInterrupted) || partial.Complete {
			t.Fatalf("interrupted while %s: %v, complete %v", phase, err, partial.Complete)
		}
	}
	r.Progress = nil
	resumed, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if interruptions != len(phases) {
		t.Errorf("%d interruptions instead of %d", interruptions, len(phases))
	}
	expectStatuses(t, resumed, r, statuses(undisturbed, calm))
	trials, err := r.Store.Trials(context.Background(), mustKey(t, r))
	if err != nil || len(trials) != len(axes)+1 {
		t.Errorf("%d trials, want %d; %v", len(trials), len(axes)+1, err)
	}
	for _, trial := range trials {
		if trial.Open() {
			t.Errorf("trial of %s is open", trial.Variant)
		}
	}
}

func mustKey(t *testing.T, r Request) store.SessionKey {
	t.Helper()
	key, err := r.key("")
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// A budget that is used up leaves a session that goes on with the next call.
func TestBudget(t *testing.T) {
	r := request(t, &generator{}, "blocked", "backward", "slow")
	r.Budget = time.Nanosecond
	first, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if first.Complete || first.Tried != r.Settings.Jobs {
		t.Errorf("complete %v, tried %d, best %q", first.Complete, first.Tried, first.Best.Variant)
	}
	r.Budget = 0
	second, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if !second.Complete || second.Tried != 3 || second.Recalled {
		t.Errorf("complete %v, tried %d, recalled %v", second.Complete, second.Tried, second.Recalled)
	}
}

func TestBadOriginal(t *testing.T) {
	r := request(t, &generator{}, "blocked")
	r.Source = []byte("void sweep(int n, double *a, double *b) { *(volatile int *) 0 = n; (void) a; (void) b; }\n")
	_, err := Tune(context.Background(), r)
	var baseline *BaselineError
	if !errors.As(err, &baseline) || !strings.Contains(err.Error(), "the original program: the run was ended by signal 11") {
		t.Errorf("error %v", err)
	}
	r = request(t, &generator{}, "blocked")
	r.Checks = nil
	if _, err := Tune(context.Background(), r); err == nil {
		t.Error("no error without checks")
	}
}

// The original, or the leader, is timed twice in every round; the store has
// that, and nobody takes it for a variant.
func TestControlsAreKept(t *testing.T) {
	r := withoutScreening(request(t, &generator{}, "blocked", "backward"))
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	session, found, err := r.Store.FindSession(context.Background(), mustKey(t, r))
	if err != nil || !found {
		t.Fatal(found, err)
	}
	controls, err := r.Store.Controls(context.Background(), session.UUID)
	if err != nil || len(controls) < 8 {
		t.Fatalf("%d controls, %v", len(controls), err)
	}
	for _, c := range controls {
		if c.Seconds <= 0 || c.Counters == nil || c.Counters.Elapsed <= 0 || c.Round < 1 {
			t.Errorf("control %+v", c)
		}
	}
	race := result.Race
	if race.Rounds < 8 || race.Noise.Rounds < race.Rounds-len(race.Disturbances)-1 || len(race.Noise.Variants) == 0 || race.Noise.Ratio.Median <= 0 {
		t.Errorf("race %+v", race)
	}
	if len(result.Rows) != 3 || result.Counts()[store.OK] != 2 {
		t.Errorf("rows %+v", result.Rows)
	}
	trials, err := r.Store.Trials(context.Background(), mustKey(t, r))
	if err != nil || len(trials) != 3 {
		t.Errorf("%d trials, %v", len(trials), err)
	}
}

// A strict session times nothing while there are warnings; what is known is told
// all the same.
func TestStrict(t *testing.T) {
	r := request(t, &generator{}, "blocked")
	r.Strict, r.Warnings = true, []runner.Warning{{Kind: "load", Message: "somebody is here", Advice: "top"}}
	_, err := Tune(context.Background(), r)
	var disturbed *DisturbedError
	if !errors.As(err, &disturbed) || !strings.Contains(err.Error(), "somebody is here\n    top") {
		t.Errorf("error %v", err)
	}
	if trials, err := r.Store.Trials(context.Background(), mustKey(t, r)); err != nil || len(trials) != 0 {
		t.Errorf("%d trials, %v", len(trials), err)
	}
	// What nobody can help is no reason to refuse.
	r.Warnings = []runner.Warning{{Kind: "virtual", Message: "the host moves its processors", Advice: "wait"}}
	first, err := Tune(context.Background(), r)
	if err != nil || len(first.Warnings) != 1 {
		t.Fatal(first.Warnings, err)
	}
	again := r
	if second, err := Tune(context.Background(), again); err != nil || !second.Recalled || !slices.Equal(second.Warnings, first.Warnings) {
		t.Errorf("recalled %v with warnings %v, %v", second.Recalled, second.Warnings, err)
	}
}

// watched is the sweep, made wrong while a folder has more than itself and its
// parent in it.
const watched = `#include <dirent.h>
void sweep(int n, double a[n], double b[n])
{
  int entries = 0;
  DIR *folder = n > 1000 ? opendir("%s") : 0;
  while (folder && readdir(folder)) entries++;
  if (folder) closedir(folder);
  for (int r = 0; r < 20; r++)
    for (int i = 0; i < n; i++)
      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0) + (entries > 2) * %d;
}
`

// watching makes watched variants, each with other machine code.
type watching struct{ folder string }

func (w watching) Generate(_ context.Context, c Candidate) (Generated, error) {
	return Generated{Recipe: c.Axis, Source: fmt.Appendf(nil, watched, w.folder, len(c.Axis))}, nil
}

// No compiler works while a program is timed.
func TestNoBuildDuringTimings(t *testing.T) {
	folder, bin := t.TempDir(), t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nmkdir %s/$$\ngcc \"$@\"\nstatus=$?\nsleep 0.05\nrmdir %s/$$\nexit $status\n", folder, folder)
	compiler := filepath.Join(bin, "slowcc")
	scripttest.Write(t, compiler, script)
	r := request(t, &generator{})
	var err error
	r.Toolchain, err = runner.FindToolchain(context.Background(), runner.ToolchainSpec{
		Runtime: omp.Runtime{}, Name: "slowcc", Command: compiler, Flags: []string{"-O0", "-fopenmp"}, CheckFlags: []string{"-O0", "-fopenmp"}, Libraries: append(quicklink.Options(), "-lm"),
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Generator = watching{folder}
	for i := range 4 {
		r.Candidates = append(r.Candidates, Candidate{Partition: []int{0, i}, Axis: strings.Repeat("x", i+1)})
	}
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range result.Rows {
		if row.Status != store.OK {
			t.Errorf("%s: %s %s", row.Variant, row.Status, row.Detail)
		}
	}
	// The check can fail: with somebody in the folder, variants are wrong.
	if err := os.Mkdir(filepath.Join(folder, "somebody"), 0o777); err != nil {
		t.Fatal(err)
	}
	r.Toolchain.ID = "watched"
	r.Candidates = r.Candidates[:1]
	if result, err = Tune(context.Background(), r); err != nil || result.Counts()[store.WrongResult] != 1 {
		t.Errorf("with somebody in the folder: %v, %v", result.Counts(), err)
	}
}

// A screened run may take a few times the best time, and what its process needs
// besides.
func TestScreeningCap(t *testing.T) {
	c := clock{request: &Request{Settings: quickSettings()}}
	for _, of := range []struct {
		best     float64
		calls    int
		overhead time.Duration
		want     time.Duration
	}{
		{0, 1, 0, 20 * time.Second}, {1, 1, 0, 2500 * time.Millisecond}, {1, 2, 0, 5 * time.Second},
		{0.001, 1, 0, 500 * time.Millisecond}, {1, 1, time.Second, 4500 * time.Millisecond},
	} {
		c.overhead = of.overhead
		if got := c.cap(of.best, 2.5, of.calls); got != of.want {
			t.Errorf("best %v, %d calls: %v, want %v", of.best, of.calls, got, of.want)
		}
	}
}
