package codegen

import (
	"strings"
	"testing"
)

// once is a nest whose loop j has one iteration, which isl leaves out of the code.
const once = "for (int j = 1; j <= 1; j++)\n      for (int k = 1; k < m; k++)"

// Blocks unroll their own loops alone, those that are left of them: a loop of one iteration that is
// missing from the code does not make a block of the next one outside, however often that runs.
func TestLoopsOfBlocksThatRunOnce(t *testing.T) {
	var list []transposing
	for _, c := range []struct {
		about, recipe string
		// statements is how often the code has the statement.
		statements int
	}{
		{"the block's loop, in tiles of many iterations", "tile c0.1 c0.2 c0.3 by 64 60 16384\nregisters c0.2 by 12", 1},
		{"the same in lanes", "tile c0.1 c0.2 c0.3 by 64 60 16\nregisters c0.2 by 16 lanes 4", 1},
		{"one of the block's two loops", "tile c0.1 c0.2 c0.3 by 8 60 16\nregisters c0.2 c0.1 by 12 4", 1},
		{"the other one", "tile c0.1 c0.2 c0.3 by 8 60 16\nregisters c0.1 c0.2 by 4 12", 1},
		{"a loop around the block's", "tile c0.1 c0.2 c0.3 by 64 60 16\nregisters c0.1 by 4", 5},
		{"the same, with another stream outside", "tile c0.1 c0.2 c0.3 by 64 60 16\nregisters c0.3 by 4", 5},
	} {
		transformed := transposing{about: c.about, element: "double", loop: once, body: "x[i] += a[i][k] * y[j];",
			recipe: "classes {S0}\nband c0 permutable S0[i, j, k] -> [i, j, k]\n" + c.recipe}
		code := transformed.code(t)
		if statements := strings.Count(code, "* y[1]"); statements != c.statements {
			t.Errorf("%s: the code has the statement %d times, want %d; its text has %d bytes", c.about, statements, c.statements, len(code))
			continue
		}
		list = append(list, transformed)
	}
	runTransposings(t, list)
}
