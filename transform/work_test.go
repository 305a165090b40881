package transform

import (
	"polytune/schedule"
	"slices"
	"strings"
	"testing"
)

// Loops that constants keep short get no threads, no lanes and no waves; those
// that parameters may make long do.
func TestShortLoops(t *testing.T) {
	for _, test := range []struct {
		about, body string
		want        []string
	}{
		{"a short loop around a long one", "for (int i = 0; i < 3; i++) for (int j = 0; j < N; j++) X[i][j] = 2.0;",
			[]string{"parallel c0.1", "threads c0.1 from 43690 of N", "vectorize c0.2"}},
		{"one iteration only", "for (int i = 0; i < 1; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) Z[i][j][k] = 2.0;",
			[]string{"parallel c0.2", "threads c0.2 from 131072 of N, N", "vectorize c0.3"}},
		{"a short inner loop is no vector loop", "for (int j = 0; j < N; j++) for (int i = 0; i < 3; i++) X[j][i] = 2.0;",
			[]string{"parallel c0.1", "threads c0.1 from 43690 of N"}},
		{"what a nest does in one iteration of the loops around it counts", "for (int t = 1; t < N; t++) { for (int i = 0; i < N; i++) for (int j = 0; j < N - 2; j++) X[i][j] = Z[1][N - 1 - i][N - 1 - j]; for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) Z[1][i][j] = X[i][j]; }",
			[]string{"parallel c0_0.2", "threads c0_0.2 from 65536 of N, N - 2", "vectorize c0_0.3", "parallel c0_1.2", "threads c0_1.2 from 65536 of N, N", "vectorize c0_1.3"}},
		{"a copy inside other loops is the compiler's", "for (int t = 1; t < N; t++) { for (int i = 0; i < N; i++) X[0][i] = x[i] * x[N - 1 - i]; for (int i = 0; i < N; i++) x[i] = X[0][i]; }",
			[]string{"parallel c0_0.2", "threads c0_0.2 from 21845", "vectorize c0_0.2", "parallel c0_1.2", "threads c0_1.2 from 32768"}},
		{"little work in all", "for (int i = 0; i < 20; i++) for (int j = 0; j < 30; j++) X[i][j] = 2.0;",
			[]string{"vectorize c0.2"}},
		{"constants, and less work than loops with parameters need for threads", "for (int i = 0; i < 200; i++) for (int j = 0; j < 300; j++) X[i][j] = 2.0;",
			[]string{"vectorize c0.2"}},
		{"the same with calls, whose work nobody knows", "for (int i = 0; i < 200; i++) for (int j = 0; j < 300; j++) X[i][j] = g(2.0);",
			[]string{"parallel c0.1", "vectorize c0.2"}},
		{"constants, and enough work", "for (int i = 0; i < 400; i++) for (int j = 0; j < 400; j++) X[i][j] = 2.0;",
			[]string{"parallel c0.1", "vectorize c0.2"}},
		{"steps of three through a long range", "for (int i = 0; i < N; i += 3) x[i] = 2.0;",
			[]string{"parallel c0.1", "threads c0.1 from 21845"}},
		{"one loop in all is a vector loop for each thread", "for (int i = 0; i < N; i++) x[i] = 2.0;",
			[]string{"parallel c0.1", "threads c0.1 from 65536", "vectorize c0.1"}},
		{"accesses far from each other cost a line of the cache each", "for (int i = 0; i < N; i++) X[i][0] = x[i];",
			[]string{"parallel c0.1", "threads c0.1 from 7281"}},
		{"nobody knows the work of a call", "for (int i = 0; i < N; i++) x[i] = g(x[i]);",
			[]string{"parallel c0.1"}},
		{"nor in a nest", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) X[i][j] = g(X[i][j]);",
			[]string{"parallel c0.1", "vectorize c0.2"}},
		{"little work in each iteration of a sequential loop, whose wavefronts would be no better",
			"for (int t = 1; t < N; t++) for (int i = 0; i < 9; i++) x[i] = 0.5 * (x[8 - i] + t);", nil},
	} {
		source := "double g(double x) { for (int k = 0; k < 9; k++) x *= x; return x + 1; }\nvoid f(int N, double X[N + 400][N + 400], double Z[2][N][N], double x[N + 9])\n{\n#pragma scop\n" + test.body + "\n#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), fixed)
		var got []string
		for _, command := range recipe {
			if line := schedule.Text(command, g.Model.Program); strings.HasPrefix(line, "parallel") || strings.HasPrefix(line, "threads") || strings.HasPrefix(line, "vectorize") || strings.HasPrefix(line, "wavefront") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v; want %v in\n%s", test.about, got, test.want, recipe.Text(g.Model.Program))
		}
	}
}
