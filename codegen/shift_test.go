package codegen_test

import (
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/schedule/command"
)

const updates = `void f(int m, int n, double a[m][n], double r[n][n], double q[m][n]) {
#pragma scop
for (int k = 0; k < n; k++) {
  for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) r[k][j] += q[i][k] * a[i][j];
  for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) a[i][j] -= q[i][k] * READ;
}
#pragma endscop
}
`

const pair = `classes {S0 S1}
band c0 permutable S0[k, j, i] -> [k]; S1[k, j, i] -> [k]
split c0 {S0} {S1}
band c0_0 permutable S0[k, j, i] -> [j, i]
band c0_1 permutable S1[k, j, i] -> [j, i]
shift c0.1 S1 by 1
fuse c0_1 c0_0
registers c0_1.2 by 8 lanes 4
`

// Where a statement runs an iteration later the first and the last iteration have code of their
// own, and vectors that stay the same in a block which stores others are loaded in front of it, and
// written back where they are results alone.
func TestShiftedBlocks(t *testing.T) {
	for _, test := range []struct {
		about, read     string
		loaded, written int
	}{
		{"what a step before has summed", "r[k][j]", 2, 1},
		{"what nothing writes", "q[0][j]", 2, 1},
		{"what the other statement changes", "a[0][j]", 1, 1},
	} {
		source := strings.Replace(updates, "READ", test.read, 1)
		k := builtinOf(t, benchmarks.Benchmark{Name: "f", File: "f.c", Source: []byte(source)})
		recipe, err := command.Parse(k.graph.Model.Program, pair)
		if err != nil {
			t.Fatal(err)
		}
		code := k.code(t, recipe)
		middle := code[strings.Index(code, "for (long c0 = 1; c0 < n; c0++)"):]
		if before := strings.Count(code[:len(code)-len(middle)], "r[0]["); before == 0 || strings.Contains(middle, "if (c0 ") {
			t.Errorf("%s: the first iteration has no code of its own, or a condition stays in\n%s", test.about, code)
		}
		_, block, _ := strings.Cut(middle, "if (tune_first <= tune_last) {")
		loads, rest, _ := strings.Cut(block, "for (long")
		_, stores, _ := strings.Cut(rest, "}")
		stores, _, _ = strings.Cut(stores, "}")
		// A block has two vectors.
		if loaded, written := strings.Count(loads, "tune_double4 tune_r"), strings.Count(stores, "= tune_r"); loaded != 2*test.loaded || written != 2*test.written {
			t.Errorf("%s: %d vectors are loaded and %d stored, want %d and %d in\n%s", test.about, loaded, written, 2*test.loaded, 2*test.written, middle)
		}
	}
}
