package transform

import (
	"strings"
	"testing"

	"polytune/space"
)

// Programs whose loops over a few colours or phases are no vector loops and no parallel loops, and
// which loops the plain variant has on threads and in lanes.
func TestPlain(t *testing.T) {
	for _, test := range []struct {
		about, source string
		partition     space.Partition
		want, without []string
	}{
		{"red-black with the colour in the start of the row", `
#pragma scop
for (int t = 0; t < T; t++)
  for (int c = 0; c < 2; c++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1 + (i + c) % 2; j < N - 1; j += 2)
        grid[i][j] = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1];
#pragma endscop
`, space.Partition{0}, []string{"parallel c0.3"}, []string{"vectorize", "tile", "parallel c0.2"}},
		{"four colours, two loops of two iterations", `
#pragma scop
for (int a = 0; a < 2; a++)
  for (int b = 0; b < 2; b++)
    for (int i = 1 + a; i < N - 1; i += 2)
      for (int j = 1 + b; j < N - 1; j += 2)
        grid[i][j] = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1] + grid[i - 1][j - 1];
#pragma endscop
`, space.Partition{0}, []string{"parallel c0.3"}, []string{"vectorize c0.1", "vectorize c0.2", "tile", "parallel c0.1", "parallel c0.2"}},
		{"three channels that nothing depends on", `
#pragma scop
for (int c = 0; c < 3; c++)
  for (int j = 0; j < N; j++)
    grid[c][j] = next[c][j] * 2;
#pragma endscop
`, space.Partition{0}, []string{"parallel c0.2"}, []string{"parallel c0.1", "vectorize c0.1"}},
		{"two loops that share none", `
#pragma scop
for (int i = 0; i < N; i++)
  next[0][i] = grid[0][i] * 2;
for (int i = 1; i < N; i++)
  count[i] = count[i - 1] + next[0][i];
#pragma endscop
`, space.Partition{0, 1}, []string{"parallel c0.1", "vectorize c0.1"}, []string{"parallel c1.1", "vectorize c1.1"}},
	} {
		g := graphOf(t, "f", []byte("void f(int N, int T, double grid[N][3 * N], double next[N][3 * N], double count[N])\n{"+test.source+"}\n"))
		options := fixed
		options.Loops = LoopsSource
		recipe, err := Transform(g, test.partition, options)
		if err != nil {
			t.Fatalf("%s: %v", test.about, err)
		}
		if _, _, err := recipe.Prove(g); err != nil {
			t.Fatalf("%s: %v", test.about, err)
		}
		text := recipe.Text(g.Model.Program)
		for _, want := range test.want {
			if !strings.Contains(text, want+"\n") {
				t.Errorf("%s: no %q in\n%s", test.about, want, text)
			}
		}
		for _, without := range test.without {
			if strings.Contains(text, without+"\n") || without == "tile" && strings.Contains(text, "tile") || without == "vectorize" && strings.Contains(text, "vectorize") {
				t.Errorf("%s: %q in\n%s", test.about, without, text)
			}
		}
	}
}
