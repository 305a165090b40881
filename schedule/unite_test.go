package schedule

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop"
)

// In the trailing tiles of lu the updates on either side of the diagonal are one statement, but only where
// they are packed alike and the tiles run in phases; the instances are the same.
func TestUnited(t *testing.T) {
	const tiled = `classes {S0 S1 S2}
band c0 permutable S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, j]; S2[i, j, k] -> [i, j, k]
split c0 {S0} {S1} {S2}
tile c0.1 c0.2 c0.3 by 4 4 4
sink c0.2t
sink c0.1t
`
	g := kerneltest.Graph(t, "lu")
	for _, test := range []struct {
		recipe string
		want   bool
	}{
		{tiled, false},
		{tiled + "phases c0.3t\n", true},
		{tiled + "phases c0.3t\npack S0 A[i][k] at c0p3.1t\npack S2 A[i][k] at c0p3.1t\n", true},
		{tiled + "phases c0.3t\npack S0 A[i][k] at c0p3.1t\n", false},
	} {
		recipe, err := Parse(g.Model.Program, test.recipe)
		if err != nil {
			t.Fatal(err)
		}
		tree, proven, err := recipe.Prove(g)
		if err != nil {
			t.Fatal(err)
		}
		united := tree.United(g.Model)
		same, err := united.Domain().IsEqual(proven.Domain())
		if err != nil || same == test.want {
			t.Errorf("%s: united %v, want %v (%v)", test.recipe, !same, test.want, err)
		}
	}
}

// Two statements with the same text and iterations run both: they are twins, but not one.
func TestUnitedKeepsAll(t *testing.T) {
	g := kerneltest.Analyze(t, twiceAdded())
	recipe, err := Parse(g.Model.Program, `classes {S0 S1}
band c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]
split c0 {S0} {S1}
tile c0.1 c0.2 by 4 4
phases c0.1t
`)
	if err != nil {
		t.Fatal(err)
	}
	tree, proven, err := recipe.Prove(g)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := tree.United(g.Model).Domain().IsEqual(proven.Domain()); err != nil || !same {
		t.Errorf("instances were lost: %v, %v", same, err)
	}
}

// twiceAdded is for i for j { A[i][j] += 1.0; A[i][j] += 1.0; }.
func twiceAdded() *scop.Program {
	p := gemm()
	p.Statements = p.Statements[:1]
	again := p.Statements[0]
	again.Name = "S1"
	again.Domain = strings.ReplaceAll(again.Domain, "S0", "S1")
	again.Position = slices.Clone(again.Position)
	again.Position[len(again.Position)-1]++
	again.Accesses = slices.Clone(again.Accesses)
	for k := range again.Accesses {
		again.Accesses[k].Relation = strings.ReplaceAll(again.Accesses[k].Relation, "S0", "S1")
	}
	p.Statements = append(p.Statements, again)
	return p
}

// Twins have the same text, iterators and arrays.
func TestTwins(t *testing.T) {
	for kernel, want := range map[string][][2]int{"lu": {{0, 2}}, "cholesky": nil, "2mm": nil, "jacobi-2d": nil} {
		p := kerneltest.Graph(t, kernel).Model.Program
		var got [][2]int
		for s := range p.Statements {
			for other := range s {
				if Twins(p, other, s) {
					got = append(got, [2]int{other, s})
				}
			}
		}
		if len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
			t.Errorf("%s: twins %v, want %v", kernel, got, want)
		}
	}
}
