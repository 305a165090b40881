package transform

import (
	"fmt"
	"testing"
)

// TestShares are nests whose tiles threads share out, and the sizes of these; and statements that
// stand still among the points of others.
func TestShares(t *testing.T) {
	const network = "for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) for (int k = 0; k < M; k++) a3[i][j][k] = w[i];"
	const batch = "for (int n = 0; n < N; n++) for (int i = 0; i < M; i++) for (int j = 0; j < M; j++) for (int k = 0; k < M; k++) a4[n][i][j][k] = w[j];"
	run := func(n, threads int) Run {
		return Run{Parameters: map[string]int{"N": n, "M": 1000}, Threads: threads}
	}
	for _, test := range []struct {
		about, body string
		run         Run
		wants       []string
	}{
		{"fewer features than a tile has", network, run(16, 2), []string{"by 8 16 128\nparallel c0.1t"}},
		{"one tile and a bit", network, run(70, 2), []string{"by 12 16 128\nparallel c0.1t"}},
		{"about as many for each", network, run(1000, 2), []string{"by 16 16 128\nparallel c0.1t"}},
		{"one thread", network, run(70, 1), []string{"by 16 16 128\nparallel c0.1t"}},
		{"a batch of nobody knows how many", batch, Run{Threads: 2}, []string{"parallel c0.1t\ncollapse c0.1t c0.2t\n"}},
		{"three pictures for two threads", batch, run(3, 2), []string{"by 2 8 8 128\nparallel c0.1t\ncollapse c0.1t c0.2t\n"}},
		{"four", batch, run(4, 2), []string{"by 2 8 8 128\nparallel c0.1t\nseparate"}},
		{"the source of a wave, and its trace", `for (int t = 0; t < N; t++) {
  for (int i = 1; i < M - 1; i++) for (int j = 1; j < M - 1; j++) for (int k = 1; k < M - 1; k++) a3[i][j][k] += b3[i][j][k - 1] + b3[i][j - 1][k] + b3[i - 1][j][k];
  a3[9][9][9] += w[t];
  for (int j = 0; j < M; j++) b3[t][9][j] = a3[9][j][9];
}`, run(1000, 2), []string{"split c0 {S0} {S1} {S2}\n", "band c0_0 permutable S0[t, i, j, k] -> [i, j, k]\n"}},
	} {
		source := fmt.Sprintf("void f(int N, int M, double w[N], double a3[N][M][M], double b3[N][M][M], double a4[N][M][M][M])\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", test.body)
		g := graphOf(t, "f", []byte(source))
		options := fixed
		options.Run, options.SecondCacheBytes = test.run, 1<<20
		checkTexts(t, test.about, recipeOf(t, g, chosen(t, g, "smart"), options), test.wants, nil)
	}
}
