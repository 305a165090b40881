package codegen

import (
	"strings"
	"testing"
)

// A copy of full blocks is made in those iterations of the stream alone in which the block is full,
// whatever factor and rounding the stream has in the bounds of the block's loops: conditions on it
// are the bounds of a loop, not conditions outside of that loop, where they would name a variable
// that is not there.
func TestCopiesAlongSkewedStreams(t *testing.T) {
	var list []transposing
	for _, c := range []transposing{
		{about: "half of the stream bounds the block", recipe: "[i, 2i + j]\ntile c0.1 c0.2 by 4 16\nregisters c0.1 by 4\npack S0 y[j] at c0.1r"},
		{about: "a third of it", recipe: "[i, 3i + j]\ntile c0.1 c0.2 by 2 8\nregisters c0.1 by 2\npack S0 y[j] at c0.1r"},
		{about: "the stream itself", recipe: "[i, i + j]\ntile c0.1 c0.2 by 4 16\nregisters c0.1 by 4\npack S0 y[j] at c0.1r"},
		{about: "twice the stream", recipe: "[i, 2i + j]\ntile c0.1 c0.2 by 8 4\nregisters c0.2 by 4\npack S0 y[j] at c0.2r"},
	} {
		c.element, c.loop, c.body = "double", forwards, "x[i] += y[j];"
		c.recipe = "classes {S0}\nband c0 permutable S0[i, j] -> " + c.recipe
		if code := c.code(t); strings.Count(code, "] = y[") < 3 {
			t.Errorf("%s: full blocks have no copies of their own in\n%s", c.about, code)
		}
		list = append(list, c)
	}
	runTransposings(t, list)
}

// The stream around a full block is cut where the block begins and ends to be full, and each of the
// pieces has the copy that it needs in a block of its own.
func TestPiecesHaveCopies(t *testing.T) {
	c := transposing{about: "an array beside full blocks", element: "double", loop: "for (int j = 1; j < n; j++)", body: "x[j] = 1;",
		recipe: "classes {S0}\nband c0 permutable S0[i, j] -> [j, i]\nregisters c0.1 by 8\nparallel c0.1r\ntile c0.1 by 2\ncopy x at c0.2"}
	runTransposings(t, []transposing{c})
	if code := c.code(t); strings.Count(code, "double tune_copy0[") < 3 {
		t.Errorf("there are no pieces with copies in\n%s", code)
	}
}
