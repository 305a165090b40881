package prooftest

import (
	"slices"
	"strings"
	"testing"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// residentTiles is a recipe for two statements in a loop over time, the blocks of whose kernel
// stay.
const residentTiles = "classes {S0 S1}\nband c0 S0[t, i] -> [2t]; S1[t, i] -> [2t + 1]\nband c0 permutable S0[t, i] -> [i]; S1[t, i] -> [i]\n" +
	"tile c0.2 by 4\nresident c0.1\nblock c0.2t\nthread c0.2 by 2\nbarrier grid c0.1\n"

// Blocks keep what one of them alone writes.
func TestResidentOwners(t *testing.T) {
	for _, test := range []struct{ name, region, keep, want string }{
		{"one writes each", "for (int t = 0; t < n; t++) { for (int i = 1; i < n - 1; i++) B[i] = A[i][0] + A[i - 1][0]; for (int i = 1; i < n - 1; i++) A[i][0] = B[i] + B[i + 1]; }", "copy B at c0.2t to resident\n", ""},
		{"two write some", "for (int t = 0; t < n; t++) { for (int i = 1; i < n - 1; i++) B[i] = A[i][0]; for (int i = 1; i < n - 1; i++) B[i + 1] = A[i][0]; }", "copy B at c0.2t to resident\n",
			"several blocks write the same elements of B"},
		{"all write one", "for (int t = 0; t < n; t++) { for (int i = 1; i < n - 1; i++) A[i][0] = A[i][1]; for (int i = 1; i < n - 1; i++) A[i][1] = B[0]; }", "copy B at c0.2t to resident\n", "which the kernel does not write"},
	} {
		g, recipe := residentOf(t, test.region, residentTiles+test.keep)
		_, _, err := recipe.Prove(g)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// The proof does not believe what a mark says of the elements that a block keeps.
func TestResidentMarkIsProven(t *testing.T) {
	const region = "for (int t = 0; t < n; t++) { for (int i = 1; i < n - 1; i++) B[i] = A[i][0] + A[i - 1][0]; for (int i = 1; i < n - 1; i++) A[i][0] = B[i] + B[i + 1]; }"
	g, recipe := residentOf(t, region, residentTiles+"copy B at c0.2t to resident\n")
	_, proven, err := recipe.Prove(g)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change func(mark.Box) mark.Mark
		want   string
	}{
		"short":           {func(m mark.Box) mark.Mark { m.Sides[0].Extent--; return m }, "too few elements of B"},
		"late":            {func(m mark.Box) mark.Mark { m.Sides[0].Origin.Constant++; return m }, "too few elements of B"},
		"moving":          {func(m mark.Box) mark.Mark { m.Sides[0].Origin.Iterators[0], m.Sides[0].Extent = -1, 1000; return m }, "B"},
		"no longer kept":  {func(m mark.Box) mark.Mark { m.Memory = mark.Shared; return m }, ""},
		"of some reading": {func(m mark.Box) mark.Mark { m.References = "B[i]"; return m }, "B"},
	} {
		changed := append(mark.Table{}, *proven.Marks...)
		for k, m := range changed {
			if box, is := m.(mark.Box); is {
				box.Sides = slices.Clone(box.Sides)
				box.Sides[0].Origin.Iterators = slices.Clone(box.Sides[0].Origin.Iterators)
				changed[k] = test.change(box)
			}
		}
		err := g.Check(mark.Schedule{Tree: proven.Tree, Marks: &changed})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

// residentOf is the graph of a region, and a recipe for it.
func residentOf(t *testing.T, region, text string) (*depend.Graph, schedule.Recipe) {
	t.Helper()
	_, model := regionOf(t, "", "", region, "")
	g, err := depend.Analyze(model)
	if err != nil {
		t.Fatal(err)
	}
	recipe, err := command.Parse(model.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	return g, recipe
}
