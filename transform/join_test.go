package transform

import (
	"strings"
	"testing"
)

// Statements that cannot all share the loops inside a sequential one are in as
// few parallel regions as the fusion's rules allow.
func TestPartsShareParallelLoops(t *testing.T) {
	for _, test := range []struct {
		about, body, smart, max, none string
	}{
		{"arrays that are turned round in each time step", `
for (int t = 0; t < T; t++) {
  for (int i = 0; i <= N; i++) { y[i] = x[N - i]; w[i] = v[N - i]; }
  for (int i = 0; i <= N; i++) { x[i] = y[i]; v[i] = w[i]; }
}`, "{S0 S1} {S2 S3}", "{S0 S1} {S2 S3}", "{S0} {S1} {S2} {S3}"},
		{"loops of different ranges", `
for (int t = 0; t < T; t++) {
  for (int i = 0; i <= N; i++) y[i] = x[N - i];
  for (int i = 0; i <= M; i++) w[i] = v[M - i];
  for (int i = 0; i <= N; i++) x[i] = y[i];
  for (int i = 0; i <= M; i++) v[i] = w[i];
}`, "{S0} {S1} {S2} {S3}", "{S0 S1} {S2 S3}", "{S0} {S1} {S2} {S3}"},
		{"two loops and no data in common", `
for (int t = 0; t < T; t++) {
  for (int i = 0; i <= N; i++) for (int j = 0; j <= N; j++) { Y[i][j] = X[N - i][N - j]; W[i][j] = V[N - i][N - j]; }
  for (int i = 0; i <= N; i++) for (int j = 0; j <= N; j++) { X[i][j] = Y[i][j]; V[i][j] = W[i][j]; }
}`, "{S0} {S1} {S2} {S3}", "{S0 S1} {S2 S3}", "{S0} {S1} {S2} {S3}"},
	} {
		source := "void f(int T, int N, int M, double x[N + M], double y[N + M], double v[N + M], double w[N + M], double X[N + 1][N + 1], double Y[N + 1][N + 1], double V[N + 1][N + 1], double W[N + 1][N + 1])\n{\n#pragma scop" +
			test.body + "\n#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		for mode, want := range map[Fusion]string{FuseSmart: test.smart, FuseMax: test.max, FuseNone: test.none} {
			options := fixed
			options.Fusion = mode
			recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), options)
			text := recipe.Text(g.Model.Program)
			if !strings.Contains(text, "split c0 "+want+"\n") {
				t.Errorf("%s, %v: no split %s in\n%s", test.about, mode, want, text)
			}
		}
	}
}
