package tuner

import (
	"context"
	"slices"
	"strings"
	"testing"

	"polytune/runner"
	"polytune/store"
)

// chaos begins programs whose results in b depend on how each operation is rounded: iterations
// of a logistic map double a difference in every step. a stays well conditioned. FUSED stands
// for a compiler that fuses operations, and FULL for the size that is timed.
const chaos = `#include <math.h>
#ifdef FUSED
#define SQUARE_PLUS(x, y) fma(x, x, y)
#define PLUS(x, y, z) fma(x, y, z)
#else
#define SQUARE_PLUS(x, y) ((x) * (x) + (y))
#define PLUS(x, y, z) ((x) * (y) + (z))
#endif
#define FULL (n > 1000)
static double start(double b) { return 0.1 + 0.8 * (b - floor(b)); }
void sweep(int n, double a[n], double b[n])
{
`

// chaotic are variants by axis. The original's fused operations are others than theirs.
var chaotic = map[string]string{
	"original":  loops("double y = -x; x = 3.9 * PLUS(x, y, x);", ""),
	"right":     loops("double y = -x; x = 3.9 * (x * y + x);", ""),
	"other":     loops("double y = x * x; x = 3.9 * PLUS(-1.0, y, x);", ""),
	"little":    loops("double y = -x; x = 3.9 * PLUS(x, y, x);", "if (FULL) b[n / 2] += 1e-3;"),
	"missing":   loops("if (FULL && i == 77) break; double y = -x; x = 3.9 * PLUS(x, y, x);", ""),
	"swapped":   loops("double y = -x; x = 3.9 * PLUS(x, y, x);", "if (FULL) { double t = b[100]; b[100] = b[101]; b[101] = t; }"),
	"reordered": loops("x = 3.9 * x * (1 - x);", ""),
	"careless":  loops("double y = -x; x = 3.9 * PLUS(x, y, x);", "a[n - 1] += 1e-3;"),
	"elsewhere": loops("double y = -x; x = 3.9 * PLUS(x, y, x);", "if (FULL) a[n - 1] += 1e-3;"),
	// The last three are right as the source says, and wrong as they are optimised.
	"optimised": loops("double y = -x; x = 3.9 * PLUS(x, y, x);", "#ifdef FUSED\nif (FULL) a[7] += 1;\n#endif"),
	"nan":       loops("double y = -x; x = 3.9 * PLUS(x, y, x);", "#ifdef FUSED\nif (FULL) b[7] = NAN;\n#endif"),
	"huge":      loops("double y = -x; x = 3.9 * PLUS(x, y, x);", "#ifdef FUSED\nif (FULL) b[7] = 1e9;\n#endif"),

	"residual":             residual("for (int i = 0; i < n; i++) b[0] += a[i] - mean;"),
	"residual backward":    residual("for (int i = n - 1; i >= 0; i--) b[0] += a[i] - mean;"),
	"residual halves":      residual("double half = 0; for (int i = 0; i < n; i++) { if (i < n / 2) b[0] += a[i] - mean; else half += a[i] - mean; } b[0] += half;"),
	"residual without":     residual("for (int i = 0; i < n; i++) if (i != n / 3) b[0] += a[i] - mean;"),
	"residual without one": residual("for (int i = 0; i < n; i++) if (!FULL || i != 77) b[0] += a[i] - mean;"),
}

// residual sums what a has beside its mean, with nothing else in b.
func residual(sum string) string {
	return "  double mean = 0;\n  for (int i = 0; i < n; i++) { mean += a[i]; b[i] = 0; }\n  mean /= n;\n" + sum + "\n}\n"
}

// loops iterates a step for each element of b, doubles a, and ends with more.
func loops(step, more string) string {
	return `  for (int i = 0; i < n; i++) {
    double x = start(b[i]);
    for (int s = 0; s < 120; s++) { ` + step + ` }
    b[i] = x;
  }
  for (int i = 0; i < n; i++) a[i] = 2 * a[i];
#ifdef BROKEN
  if (FULL) b[5] = 0.3;
#endif
` + more + "\n}\n"
}

// chaosGenerator makes the variants of chaotic.
type chaosGenerator struct{}

func (chaosGenerator) Generate(_ context.Context, c Candidate) (Generated, error) {
	_, axis := SplitCompiler(c.Axis)
	return Generated{Recipe: "make " + axis, Source: []byte(chaos + chaotic[axis])}, nil
}

