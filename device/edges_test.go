package device_test

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// edges is a stencil whose edge has statements of its own, in fewer loops.
const edges = `void f(int m, int n, double a[n][n], double b[n][n]) {
#pragma scop
  for (int t = 0; t < m; t++) {
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < n - 2; j++)
        b[i][j] = a[i][j - 1] + a[i][j + 1] * a[i - 1][j] - a[i + 1][j];
    for (int i = 2; i < n - 2; i++)
      b[i][1] = a[i][2] - a[i + 1][1];
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < n - 2; j++)
        a[i][j] = b[i][j - 1] + b[i][j + 1] * b[i][j] - b[i + 1][j];
    for (int i = 2; i < n - 2; i++)
      a[i][1] = b[i][1] - b[i - 1][2];
  }
#pragma endscop
}
`

// Streamed tiles have several statements of one step, of which some are in fewer loops, at
// different places; in long tests along the other dimension, too.
func TestStreamedEdges(t *testing.T) {
	const recipe = "classes {S0 S1 S2 S3}\nband c0 S0[t, i, j] -> [2t, i, j]; S1[t, i] -> [2t, i, 1]; S2[t, i, j] -> [2t + 1, i, j]; S3[t, i] -> [2t + 1, i, 1]\n" +
		"overlapped c0.1 c0.2 c0.3 by 3 4 5 slopes 1 1 rest 1 streaming c0.2\nblock c0p0.2o c0p0.3o\nthread c0p0.3 by 3\nbarrier c0p0.1\nblock c0p1.2 c0p1.3\n"
	g := graphOf(t, edges)
	along := strings.NewReplacer("streaming c0.2", "streaming c0.3", "thread c0p0.3", "thread c0p0.2")
	texts := []string{recipe}
	if kerneltest.Long() {
		texts = append(texts, along.Replace(recipe))
	}
	for _, text := range texts {
		if !runs(t, g, madeRecipe(t, g, text)) {
			t.Errorf("there is no code of\n%s", text)
		}
	}
}

// Streamed tiles have loops that count down, over time and space.
func TestStreamedDownwards(t *testing.T) {
	g := graphOf(t, `void f(int m, int n, double a[n][n], double b[n][n]) {
#pragma scop
  for (int t = m - 1; t >= 0; t--) {
    for (int i = n - 2; i >= 1; i--)
      for (int j = n - 2; j >= 1; j--)
        a[i][j] += b[i - 1][j] - b[i][j + 1];
    for (int i = n - 2; i >= 1; i--)
      for (int j = n - 2; j >= 1; j--)
        b[i][j] = a[i][j] * 0.5 - a[i + 1][j];
  }
#pragma endscop
}
`)
	const recipe = "classes {S0 S1}\nband c0 S0[t, i, j] -> [-2t + 2m - 2, -i + n - 2, -j + n - 2]; S1[t, i, j] -> [-2t + 2m - 1, -i + n - 2, -j + n - 2]\n" +
		"overlapped c0.1 c0.2 c0.3 by 2 4 5 slopes 1 1 rest 1 streaming c0.2 keeping 2 swapping a b\nblock c0p0.2o c0p0.3o\nthread c0p0.3 by 3\nbarrier c0p0.1\nblock c0p1.2 c0p1.3\n"
	if !runs(t, g, madeRecipe(t, g, recipe)) {
		t.Error("there is no code")
	}
}

// Where isl has two time tiles in one iteration, streamed tiles have no code: they would all be in
// the first one.
func TestStreamedTwoInOne(t *testing.T) {
	g := graphOf(t, `void f(int m, int n, double a[n][n], double b[n][n]) {
#pragma scop
  for (int t = 0; t < m; t++) {
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < n - 2; j++)
        b[i][j] = a[i + 1][j] + a[i + 1][j + 1];
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < n - 2; j++)
        a[i][j] = b[i][j] * 0.5;
  }
#pragma endscop
}
`)
	const recipe = "classes {S0 S1}\nband c0 S0[t, i, j] -> [2t, i, j]; S1[t, i, j] -> [2t + 1, i, j]\n" +
		"overlapped c0.1 c0.2 c0.3 by 1 4 5 slopes 1 1 rest 1 streaming c0.2\nblock c0p0.2o c0p0.3o\nthread c0p0.3 by 3\nbarrier c0p0.1\nblock c0p1.2 c0p1.3\n"
	if runs(t, g, madeRecipe(t, g, recipe)) {
		t.Error("there is code")
	}
}
