package transform

import (
	"fmt"
	"strings"
	"testing"
)

// Loops around nests are tiled for what they use again, but not where each iteration goes through
// more than the first cache has.
func TestFillsCache(t *testing.T) {
	const layers = `
#pragma scop
for (int t = 0; t < T; t++)
  for (int b = 0; b < B; b++) {
    for (int g = 0; g < %[1]d; g++)
      for (int k = 0; k < %[1]d; k++)
        z[b][g] += u[g][k] * h[b][k];
    for (int k = 0; k < %[1]d; k++)
      h[b][k] = z[b][k] * x[t][k];
  }
#pragma endscop
`
	for _, test := range []struct {
		about string
		size  int
		tiled bool
	}{
		{"a matrix of 128 KiB", 128, false},
		{"a matrix of 8 KiB", 32, true},
	} {
		source := fmt.Sprintf("void f(int T, int B, double u[%[1]d][%[1]d], double h[B][%[1]d], double z[B][%[1]d], double x[T][%[1]d])\n{"+layers+"}\n", test.size)
		g := graphOf(t, "f", []byte(source))
		options := fixed
		options.Vector, options.Run.Threads = VectorUnit{Bits: 512, Registers: 32}, 2
		text := recipeOf(t, g, chosen(t, g, "smart"), options)
		if tiled := strings.Contains(text, "tile c0.1 c0.2"); tiled != test.tiled || !strings.Contains(text, "parallel c0.1") {
			t.Errorf("%s: tiled %v in\n%s", test.about, tiled, text)
		}
	}
}