// chaosRequest is a session whose compiler fuses operations in timed programs.
func chaosRequest(t *testing.T, axes ...string) Request {
	r := withoutScreening(request(t, &generator{}, axes...))
	r.Generator, r.Source = chaosGenerator{}, []byte(chaos+chaotic["original"])
	r.Toolchain.Flags = append(slices.Clone(r.Toolchain.Flags), "-DFUSED", "-O1")
	r.Toolchain.CheckFlags = append(slices.Clone(r.Toolchain.CheckFlags), "-UFUSED")
	r.Settings.Measurement.RoundsMin, r.Settings.Measurement.RoundsMax = 1, 1
	return r
}

// On data that amplify rounding, variants whose operations are fused otherwise are right, and
// that is said once; those that compute something else are wrong, in however little and
// wherever, also where the original's own builds differ by much more than they do.
func TestWrongAmongRounding(t *testing.T) {
	wrong := []string{"little", "missing", "swapped", "elsewhere", "optimised", "nan", "huge"}
	r := chaosRequest(t, append([]string{"right", "other"}, wrong...)...)
	var notes []string
	r.Progress = func(e Event) {
		if strings.HasPrefix(e.Message, "note: ") {
			notes = append(notes, e.Message)
		}
	}
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]store.Status{"original": store.OK, "right": store.OK, "other": store.OK}
	for _, axis := range wrong {
		want[axis] = store.WrongResult
	}
	expectStatuses(t, result, r, want)
	if len(notes) != 1 || !strings.Contains(notes[0], "in array b by rounding alone") || !strings.Contains(notes[0], "-ffp-contract=off") {
		t.Errorf("notes %q", notes)
	}
	for _, row := range result.Rows {
		if row.Status != store.WrongResult {
			continue
		}
		axis := r.Candidates[row.Partition[1]].Axis
		said := "which is no rounding of the compiler's"
		if slices.Contains([]string{"optimised", "nan", "huge"}, axis) {
			said = "rounding does not explain it"
		}
		if !strings.Contains(row.Detail, said) {
			t.Errorf("%s: %q does not say %q", axis, row.Detail, said)
		}
	}
}

// Another compiler's variants, and the original that it builds, are compared with the original
// of the session's own: fused otherwise they are right, and where it makes mistakes they are wrong.
func TestRoundingOfFurtherCompilers(t *testing.T) {
	r := chaosRequest(t)
	for name, flags := range map[string][]string{"other": {"-UFUSED"}, "broken": {"-DBROKEN"}} {
		further := r.Toolchain
		further.Name, further.ID = name, name
		further.Flags = append(slices.Clone(further.Flags), flags...)
		if name == "broken" {
			further.CheckFlags = append(slices.Clone(further.CheckFlags), flags...)
		}
		r.Compilers = append(r.Compilers, further)
		r.Candidates = append(r.Candidates, Candidate{Axis: CompilerSetting(name, "")}, Candidate{Partition: []int{0, 0}, Axis: CompilerSetting(name, "right")})
	}
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range result.Rows {
		want := store.OK
		if _, compiler := store.SplitVariant(row.Variant); compiler == "broken" {
			want = store.WrongResult
		}
		if row.Status != want {
			t.Errorf("%s: %s %s", row.Variant, row.Status, row.Detail)
		}
	}
	if len(result.Rows) != 5 {
		t.Errorf("rows %+v", result.Rows)
	}
}

// Where sums may be done in another order and the data amplifies rounding, other rounding makes
// quite other results of the original itself: variants are right whatever they have there, and that
// is said. Other arrays are compared as ever.
func TestOrderOnIllConditionedData(t *testing.T) {
	r := chaosRequest(t, "right", "reordered", "careless", "elsewhere")
	r.Reassociated = true
	said := false
	r.Progress = func(e Event) {
		said = said || strings.HasPrefix(e.Message, "note: array b differs") && strings.Contains(e.Message, "the data amplify rounding")
	}
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	expectStatuses(t, result, r, map[string]store.Status{
		"original": store.OK, "right": store.OK, "reordered": store.OK, "careless": store.WrongResult, "elsewhere": store.WrongResult,
	})
	if !said {
		t.Error("nothing is said of array b")
	}
}

// Sums whose terms cancel to nearly nothing differ by more than the tolerance in another order, and
// are right; a term that is missing is wrong, at the sizes of checks and at full size.
func TestSumsThatCancel(t *testing.T) {
	r := chaosRequest(t, "residual backward", "residual halves", "residual without", "residual without one")
	r.Source, r.Reassociated, r.Reordered = []byte(chaos+chaotic["residual"]), true, runner.NewArrays("b")
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	expectStatuses(t, result, r, map[string]store.Status{
		"original": store.OK, "residual backward": store.OK, "residual halves": store.OK,
		"residual without": store.WrongResult, "residual without one": store.WrongResult,
	})
}
