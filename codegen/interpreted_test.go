package codegen_test

import (
	"maps"
	"testing"

	"polytune/codegen"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/depend"
	"polytune/transform"
)

// interpreted is a region with a recipe whose code has something that can be broken: breaking does
// so to a statement of the code, and says whether it did.
type interpreted struct {
	name, body, recipe string
	breaking           func(loopir.Stmt) (loopir.Stmt, bool)
}

const sweep = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) { p[i][j][0] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]; y[j] = 3 * y[j] + p[i][j][0]; }"

const sweepRecipe = "classes {S0 S1}\nblocks c0 permutable S0[i, j] -> [j, i]; S1[i, j] -> [j, i] by 2 2\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\n" +
	"split c0 {S0} {S1}\nparallel c0.1t\ncopy a at c0.2t\ncopy y at c0.1t\n"

var interpretedCases = []interpreted{
	{"a clause", both + "y[0] += a[i][j];", squareBand + "parallel c0.1 reduction(+:y)\n", withoutPartials},
	{"copies of an array", both + "y[j] += a[i][j];", squareBand + "parallel c0.1 reduction(+:y)\nvectorize c0.2\n", withoutPartials},
	{"a variable in lanes", both + "x[i] += a[i][j];", squareBand + "parallel c0.1\nvectorize c0.2 reduction(+:x)\n", func(s loopir.Stmt) (loopir.Stmt, bool) {
		loop, is := s.(*loopir.For)
		if !is || loop.Lanes == nil {
			return s, false
		}
		loop.Lanes.Reductions = nil
		return s, true
	}},
	{"a variable", "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) x[i] += a[i][j]; b[0][i] = x[i]; }",
		"classes {S0 S1}\nband c0 S0[i, j] -> [i]; S1[i] -> [i]\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j] -> [j]\n", func(s loopir.Stmt) (loopir.Stmt, bool) {
			loop, is := s.(*loopir.For)
			if !is || len(loop.Body) != 2 {
				return s, false
			}
			keep, is := loop.Body[0].(*loopir.Keep)
			if is {
				// The variable is stored too late.
				keep.Body, loop.Body = append(keep.Body, loop.Body[1]), loop.Body[:1]
			}
			return s, is
		}},
	{"a barrier", "for (int t = 0; t < n; t++) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j] += a[i][j]; for (int j = 0; j < m; j++) b[j][t] = y[m - 1 - j]; }",
		"classes {S0 S1}\nband c0 S0[t, i, j] -> [t]; S1[t, j] -> [t]\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[t, i, j] -> [i, j]\nband c0_1 S1[t, j] -> [j]\n" +
			"parallel c0_0.3\nregion c0_0.2 around c0_0.3\nparallel c0_1.2\nteam c0.1\n", func(s loopir.Stmt) (loopir.Stmt, bool) {
			if _, is := s.(*loopir.Barrier); is {
				return &loopir.Nothing{}, true
			}
			return s, false
		}},
	{"copies", sweep, sweepRecipe, func(s loopir.Stmt) (loopir.Stmt, bool) {
		loop, is := s.(*loopir.For)
		if !is || len(loop.Body) != 1 || !isCopying(loop.Body[0]) {
			return s, false
		}
		loop.From = loopir.Operation(isl.OpAdd, loop.From, loopir.Int(1))
		return s, true
	}},
	{"names of copies", sweep, sweepRecipe, withoutAlias},
	{"copies without tiles", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 1; k < m - 1; k++) y[i] = 3 * y[i] + a[j][k - 1] + a[j][k + 1] * x[k + j % 2];",
		"original\ncopy a at S0.i\ncopy x at S0.j\ncopy y at S0.j\n", withoutAlias},
	{"copies of what is written first", "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) y[j] = a[i][j]; for (int j = 0; j < m; j++) for (int k = 0; k < n; k++) y[j] = 3 * y[j] + b[j][k]; for (int j = 0; j < m; j++) x[j] = 3 * x[j] + y[m - 1 - j]; }",
		"original\ncopy y at S0.i\ncopy x at S0.i\n", withoutAlias},
	{"copies for statements that choose", both + "y[j] = fabs(a[i][j]) > 1 ? y[j] : a[i][j];", "original\ncopy y at S0.i\ncopy a at S0.i\n", withoutAlias},
	{"lines asked for, in a copy and in its array", sweep, sweepRecipe + "prefetch a at c0.3 by 2\nprefetch a at c0.2t by 1\n", withoutAlias},
	{"memory for copies made outside", sweep, "classes {S0 S1}\nblocks c0 S0[i, j] -> [i, j]; S1[i, j] -> [i, j] by 2 2\nband c0 S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nsplit c0 {S0} {S1}\ncopy y at c0.2t\nallocate y at c0.1t\n", withoutAlias},
	{"memory on the stack for copies of tiles", "for (int i = 0; i < n; i++) for (int j = 0; j < m - 2; j++) p[i][j][0] = a[i][j] + a[i][j + 2]; for (int i = 0; i < n - 2; i++) for (int j = 0; j < m - 2; j++) p[i][j][0] = p[i][j][0] * 2 + 3 * a[i + 1][j];",
		"original\ntile S1.i S1.j by 3 2 as i0 j0 i1 j1\ncopy p at j0\nallocate p at i0\n", withoutAlias},
	{"a layout", "for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[n - 1 - i][j] = a[n - 1 - i][j] * x[0] + y[t];",
		"classes {S0}\nband c0 permutable S0[t, i, j] -> [t, j, i]\nregisters c0.2 by 2 lanes 2\ncopy a at c0.3\nlayout a around c0.2r", withoutAlias},
	{"unrolled iterations, and the rest", both + "y[j] = 3 * y[j] + a[i][j];", "original\nunroll S0.j by 3\n", withoutLast},
	{"an unrolled loop around another one", both + "y[i] = 3 * y[i] + a[i][j];", "original\nunroll S0.i by 5\n", withoutLast},
	{"iterations that threads share, not unrolled", both + "y[i] = 3 * y[i] + a[i][j];", "original\nunroll S0.i by 5\nunroll S0.j by 3\nparallel S0.i\n", withoutLast},
	{"all of a few iterations", "for (int i = 0; i < n; i++) for (int k = 1; k < 4; k++) y[i] = 3 * y[i] + a[i][k];", "original\nunroll S0.k\n", withoutLast},
	{"a few lanes at a time, and the rest", both + "y[j] = 3 * y[j] + a[i][j];", "original\nvectorize S0.j by 4\n", withoutLast},
	{"lanes in a triangle", "for (int i = 0; i < n; i++) for (int j = i; j < m; j++) y[j] = 3 * y[j] + a[i][j];", "original\nvectorize S0.j by 2\n", withoutLast},
	{"lanes in a triangle that ends early", "for (int i = 0; i < n; i++) for (int j = i + 3; j < m; j++) y[j] = 3 * y[j] + a[i][j];", "original\nvectorize S0.j by 4\n", withoutLast},
}

