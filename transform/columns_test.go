package transform

import (
	"fmt"
	"testing"
)

// TestColumns are loops of which threads can share columns alone, with what becomes of them. All
// recipes are proven.
func TestColumns(t *testing.T) {
	options := fixed
	options.Run = Run{Parameters: map[string]int{"N": 2000}, Threads: 2}
	for _, test := range []struct {
		name, partition, body string
		wants, lacks          []string
	}{
		{"a recurrence along columns", "smart", "for (int i = 1; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = 0.5 * a[i - 1][j] + b[i][j];",
			[]string{"tile c0.1 c0.2 by 1008 64\nparallel c0.1t\n", "sink c0.1\nvectorize c0.1\n"}, nil},
		{"columns of few colours", "smart", "for (int i = 1; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < 3; k++) colours[i][j][k] = 0.5 * colours[i - 1][j][k];",
			[]string{"-> [j, k, i]\n", "tile c0.1 c0.2 c0.3 by 1008 ", "parallel c0.1t\n", "sink c0.1\nsink c0.2\n"}, []string{"vectorize", "registers"}},
		{"along rows", "smart", "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) a[i][j] = 0.5 * a[i][j - 1] + b[i][j];",
			[]string{"parallel c0.1\n"}, []string{"tile", "vectorize"}},
		{"two passes of a filter", "smart", "for (int i = 0; i < N; i++) for (int j = 1; j < N - 1; j++) b[i][j] = a[i][j - 1] + a[i][j + 1]; for (int i = 1; i < N - 1; i++) for (int j = 0; j < N; j++) c[i][j] = b[i - 1][j] + b[i + 1][j];",
			[]string{"classes {S0} {S1}\n", "parallel c0.1\n", "parallel c1.1\n", "vectorize c0.2\n", "vectorize c1.2\n"}, []string{"tile"}},
		{"the passes in one loop", "max", "for (int i = 0; i < N; i++) for (int j = 1; j < N - 1; j++) b[i][j] = a[i][j - 1] + a[i][j + 1]; for (int i = 1; i < N - 1; i++) for (int j = 0; j < N; j++) c[i][j] = b[i - 1][j] + b[i + 1][j];",
			[]string{"classes {S0 S1}\n", "tile c0.1 c0.2 by 1008 64\nparallel c0.1t\n", "vectorize c0_0.1\n", "vectorize c0_1.1\n"}, nil},
		{"sweeps along both dimensions of planes", "smart", "for (int i = 1; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) a3[i][j][k] += a3[i - 1][j][k]; for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) for (int k = 0; k < N; k++) a3[i][j][k] += a3[i][j - 1][k];",
			[]string{"classes {S0} {S1}\n", "parallel c0.1\n", "parallel c1.1\n", "vectorize c0.2\n", "vectorize c1.2\n"}, nil},
		{"passes that a shift brings together", "smart", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) b[i][j] = 2.0 * a[i][j]; for (int i = 1; i < N; i++) for (int j = 0; j < N; j++) c[i][j] = b[i - 1][j];",
			[]string{"classes {S0 S1}\n", "parallel c0.1\n"}, []string{"tile"}},
	} {
		source := fmt.Sprintf("void f(int N, double a[N][N], double b[N][N], double c[N][N], double a3[N][N][N], double colours[N][N][3])\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", test.body)
		g := graphOf(t, "f", []byte(source))
		got := recipeOf(t, g, chosen(t, g, test.partition), options)
		checkTexts(t, test.name, got, test.wants, test.lacks)
	}
}
