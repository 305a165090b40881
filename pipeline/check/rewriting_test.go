package check

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/store"
)

// rewritings are regions that the front end rewrites, a piece of what it makes of each, and one
// that is wrong in its place.
var rewritings = map[string]struct{ region, right, wrong string }{
	"walking pointers": {"double *p = x, *q = y; for (int i = 0; i < n; i++) *p++ += 2 * *q++;", "q_at = 0", "q_at = 1"},
	"moved arguments":  {"for (int i = 0; i < n; i++, y++) *x++ += 2 * *y;", "x_at++", "x_at+1"},
	"moved sizes":      {"for (k = k + 1; k < n; k++) x[k] += 2; k = x[0] > 1; y[k] = 3; for (k = 0; k < n; k++) y[k] += x[k];", "y[k_2] +=", "y[k_2] -="},
	"pointer swaps":    {"for (int t = 0; t < 3; t++) { for (int i = 1; i < n - 1; i++) x[i] = y[i - 1] + y[i + 1]; s = x; x = y; y = s; }", "% 2 == 0", "% 2 == 1"},
	"goto":             {"for (int i = 0; i < n; i++) { if (i % 3 == 1) goto next; x[i] += y[i]; next: y[i] = i; }", "!(i % 3", " (i % 3"},
	"continue":         {"int j = 0; for (int i = 0, k = n - 1; i < n; i++, k--) { if (i % 3 == 1) continue; x[k] += y[i]; }", "(n - 1) - i", "(n - 1) - 0"},
	"variables":        {"for (int i = 0, k = n - 1; i < n; i++, k--) x[i] += y[k];", "(n - 1) - i", "(n - 1) - 0"},
	"row pointers":     {"for (int i = 0; i < n; i++) { double *r = m[i]; for (int j = 0; j < n; j++) r[j] += y[j]; }", "m[i][j]", "m[j][j]"},
	"memset":           {"memset(x, 0, n * sizeof(double)); for (int i = 1; i < n; i++) x[i] += y[i];", "] = 0", "] = 1"},
	"macros":           {"for (int i = 0; i < n; i++) ROW(i)", "m[i][j] +=", "m[j][i] +="},
	"products":         {"for (int i = 0; i < n * k; i++) x[i % n] += y[n - 1 - i % n];", "i < n_k", "i < n  "},
}

// function has a region in the place of REGION, and program calls it, so that both harnesses are
// tried.
const (
	rewrittenFunction = `#include <string.h>
#define ROW(i) for (int j = 0; j < n; j++) { m[i][j] += y[i] * (j + 1); }
void f(int n, int k, double m[restrict n][n], double x[restrict n], double y[restrict n])
{
    double *s;
#pragma scop
REGION
#pragma endscop
}
`
	rewrittenMain = `static double matrix[9][9], one[9], other[9];
int main(void)
{
	for (int i = 0; i < 9; i++) one[i] = i, other[i] = 1.0 / (i + 1);
	f(9, 3, matrix, one, other);
	return 0;
}
`
)

// TestWrongRewriting has a front end that rewrites regions wrongly: variants do then what the
// rewriting says, and the original what the user wrote. The short test has each rewriting in one of
// the harnesses, in turn.
func TestWrongRewriting(t *testing.T) {
	t.Parallel()
	for k, name := range slices.Sorted(maps.Keys(rewritings)) {
		r := rewritings[name]
		for n, harness := range []string{"function", "program"} {
			if n != k%2 && !kerneltest.Long() {
				continue
			}
			behind := []string{"", rewrittenMain}[n]
			t.Run(name+" in a "+harness, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "f.c")
				source := strings.Replace(rewrittenFunction, "REGION", r.region, 1) + behind
				if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
					t.Fatal(err)
				}
				o := Options{Partition: "none", Target: pipeline.Options{Privatize: true, AssumeNoAlias: true}, Model: pipeline.SessionModel}
				right, err := o.Target.One([]string{path})
				if err != nil {
					t.Fatal(err)
				}
				if string(right.UsersText()) == string(right.File.Source) {
					t.Fatalf("the region is not rewritten:\n%s", right.File.Source)
				}
				expect(t, &o, right, store.OK)
				expect(t, &o, rewrittenWrongly(t, &o, right, r.right, r.wrong), store.WrongResult)
			})
		}
	}
}

// rewrittenWrongly is a target as a front end would make it that has put a wrong piece, of the same
// length, into the region's text.
func rewrittenWrongly(t *testing.T, o *Options, right *pipeline.Target, piece, wrong string) *pipeline.Target {
	t.Helper()
	text, start := string(right.File.Source), right.Region.PragmaStart
	if !strings.Contains(text[start:], piece) || len(piece) != len(wrong) {
		t.Fatalf("%q is not in the rewritten region:\n%s", piece, text[start:])
	}
	text = text[:start] + strings.Replace(text[start:], piece, wrong, 1)
	targets, err := o.Target.Regions(&pipeline.Target{Name: right.Name, Path: right.Path}, right.Path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(targets[0].File.Source); got != text {
		t.Fatalf("the wrong text is rewritten once more:\n%s", got)
	}
	program := targets[0].Region.Program
	region := *right.Region
	region.Program = program
	targets[0].Region = &region
	return targets[0]
}

// expect checks a target's variants at the sizes that a user would have, all of which are to have
// one status at least once, and OK always.
func expect(t *testing.T, o *Options, target *pipeline.Target, want store.Status) {
	t.Helper()
	report, err := o.Check(t.Context(), target, pipelinetest.StrictSettings(t))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, r := range report.Checks {
		found = found || r.Status == want
		if want == store.OK && r.Status != store.OK {
			t.Errorf("%v: %s: %s", r.Sizes, r.Status, r.Detail)
		}
	}
	if !found {
		t.Errorf("no %s among %+v", want, report.Checks)
	}
}
