package mpi_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/codegen/mpi"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform"
)

// onRanks is a region with commands for ranks.
type onRanks struct{ name, region, commands string }

const sweeps = `for (int t = 0; t < m; t++) {
	for (int i = 1; i < n - 1; i++) for (int j = 1; j < m; j++) b[i][j] = a[i - 1][j] + a[i + 1][j];
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < m; j++) a[i][j] = b[i][j] + b[i + 1][j - 1]; }`

const blur = `for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[i] + j;
	for (int i = 0; i < n - 2; i++) for (int j = 0; j < m; j++) b[i][j] = a[i][j] + a[i + 2][j];`

// onRanksLong is the case that only a long test has; scop/ranks has its exchanges against a run.
const onRanksLong = "two steps a message, in a grid"

var onRanksCases = []onRanks{
	{"two sweeps", sweeps, "ranks S0.i S1.i"},
	{"all wait in each step", sweeps,
		"barrier S0.t\nranks S0.i S1.i\nexchange a before S0.i async"},
	{"a wavefront", "for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) a[i][j] += a[i - " +
		"1][j] + a[i][j - 1];", "wavefront S0.i S0.j\nranks S0.j"},
	{"a wavefront of steps in place", "for (int t = 0; t < m; t++) for (int i = 1; i < n - 1; " +
		"i++) x[i] = x[i - 1] + x[i + 1];", "skew S0.i by 1 S0.t\nwavefront S0.t S0.i\nranks S0.i"},
	{"computed again in each tile", blur, "tile S1.i by 3 as it ip\ncompute S0 at it\nranks it"},
	{"computed again in each row, with memory made once", blur,
		"tile S1.i by 3 as it ip\ncompute S0 at ip\nallocate a at it\nranks it"},
	{"threads in ranks", sweeps, "ranks S0.i S1.i\nparallel S0.i\nvectorize S1.j"},
	{"columns", sweeps, "ranks S0.j S1.j"},
	{"one message an array, under way", sweeps, "ranks S0.i S1.i\nexchange a before S0.i async\n" +
		"exchange b before S1.i async apart"},
	{"by hand", blur, "ranks S0.i S1.i\n" +
		"send a[first .. first + 1][0 .. m - 1] to rank - 1 before S1.i\n" +
		"receive a[last + 1 .. last + 2][0 .. m - 1] from rank + 1 before S1.i"},
	{"two messages by hand, received in another order", blur,
		"ranks S0.i S1.i\nsend a[first .. first][0 .. m - 1] to rank - 1 before S1.i\n" +
			"send a[first + 1 .. first + 1][0 .. m - 1] to rank - 1 before S1.i\n" +
			"receive a[last + 2 .. last + 2][0 .. m - 1] from rank + 1 before S1.i\n" +
			"receive a[last + 1 .. last + 1][0 .. m - 1] from rank + 1 before S1.i"},
	{"more by hand than is read, under way", blur, "ranks S0.i S1.i\n" +
		"send a[first .. first + 2][0 .. m - 1] to rank - 1 before S1.i async\n" +
		"receive a[last + 1 .. last + 3][0 .. m - 1] from rank + 1 before S1.i"},
	{"copies of results, with memory made once", blur, "tile S1.i by 3 as it ip\ncopy b at ip\n" +
		"allocate b at it\nranks it"},
	{"a copy of what is told", blur, "ranks S0.i S1.i\ncopy a at S1.i"},
	{"copies in threads, messages under way", sweeps, "ranks S0.i S1.i\n" +
		"exchange a before S0.i async\nexchange b before S1.i async\n" +
		"copy a at S0.i\ncopy b at S0.i\ncopy b at S1.i\nparallel S0.i"},
	{"copies in tiles of a grid", sweeps, "tile S0.j by 2 as j0 j1\ntile S1.j by 2 as l0 l1\n" +
		"ranks S0.i j0 S1.i l0\ncopy a at j0\ncopy b at l0"},
	{"a copy that is read and written", "for (int i = 0; i < n; i++) for (int j = 1; j < m; " +
		"j++) a[i][j] = a[i][j] + a[i][j - 1];\n" +
		"for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = a[i - 1][j];",
		"ranks S0.i S1.i\ncopy a at S0.i\ncopy a at S1.i"},
	{"a copy on all ranks", "for (int i = 0; i < n; i++) x[i] = a[i][0];\n" +
		"for (int t = 0; t < m; t++) for (int i = 1; i < n; i++) y[i] = y[i] + x[i];",
		"ranks S0.i\ncopy x at S1.t"},
	{"tiles in ranks", blur, "ranks S0.i S1.i\ntile S1.j by 2 as j0 j1"},
	{"all tell all", "for (int i = 0; i < n; i++) x[i] = a[i][0];\n" +
		"for (int i = 0; i < n; i++) y[n - 1 - i] = x[i];\n" +
		"for (int i = 0; i < n; i++) x[i] = y[i];", "ranks S0.i S1.i S2.i"},
	{"what data choose", "for (int i = 0; i < n; i++) x[i] = a[i][0];\n" +
		"for (int i = 0; i < n; i++) y[i] = x[k[i]];", "ranks S0.i S1.i"},
	{"two steps a message", sweeps, "ranks S0.i S1.i\ntile S0.t by 2 as tt tp\nghost tt"},
	{"three steps a message, in threads", sweeps, "ranks S0.i S1.i\ntile S0.t by 3 as tt tp\n" +
		"ghost tt\nparallel S0.i"},
	{onRanksLong, sweeps, "ranks S0.i S0.j S1.i S1.j\ntile S0.t by 2 as tt tp\nghost tt"},
	{"a grid", sweeps, "ranks S0.i S0.j S1.i S1.j"},
	{"a grid, messages under way", sweeps, "ranks S0.i S0.j S1.i S1.j\n" +
		"exchange a before S0.i async\nexchange b before S1.i async\nparallel S0.i"},
	{"a grid of tiles, beside rows", blur + "\nfor (int i = 0; i < n; i++) x[i] = b[i][0];",
		"tile S1.i S1.j by 2 2 as i0 j0 i1 j1\nranks S0.i S0.j i0 j0\nranks S2.i"},
	{"a sum over ranks", "for (int i = 0; i < n; i++) x[i] = a[i][0];\n" +
		"for (int i = 0; i < n; i++) y[0] += x[n - 1 - i];\n" +
		"for (int i = 0; i < n; i++) x[i] = y[0];", "ranks S0.i S1.i S2.i reduction(+:y)"},
	{"sums of columns, in time", "for (int t = 0; t < m; t++) { for (int i = 0; i < n; " +
		"i++) y[i] = y[i] + t;\nfor (int i = 0; i < n; i++) for (int j = 0; j < m; " +
		"j++) y[i] += a[i][j];\nfor (int i = 0; i < n; i++) for (int j = 0; j < m; " +
		"j++) a[i][j] = y[i] * j; }",
		"ranks S0.i S2.i\nranks S1.j reduction(+:y)"},
	{"sums in a grid, with others under way", "for (int i = 0; i < n; i++) for (int j = 0; " +
		"j < m; j++) a[i][j] = x[i] + j;\nfor (int i = 1; i < n; i++) for (int j = 0; j < m; " +
		"j++) y[0] += a[i - 1][j];",
		"ranks S0.i S0.j\nranks S1.i S1.j reduction(+:y)\nexchange a before S1.i async"},
	{"code on all ranks", "for (int t = 0; t < m; t++) { for (int i = 0; i < n; " +
		"i++) x[i] = x[i] + y[0];\nfor (int i = 0; i < n; i++) y[0] = y[0] * x[i]; }",
		"ranks S0.i"},
}

