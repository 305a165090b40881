package transform

import (
	"fmt"
	"testing"
)

// TestWalks are recurrences in two loops and the tiles of their waves: long rows where each element
// of a matrix is used once, but for the row before.
func TestWalks(t *testing.T) {
	const align = "for (int i = 1; i < N; i++) for (int j = 1; j < N; j++) h[i][j] = fmax(h[i - 1][j], h[i][j - 1]) + q[i];"
	run := func(threads int) Run { return Run{Parameters: map[string]int{"N": 1601}, Threads: threads} }
	for _, test := range []struct {
		about, body string
		run         Run
		want        string
	}{
		{"two threads", align, run(2), "tile c0.1 c0.2 by 16 800\nwavefront"},
		{"many threads", align, run(64), "tile c0.1 c0.2 by 6 25\nwavefront"},
		{"an unknown size", align, Run{Threads: 2}, "tile c0.1 c0.2 by 16 256\nwavefront"},
		{"rows longer than the cache has", align, Run{Parameters: map[string]int{"N": 200001}, Threads: 2}, "tile c0.1 c0.2 by 16 14286\nwavefront"},
		{"lanes, each line from the one before", "for (int i = 1; i < N; i++) for (int j = 1; j < N - 1; j++) h[i][j] = h[i - 1][j - 1] + h[i - 1][j + 1];", run(2), "tile c0.1 c0.2 by 16 1599\nwavefront"},
		{"along columns", "for (int i = 1; i < N; i++) for (int j = 1; j < N; j++) h[j][i] = fmax(h[j - 1][i], h[j][i - 1]);", run(2), "tile c0.1 c0.2 by 72 72\n"},
		{"sweeps along one line", "for (int t = 0; t < N; t++) for (int i = 1; i < N - 1; i++) q[i] = q[i - 1] + q[i + 1];", run(2), "by 256 256\n"},
	} {
		source := fmt.Sprintf("#include <math.h>\nvoid f(int N, double h[N][N], double q[N])\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", test.body)
		g := graphOf(t, "f", []byte(source))
		options := fixed
		options.Run = test.run
		checkTexts(t, test.about, recipeOf(t, g, chosen(t, g, "smart"), options), []string{test.want}, nil)
	}
}
