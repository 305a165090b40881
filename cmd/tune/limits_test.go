package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/configs"
	"polytune/internal/kerneltest"
	"polytune/internal/pipelinetest"
	"polytune/internal/quicklink"
	"polytune/pipeline"
	"polytune/pipeline/check"
	"polytune/pipeline/choices"
	"polytune/pipeline/limit"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/session"
	"polytune/tuner"
)

// struckPrograms have many stages: temporaries that are moved, loops over tiles, loops that are
// skewed, sums over deep nests, and two regions.
var struckPrograms = map[string]string{
	"deep": `
#define N 5
static double s, t[N];
static void f(void)
{
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++)
          s += t[l];
#pragma endscop
}
int main(void) { for (int i = 0; i < N; i++) t[i] = i - 1; f(); printf("%.17g\n", s); }
`,
	"regions": `
static double a[40][40], b[40][40];
static void f(int n, int steps)
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      a[0][i] = (a[0][i - 1] + a[0][i + 1]) * 0.5;
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = a[i][j] * 2;
      b[j][i] = x + a[j][i];
    }
#pragma endscop
}
int main(void)
{
  double sum = 0;
  for (int i = 0; i < 40; i++) for (int j = 0; j < 40; j++) a[i][j] = i * 3 - j;
  f(37, 7);
  for (int i = 0; i < 40; i++) for (int j = 0; j < 40; j++) sum += b[i][j] * (i - 2 * j);
  printf("%.17g\n", sum);
}
`,
}

// mostStruck is how many stages limits strike at, one after the other: long tests have all that
// programs of this size have.
func mostStruck() int {
	if kerneltest.Long() {
		return 14
	}
	return 8
}

// A limit that strikes in any one stage, or in all from one on, costs speed there: the program
// still comes out, and computes the same. Which of the two it is changes from stage to stage; the
// long test has both at each.
func TestLimitsStrikeAnywhere(t *testing.T) {
	defer func(usual func(limit.Limits) limit.Limits) { limit.StruckAt = usual }(limit.StruckAt)
	for name, body := range struckPrograms {
		folder := t.TempDir()
		path := filepath.Join(folder, name+".c")
		if err := os.WriteFile(path, []byte("#include <stdio.h>\n"+body), 0o666); err != nil {
			t.Fatal(err)
		}
		want := resultOf(t, path)
		seen := map[string]bool{}
		check := func(where string) {
			out := filepath.Join(folder, "out.c")
			notes := transformQuietly(t, path, out, where)
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if seen[string(text)] {
				return
			}
			seen[string(text)] = true
			if got := resultOf(t, out); got != want {
				t.Errorf("%s: struck %s: got %s, want %s (%s)", name, where, got, want, notes)
			}
		}
		stages := 1
		for n := 0; n < stages; n++ {
			for _, others := range struckStages(n) {
				operations := []uint64{1, 3000, 60_000}[n%3]
				struck := strike(n, others, operations)
				check(fmt.Sprintf("at stage %d (and later ones: %v) with %d operations", n, others, operations))
				if !others {
					stages = max(stages, min(*struck, mostStruck()))
				}
			}
		}
		limit.StruckAt = func(l limit.Limits) limit.Limits { return l }
		usual := limit.SharedTime
		limit.SharedTime = 0
		check("where no time is left")
		limit.SharedTime = usual
		if stages < 6 || len(seen) < 3 {
			t.Errorf("%s: %d stages, %d different programs: the test shows little", name, stages, len(seen))
		}
	}
}

// struckStages says whether the limits of later stages are struck along with those of the n-th one,
// too. In the first stage both are tried by all tests.
func struckStages(n int) []bool {
	if n == 0 || kerneltest.Long() {
		return []bool{false, true}
	}
	return []bool{n%2 == 1}
}

// strike lets isl's limits be struck in the n-th stage from now, or in it and all later ones;
// stages counts them. The test that asks is to bring the usual limits back.
func strike(n int, later bool, operations uint64) (stages *int) {
	stages = new(int)
	limit.StruckAt = func(l limit.Limits) limit.Limits {
		if *stages == n || later && *stages > n {
			l.Operations = operations
		}
		*stages++
		return l
	}
	return stages
}

