package transform

import (
	"fmt"
	"strings"
	"testing"
)

// TestWindow are sums over few elements, which stay inside of the vectors along another loop, or
// not. All recipes are proven.
func TestWindow(t *testing.T) {
	const filter = "for (int i = 0; i < N; i++) for (int j = 0; j < N - 40; j++) for (int k = 0; k < %s; k++) b[i][j] += a[i][j + k] * h[k];"
	const start = "for (int i = 0; i < N; i++) for (int j = 0; j < N - 40; j++) { b[i][j] = 0; for (int k = 0; k < 5; k++) b[i][j] += a[i][j + k] * h[k]; }"
	for _, test := range []struct {
		name, body    string
		want, without []string
	}{
		{"alone", fmt.Sprintf(filter, "31"), []string{"band c0 permutable S0[i, j, k] -> [i, j]\nsplit c0 {S0}\nband c0_0 permutable S0[i, j, k] -> [k]\nparallel c0.1\n", "vectorize c0.2\n"}, []string{"tile"}},
		{"with first values", start, []string{"band c1 permutable S1[i, j, k] -> [i, j]\nsplit c1 {S1}\n", "vectorize c1.2\n"}, []string{"tile"}},
		{"too many to be unrolled", fmt.Sprintf(filter, "33"), []string{"-> [i, j, k]\n"}, nil},
		{"a parameter", fmt.Sprintf(filter, "M"), []string{"-> [i, j, k]\n"}, nil},
		{"a product of matrices", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < 16; k++) b[i][j] += a[i][k] * a[k][j];", []string{"registers "}, []string{"split"}},
	} {
		source := fmt.Sprintf("void f(int N, int M, double a[N][N], double b[N][N], double h[40])\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", test.body)
		g := graphOf(t, "f", []byte(source))
		options := fixed
		options.Vector = VectorUnit{Bits: 512, Registers: 32}
		recipe := recipeOf(t, g, chosen(t, g, "smart"), options)
		checkTexts(t, test.name, recipe, test.want, test.without)
	}
}

// TestTail are sums with a tiny loop inside, and whether it stays as it is written, inside of a
// band in the order of the source. All recipes are proven.
func TestTail(t *testing.T) {
	const colours = "for (int x = 0; x < N; x++) for (int a = 0; a < S; a++) for (int b = 0; b < S; b++) for (int p = 0; p < %s; p++) sum[a][b] += up[x][a][p] * down[x][b][%s];"
	for _, test := range []struct{ name, body, want string }{
		{"colours", fmt.Sprintf(colours, "3", "(p + 1) % 3"), "band c0 permutable S0[x, a, b, p] -> [a, b, x]\nband c0 permutable S0[x, a, b, p] -> [p]\ntile c0.1 c0.2 c0.3 by 40 40 40\nparallel c0.1t\nsink c0.1\nsink c0.2\n"},
		{"a parameter", fmt.Sprintf(colours, "S", "p"), ""},
		{"a few sites", strings.Replace(fmt.Sprintf(colours, "3", "(p + 1) % 3"), "x < N", "x < 20", 1), "-> [a, b, x, 2x + p]\n"},
		{"nothing free", "for (int x = 0; x < N; x++) for (int p = 0; p < 3; p++) sum[0][0] += up[x][0][p] * down[x][1][(p + 1) % 3];", "-> [x, 2x + p]\n"},
	} {
		source := fmt.Sprintf("void f(int N, int S, double sum[S][S], double up[N][S][3], double down[N][S][3])\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", test.body)
		g := graphOf(t, "f", []byte(source))
		if recipe := recipeOf(t, g, chosen(t, g, "max"), fixed); !strings.Contains(recipe, test.want) {
			t.Errorf("%s: no %q in\n%s", test.name, test.want, recipe)
		}
	}
}
