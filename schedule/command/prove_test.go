package command

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// A recipe that is proven is not proven again while isl's objects are there; one that differs from
// it by a barrier, or is for another graph, is.
func TestProvenOnce(t *testing.T) {
	g, other := kerneltest.Fresh(t, "polybench/gemm"), kerneltest.Fresh(t, "polybench/gemm")
	text := "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]\nsplit c0 {S0} {S1}\n" +
		"tile c0.1 c0.2 c0.3 by 16 16 16\nblock c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 16 16\n" +
		"copy A at c0.3t to shared\nbarrier c0.3t\n"
	recipe, err := Parse(g.Model.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	start := g.Model.Context.Mark()
	first, _, err := recipe.Prove(g)
	if err != nil {
		t.Fatal(err)
	}
	if again, _, err := recipe.Prove(g); err != nil || again != first {
		t.Errorf("proven again: %v", err)
	}
	if elsewhere, _, err := recipe.Prove(other); err != nil || elsewhere == first {
		t.Errorf("the proof for one graph is that for another: %v", err)
	}
	without, err := Parse(g.Model.Program, strings.ReplaceAll(text, "barrier c0.3t\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, _, err := without.Prove(g); err == nil || !strings.Contains(err.Error(), "barrier c0.3t") {
			t.Errorf("the recipe without its barrier is not refused: %v", err)
		}
	}
	g.Model.Context.Release(start)
	if again, schedule, err := recipe.Prove(g); err != nil || again == first || schedule.Tree.Root().Domain() == nil {
		t.Errorf("the proof of released objects is there: %v", err)
	}
}
