package schedule_test

import (
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule/command"
)

// Each loop knows the commands that made it, changed it or name it, also where loops have other
// names behind a command than in front of it.
func TestMakers(t *testing.T) {
	t.Parallel()
	const blocks = `classes {S0} {S1}
band c0 permutable S0[i, j] -> [i, j]
vectorize c0.2
band c1 permutable S1[i, k, j] -> [i, j, k]
tile c1.1 c1.2 by 96 32
parallel c1.1t
sink c1.1t
registers c1.1 c1.2 by 6 16 lanes 8
pack S1 B[k][j] at c1.2t
`
	const apart = `classes {S0 S1}
band c0 permutable S0[t, i] -> [t, 2t + i]; S1[t, i] -> [t, 2t + i + 1]
split c0 {S0} {S1}
tile c0.1 c0.2 by 64 256
wavefront c0.1t c0.2t
distribute c0.2
vectorize c0_1.2
`
	for _, c := range []struct {
		kernel, recipe string
		want           map[string]string
	}{
		{"polybench/gemm", blocks, map[string]string{"c0.1": "[1]", "c0.2": "[1 2]", "c1.1t": "[4 5 6]", "c1.2t": "[4 8]", "c1.1r": "[7]", "c1.1": "[3 4 7]", "c1.3": "[3 7]"}},
		{"polybench/jacobi-1d", apart, map[string]string{"c0.1t": "[3 4]", "c0_0.2": "[1 3 5]", "c0_1.2": "[1 3 5 6]"}},
		{"polybench/gemm", "original\nparallel S0.i\n", map[string]string{"c0.1": "[0 1]"}},
	} {
		p := kerneltest.File(t, c.kernel).Regions[0].Program
		recipe, err := command.Parse(p, c.recipe)
		if err != nil {
			t.Fatal(err)
		}
		makers, err := recipe.Makers(p)
		if err != nil {
			t.Fatal(err)
		}
		for loop, want := range c.want {
			if got := fmt.Sprint(makers[loop]); got != want {
				t.Errorf("%s: %s is of commands %s, want %s; all are %v\n%s", c.kernel, loop, got, want, makers, strings.TrimSpace(c.recipe))
			}
		}
		if _, err := recipe[1:].Makers(p); err == nil || !strings.Contains(err.Error(), "recipe line 1") {
			t.Errorf("a recipe without a beginning: %v", err)
		}
	}
}
