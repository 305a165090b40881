package codegen

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/schedule/command"
)

// transposing is a function whose rows run in lanes.
type transposing struct {
	about, element string
	// loop is the inner one, body what it runs, and recipe the commands behind the classes.
	loop, body, recipe string
	// swaps is how often the code uses a macro that exchanges elements of two vectors, whose name
	// begins with swap.
	swap  string
	swaps int
	// asks is the number of rows whose elements are asked for, 8 KiB in all.
	asks int
}

const (
	function = `void f(int n, int m, REAL a[n][m], REAL b[n][m], REAL x[n], REAL y[m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    LOOP
      BODY
#pragma endscop
}
`
	forwards  = "for (int j = 0; j < m; j++)"
	behindTwo = "for (int j = 2; j < m; j++)"
	backwards = "for (int j = m - 2; j >= 0; j--)"
	alone     = "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\n"
	fromEnd   = "classes {S0}\nband c0 permutable S0[i, j] -> [i, -j]\n"
	two       = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nsplit c0 {S0} {S1}\n"
)

var transposings = []transposing{
	{"one square", "double", forwards, "x[i] += a[i][j] * y[j];", alone + "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 2, 0},
	{"two squares, ahead", "double", forwards, "x[i] += a[i][j] * y[j];", alone + "registers c0.1 by 8 ahead lanes 4", "tune_swap1_double4", 4, 8},
	{"four squares, ahead", "double", forwards, "x[i] += a[i][j] * y[j];", alone + "registers c0.1 by 16 ahead lanes 4", "tune_swap1_double4", 8, 16},
	{"vectors of eight floats", "float", forwards, "x[i] += a[i][j] * y[j];", alone + "registers c0.1 by 8 lanes 8", "tune_swap4_float8", 4, 0},
	{"two matrices", "double", forwards, "x[i] += a[i][j] * y[j] + b[i][j];", alone + "registers c0.1 by 2 lanes 2", "tune_swap1_double2", 2, 0},
	{"the same row twice", "double", forwards, "x[i] += a[i][j] * a[i][j];", alone + "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 2, 0},
	{"rows and the ones below", "double", forwards, "x[i] += a[i][j] * a[n - 1 - i][j];", alone + "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 4, 0},
	{"from the end", "double", backwards, "x[i] += a[i][j + 1] * y[j];", fromEnd + "registers c0.1 by 4 ahead lanes 4", "tune_swap1_double4", 2, 0},
	{"every other element", "double", forwards, "x[i] += a[i][j / 2 * 2] * y[j];", alone + "registers c0.1 by 4 lanes 4", "tune_swap", 0, 0},

	{"a recurrence", "double", behindTwo, "a[i][j] = b[i][j] - a[i][j - 1] * y[j];", alone + "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 4, 0},
	{"one from the end", "double", backwards, "a[i][j] = b[i][j] * a[i][j + 1] + x[i];", fromEnd + "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 4, 0},
	{"one that updates", "float", behindTwo, "a[i][j] -= a[i][j - 2] * y[j] + a[i][j - 1];", alone + "registers c0.1 by 8 lanes 4", "tune_swap2_float4", 8, 0},
	{"two that need each other", "double", behindTwo, "{ a[i][j] = 1.0 / (b[i][j - 1] + 2.0); b[i][j] = (b[i][j] - a[i][j - 1]) / (a[i][j] + 3.0); }", two + "registers c0.1 by 2 lanes 2", "tune_swap1_double2", 3, 0},
	{"one with a result of the row", "double", behindTwo, "{ a[i][j] = x[i] + y[j]; x[i] = a[i][j] * b[i][j]; }", two + "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 4, 0},
	{"one that reads what is not there yet", "double", "for (int j = 0; j < m - 1; j++)", "a[i][j] = a[i][j + 1] * y[j];", alone + "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 4, 0},
	{"one from the end on both sides", "double", "for (int j = m - 3; j >= 1; j--)", "a[i][j] = a[i][j - 1] - a[i][j + 2] * b[i][j];", fromEnd + "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 6, 0},
	{"one that reads the beginning of the row", "double", behindTwo, "a[i][j] = a[i][0] * y[j] + a[i][j - 1];", alone + "registers c0.1 by 4 lanes 4", "tune_swap", 0, 0},
	{"one that goes back too far", "double", "for (int j = 3; j < m; j++)", "a[i][j] = a[i][j - 3] * y[j];", alone + "registers c0.1 by 2 lanes 2", "tune_swap", 0, 0},
	{"steps in time along one line", "double", "for (int j = 0; j < n - 1; j++)", "x[j] = 0.125 * x[j] - 0.3 * x[j + 1];",
		"classes {S0}\nband c0 permutable S0[i, j] -> [i, i + j]\nskew c0.2 by 1 c0.1\ntile c0.1 c0.2 by 16 128\nregisters c0.1 by 4 ahead lanes 4", "tune_swap", 0, 0},
}

// source is the function's C text.
func (c transposing) source() string {
	return strings.NewReplacer("REAL", c.element, "LOOP", c.loop, "BODY", c.body).Replace(function)
}

// transposed are the transformed functions that code has made.
var transposed sync.Map

// code is the transformed function.
func (c transposing) code(t *testing.T) string {
	t.Helper()
	text, isMade := transposed.Load(c)
	if !isMade {
		text = byRecipe(t, c.about, c.source(), c.recipe)
		transposed.Store(c, text)
	}
	return text.(string)
}

// byRecipe is a source with its first region transformed.
func byRecipe(t *testing.T, about, source, recipe string) string {
	t.Helper()
	file, err := frontend.Parse("f.c", []byte(source), frontend.Options{})
	if err != nil {
		t.Fatal(about, err)
	}
	region := &file.Regions[0]
	graph := kerneltest.Analyze(t, region.Program)
	commands, err := command.Parse(region.Program, recipe+"\n")
	if err != nil {
		t.Fatal(about, err)
	}
	code, err := Program(graph, commands, file.Unit(region))
	if err != nil {
		t.Fatal(about, err)
	}
	return string(code)
}

// Operands that lie behind each other along the stream alone are transposed in registers, and
// results back.
func TestTransposed(t *testing.T) {
	for _, c := range transposings {
		code := c.code(t)
		_, body, _ := strings.Cut(code, "typedef")
		if swaps, asks := strings.Count(body, c.swap+"("), strings.Count(body, fmt.Sprintf("] + %d), 0, 2);", transposedBytes/max(1, c.asks))); swaps != c.swaps || asks != c.asks {
			t.Errorf("%s: %d times %s, want %d; %d rows are asked for, want %d\n%s", c.about, swaps, c.swap, c.swaps, asks, c.asks, code)
		}
	}
}

// transposingCheck compares what the transformed function and the original of a case compute.
const transposingCheck = `
static void check_CASE(void)
{
  static REAL a[700], a2[700], b[700], b2[700], x[40], x2[40], y[40];
  for (int n = 0; n <= 19; n++)
    for (int m = 0; m <= 35; m++) {
      if (n == 0 || m == 0)
        continue;
      for (int k = 0; k < n * m; k++)
        a[k] = a2[k] = (REAL) (k * 7 % 13) / 3, b[k] = b2[k] = (REAL) (k * 5 % 11) / 7;
      for (int k = 0; k < 40; k++)
        x[k] = x2[k] = (REAL) k / 9, y[k] = (REAL) (k * 3 % 7) / 11;
      original_CASE(n, m, (REAL (*)[m]) a, (REAL (*)[m]) b, x, y);
      variant_CASE(n, m, (REAL (*)[m]) a2, (REAL (*)[m]) b2, x2, y);
      if (memcmp(x, x2, sizeof x) || memcmp(a, a2, sizeof a) || memcmp(b, b2, sizeof b))
        printf("ABOUT: %d x %d\n", n, m);
    }
}
`

// The variants compute the same, bit by bit, for all numbers of rows and columns around those of
// squares; in the long test with more optimisation, and without any, too.
func TestTransposedRuns(t *testing.T) {
	runTransposings(t, transposings)
}

// runTransposings compares what the transformed functions and the originals compute, in one
// program.
func runTransposings(t *testing.T, list []transposing) {
	t.Helper()
	var functions, calls strings.Builder
	for k, c := range list {
		number := fmt.Sprint(k)
		functions.WriteString(strings.Replace(c.source(), "void f(", "static void original_"+number+"(", 1))
		functions.WriteString(strings.Replace(c.code(t), "void f(", "static void variant_"+number+"(", 1))
		functions.WriteString(strings.NewReplacer("REAL", c.element, "CASE", number, "ABOUT", c.about).Replace(transposingCheck))
		calls.WriteString("  check_" + number + "();\n")
	}
	program := "#include <stdio.h>\n#include <string.h>\n" + functions.String() + "int main(void)\n{\n" + calls.String() + "  return 0;\n}\n"
	all := [][]string{{"-O1", "-march=native"}}
	if kerneltest.Long() {
		all = append(all, []string{"-O3", "-march=native"}, []string{"-O0"})
	}
	for _, flags := range all {
		if got := silent(t, program, append(flags, "-ffp-contract=off", "-fsanitize=address", "-w")...); got != "" {
			t.Errorf("%s: differs at\n%s", flags, got)
		}
	}
}
