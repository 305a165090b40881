package codegen

import (
	"strings"
	"testing"
)

const layoutFunction = `#include <stddef.h>
void f(int n, int m, int T, double x, double A[n][m], double B[T], double C[n][m]) {
#pragma scop
  for (int k = 0; k < T; k++) BODY
#pragma endscop
}
`

const layoutMain = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
  for (int n = 1; n <= 19; n += 3)
    for (int m = 1; m <= n; m += 4) {
      double *data[2];
      for (int v = 0; v < 2; v++) {
        double *d = data[v] = malloc((2 * n * m + m) * sizeof *d);
        for (int k = 0; k < 2 * n * m + m; k++)
          d[k] = (double) (k * 7 % 13) / 8;
        (v ? variant : original)(n, m, m, 0.5, (double (*)[m]) d, d + 2 * n * m, (double (*)[m]) (d + n * m));
      }
      if (memcmp(data[0], data[1], (2 * n * m + m) * sizeof **data))
        printf("%d x %d\n", n, m);
      free(data[0]);
      free(data[1]);
    }
  return 0;
}
`

// Code with a layout does what it did: where a register block would not see a copy inside of it,
// where the elements that the layout has are others in each iteration of a loop around, and where
// isl splits the code of the layout's mark.
func TestBlockLayout(t *testing.T) {
	const column = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[n - 1 - i][j] = A[n - 1 - i][j] * x + B[k];"
	for _, test := range []struct{ name, body, recipe, want string }{
		{"around blocks", column, "classes {S0}\nband c0 permutable S0[k, i, j] -> [k, j, i]\nregisters c0.2 by 8 lanes 4\ncopy A at c0.3\nlayout A around c0.2r", "&A[n - 1 - c2]["},
		{"in pieces", "{ if (k >= 2) " + column + " if (k < T - 3) for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) C[i][j] += A[i][j] * 0.5; }",
			"classes {S0 S1}\nband c0 S0[k, i, j] -> [k]; S1[k, i, j] -> [k]\nsplit c0 {S0} {S1}\nband c0_0 S0[k, i, j] -> [j, i]\nband c0_1 S1[k, i, j] -> [j, i]\n" +
				"tile c0_0.2 by 8\ncopy A at c0_0.2t\nlayout A around c0_0.2t", " = tune_copy0 + "},
		{"of one tile", "for (int i = 0; i < n; i++) for (int j = 0; j < 5 && j < m; j++) A[i][j] = A[i][j] * x + B[k];",
			"classes {S0}\nband c0 permutable S0[k, i, j] -> [j, k, i]\ntile c0.1 by 8\ncopy A at c0.1t\nlayout A around c0.1t", " = tune_copy0 + "},
		{"of a triangle", "for (int i = 0; i <= k && i < n; i++) for (int j = 0; j < m; j++) A[i][j] = A[i][j] * x + B[k];",
			"classes {S0}\nband c0 S0[k, i, j] -> [k, j, i]\ntile c0.2 by 8\ncopy A at c0.2t\nlayout A around c0.2t", " = tune_copy0 + "},
	} {
		source := strings.Replace(layoutFunction, "BODY", test.body, 1)
		code := byRecipe(t, test.name, source, test.recipe)
		if !strings.Contains(code, test.want) {
			t.Errorf("%s: no %q in\n%s", test.name, test.want, code)
		}
		program := strings.Replace(source, "void f(", "static void original(", 1) + strings.Replace(code, "void f(", "static void variant(", 1) + layoutMain
		if got := silent(t, program, "-O1", "-ffp-contract=off", "-fsanitize=address", "-w"); got != "" {
			t.Errorf("%s: differs at\n%s\n%s", test.name, got, code)
		}
	}
}