// The interpreter finds that all ranks have in the end what the source's loops leave, and that they
// have not where messages lack an element, or come too early.
func TestInterpretedOnRanks(t *testing.T) {
	for _, c := range onRanksCases {
		t.Run(c.name, func(t *testing.T) {
			if c.name == onRanksLong && !kerneltest.Long() {
				t.Skip("for the long test: half of the time of all cases")
			}
			g, unit, recipe, err := recipeFor(t, c.region, c.commands, strings.Contains(c.commands,
				"reduction"))
			if err != nil {
				t.Fatal(err)
			}
			program, m, err := mpi.Lower(g, recipe, unit, mpi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			original := originalOf(t, g)
			if err := sameOnRanks(g.Model, m, original, program.Code); err != nil {
				t.Errorf("%v\n%s", err, program)
			}
			for number := range exchangesIn(program.Code) {
				restore := withoutMessages(program.Code, number)
				if err := sameOnRanks(g.Model, m, original, program.Code); err == nil {
					t.Errorf("the same is computed without the messages of exchange %d", number)
				}
				restore()
			}
			if restore := withoutSums(program.Code); restore != nil {
				if err := sameOnRanks(g.Model, m, original, program.Code); err == nil {
					t.Error("the same is computed where ranks put nothing together")
				}
				restore()
			}
			if strings.Contains(c.commands, "copy ") && !copies(program.Code) {
				t.Errorf("nothing is copied in\n%s", program)
			}
			if strings.Contains(c.commands, "async") && !overlaps(program.Code) {
				t.Errorf("nothing runs while messages are under way in\n%s", program)
			}
			if exchangesIn(program.Code) == 0 {
				t.Errorf("nothing is exchanged in\n%s", program)
			}
		})
	}
}

// Updates that may run in any order are not shared by ranks, who put nothing together, but rows of
// them are.
func TestSumsOverRanks(t *testing.T) {
	for region, want := range map[string]string{
		"for (int i = 0; i < n; i++) y[0] += x[i];": "reduction(+:y)",
		"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) " +
			"y[j % 2] -= a[i][j];": "reduction(+:y)",
		"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i] += a[i][j];": "",
		"for (int i = 0; i < n; i++) { x[i] = 2 * y[i];\n" +
			"for (int j = 0; j < m; j++) x[i] *= a[i][j]; }": "",
	} {
		written, _ := unitOf(t, region)
		p := *written.Model.Program
		p.Reassociate = true
		g := kerneltest.AnalyzeIn(t, isl.NewContext(), &p)
		recipe, err := command.Parse(g.Model.Program, "reassociate\noriginal\nranks S0.i\n")
		if err != nil {
			t.Fatal(err)
		}
		err = recipe.Check(g)
		if isShared := err == nil; isShared != (want == "") || !isShared &&
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", region, err)
		}
	}
}

