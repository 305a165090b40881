package command

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"polytune/internal/kerneltest"
	"polytune/internal/watch"
	"polytune/isl"
	"polytune/schedule"
)

var fuzzLimits = watch.Limits{Time: 40 * time.Second, MemoryBytes: 3 << 30}

// FuzzParse feeds arbitrary recipes: there may be an error but no panic and no
// hang; a recipe that can be read says the same when it is printed and read
// again; and what is proven can be lowered.
func FuzzParse(f *testing.F) {
	const start = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, i + j]\nband c1 permutable S1[i, j, k] -> [i, j + 2*N - 3, k]\n"
	for _, end := range []string{
		"", "tile c0.1 c0.2 by 32 32\nseparate c0.1", "tile c1.1 c1.2 by 3 4\nwavefront c1.t1 c1.t2\nparallel c1.t2 # why", "sink c1.2\nvectorize c1.2",
		"split c0 {S0}", "tile c0.1 by 9223372036854775807", "tile c0.1 by -1", "parallel c0.1\nparallel c0.1",
	} {
		f.Add(start + end)
	}
	paths, _ := filepath.Glob("../../transform/testdata/*.recipe")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer fuzzLimits.Start()()
		p := gemm()
		recipe, err := Parse(p, text)
		if err != nil {
			return
		}
		again, err := Parse(p, recipe.Text(p))
		if err != nil || again.Text(p) != recipe.Text(p) {
			t.Fatalf("%q reads back as %q (%v)", recipe.Text(p), again.Text(p), err)
		}
		prove(t, recipe)
	})
}

// prove tries to prove the recipe, with little work.
func prove(t *testing.T, recipe schedule.Recipe) {
	t.Helper()
	c := isl.NewContext()
	defer c.Close()
	g := kerneltest.AnalyzeIn(t, c, gemm())
	c.SetMaxOperations(200_000)
	tree, lowered, err := recipe.Prove(g)
	if (err == nil) != (tree != nil && lowered.Tree != nil) {
		t.Errorf("tree %v, error %v", tree, err)
	}
}
