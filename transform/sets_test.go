package transform

import (
	"fmt"
	"strings"
	"testing"
)

// TestSets are recurrences along rows, and how many of them run beside each other by the length of
// rows: no more than the sets of the first cache have lines for, 8 ways of 4096 bytes.
func TestSets(t *testing.T) {
	const sum, elimination = "a[i][j] = a[i][j - 1] + b[i][j];", "a[i][j] = a[i][j] - a[i][j - 1] * b[i][j] / c[i][j - 1];"
	for _, test := range []struct {
		body string
		size int
		want string
	}{
		{sum, 1000, "registers c0.1 by 8\n"}, {sum, 1024, "registers c0.1 by 4\n"}, {sum, 512, "registers c0.1 by 4\n"}, {sum, 256, "registers c0.1 by 8\n"},
		{elimination, 1000, "registers c0.1 by 8\n"}, {elimination, 1024, "registers c0.1 by 2\n"}, {elimination, 256, "registers c0.1 by 5\n"},
		{"a[i][j] = a[i][j - 1] * b[i][j] + c[i][j] * d[i][j] - e[i][j];", 1024, "parallel c0.1\n"},
		{"a[i][j] = a[i][j - 1] + b[i - 1][j] + b[i][j] + b[i + 1][j];", 1024, "registers c0.1 by 3\n"},
		{"a[2 * i][j] = a[2 * i][j - 1] + b[i][j];", 1024, "registers c0.1 by 3\n"},
	} {
		options := fixed
		options.Interleave, options.CacheBytes, options.Run = 0, 32<<10, Run{Parameters: map[string]int{"N": test.size}, Threads: 2}
		source := fmt.Sprintf("void f(int N, double a[2 * N][N], double b[N][N], double c[N][N], double d[N][N], double e[N][N])\n{\n#pragma scop\nfor (int i = 1; i < N - 1; i++) for (int j = 1; j < N; j++) %s\n#pragma endscop\n}\n", test.body)
		g := graphOf(t, "f", []byte(source))
		if recipe := recipeOf(t, g, chosen(t, g, "max"), options); !strings.Contains(recipe, test.want) {
			t.Errorf("%s with rows of %d: no %q in\n%s", test.body, test.size, test.want, recipe)
		}
	}
}