// A session and a check whose choices strike a limit go on with the loops of the source, or with
// fewer choices. The stages are struck as in TestLimitsStrikeAnywhere.
func TestLimitsStrikeChoices(t *testing.T) {
	defer func(usual func(limit.Limits) limit.Limits) { limit.StruckAt = usual }(limit.StruckAt)
	for name, body := range struckPrograms {
		path := filepath.Join(t.TempDir(), name+".c")
		if err := os.WriteFile(path, []byte("#include <stdio.h>\n"+body), 0o666); err != nil {
			t.Fatal(err)
		}
		machine, err := runner.Detect("test")
		if err != nil {
			t.Fatal(err)
		}
		targets := func() []*pipeline.Target {
			targets, err := (&pipeline.Options{Privatize: true}).All([]string{path})
			if err != nil {
				t.Fatal(err)
			}
			return targets
		}
		last, plainAlone := 1, 0
		for n := 0; n < last; n++ {
			for _, later := range struckStages(n) {
				where := fmt.Sprintf("%s, struck at stage %d (and later: %v)", name, n, later)
				stages := strike(n, later, []uint64{1, 3000}[n/2%2])
				probe, err := choices.NewProbe(t.Context(), targets()[0], machine)
				if err != nil {
					t.Fatalf("%s: %v", where, err)
				}
				partitions, _, err := probe.SessionPartitions(t.Context())
				if err != nil {
					t.Fatalf("%s: %v", where, err)
				}
				if _, err := probe.CountVariants(t.Context()); err != nil {
					t.Fatalf("%s: %v", where, err)
				}
				if !later {
					last = max(last, min(*stages, mostStruck()))
				}
				list := probe.FirstCandidates(partitions)
				if len(list) == 0 {
					t.Fatalf("%s: no candidates", where)
				}
				if probe.TooHard == nil {
					continue
				}
				plainAlone++
				g := &choices.Generator{Target: probe.Target, Machine: machine, Seen: nil, Checked: nil}
				generated, err := g.Generate(t.Context(), list[0])
				if err != nil && !errors.As(err, new(*tuner.CodegenError)) || err == nil && generated.Recipe == "" {
					t.Errorf("%s: %v", where, err)
				}
				if !later && err != nil {
					t.Errorf("%s: no code: %v", where, err)
				}
			}
		}
		if last < 4 || plainAlone < 2 {
			t.Errorf("%s: %d stages, %d probes without choices: the test shows little", name, last, plainAlone)
		}
		strike(0, true, 1)
		if err := runCheck(t.Context(), io.Discard, &checkOptions{Options: check.Options{Partition: variant.DecidingPartition, Model: pipeline.ModelOptions{CoefficientBound: 4, Degrees: 1},
			Target: pipeline.Options{Privatize: true}}}, []string{path}, pipelinetest.StrictSettings(t)); err != nil {
			t.Errorf("%s: tune check: %v", name, err)
		}
		settings := pipelinetest.StrictSettings(t)
		settings.DB = filepath.Join(t.TempDir(), "a.db")
		var table strings.Builder
		o := &session.Options{Target: pipeline.Options{Privatize: true}, Effort: "quick", Size: session.DefaultSize}
		if err := runTune(t.Context(), &table, o, []string{path}, settings); err != nil || !strings.Contains(table.String(), "original") {
			t.Errorf("%s: tune: %v: %s", name, err, &table)
		}
	}
}

// transformQuietly is what tune transform says.
func transformQuietly(t *testing.T, path, out, where string) string {
	t.Helper()
	o := &transformOptions{Request: variant.Request{Partition: variant.DecidingPartition}, output: out}
	o.Model.CoefficientBound, o.Model.Degrees = 4, 1
	o.Target.Privatize, o.Target.Untile = true, true
	var notes strings.Builder
	if err := runTransform(t.Context(), &notes, &notes, o, []string{path}, configs.Settings{}); err != nil {
		t.Fatalf("struck %s: %v", where, err)
	}
	return notes.String()
}

// resultOf is what a program prints.
func resultOf(t *testing.T, path string, flags ...string) string {
	t.Helper()
	program := strings.TrimSuffix(path, ".c") + ".exe"
	arguments := slices.Concat(flags, quicklink.Options(), []string{"-O0", "-fopenmp", "-o", program, path, "-lm"})
	if output, err := exec.CommandContext(t.Context(), "gcc", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	output, err := exec.CommandContext(t.Context(), program).CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v: %s", path, err, output)
	}
	return string(output)
}

// Every isl context outside of tests has limits of operations and of time.
func TestEveryContextHasLimits(t *testing.T) {
	contexts := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		isSource := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
		if err != nil || !isSource || strings.Contains(path, "internal/kerneltest") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		calls := map[string]int{}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				calls[s.Sel.Name]++
				if of, is := s.X.(*ast.Ident); is {
					calls[of.Name+"."+s.Sel.Name]++
				}
			}
			return true
		})
		contexts += calls["NewContext"]
		if calls["NewContext"] > calls["limit.On"]+calls["Limit"]+min(calls["AbortOn"], calls["SetMaxOperations"]) {
			t.Errorf("%s makes an isl context without limits", path)
		}
		return nil
	})
	if err != nil || contexts < 5 {
		t.Errorf("%d contexts (%v)", contexts, err)
	}
}
