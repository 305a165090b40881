package transform

import (
	"fmt"
	"strings"
	"testing"
)

// Whatever the order of the loops, lines of one of the arrays are left before their next element is
// used: tiles keep them. All recipes are proven.
func TestTranspositions(t *testing.T) {
	for _, test := range []struct{ about, body, want string }{
		{"a transposition", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) b[j][i] = a[i][j];", "tile c0.1 c0.2 by 64 8\nparallel c0.1t\n"},
		{"a mirrored triangle", "for (int i = 0; i < N; i++) for (int j = i + 1; j < N; j++) a[j][i] = a[i][j];", "tile c0.1 c0.2 by 64 8\nparallel c0.1t\n"},
		{"three dimensions turned round", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) d[k][j][i] = c[i][j][k];", "tile c0.1 c0.2 c0.3 by 64 1 8\n"},
		{"a copy", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) b[i][j] = a[i][j];", ""},
		{"a copy in columns", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) b[j][i] = a[j][i];", ""},
		{"few columns", "for (int i = 0; i < N; i++) for (int j = 0; j < 4; j++) b[j][i] = a[i][j];", ""},
	} {
		source := fmt.Sprintf("void f(int N, double a[restrict N][N], double b[restrict N][N], double c[restrict N][N][N], double d[restrict N][N][N])\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", test.body)
		g := graphOf(t, "f", []byte(source))
		got := recipeOf(t, g, chosen(t, g, "smart"), fixed)
		if !strings.Contains(got, test.want) || test.want == "" && strings.Contains(got, "tile ") {
			t.Errorf("%s: want %q in\n%s", test.about, test.want, got)
		}
	}
}
