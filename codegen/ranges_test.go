package codegen

import (
	"regexp"
	"testing"
)

// Iterations of a vector loop that only some of its statements run have code of their own, so that
// no condition stays inside.
func TestRangesOfVectorLoops(t *testing.T) {
	const pair = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nsplit c0 {S0} {S1}\nvectorize c0.2\n"
	const rows = "parallel c0.1\n"
	var list []transposing
	conditional := regexp.MustCompile(`omp simd\n *for [^\n]*\n *(?:[^\n]*;\n *)*if \(`)
	for _, c := range []struct {
		about, body, recipe string
		conditional         bool
	}{
		{"a later beginning", "{ b[i][j] = 2 * a[i][j]; if (j > 3) a[i][j] = b[i][j] + 1; }", pair, false},
		{"both ends, and a row", "{ b[i][j] = 2 * a[i][j]; if (j > 3 && j < 6 && i > 1) a[i][j] = b[i][j] + 1; }", pair + rows, false},
		{"the first one's ends", "{ if (j > 3 && j < 6) a[i][j] = x[i]; b[i][j] = 2 * a[i][j]; }", pair + rows, false},
		{"a triangle", "{ b[i][j] = 2 * a[i][j]; if (j > i) a[i][j] = b[i][j] + 1; }", pair + rows, false},
		{"holes", "{ b[i][j] = 2 * a[i][j]; if (j % 2 == 1) a[i][j] = b[i][j] + 1; }", pair, true},
	} {
		code := transposing{about: c.about, element: "double", loop: forwards, body: c.body, recipe: c.recipe}
		if text := code.code(t); conditional.MatchString(text) != c.conditional {
			t.Errorf("%s: condition in a vector loop: %t, want %t, in\n%s", c.about, !c.conditional, c.conditional, text)
		}
		list = append(list, code)
	}
	runTransposings(t, list)
}
