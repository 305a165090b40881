package ranks_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/scop/ranks"
)

// run says where a statement runs: shared out by iterators from this number on, in front of whose
// loops an exchange may be, or, without a loop, on all ranks, in so many loops. With steps values
// of others are computed again in tiles of so many iterations of the first loop, in front of which
// exchanges are.
type run struct {
	iterator int
	before   string
	// grid says that the next iterator is shared out, too.
	grid  bool
	steps int64
}

// shared is a region with a recipe for ranks.
type shared struct {
	name, region, recipe string
	runs                 map[string]run
}

var sharedCases = []shared{
	{"two sweeps in time", `for (int t = 0; t < m; t++) {
		for (int i = 1; i < n - 1; i++) b[i][0] = a[i - 1][0] + a[i + 1][0];
		for (int i = 1; i < n - 1; i++) a[i][0] = b[i][0] + b[i + 1][0]; }`,
		"ranks S0.i S1.i", map[string]run{"S0": {iterator: 1, before: "c0_0.2"},
			"S1": {iterator: 1, before: "c0_1.2"}}},
	{"a halo of two rows behind",
		`for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[i];
		for (int i = 0; i < n - 2; i++)
			for (int j = 0; j < m; j++) b[i][j] = a[i][j] + a[i + 2][j];`,
		"ranks S0.i S1.i", map[string]run{"S0": {iterator: 0, before: "c0.1"},
			"S1": {iterator: 0, before: "c1.1"}}},
	{"corners alone", `for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[j];
		for (int i = 1; i < n; i++) for (int j = 1; j < m; j += 2) b[i][j] = a[i - 1][j - 1];`,
		"ranks S0.i S1.i", map[string]run{"S0": {iterator: 0, before: "c0.1"},
			"S1": {iterator: 0, before: "c1.1"}}},
	{"all tell all", `for (int i = 0; i < n; i++) x[i] = a[i][0];
		for (int i = 0; i < n; i++) y[n - 1 - i] = x[i]; for (int i = 0; i < n; i++) x[i] = y[i];`,
		"ranks S0.i S1.i S2.i", map[string]run{"S0": {iterator: 0, before: "c0.1"},
			"S1": {iterator: 0, before: "c1.1"}, "S2": {iterator: 0, before: "c2.1"}}},
	{"columns of what was rows",
		`for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[i][j] = x[i];
		for (int i = 0; i < n; i++) for (int j = i; j < n; j++) b[i][j] = a[j][i];`,
		"ranks S0.i S1.i", map[string]run{"S0": {iterator: 0, before: "c0.1"},
			"S1": {iterator: 0, before: "c1.1"}}},
	{"values that nobody reads", `for (int i = 0; i < n; i++) x[i] = a[i][0];
		for (int i = 0; i < n; i++) x[i] = a[i][1];
			for (int i = 0; i < n - 1; i++) y[i] = x[i + 1] + x[i + 1];
		for (int i = 0; i < n - 1; i++) y[i] = y[i] + x[i + 1];`,
		"ranks S0.i S1.i S2.i S3.i", map[string]run{"S0": {iterator: 0, before: "c0.1"},
			"S1": {iterator: 0, before: "c1.1"}, "S2": {iterator: 0, before: "c2.1"},
			"S3": {iterator: 0, before: "c3.1"}}},
	{"a sum on all ranks",
		`for (int t = 0; t < m; t++) { for (int i = 0; i < n; i++) x[i] = x[i] + y[0];
		for (int i = 0; i < n; i++) y[0] = y[0] * x[i]; }`,
		"ranks S0.i", map[string]run{"S0": {iterator: 1, before: "c0_0.2"},
			"S1": {iterator: 1, before: ""}}},
	{"inner loops", `for (int i = 0; i < m; i++) { for (int j = 0; j < n; j++) a[i][j] = x[j] * i;
		for (int j = 1; j < n - 1; j++) x[j] = a[i][j - 1] + a[i][j + 1]; }`,
		"ranks S0.j S1.j", map[string]run{"S0": {iterator: 1, before: "c0_0.2"},
			"S1": {iterator: 1, before: "c0_1.2"}}},
	{"a grid without corners", `for (int t = 0; t < 2; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m; j++) b[i][j] = a[i - 1][j] + a[i + 1][j] +
				a[i][j - 1] + a[i][j + 1];
		for (int i = 1; i < n - 1; i++) for (int j = 1; j < m; j++) a[i][j] = b[i][j]; }`,
		"ranks S0.i S0.j S1.i S1.j", map[string]run{"S0": {iterator: 1, before: "c0_0.2",
			grid: true}, "S1": {iterator: 1, before: "c0_1.2", grid: true}}},
	{"a grid with one corner, and two rows",
		`for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[i];
		for (int i = 2; i < n; i++) for (int j = 1; j < m; j++) b[i][j] = a[i - 2][j - 1];`,
		"ranks S0.i S0.j S1.i S1.j", map[string]run{"S0": {iterator: 0, before: "c0.1", grid: true},
			"S1": {iterator: 0, before: "c1.1", grid: true}}},
	{"a grid that is turned",
		`for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[i];
		for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[j][i] = a[i][m - 1 - j];`,
		"ranks S0.i S0.j S1.i S1.j", map[string]run{"S0": {iterator: 0, before: "c0.1", grid: true},
			"S1": {iterator: 0, before: "c1.1", grid: true}}},
	{"two sweeps, three steps at a time", `for (int t = 0; t < m; t++) {
		for (int i = 1; i < n - 1; i++) b[i][0] = a[i - 1][0] + a[i + 1][0];
		for (int i = 1; i < n - 1; i++) a[i][0] = b[i][0] + b[i + 1][0]; }`,
		"tile S0.t by 3 as tt tp\nranks S0.i S1.i\nghost tt",
		map[string]run{"S0": {iterator: 1, before: "c0.1t", steps: 3},
			"S1": {iterator: 1, before: "c0.1t", steps: 3}}},
	{"a grid, two steps at a time", `for (int t = 0; t < m; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m; j++) b[i][j] = a[i - 1][j] + a[i + 1][j] +
				a[i][j - 1] + a[i][j + 1];
		for (int i = 1; i < n - 1; i++) for (int j = 1; j < m; j++) a[i][j] = b[i][j]; }`,
		"tile S0.t by 2 as tt tp\nranks S0.i S0.j S1.i S1.j\nghost tt",
		map[string]run{"S0": {iterator: 1, before: "c0.1t", grid: true, steps: 2},
			"S1": {iterator: 1, before: "c0.1t", grid: true, steps: 2}}},
	{"a grid, one step at a time, with a sum on all ranks",
		`for (int t = 0; t < m; t++) { for (int i = 0; i < n; i++) y[0] = y[0] * x[i];
		for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) b[i][j] = a[i][j] * y[0];
		for (int i = 1; i < n; i++)
			for (int j = 1; j < m; j++) a[i][j] = b[i - 1][j - 1] + b[i - 1][j]; }`,
		"ranks S1.i S1.j S2.i S2.j\nghost S0.t",
		map[string]run{"S0": {iterator: 1, before: "", steps: 1},
			"S1": {iterator: 1, before: "c0.1", grid: true, steps: 1},
			"S2": {iterator: 1, before: "c0.1", grid: true, steps: 1}}},
	{"one step at a time, far away", `for (int t = 0; t < m; t++) {
		for (int i = 0; i < n; i++) x[i] = a[i][t] + y[n - 1 - i];
		for (int i = 0; i < n - 2; i++) y[i] = x[i] + x[i + 2]; }`,
		"ranks S0.i S1.i\nghost S0.t", map[string]run{"S0": {iterator: 1, before: "c0.1", steps: 1},
			"S1": {iterator: 1, before: "c0.1", steps: 1}}},
}