// recipeFor is the recipe of some commands behind the order of the source, with sums in any order
// or not.
func recipeFor(t *testing.T, region, commands string, anyOrder bool) (*depend.Graph, scop.Unit,
	schedule.Recipe, error) {
	t.Helper()
	g, unit := unitOf(t, region)
	beginning := "original\n"
	if anyOrder {
		beginning = "reassociate\n" + beginning
		g = kerneltest.AnalyzeIn(t, isl.NewContext(), g.Model.Program.Reassociated())
	}
	recipe, err := command.Parse(g.Model.Program, beginning+commands+"\n")
	return g, unit, recipe, err
}

func unitOf(t *testing.T, region string) (*depend.Graph, scop.Unit) {
	t.Helper()
	source := "void f(int n, int m, int k[restrict n], double a[restrict n][m], " +
		"double b[restrict n][m], double x[restrict n], double y[restrict n]) {\n#pragma scop\n" +
		region + "\n#pragma endscop\n}\n"
	file, err := kerneltest.Parse("f.c", source, "f")
	if err != nil {
		t.Fatal(err)
	}
	return kerneltest.Analyze(t, file.Regions[0].Program), file.Unit(&file.Regions[0])
}

func originalOf(t *testing.T, g *depend.Graph) loopir.Code {
	t.Helper()
	_, recipe, err := transform.Original(g.Model)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		t.Fatal(err)
	}
	program, err := codegen.Lower(g.Model, tree.Schedule(g.Model), codegen.Options{Tree: tree,
		Original: "original"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return program.Code
}

var errDifferent = errors.New("has something else in the end")

// sameOnRanks runs code on ranks, more than rows and fewer, and compares what each has in the end.
func sameOnRanks(of, m *scop.Model, original, code loopir.Code) error {
	for _, n := range []int64{0, 1, 2, 8} {
		sizes := map[string]int64{"n": n, "m": 4}
		alone, err := loopir.NewMachine(of, sizes)
		if err != nil {
			return err
		}
		want, err := alone.Run(original)
		if err != nil {
			return err
		}
		machine, err := loopir.NewMachine(m, sizes)
		if err != nil {
			return err
		}
		for _, way := range loopir.Ways {
			machine.Like(way)
			for _, ranks := range []int{1, 2, 3, 6} {
				left, _, err := machine.RunOnRanks(code, ranks)
				if err != nil {
					return err
				}
				for rank, own := range left {
					if !maps.Equal(own, want) {
						return fmt.Errorf("n = %d, %d ranks: rank %d %w:\n%v instead of\n%v", n,
							ranks, rank, errDifferent, own, want)
					}
				}
			}
		}
	}
	return nil
}

// exchangesIn is the number of exchanges of a program.
func exchangesIn(code loopir.Code) (count int) {
	loopir.Walk(code, func(s loopir.Stmt) {
		if of, is := s.(*loopir.OnRanks); is {
			count = of.Exchanges
		}
	})
	return count
}

// copies says whether code has copies of elements.
func copies(code loopir.Code) (is bool) {
	loopir.Walk(code, func(s loopir.Stmt) {
		_, copied := s.(*loopir.Alias)
		is = is || copied
	})
	return is
}

// overlaps says whether instances run while messages are under way, wherever these begin.
func overlaps(code loopir.Code) bool {
	begun, run, all := map[int]bool{}, map[int]bool{}, true
	loopir.Walk(code, func(s loopir.Stmt) {
		switch s := s.(type) {
		case *loopir.Exchange:
			begun[s.Number] = begun[s.Number] || s.Part == loopir.StartExchange
			all = all && (s.Part != loopir.EndExchange || run[s.Number])
		case *loopir.Run:
			for k := range begun {
				run[k] = begun[k]
			}
		}
	})
	return all && len(run) > 0
}

// withoutSums has ranks put nothing together, until restore is called; nil where they do not
// anyway.
func withoutSums(code loopir.Code) (restore func()) {
	before := map[*loopir.RankSum]loopir.Code{}
	loopir.Walk(code, func(s loopir.Stmt) {
		if sum, is := s.(*loopir.RankSum); is && sum.Behind {
			before[sum], sum.Loops = sum.Loops, nil
		}
	})
	if len(before) == 0 {
		return nil
	}
	return func() {
		for sum, loops := range before {
			sum.Loops = loops
		}
	}
}

// withoutMessages takes the elements of one of a program's exchanges away, until restore is called.
func withoutMessages(code loopir.Code, number int) (restore func()) {
	before := map[*loopir.Exchange][]loopir.Exchanged{}
	loopir.Walk(code, func(s loopir.Stmt) {
		if x, is := s.(*loopir.Exchange); is && x.Number == number {
			before[x], x.Arrays = x.Arrays, nil
		}
	})
	return func() {
		for x, arrays := range before {
			x.Arrays = arrays
		}
	}
}
