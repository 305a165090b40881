package codegen

import (
	"strings"
	"testing"
)

// What gcc is told of a loop holds for loops with one bound: the smaller of several has a name in
// front.
func TestIvdepBounds(t *testing.T) {
	code := transposing{about: "tiles", element: "double", loop: forwards, body: "b[i][j] = 2 * a[i][j];",
		recipe: "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 4 8\nseparate c0.2t\nvectorize c0.2\nivdep c0.2\n"}
	text := code.code(t)
	for _, want := range []string{
		"tune_ivdep\n            for (long c3 = 8 * c1; c3 <= 8 * c1 + 7; c3++)\n",
		"const long tune_last = tune_min(", "tune_ivdep\n              for (long c3 = 8 * c1; c3 <= tune_last; c3++)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	runTransposings(t, []transposing{code})
}