// What ranks tell each other is what a run at small sizes finds that they need, each element once
// in front of the first loop that reads it, and nothing else.
func TestExchangesAgainstExecution(t *testing.T) {
	for _, c := range sharedCases {
		t.Run(c.name, func(t *testing.T) {
			m, plan := planOf(t, c)
			for _, size := range [][2]int{{0, 2}, {1, 1}, {3, 2}, {6, 4}} {
				for _, count := range []int{1, 2, 4} {
					compareExchanges(t, m, plan, c, size, count)
				}
			}
		})
	}
}

func planOf(t *testing.T, c shared) (*scop.Model, *ranks.Plan) {
	t.Helper()
	source := "void f(int n, int m, double a[restrict n][n + m], double b[restrict n][n + m], " +
		"double x[restrict n], double y[restrict n + 1]) {\n#pragma scop\n" + c.region +
		"\n#pragma endscop\n}\n"
	file, err := kerneltest.Parse("f.c", source, "f")
	if err != nil {
		t.Fatal(err)
	}
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	plan, err := ranks.Of(g.Model, proven(t, g, c.recipe), ranks.Options{Gather: ranks.OnAll})
	if err != nil {
		t.Fatal(err)
	}
	return g.Model, plan
}

func proven(t *testing.T, g *depend.Graph, commands string) mark.Schedule {
	t.Helper()
	recipe, err := command.Parse(g.Model.Program, "original\n"+commands+"\n")
	if err != nil {
		t.Fatal(err)
	}
	_, schedule, err := recipe.Prove(g)
	if err != nil {
		t.Fatal(err)
	}
	return schedule
}

