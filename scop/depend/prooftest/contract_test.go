package prooftest

import (
	"strings"
	"testing"

	"polytune/internal/marktest"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// inTiles is the beginning of a recipe that runs two statements in tiles of their first loop.
const inTiles = "expand 1073741824\nclasses {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j] -> [i] by 4\n"

// apart is the rest of it, with the statements one after the other in each tile.
const apart = inTiles + "split c0 {S0} {S1}\nband c0_0 S0[i, j] -> [i, j]\nband c0_1 S1[i, j] -> [i, j]\n"

// inLoop runs them one after the other in each iteration of it.
const inLoop = "expand 1073741824\nclasses {S0 S1}\nband c0 S0[i, j] -> [i]; S1[i, j] -> [i]\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j] -> [j]\nband c0_1 S1[i, j] -> [j]\n"

// An expanded array is contracted where each element is used in one iteration of the loop, and
// nowhere else.
func TestContract(t *testing.T) {
	const region = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { s = A[i][j]; B[i] += s; }"
	for _, test := range []struct{ name, recipe, want string }{
		{"in tiles", apart + "contract s_1 at c0.1t", ""},
		{"with parallel loops inside", apart + "parallel c0_0.2\nparallel c0_1.2\nteam c0.1t\ncontract s_1 at c0.1t", ""},
		{"in a parallel loop", apart + "parallel c0.1t\ncontract s_1 at c0.1t", ""},
		{"in an untiled parallel loop", inLoop + "parallel c0.1\ncontract s_1 at c0.1", ""},
		{"in lanes", "expand 1073741824\nclasses {S0 S1}\nband c0 S0[i, j] -> [j, i]; S1[i, j] -> [j, i]\nsplit c0 {S0} {S1}\nvectorize c0.2\ncontract s_1 at c0.2",
			"iterations of the loop c0.2, which run at the same time, share the memory of s_1"},
		{"in smaller tiles", inTiles + "blocks c0 S0[i, j] -> [j]; S1[i, j] -> [j] by 3\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j] -> [i, j]\nband c0_1 S1[i, j] -> [i, j]\ncontract s_1 at c0.2t", ""},
		{"in another iteration of a tile", inTiles + "band c0 S0[i, j] -> [i]; S1[i, j] -> [i + 1]\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j] -> [j]\nband c0_1 S1[i, j] -> [j]\ncontract s_1 at c0.2",
			"s_1 has memory for one iteration of the loop alone, and it goes from one to another"},
		{"of other rows", strings.ReplaceAll(apart, "S1[i, j] -> [i] by", "S1[i, j] -> [i + 1] by") + "contract s_1 at c0.1t", "runs over iterations of which s_1 has elements"},
		{"without tiles", inLoop + "contract s_1 at c0.1", ""},
		{"without tiles in another iteration", strings.Replace(inLoop, "S1[i, j] -> [i]", "S1[i, j] -> [i + 1]", 1) + "contract s_1 at c0.1", "runs over iterations of which s_1 has elements"},
		{"at a part", apart + "tile c0_0.2 by 2\ncontract s_1 at c0_0.2t", `S1 uses s_1 outside of "c0_0.2t"`},
		{"at an innermost loop", inTiles + "contract s_1 at c0.1t", `nothing is inside "c0.1t"`},
		{"twice", apart + "contract s_1 at c0.1t\ncontract s_1 at c0.1t", "s_1 is contracted already"},
		{"of an argument", apart + "contract A at c0.1t", `"A" is no expanded array; there are s_1`},
		{"at no loop", apart + "contract s_1 at c0.7", `there is no loop "c0.7"`},
		{"half a command", apart + "contract s_1", "contract temp2_1 at c0.1t"},
	} {
		p := expanded(t, "double s;", region, "")
		_, model := regionOf(t, "", "double s;", region, "")
		after, err := p.Model(model.Context)
		if err != nil {
			t.Fatal(err)
		}
		g, err := depend.Analyze(after)
		if err != nil {
			t.Fatal(err)
		}
		recipe, err := command.Parse(p, test.recipe)
		if err == nil {
			_, _, err = recipe.Prove(g)
		}
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// The proof does not believe what a mark says: extents that are too short, tiles of other loops,
// statements that it leaves out, and memory that threads would share are found.
func TestContractMarkIsProven(t *testing.T) {
	const tiles = apart + "tile c0_0.2 by 2\ncontract s_1 at c0.1t"
	const said, own = "contract s_1 0:4:0 S0@0 S1@0", "contract s_1 own 0:1:0"
	for _, test := range []struct{ recipe, said, changed, want string }{
		{tiles, said, said, ""},
		{tiles, said, "contract s_1 own 0:4:0 S0@0 S1@0", ""},
		{tiles, said, "contract s_1 0:3:0 S0@0 S1@0", "too few elements of s_1 for S0"},
		{tiles, said, "contract s_1 0:4:1 S0@0 S1@0", "too few elements of s_1 for S0"},
		{tiles, said, "contract s_1 0:4:0 S0@0", "names no tile of S1"},
		{tiles, said, "contract s_1 0:4:0 S0@0 S1@1", "names no tile of S1"},
		{tiles, said, "contract s_1 5:4:0 S0@0 S1@0", "names a dimension that s_1 has not"},
		{tiles, said, "contract A 0:4:0 S0@0 S1@0", "an array whose values somebody else may need"},
		{tiles, said, "contract s_1 0:900:0 S0@1 S1@0", "too few elements of s_1 for S0"},
		{tiles, said, "contract s_1 0:1:0", "one iteration of the loop runs several"},
		{inLoop + "parallel c0.1\ncontract s_1 at c0.1", own, own, ""},
		{inLoop + "parallel c0.1\ncontract s_1 at c0.1", own, "contract s_1 0:1:0", "share the memory of s_1"},
		{inLoop + "parallel c0.1\ncontract s_1 at c0.1", own, "contract s_1 own 1:1:0", "one iteration of the loop runs several"},
		{inLoop + "parallel c0.1\ncontract s_1 at c0.1", own, "contract s_1 own 0:1:1", "another first iteration"},
	} {
		g, proven := provenSchedule(t, test.recipe)
		err := g.Check(marktest.Change(t, proven, test.said, marktest.Parse(t, test.changed)))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.changed, err, test.want)
		}
	}
}

// provenSchedule is the schedule of a recipe for two statements with an expanded temporary, and
// their graph.
func provenSchedule(t *testing.T, text string) (*depend.Graph, mark.Schedule) {
	t.Helper()
	const region = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { s = A[i][j]; B[i] += s; }"
	_, model := regionOf(t, "", "double s;", region, "")
	after, err := expanded(t, "double s;", region, "").Model(model.Context)
	if err != nil {
		t.Fatal(err)
	}
	g, err := depend.Analyze(after)
	if err != nil {
		t.Fatal(err)
	}
	recipe, err := command.Parse(after.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	_, proven, err := recipe.Prove(g)
	if err != nil {
		t.Fatal(err)
	}
	return g, proven
}
