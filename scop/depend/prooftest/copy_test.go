package prooftest

import (
	"strings"
	"testing"

	"polytune/internal/marktest"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// sweeps are two sweeps over a matrix, the second of which writes what the first one reads in other
// rows.
const sweeps = "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) { A[i][j] = A[i][j - 1] + 2 * B[j]; B[j] = A[i][j] + x; }"

// inColumns are the sweeps in tiles of columns.
const inColumns = "classes {S0 S1}\nblocks c0 S0[i, j] -> [j]; S1[i, j] -> [j] by 8\nband c0 S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nsplit c0 {S0} {S1}\n"

// provenRegion is the graph of a region and the schedule of a recipe for it, as text.
func provenRegion(t *testing.T, head, region, text string) (*depend.Graph, mark.Schedule, error) {
	t.Helper()
	_, model := regionOf(t, "", head, region, "")
	g, err := depend.Analyze(model)
	if err != nil {
		t.Fatal(err)
	}
	recipe, err := command.Parse(model.Program, text)
	if err != nil {
		return g, mark.Schedule{}, err
	}
	_, proven, err := recipe.Prove(g)
	if err != nil {
		return g, mark.Schedule{}, err
	}
	return g, proven, nil
}

// Elements are copied where each iteration of the loop touches those of one tile, by references
// that are certain and in texts where the subscripts can count from the tile's first iteration.
func TestCopy(t *testing.T) {
	const sums = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { A[i][j] = A[i][j] * x; B[j] = B[j] + A[i][j]; }"
	parallel := strings.Replace(inColumns, "band c0 ", "band c0 permutable ", 1) + "parallel c0.1t\n"
	for _, test := range []struct{ name, region, recipe, want string }{
		{"in tiles", sweeps, inColumns + "copy A at c0.1t", ""},
		{"two arrays", sweeps, inColumns + "copy A at c0.1t\ncopy B at c0.1t", ""},
		{"on threads", sums, parallel + "copy A at c0.1t\ncopy B at c0.1t", ""},
		{"in rows of a tile", sweeps, inColumns + "copy A at c0.2", ""},
		{"with subscripts in front of an array", strings.ReplaceAll(sums, "i = 0", "i = -3"), inColumns + "copy A at c0.1t", "S0 uses elements of A with negative subscripts"},
		{"of rows that are one subscript", strings.ReplaceAll(sums, "A[i][j]", "p[i * n + j]"), inColumns + "copy p at c0.1t", "p has its rows in one subscript"},
		{"in lanes", sums, inColumns + "vectorize c0.3\ncopy B at c0.3", "iterations of the loop c0.3, which run at the same time, share the memory of B"},
		{"twice", sweeps, inColumns + "copy A at c0.2\ncopy A at c0.1t", `A is copied at "c0.2" already`},
		{"without tiles", sweeps, "classes {S0 S1}\nband c0 S0[i, j] -> [i + j, j]; S1[i, j] -> [i + j, j]\nsplit c0 {S0} {S1}\ncopy A at c0.1", ""},
		{"at an innermost loop", sweeps, strings.Replace(inColumns, "split c0 {S0} {S1}\n", "", 1) + "copy A at c0.3", `nothing is inside "c0.3"`},
		{"of nothing", sweeps, inColumns + "copy C at c0.1t", `there is no array "C"`},
		{"at no loop", sweeps, inColumns + "copy A at c0.9", `there is no loop "c0.9"`},
		{"half a command", sweeps, inColumns + "copy A", "copy A at c0.1t"},
		{"where data choose", strings.Replace(sweeps, "2 * B[j]", "(x > 1 ? B[j] : 0)", 1), inColumns + "copy B at c0.1t", ""},
		{"where data choose what need not be there", strings.Replace(sweeps, "2 * B[j]", "(x > 1 ? B[j + 1] : 0)", 1), "original\ncopy B at S0.i", "S0 chooses which elements of B it uses, and others need not be in the array"},
		{"that data may write", strings.Replace(sweeps, "B[j] = A[i][j] + x;", "if (A[i][j] > x) B[j] = x;", 1), inColumns + "copy B at c0.1t", "which elements of B S1 uses is not known"},
		{"whose address is taken", strings.Replace(sweeps, "2 * B[j]", "(&B[j])[0]", 1), inColumns + "copy B at c0.1t", "names B otherwise than by single elements"},
		{"along another subscript", strings.Replace(sweeps, "A[i][j - 1]", "A[j - 1][i]", 1), "original\ncopy A at S1.i", ""},
		{"of twice the iterator", strings.ReplaceAll(sweeps, "B[j]", "B[j + j]"), inColumns + "copy B at c0.1t", ""},
		{"of a private variable", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { double w[2]; w[0] = A[i][j]; B[j] = B[j] + w[0]; }",
			"classes {S0 S1}\nblocks c0 S0[i, j] -> [j]; S1[i, j] -> [j] by 8\nband c0 S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nsplit c0 {S0} {S1}\ncopy w at c0.1t", "copies w, of which iterations have one of their own"},
	} {
		_, _, err := provenRegion(t, "double s = 0, *p = A[0];", test.region, test.recipe)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// Updates in any order are not copied: several threads may have the same element.
func TestCopyOfReduction(t *testing.T) {
	const recipe = "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 4 4\ncopy B at c0.2t"
	_, model := regionOf(t, "", "", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) B[j] += A[i][j];", "")
	for _, test := range []struct {
		program      *scop.Program
		recipe, want string
	}{
		{model.Program, recipe, ""},
		{model.Program.Reassociated(), "reassociate\n" + recipe, "whose updates may run in any order"},
	} {
		m, err := test.program.Model(model.Context)
		if err != nil {
			t.Fatal(err)
		}
		g, err := depend.Analyze(m)
		if err != nil {
			t.Fatal(err)
		}
		commands, err := command.Parse(m.Program, test.recipe)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = commands.Prove(g)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

// The proof does not believe what a mark says: extents that are too short, tiles of other loops,
// and memory that threads would share are found.
func TestCopyMarkIsProven(t *testing.T) {
	const sums = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { A[i][j] = A[i][j] * x; B[j] = B[j] + A[i][j]; }"
	const threads = "parallel c0.1t\n"
	for _, test := range []struct{ region, recipe, said, changed, want string }{
		{sweeps, "", "copy c0.1t A 1:8:1:9 S0@0 S1@0", "copy c0.1t A 1:8:1:9 S0@0 S1@0", ""},
		{sweeps, "", "copy c0.1t A 1:8:1:9 S0@0 S1@0", "copy c0.1t A own 1:8:1:12 S0@0 S1@0", ""},
		{sweeps, "", "copy c0.1t A 1:8:1:9 S0@0 S1@0", "copy c0.1t A 1:8:1 S0@0 S1@0", "too few elements of A for S0"},
		{sweeps, "", "copy c0.1t A 1:8:1:9 S0@0 S1@0", "copy c0.1t A 1:8:0:9 S0@0 S1@0", "too few elements of A for S0"},
		{sweeps, "", "copy c0.1t A 1:8:1:9 S0@0 S1@0", "copy c0.1t A 0:8:1:9 S0@0 S1@0", "too few elements of A for S"},
		{sweeps, "", "copy c0.1t A 1:8:1:9 S0@0 S1@0", "copy c0.1t A 1:8:1:9 S0@0", "names no tile of S1"},
		{sweeps, "", "copy c0.1t A 1:8:1:9 S0@0 S1@0", "copy c0.1t A 1:1:0", "one iteration of the loop runs several"},
		{sweeps, "", "copy c0.1t A 1:8:1:9 S0@0 S1@0", "copy c0.1t x 1:8:1:9 S0@0 S1@0", "copies x, which is no array"},
		{sums, threads, "copy c0.1t A own 1:8:0 S0@0 S1@0", "copy c0.1t A 1:8:0 S0@0 S1@0", "share the memory of A"},
	} {
		g, proven, err := provenRegion(t, "", test.region, inColumns+test.recipe+"copy A at c0.1t")
		if err != nil {
			t.Fatal(err)
		}
		err = g.Check(marktest.Change(t, proven, test.said, marktest.Parse(t, test.changed)))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.changed, err, test.want)
		}
	}
}

// Threads that start inside of others have the same numbers as these, by which copies are told
// apart; those that share two loops together have not.
func TestCopyOnThreadsOfThreads(t *testing.T) {
	const scaled = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) A[j][k] = A[j][k] * x;"
	const tiled = "classes {S0}\nband c0 permutable S0[i, j, k] -> [j, k, i]\ntile c0.1 c0.2 by 4 4\nparallel c0.1t\n"
	for recipe, want := range map[string]string{
		"parallel c0.2t\ncopy A at c0.2t":       "have the same numbers as others, whose memory of A",
		"collapse c0.1t c0.2t\ncopy A at c0.2t": "",
		"copy A at c0.2t":                       "",
	} {
		_, _, err := provenRegion(t, "", scaled, tiled+recipe)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", recipe, err, want)
		}
	}
}