func compareExchanges(t *testing.T, m *scop.Model, plan *ranks.Plan, c shared, size [2]int,
	count int) {
	t.Helper()
	all, err := executionOf(m, map[string]int{"n": size[0], "m": size[1]}, c)
	if err != nil {
		t.Fatal(err)
	}
	blocks := all.blocks(count)
	want, got := all.needs(blocks), map[string]int{}
	for _, x := range plan.Exchanges {
		for pair := range count * count {
			if from, to := pair/count, pair%count; from != to {
				err = errors.Join(err, note(got, m, plan, x, size, blocks, from, to))
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(got, want) {
		t.Fatalf("n = %d, m = %d, %d ranks: told are\n%s\nneeded are\n%s", size[0], size[1], count,
			listOf(got), listOf(want))
	}
}

func listOf(counts map[string]int) string {
	var list []string
	for key, count := range counts {
		list = append(list, fmt.Sprint(key, " ", count))
	}
	sort.Strings(list)
	return strings.Join(list, "\n")
}

// key names an element that is told.
func key(before string, times []int64, from, to int, array string, element []int64) string {
	return fmt.Sprintf("before %q at %d, %d to %d: %s%d", before, times, from, to, array, element)
}

// note counts what an exchange has for two ranks: by the times as parameters, and as a relation of
// times, which are as many.
func note(got map[string]int, m *scop.Model, plan *ranks.Plan, x *ranks.Exchange, size [2]int,
	blocks [][][2]int64, from, to int) error {
	known := m.Context.ReadSet(fmt.Sprintf("[n, m] -> { : n = %d and m = %d }", size[0], size[1]))
	for d := range blocks[from] {
		of, at := plan.Groups[0].From[d], plan.Groups[0].To[d]
		known = known.Intersect(m.Context.ReadSet(fmt.Sprintf("[%s, %s, %s, %s] -> { : "+
			"%[1]s = %[5]d and %[2]s = %[6]d and %[3]s = %[7]d and %[4]s = %[8]d }",
			of.First, of.Last, at.First, at.Last, blocks[from][d][0], blocks[from][d][1],
			blocks[to][d][0], blocks[to][d][1])))
	}
	for _, a := range x.Arrays {
		count := 0
		for _, at := range tuples(len(x.Times), int64(max(size[0], size[1]))) {
			now := a.At.IntersectParams(known)
			for k, name := range x.Times {
				now = now.IntersectParams(m.Context.ReadSet(fmt.Sprintf("[%s] -> { : %[1]s = %d }",
					name, at[k])))
			}
			points, err := now.ProjectOut(isl.DimParam, 0, now.Dim(isl.DimParam)).Points(10000)
			if err != nil {
				return err
			}
			for _, element := range points {
				got[key(x.Before, at, from, to, a.Array.Name, element)]++
			}
			count += len(points)
		}
		all := a.Points.IntersectParams(known).Wrap()
		points, err := all.ProjectOut(isl.DimParam, 0, all.Dim(isl.DimParam)).Points(10000)
		if err != nil || len(points) != count {
			return fmt.Errorf("%d elements at all times, and %d by them: %v", len(points), count,
				err)
		}
	}
	return m.Context.Err()
}

// tuples are all of so many numbers from 0 up to a last one.
func tuples(length int, last int64) [][]int64 {
	list := [][]int64{nil}
	for range length {
		var longer [][]int64
		for _, t := range list {
			for value := range last + 1 {
				longer = append(longer, append(slices.Clip(t), value))
			}
		}
		list = longer
	}
	return list
}
