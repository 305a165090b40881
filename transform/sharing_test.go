package transform

import (
	"maps"
	"testing"

	"polytune/scop"
)

// Loops that run in order by themselves share the elements of expanded arrays; those that tiles go
// along, or threads, do not.
func TestSharedElements(t *testing.T) {
	for _, test := range []struct {
		name, region string
		want         scop.Sharing
	}{
		{"lines in both directions in each step", `double d[n];
for (int t = 0; t < n; t++) {
  for (int i = 1; i < n - 1; i++) {
    d[0] = 0.0;
    for (int j = 1; j < n - 1; j++) d[j] = (u[i - 1][j] + u[i + 1][j] + d[j - 1]) * e[j];
    for (int j = n - 2; j >= 1; j--) v[i][j] = d[j] + e[j] * v[i][j + 1];
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) u[i][j] = v[j][i];
}`, scop.Sharing{"d_1": 1}},
		{"a factorization, which is tiled along all loops", `double d;
for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) {
  d = u[i][j];
  for (int k = 0; k < j; k++) d -= u[i][k] * u[k][j];
  u[i][j] = d;
}`, scop.Sharing{}},
		{"sums that threads share", `double d;
for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
  d = 0.0;
  for (int k = 0; k < n; k++) d += u[i][k] * u[k][j];
  v[i][j] = d;
}`, scop.Sharing{}},
	} {
		g := expandedGraph(t, "f", []byte("void f(int n, double u[restrict n][n], double v[restrict n][n], double e[restrict n]) {\n#pragma scop\n"+test.region+"\n#pragma endscop\n}\n"))
		recipe, _ := provenRecipe(t, g, chosen(t, g, "smart"), Options{Vector: VectorUnit{Bits: 512, Registers: 32}})
		sharing, err := SharedElements(g.Model.Program, recipe)
		if err != nil || !maps.Equal(sharing, test.want) {
			t.Errorf("%s: %v, %v\n%s", test.name, sharing, err, recipe.Text(g.Model.Program))
		}
	}
}
