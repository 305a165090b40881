package transform

import (
	"fmt"
	"strings"
	"testing"
)

// TestPeeled are vector loops of which gcc is told no more than that they carry nothing: plain
// assignments to arrays of the file.
func TestPeeled(t *testing.T) {
	const lanes, free = "vectorize c0.2\n", "vectorize c0.2\nivdep c0.2\n"
	for _, test := range []struct{ about, body, mark, want, lacks string }{
		{"arrays of the file", "a[i][j] = 0.5 * b[i][j + 1];", "", free, ""},
		{"an argument is written", "c[i][j] = 0.5 * b[i][j + 1];", "", lanes, "ivdep"},
		{"one is read", "a[i][j] = 0.5 * c[i][j];", "", lanes, "ivdep"},
		{"a condition", "a[i][j] = b[i][j] > 1 ? b[i][j] : 0;", "", lanes, "ivdep"},
		{"a call", "a[i][j] = sqrt(b[i][j]);", "", lanes, "ivdep"},
		{"where lanes are asked for", "a[i][j] = 0.5 * b[i][j + 1];", "simd", lanes, "ivdep"},
		{"where they are not", "c[i][j] = 0.5 * b[i][j + 1];", "ivdep", free, ""},
		{"threads share the loop", "; for (int k = 0; k < 999999; k++) a[0][k] = 0.5 * b[0][k + 1];", "", "parallel c0.1\nthreads c0.1 from 32768\nvectorize c0.1\n", "ivdep"},
	} {
		source := fmt.Sprintf("#include <math.h>\nstatic double a[500][1000000], b[500][1000000];\nvoid f(double c[500][1000000])\n{\n#pragma scop\nfor (int i = 0; i < 499; i++) for (int j = 0; j < 999999; j++) %s\n#pragma endscop\n}\n", test.body)
		g := graphOf(t, "f", []byte(source))
		options := fixed
		for k, word := range markings {
			if word == test.mark {
				options.Marking = Marking(k)
			}
		}
		checkTexts(t, test.about, recipeOf(t, g, chosen(t, g, "smart"), options), []string{test.want}, strings.Fields(test.lacks))
	}
}
