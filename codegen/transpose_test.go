package codegen

import (
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/schedule"
)

// transposing is a function whose sums of rows run in lanes.
type transposing struct {
	about, function, recipe string
	// swaps is the number of squares' first exchanges that the code has, by the macro's name.
	swap  string
	swaps int
	// asks is the number of rows whose elements are asked for.
	asks int
}

const sumsOfRows = `void f(int n, int m, REAL a[n][m], REAL b[n][m], REAL x[n], REAL y[m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i] += BODY;
#pragma endscop
}
`

var transposings = []transposing{
	{"one square", "double a[i][j] * y[j]", "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 2, 0},
	{"two squares, ahead", "double a[i][j] * y[j]", "registers c0.1 by 8 ahead lanes 4", "tune_swap1_double4", 4, 8},
	{"vectors of eight floats", "float a[i][j] * y[j]", "registers c0.1 by 8 lanes 8", "tune_swap4_float8", 4, 0},
	{"two matrices", "double a[i][j] * y[j] + b[i][j]", "registers c0.1 by 2 lanes 2", "tune_swap1_double2", 2, 0},
	{"the same row twice", "double a[i][j] * a[i][j]", "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 2, 0},
	{"rows and the ones below", "double a[i][j] * a[n - 1 - i][j]", "registers c0.1 by 4 lanes 4", "tune_swap1_double4", 4, 0},
	{"every other element", "double a[i][j / 2 * 2] * y[j]", "registers c0.1 by 4 lanes 4", "tune_swap", 0, 0},
	{"columns, backwards", "double a[i][m - 1 - j] * y[j]", "registers c0.1 by 4 lanes 4", "tune_swap", 0, 0},
}

// source is the function's C text.
func (c transposing) source() string {
	element, body, _ := strings.Cut(c.function, " ")
	return strings.NewReplacer("REAL", element, "BODY", body).Replace(sumsOfRows)
}

// code is the transformed function.
func (c transposing) code(t *testing.T) string {
	t.Helper()
	file, err := frontend.Parse("f.c", []byte(c.source()), frontend.Options{})
	if err != nil {
		t.Fatal(c.about, err)
	}
	region := &file.Regions[0]
	graph := kerneltest.Analyze(t, region.Program)
	recipe, err := schedule.Parse(region.Program, "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\n"+c.recipe+"\n")
	if err != nil {
		t.Fatal(c.about, err)
	}
	code, err := Program(graph, recipe, file, region)
	if err != nil {
		t.Fatal(c.about, err)
	}
	return string(code)
}

// Operands that lie behind each other along the stream alone are transposed in registers.
func TestTransposed(t *testing.T) {
	for _, c := range transposings {
		code := c.code(t)
		_, body, _ := strings.Cut(code, "typedef")
		if swaps, asks := strings.Count(body, c.swap+"("), strings.Count(body, "+ 1024))"); swaps != c.swaps || asks != c.asks {
			t.Errorf("%s: %d times %s, want %d; %d rows are asked for, want %d\n%s", c.about, swaps, c.swap, c.swaps, asks, c.asks, code)
		}
	}
}

const transposingMain = `
#include <stdio.h>
#include <string.h>
int main(void)
{
  static REAL a[700], b[700], x[40], x2[40], y[40];
  for (int n = 0; n <= 19; n++)
    for (int m = 0; m <= 35; m++) {
      if (n == 0 || m == 0)
        continue;
      for (int k = 0; k < n * m; k++)
        a[k] = (REAL) (k * 7 % 13) / 3, b[k] = (REAL) (k * 5 % 11) / 7;
      for (int k = 0; k < 40; k++)
        x[k] = x2[k] = (REAL) k / 9, y[k] = (REAL) (k * 3 % 7) / 11;
      original(n, m, (REAL (*)[m]) a, (REAL (*)[m]) b, x, y);
      variant(n, m, (REAL (*)[m]) a, (REAL (*)[m]) b, x2, y);
      if (memcmp(x, x2, sizeof x))
        printf("%d x %d\n", n, m);
    }
  return 0;
}
`

// The variants compute the same, bit by bit, for all numbers of rows and columns around those of squares.
func TestTransposedRuns(t *testing.T) {
	for _, c := range transposings {
		element, _, _ := strings.Cut(c.function, " ")
		program := strings.Replace(c.source(), "void f(", "static void original(", 1) + strings.Replace(c.code(t), "void f(", "static void variant(", 1) +
			strings.ReplaceAll(transposingMain, "REAL", element)
		for _, flags := range [][]string{{"-O0"}, {"-O3", "-march=native"}} {
			if got := compileAndRun(t, program, append(flags, "-ffp-contract=off", "-w")...); got != "" {
				t.Errorf("%s, %s: differs at\n%s", c.about, flags, got)
			}
		}
	}
}
