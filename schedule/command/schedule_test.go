package command

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// gemm is C *= beta; C += A * B.
func gemm() *scop.Program {
	ij := []scop.Loop{{Iterator: "i"}, {Iterator: "j"}}
	ijk := append(ij[:2:2], scop.Loop{Iterator: "k"})
	return &scop.Program{
		Name: "gemm", Parameters: []string{"N"}, Context: "[N] -> { : }",
		Statements: []scop.Statement{
			{Name: "S0", Loops: ij, Position: []int{0, 0, 0}, Domain: "[N] -> { S0[i, j] : 0 <= i, j < N }",
				Accesses: []scop.Access{{Array: "C", Read: true, Write: true, Relation: "[N] -> { S0[i, j] -> C[i, j] }"}}},
			{Name: "S1", Loops: ijk, Position: []int{0, 0, 1, 0}, Domain: "[N] -> { S1[i, j, k] : 0 <= i, j, k < N }",
				Accesses: []scop.Access{
					{Array: "C", Read: true, Write: true, Relation: "[N] -> { S1[i, j, k] -> C[i, j] }"},
					{Array: "A", Read: true, Relation: "[N] -> { S1[i, j, k] -> A[i, k] }"},
					{Array: "B", Read: true, Relation: "[N] -> { S1[i, j, k] -> B[k, j] }"},
				}},
		},
	}
}

const full = `classes {S0 S1}
band c0 permutable S0[i, j] -> [i, j, 0]; S1[i, j, k] -> [i, j, k]
split c0 {S0} {S1}
tile c0.1 c0.2 c0.3 by 32 64 8
parallel c0.1t
separate c0.3t
sink c0.2
`

// A recipe prints as it was written and replays to the same schedule tree.
func TestRecipeRoundTrip(t *testing.T) {
	for _, text := range []string{
		full,
		full + "distribute c0.2\nvectorize c0_0.2\nvectorize c0_1.2\n",
		full + "distribute c0.3 c0.2\n",
		full + "threads c0.1t from 4000 of N, 2N - 1, 3\n",
		"classes {S0} {S1}\nband c0 S0[i, j] -> [-i + 2N - 1, 3j]\nband c1 permutable S1[i, j, k] -> [i + j, j]\nband c1 S1[i, j, k] -> [k]\n",
		"classes {S1} {S0}\nband c0 permutable S1[i, j, k] -> [i, j, k]\nskew c0.3 by 2 c0.1\nregisters c0.1 by 4\nband c1 S0[i, j] -> [i, j]\n",
		"classes {S1} {S0}\nband c0 permutable S1[i, j, k] -> [i, j, k]\ndiamond c0.2 S1[i, j, k] -> [-i + 2j]\ntile c0.1 c0.2 by 4 4\ntile c0.1t c0.2t by 2 2\nband c1 S0[i, j] -> [i, j]\n",
		"classes {S1} {S0}\nband c0 permutable S1[i, j, k] -> [k, i, j]\ntile c0.1 c0.2 by 4 4\ntile c0.1t c0.2t by 8 8\nwavefront c0.1tt c0.2tt\nvectorize c0.3\nband c1 S0[i, j] -> [i]\nband c1 S0[i, j] -> [j]\n",
	} {
		p := gemm()
		recipe, err := Parse(p, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := recipe.Text(p); got != text {
			t.Errorf("got\n%swant\n%s", got, text)
		}
		again, err := Parse(p, "# a comment\n\n"+recipe.Text(p))
		if err != nil {
			t.Fatal(err)
		}
		g := kerneltest.Analyze(t, p)
		var trees [2]mark.Schedule
		for k, r := range []schedule.Recipe{recipe, again} {
			tree, err := r.Replay(p)
			if err != nil {
				t.Fatal(err)
			}
			trees[k] = tree.Schedule(g.Model)
		}
		if equal, err := trees[0].Tree.PlainIsEqual(trees[1].Tree); err != nil || !equal || fmt.Sprint(*trees[0].Marks) != fmt.Sprint(*trees[1].Marks) {
			t.Errorf("the trees differ (%v):\n%s\n%s", err, trees[0], trees[1])
		}
	}
}

// phases are the first lines of recipes with tiles that phases may divide.
const phases = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, j, k]\ntile c1.1 c1.2 c1.3 by 4 4 4\nsink c1.1t\nsink c1.2t\n"

