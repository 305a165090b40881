package transform

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/scop/depend"
)

// TestSymbols are the numbers in loop bounds that count as parameters.
func TestSymbols(t *testing.T) {
	for loops, want := range map[string][]int64{
		"for (int i = 0; i < 1000; i++) a[i] = 0;":                                            {999},
		"for (int i = 1; i < 999; i++) a[i] = 0; for (int i = 0; i <= 1000; i++) b[i] = 0;":   {1000},
		"for (int i = 0; i < 1000; i++) for (int j = 0; j < 500; j++) A[i][j] = 0;":           {999, 499},
		"for (int i = 0; i < n; i++) for (int j = 0; j < 16; j++) A[i][j] = 0;":               nil,
		"for (int i = 0; i < n - 100; i++) a[i] = 0;":                                         {101},
		"for (int i = 1000; i >= 0; i--) a[i] = 0;":                                           {1000},
		"for (int i = 0; i < 1000; i++) if (i % 32 == 0) a[i] = 0;":                           {999},
		"for (int i = -2000; i < 0; i++) b[i + 2000] = 0;":                                    {2000},
		"for (int i = 0; i < 100; i++) for (int j = 0; j < 200 - i; j++) A[i][j] = a[i + j];": {199, 99},
	} {
		source := fmt.Sprintf("void f(int n, double a[3000], double b[3000], double A[3000][3000])\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", loops)
		got, err := depend.SymbolsOf(graphOf(t, "f", []byte(source)).Model)
		if err != nil || !slices.Equal(got.Bases, want) {
			t.Errorf("%s: %v (%v), want %v", loops, got.Bases, err, want)
		}
	}
}

// Small numbers stay, also near a symbol.
func TestSmallNumbers(t *testing.T) {
	symbols := depend.Symbols{Bases: []int64{20}}
	for number, want := range map[int64]string{16: "[0] 16", -4: "[0] -4", 17: "[0] 17", 36: "[0] 36"} {
		if bases, rest := symbols.Split(number); fmt.Sprint(bases, rest) != want {
			t.Errorf("%d is %v %d, want %s", number, bases, rest, want)
		}
	}
	g := graphOf(t, "f", []byte("void f(double a[40]) {\n#pragma scop\nfor (int i = 0; i <= 20; i++) a[i] = 0;\n#pragma endscop\n}\n"))
	symbols, err := depend.SymbolsOf(g.Model)
	for number, want := range map[int64]string{16: "[0] 16", -4: "[0] -4", 17: "[1] -3", -28: "[-1] -8", 29: "[0] 29", 21: "[1] 1"} {
		if bases, rest := symbols.Split(number); err != nil || fmt.Sprint(bases, rest) != want {
			t.Errorf("%d is %v %d (%v), want %s", number, bases, rest, err, want)
		}
	}
}

// Programs whose sizes are numbers have the loops of those with parameters.
func TestNumbersForParameters(t *testing.T) {
	// Triangles, stencils of several statements, all pairs, several classes, loops that grow.
	names := []string{"polybench/lu", "polybench/fdtd-2d", "polybench/floyd-warshall", "polybench/gemver", "polybench/durbin"}
	if kerneltest.Long() {
		names = append(names, "polybench/jacobi-2d", "polybench/seidel-2d", "polybench/correlation", "polybench/cholesky", "sc10/adi", "hex/heat-3d")
	}
	for _, name := range names {
		b, err := benchmarks.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		sizes := b.Sizes["large"]
		source := string(b.Source)
		for parameter, size := range sizes {
			source = regexp.MustCompile(`(int|long) `+parameter+`, `).ReplaceAllString(source, "")
			source = fmt.Sprintf("#define %s %d\n", parameter, size) + source
		}
		end := strings.Index(source, "#pragma endscop\n}\n")
		numbers, parameters := graphOf(t, name, []byte(source[:end]+"#pragma endscop\n}\n")), graphOf(t, name, b.Source)
		got, want := loopsOfRecipe(t, numbers), loopsOfRecipe(t, parameters)
		if got != want {
			t.Errorf("%s with numbers:\n%s\nwith parameters:\n%s", name, got, want)
		}
	}
}

// loopsOfRecipe are the loops of the partition smart, without their shifts.
func loopsOfRecipe(t *testing.T, g *depend.Graph) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(recipeOf(t, g, chosen(t, g, "smart"), Options{Tile: Tiling{None: true}})) {
		if strings.HasPrefix(line, "band") {
			b.WriteString(shiftOfRow.ReplaceAllString(line, ""))
		}
	}
	return b.String()
}

var shiftOfRow = regexp.MustCompile(` [+-] \d*[A-Z_]*\b`)
