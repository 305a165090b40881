package transform

import (
	"fmt"
	"strings"
	"testing"
)

// TestTail are sums with a tiny loop inside, and whether it stays as it is written, inside of a band in the order of the source.
// All recipes are proven.
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