// ownLoops are the first lines of recipes whose parts have loops of their own.
const ownLoops = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i]; S1[i, j, k] -> [i]\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[i, j] -> [j]\nband c0_1 permutable S1[i, j, k] -> [j]\n"

func TestProve(t *testing.T) {
	for _, test := range []struct{ name, text, blamed string }{
		{"all commands", full, ""},
		{"loops of their own in tiles", full + "distribute c0.2\nvectorize c0_0.2\nvectorize c0_1.2\n", ""},
		{"the initialisation of all before", strings.Replace(full, "sink c0.2\n", "distribute c0.3\n", 1), ""},
		{"a reduction of its own", strings.Replace(full, "sink c0.2\n", "distribute c0.3\nvectorize c0_1.3\n", 1), "vectorize c0_1.3"},
		{"distributed", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [j, i]\nband c1 permutable S1[i, j, k] -> [k, i, j]\nparallel c1.2\nvectorize c1.3\n", ""},
		{"threads for long loops", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [j, i]\nband c1 permutable S1[i, j, k] -> [k, i, j]\nparallel c1.2\nthreads c1.2 from 4000\n", ""},
		{"threads for large nests", full + "threads c0.1t from 4000 of N, N - 1\n", ""},
		{"threads that start outside", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [j, i]\nband c1 permutable S1[i, j, k] -> [k, i, j]\nparallel c1.2\nregion c1.1 around c1.2\n", ""},
		{"threads that start outside and need what others did", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [j, i]\nband c1 permutable S1[i, j, k] -> [k, i + k, j]\nparallel c1.2\nregion c1.1 around c1.2\n", "region c1.1 around c1.2"},
		{"a team", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [j, i]\nband c1 permutable S1[i, j, k] -> [k, i, j]\nparallel c1.2\nthreads c1.2 from 9\nteam c1.1\n", ""},
		{"blocks whose points the parts order", "classes {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [i] by 4\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[i, j] -> [j, i]\nband c0_1 permutable S1[i, j, k] -> [k, i, j]\nparallel c0.1t\n", ""},
		{"blocks backwards", "classes {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [k] by 4\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[i, j] -> [j, i]\nband c0_1 permutable S1[i, j, k] -> [k, i, j]\n", "blocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [k] by 4"},
		{"blocks in wavefronts", "classes {S0 S1}\nblocks c0 permutable S0[i, j] -> [i, j]; S1[i, j, k] -> [i, j] by 4 8\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[i, j] -> [j, i]\nband c0_1 permutable S1[i, j, k] -> [k, i, j]\nwavefront c0.1t c0.2t\nparallel c0.2t\nteam c0.1t\n", ""},
		{"blocks without an order inside", "classes {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [i] by 4\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[i, j] -> [j, i]\n", "whole"},
		{"a parallel vector loop", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [j, i]\nband c1 permutable S1[i, j, k] -> [k, i, j]\nparallel c1.3\nthreads c1.3 from 9\nvectorize c1.3\n", ""},
		{"two loops together", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, j, k]\ntile c1.1 c1.2 by 4 4\nparallel c1.1t\ncollapse c1.1t c1.2t\ndynamic c1.1t\n", ""},
		{"two loops together, of which one carries a sum", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, k, j]\nparallel c1.1\ncollapse c1.1 c1.2\n", "collapse c1.1 c1.2"},
		{"phases", phases + "phases c1.3t\nparallel c1p1.2t\nparallel c1p2.1t\nparallel c1p3.1t\nparallel c1p3.2t\n", ""},
		{"phases whose tiles come too late", strings.ReplaceAll(phases, "sink", "# sink") + "phases c1.1t\n", "phases c1.1t"},
		{"a parallel loop in a phase that carries a sum", strings.ReplaceAll(phases, "sink", "# sink") + "phases c1.2t\n", "phases c1.2t"},
		{"vectors where they pay", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nvectorize c0.2\nivdep c0.2\nband c1 permutable S1[i, j, k] -> [k, i, j]\nparallel c1.3\nvectorize c1.3\nivdep c1.3\n", ""},
		{"vectors of so many lanes", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nvectorize c0.2\nsimdlen c0.2 8\nband c1 permutable S1[i, j, k] -> [k, i, j]\nparallel c1.3\nvectorize c1.3\nsimdlen c1.3 4\n", ""},
		{"vectors that need a sum", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, j, k]\nvectorize c1.3\nivdep c1.3\n", "vectorize c1.3"},
		{"classes in the wrong order", "classes {S1} {S0}\nband c0 S1[i, j, k] -> [i, j, k]\nband c1 S0[i, j] -> [i, j]\n", "classes {S1} {S0}"},
		{"parallel reduction", "classes {S0} {S1}\nband c0 S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [k, i, j]\nparallel c1.1\n", "parallel c1.1"},
		{"backwards", "classes {S0} {S1}\nband c0 S0[i, j] -> [i, j]\nband c1 S1[i, j, k] -> [i, j, -k]\n", "band c1 S1[i, j, k] -> [i, j, -k]"},
		{"shifted too far", "classes {S0 S1}\nband c0 S0[i, j] -> [i + 1, j, 0]; S1[i, j, k] -> [i, j, k]\nsplit c0 {S0} {S1}\n", "band c0 S0[i, j] -> [i + 1, j, 0]; S1[i, j, k] -> [i, j, k]"},
		{"split in the wrong order", "classes {S0 S1}\nband c0 S0[i, j] -> [i, j, 0]; S1[i, j, k] -> [i, j, k]\nsplit c0 {S1} {S0}\n", "split c0 {S1} {S0}"},
		{"tiles across", "classes {S0} {S1}\nband c0 S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, j, k]\ndiamond c1.1 S1[i, j, k] -> [2k - i]\ntile c1.1 c1.2 c1.3 by 4 4 4\n", ""},
		{"tiles backwards", "classes {S0} {S1}\nband c0 S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, j, k]\ndiamond c1.1 S1[i, j, k] -> [i - k]\ntile c1.1 c1.2 c1.3 by 4 4 4\n", "tile c1.1 c1.2 c1.3 by 4 4 4"},
		{"skewed", "classes {S0} {S1}\nband c0 S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, j, k]\nskew c1.3 by 2 c1.1\nskew c1.1 by 1 c1.2\ntile c1.1 c1.2 c1.3 by 4 4 4\nwavefront c1.1t c1.2t c1.3t\nparallel c1.2t\n", ""},
		{"fused", ownLoops + "fuse c0_0 c0_1\nband c0_0_1 S1[i, j, k] -> [k]\nparallel c0_0.2\n", ""},
		{"fused in the wrong order", ownLoops + "fuse c0_1 c0_0\nband c0_1_0 S1[i, j, k] -> [k]\n", "fuse c0_1 c0_0"},
		{"shifted and fused", ownLoops + "shift c0.1 S1 by 1\nfuse c0_1 c0_0\nband c0_1_0 S1[i, j, k] -> [k]\n", ""},
		{"shifted backwards", ownLoops + "shift c0.1 S1 by -1\nband c0_1 S1[i, j, k] -> [k]\n", "shift c0.1 S1 by -1"},
		{"full stretches apart whose stream moves inwards", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, j, k]\nregisters c1.1 c1.2 by 2 2 apart\nsink c1.3\n", ""},
		{"full stretches apart with a loop inside", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, k]\nregisters c1.1 by 2 apart\nband c1 S1[i, j, k] -> [j]\n", ""},
		{"incomplete", "classes {S0} {S1}\nband c0 S0[i, j] -> [i, j]\nband c1 S1[i, j, k] -> [i, j]\n", "whole"},
	} {
		p := gemm()
		recipe, err := Parse(p, test.text)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = recipe.Prove(kerneltest.Analyze(t, p))
		var command *schedule.CommandError
		var violation *depend.Violation
		switch {
		case test.blamed == "":
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		case !errors.As(err, &violation):
			t.Errorf("%s: got %v, want a violation", test.name, err)
		case test.blamed == "whole":
			if errors.As(err, &command) {
				t.Errorf("%s: %q is blamed", test.name, command.Text)
			}
		case !errors.As(err, &command) || command.Text != test.blamed:
			t.Errorf("%s: got %v, want %q blamed", test.name, err, test.blamed)
		}
	}
}

// Loops that parts have for themselves are one in the tree together, but where the
// recipe has tiled that of one part.
func TestReplayTogether(t *testing.T) {
	const apart = full + "distribute c0.2\nvectorize c0_0.2\nvectorize c0_1.2\n"
	for text, want := range map[string]string{
		full:  "c0.1t c0.2t c0.3t c0.1 c0.3 c0.2",
		apart: "c0.1t c0.2t c0.3t c0.1 c0.3 c0.2 (vector)",
		full + "distribute c0.2\ntile c0_1.2 by 4\n": "c0.1t c0.2t c0.3t c0.1 c0.3",
	} {
		p := gemm()
		recipe, err := Parse(p, text)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := ReplayTogether(recipe, p)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, loop := range tree.Classes[0].Loops {
			names = append(names, loop.Name)
			if loop.IsVector() {
				names = append(names, "(vector)")
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s\ngot %s, want %s", text, got, want)
		}
	}
}

func TestBadRecipes(t *testing.T) {
	const start = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 S1[i, j, k] -> [i, j, k]\n"
	for _, test := range []struct{ text, want string }{
		{"polish c0", `line 1: polish c0: there is no command "polish"`},
		{"classes {S0 S1", "groups of statements are written"},
		{"classes {S0 S2}", `there is no statement "S2"; there are S0 S1`},
		{"classes {S0}", "the groups {S0} do not hold each of S0 S1 once"},
		{"classes {S0 S1} {S1}", "do not hold each of"},
		{"classes {S0 S1} {}", "a group is empty"},
		{start + "classes {S0} {S1}", "the classes are given already"},
		{start + "band c2 S0[i, j] -> [i]", `there is no node "c2"; there are c0 c1`},
		{start + "band c0 S1[i, j, k] -> [i]", "loop 1 has no row for statement S0"},
		{start + "band c0 S0[i] -> [i]", "statement S0 has 2 loops, not 1"},
		{start + "band c0 S0[i, j] -> [i + x]", `"x" is neither an iterator nor a parameter`},
		{start + "band c0 S0[i, j] -> i", "rows are written"},
		{start + "band c0 S0[i, j] -> [i +]", "a term is missing"},
		{start + "band c0 S0[i, j] -> []", "statement S0 has no row"},
		{start + "diamond c0.1 S0[i, j] -> [i, j]", "one row for each statement, not 2"},
		{start + "diamond c0.1 S1[i, j, k] -> [i]", "loop 1 has no row for statement S0"},
		{start + "diamond c1.1 S1[i, j, k] -> [i]", "not permutable"},
		{start + "tile c0.1 by 2\ndiamond c0.1 S0[i, j] -> [i]", "is tiled already"},
		{start + "tile c0.1 by 2\ndiamond c0.1t S0[i, j] -> [i]", "name the loop over points"},
		{start + "parallel c0.1\ndiamond c0.1 S0[i, j] -> [i]", "parallel or vector already"},
		{start + "diamond c0.1 S0[i, j] -> [i]\ndiamond c0.1 S0[i, j] -> [j]", "rows of their own already"},
		{start + "shift c0.1 by 1", "shift c0.1 S1 by 1"},
		{start + "band c0 S0[i, j] -> [9999999999999i + 9999999999999999j, j]", "recipe line 4: band c0 S0[i, j] -> [9999999999999i + 9999999999999999j, j]: 9999999999999 is too large: a factor here is 65536 at most"},
		{start + "band c0 S0[i, j] -> [i - 65537*j]", "65537 is too large"},
		{start + "band c0 S0[i, j] -> [i + 99999999999999999999]", "99999999999999999999 is too large"},
		{start + "diamond c0.1 S0[i, j] -> [70000 i]", "70000 is too large"},
		{start + "skew c0.1 by 65537 c0.2", "65537 is too large"},
		{start + "tile c0.1 by 2147483649", "2147483649 is too large"},
		{start + "tile c0.1 c0.2 by 8 2147483649", "2147483649 is too large"},
		{start + "threads c0.1 from 9223372036854775807", "9223372036854775807 is too large"},
		{start + "registers c0.1 by 9999999999", "9999999999 is too large"},
		{start + "shift c0.1 S0 by x", `"x" is not a number`},
		{start + "shift c0.1 S2 by 1", `there is no statement "S2"`},
		{start + "shift c0.1 S0 by 0", "is none, or not between"},
		{start + "shift c0.1 S1 by 1", `statement S1 is not inside loop "c0.1"`},
		{start + "parallel c0.1\nshift c0.1 S0 by 1", "is marked already; shift before"},
		{start + "tile c0.1 by 4\nshift c0.1t S0 by 1", "is no plain loop over points"},
		{ownLoops + "fuse c0_0", "needs two nodes or more"},
		{ownLoops + "fuse c0_0 c0_2", `there is no node "c0_2"; there are c0 c0_0 c0_1`},
		{ownLoops + "fuse c0_0 c0_0", `node "c0_0" is named twice`},
		{ownLoops + "fuse c0_0 c0_1\nfuse c0_0 c0_1", `there is no node "c0_1"`},
		{ownLoops + "parallel c0_1.2\nfuse c0_0 c0_1", "do not have as many plain loops of the same bands"},
		{ownLoops + "fuse c0_0 c0", "do not have as many plain loops of the same bands"},
		{start + "fuse c0 c1", "do not have as many plain loops of the same bands"},
		{"classes {S0} {S1}\nband c0 S0[i, j] -> [i, j]\nband c1 S1[i, j, k] -> [i, j]\nfuse c0 c1", "c0 c1 are not parts of one node"},
		{"classes {S0 S1}\nsplit c0 {S0} {S1}\nfuse c0_0 c0_1", "do not have as many plain loops of the same bands"},
		{ownLoops + "vectorize c0.1\nparallel c0_0.2", "is inside of a vector loop"},
		{ownLoops + "parallel c0_0.2\nvectorize c0.1", "has a parallel loop inside"},
		{start + "registers c0.1 by 3 lanes 3", "3 lanes are not a power of two"},
		{start + "skew c0.1 by 1", "skew c0.3 by 2 c0.2"},
		{start + "skew c0.1 by x c0.2", `"x" is not a number`},
		{start + "skew c0.1 by 0 c0.2", "is 0, or not between"},
		{start + "skew c0.1 by 1 c0.1", "not two loops of one band"},
		{start + "skew c0.1 by 1 c1.2", "not two loops of one band"},
		{start + "skew c1.1 by 1 c1.2", "not permutable"},
		{start + "tile c0.1 by 4\nskew c0.1 by 1 c0.2", "is tiled or marked already; skew it before"},
		{start + "tile c0.1 by 4\nskew c0.1t by 1 c0.2", "is no plain loop over points"},
		{start + "tile c0.1 c0.2 by 32", "1 sizes for 2 loops"},
		{start + "tile c0.1 by 0", "it must be positive"},
		{start + "tile c0.1 by x", `the size "x" is not a number`},
		{start + "tile c0.2 c0.1 by 2 2", "does not come right inside"},
		{start + "tile c1.1 c1.2 by 2 2", "is in a band that is not permutable"},
		{start + "tile c0.1 by 2\ntile c0.1 by 2", "is tiled already"},
		{start + "sink c9.1", `there is no loop "c9.1"; there are c0.1 c1.1 c0.2 c1.2 c1.3`},
		{start + "sink c1.1", "not permutable"},
		{start + "vectorize c0.1", "is not innermost; sink it before"},
		{"classes {S0 S1}\nband c0 S0[i, j] -> [i]; S1[i, j, k] -> [i]\nsplit c0 {S0} {S1}\nband c0_1 S1[i, j, k] -> [k]\nvectorize c0.1 reduction(+:x)", "has loops inside"},
		{start + "separate c0.1", "is not a tile loop"},
		{full + "distribute", "is written: distribute LOOPS"},
		{full + "distribute c0.2 c0.3", `loop "c0.3" does not come right inside "c0.2"`},
		{start + "distribute c0.2", `node "c0" has no parts; split it before`},
		{full + "distribute c0.1", "is not the innermost one that the parts of \"c0\" share; sink it before"},
		{full + "parallel c0.2\ndistribute c0.2", "is marked already; distribute it before"},
		{full + "distribute c0.2\ndistribute c0.2", `there is no loop "c0.2"`},
		{start + "wavefront c0.1", "needs two loops or more"},
		{start + "threads c0.1 from 4000", `loop "c0.1" is not parallel`},
		{start + "parallel c0.1\nthreads c0.1 from 0", "0 is not a number from 1 on"},
		{start + "parallel c0.1\nthreads c0.1 4000", "is written: threads LOOP from COUNT [of EXTENTS]"},
		{start + "parallel", "a loop on several threads is written: parallel LOOP CLAUSES"},
		{start + "region c1.1 around c1.2", `loop "c1.2" is no parallel loop without vectors and reductions`},
		{start + "dynamic c1.1", "is not parallel; say so before"},
		{start + "collapse c1.1 c1.2", "is no parallel loop of any length"},
		{start + "parallel c1.1\ncollapse c1.1 c1.3", "is not the loop of the same band right inside \"c1.1\""},
		{start + "parallel c1.2\ncollapse c1.2 c1.3\nvectorize c1.3", "together with those of the loop outside"},
		{start + "parallel c1.2\ncollapse c1.2", "is written: collapse LOOP LOOP; for example collapse c0.1t c0.2t"},
		{start + "parallel c1.2\ncollapse c1.2 c1.3\nregion c1.1 around c1.2", "together with those of another loop"},
		{start + "phases c1.1", "is no tile loop with one to 3 others of its band right inside it"},
		{strings.Replace(start, "c1 S1", "c1 permutable S1", 1) + "tile c1.1 c1.2 by 4 8\nphases c1.1t", "is no plain tile loop with tiles of 4 iterations"},
		{strings.Replace(start, "c1 S1", "c1 permutable S1", 1) + "tile c1.1 c1.2 by 4 4\nparallel c1.1t\nphases c1.1t", "has a mark that its phases could not keep"},
		{start + "ivdep c1.1", "is not vectorised; say so before"},
		{start + "simdlen c1.1 8", "is not vectorised; say so before"},
		{start + "vectorize c1.3\nsimdlen c1.3 6", "6 lanes are not a power of two"},
		{start + "simdlen c1.1", "the number of lanes of a vector loop is written"},
		{start + "stream c1.3 lanes 4", "is not vectorised; say so before"},
		{start + "vectorize c1.3\nstream c1.3 lanes 4", "statement S1 is not an assignment, by ="},
		{start + "stream c1.3 lanes four", `"four" is not a number`},
		{start + "parallel c1.2\nregion c1.2 around c1.1", `"c1.2" is no loop of c1 around "c1.1"`},
		{start + "parallel c1.1\nparallel c1.3\nregion c1.1 around c1.3", `there is another parallel loop from "c1.1" to "c1.3"`},
		{start + "parallel c1.2\nregion c1.1 c1.2", "region c0.1 around c0.2"},
		{start + "relay c1.1 hands c1.2 shares c1.3 from 1", `in loop "c1.1" are not two parts or more`},
		{start + "relay c1.1 hands c1.2", "how threads run through a loop is written"},
		{ownLoops + "parallel c0_0.2\nrelay c0.1 hands c0_0.2 shares c0_1.2 from 1", `a parallel loop around "c0.1" or inside`},
		{ownLoops + "relay c0.1 hands c0_0.2 shares c0_1.2 from 0", "is one at least"},
		{ownLoops + "relay c0.1 hands c0_1.2 shares c0_1.2 from 1", `"c0_1.2" is no loop of c0_0 with values of its own`},
		{start + "team c1.1", `there is no parallel loop inside "c1.1"`},
		{start + "parallel c1.1\nparallel c1.2\nteam c1.1", `loop "c1.1" is marked already`},
		{"classes {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [i] by 1", "blocks of 1 iterations are none"},
		{"classes {S0 S1}\nblocks c0 S0[i, j] -> [i] by 4", "loop 1 has no row for statement S1"},
		{"classes {S0 S1}\nblocks c0 S0[i, j] -> [i, j]; S1[i, j, k] -> [i, j] by 4", "1 sizes for 2 rows"},
		{"classes {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [i]", "a loop over blocks is written"},
		{"classes {S0 S1}\nblocks c0 S0[i, j] -> [i, j]; S1[i, j, k] -> [i, j] by 4 8\nwavefront c0.1t c0.2t", "is in a band that is not permutable"},
		{"classes {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [i] by x", `the size "x" is not a number`},
		{"classes {S0 S1}\nsplit c0 {S0} {S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [i] by 4", `node "c0" is split`},
		{"classes {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [i] by 4\nregisters c0.1t by 2", `"c0.1t" is not a point loop of c0`},
		{"", `no "classes" command`},
	} {
		p := gemm()
		recipe, err := Parse(p, test.text)
		if err == nil {
			_, err = recipe.Replay(p)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\ngot %v, want %s", test.text, err, test.want)
		}
	}
}

// Loops over overlapped tiles run the statements of these, whatever command asks.
func TestOverlappedLoopsRun(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-1d")
	recipe, err := Parse(g.Model.Program, "classes {S0 S1}\nband c0 permutable S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]\noverlapped c0.1 c0.2 by 4 8 slopes 1 rest 1\n")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		t.Fatal(err)
	}
	met := 0
	tree.Walk(func(n *schedule.Node) bool {
		for _, l := range n.Loops {
			if l.Overlapped != nil {
				met++
				if !l.Runs(0) || !l.Runs(1) || l.Runs(2) {
					t.Errorf("%s runs %v %v %v", l.Name, l.Runs(0), l.Runs(1), l.Runs(2))
				}
			}
		}
		return true
	})
	if met == 0 {
		t.Error("there is no loop over overlapped tiles")
	}
}