// withoutLast is a block of code without its last statement.
func withoutLast(s loopir.Stmt) (loopir.Stmt, bool) {
	block, is := s.(*loopir.Block)
	if is && len(block.Body) > 0 {
		block.Body = block.Body[:len(block.Body)-1]
	}
	return s, is
}

func withoutPartials(s loopir.Stmt) (loopir.Stmt, bool) {
	reduce, is := s.(*loopir.Reduce)
	if is {
		reduce.Partials = nil
	}
	return s, is
}

func withoutAlias(s loopir.Stmt) (loopir.Stmt, bool) {
	if _, is := s.(*loopir.Alias); is {
		return &loopir.Nothing{}, true
	}
	return s, false
}

// isCopying says whether a statement copies an element to a copy, or back.
func isCopying(s loopir.Stmt) bool {
	move, is := s.(*loopir.Move)
	if !is {
		return false
	}
	_, to := move.To.(*loopir.Copied)
	_, from := move.From.(*loopir.Copied)
	return to || from
}

// The interpreter finds that code does what the source does, in whatever order threads and lanes
// run; and that it does not where a part of that code is broken.
func TestInterpreted(t *testing.T) {
	for _, c := range interpretedCases {
		t.Run(c.name, func(t *testing.T) {
			_, graph, recipe := written(t, c.body, c.recipe)
			tree, proven, err := recipe.Prove(graph)
			if err != nil {
				t.Fatal(err)
			}
			program, err := codegen.Lower(graph.Model, proven, codegen.Options{Tree: tree, Original: "original"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !doesTheSame(t, graph, program.Code) {
				t.Errorf("something else is computed by\n%s", program)
			}
			done := false
			err = loopir.Rewrite(program.Code, func(s loopir.Stmt) (loopir.Stmt, error) {
				changed, broken := c.breaking(s)
				done = done || broken
				return changed, nil
			})
			if err != nil || !done {
				t.Fatalf("nothing to break (%v) in\n%s", err, program)
			}
			if doesTheSame(t, graph, program.Code) {
				t.Errorf("the same is computed by\n%s", program)
			}
		})
	}
}

// doesTheSame says whether code leaves what the loops of the source leave.
func doesTheSame(t *testing.T, graph *depend.Graph, code loopir.Code) bool {
	t.Helper()
	_, recipe, err := transform.Original(graph.Model)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(graph.Model.Program)
	if err != nil {
		t.Fatal(err)
	}
	original, err := codegen.Lower(graph.Model, tree.Schedule(graph.Model), codegen.Options{Tree: tree, Original: "original"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := loopir.NewMachine(graph.Model, map[string]int64{"n": 8, "m": 7})
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := machine.Run(original.Code)
	if err != nil || len(wanted) == 0 {
		t.Fatalf("%v, %v", wanted, err)
	}
	same := true
	for _, way := range loopir.Ways {
		machine.Like(way)
		left, err := machine.Run(code)
		if err != nil {
			t.Fatal(err)
		}
		same = same && maps.Equal(left, wanted)
	}
	return same
}
