package prooftest

import (
	"polytune/internal/marktest"
	"strings"
	"testing"
)

// byColumns are updates of a matrix by columns, in tiles of 8 for each of some steps.
const (
	byColumns      = "for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = A[i][j] * x + B[k];"
	byColumnsTiled = "classes {S0}\nband c0 S0[k, i, j] -> [k, j, i]\ntile c0.2 by 8\n"
)

// Copies inside a loop have memory side by side where they are tiles of the same size along one
// dimension, and nothing else inside uses the array.
func TestLayout(t *testing.T) {
	const copied = byColumnsTiled + "copy A at c0.2t\n"
	const twoNests = "for (int k = 0; k < n; k++) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) C[i][j] = A[i][j] * x; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = C[i][j]; }"
	const nested = "classes {S0 S1}\nband c0 S0[k, i, j] -> [k]; S1[k, i, j] -> [k]\nsplit c0 {S0} {S1}\nband c0_0 S0[k, i, j] -> [j, i]\nband c0_1 S1[k, i, j] -> [j, i]\n"
	for _, test := range []struct{ name, region, recipe, want string }{
		{"for all steps", byColumns, copied + "layout A around c0.1", ""},
		{"for the tiles alone", byColumns, copied + "layout A around c0.2t", ""},
		{"of tiles on threads", byColumns, strings.Replace(copied, "band c0 ", "band c0 permutable ", 1) + "parallel c0.2t\nlayout A around c0.1", ""},
		{"on threads", strings.Replace(byColumns, "A[i][j] * x + B[k]", "x", 1),
			"classes {S0}\nband c0 permutable S0[k, i, j] -> [j, k, i]\ntile c0.1 by 8\nparallel c0.1t\ncopy A at c0.1t\nlayout A around c0.2", `"c0.1t", around "c0.2", run at the same time`},
		{"without copies", byColumns, byColumnsTiled + "layout A around c0.1", "S0 uses A where it has no copy"},
		{"inside of the copies", byColumns, copied + "layout A around c0.3", "S0 uses A where it has no copy"},
		{"of another array", byColumns, copied + "layout C around c0.1", "nothing inside \"c0.1\" uses a copy of C"},
		{"twice", byColumns, copied + "layout A around c0.1\nlayout A around c0.1", `A has a layout around "c0.1" already`},
		{"inside of another one", byColumns, copied + "layout A around c0.1\nlayout A around c0.2t", `A has a layout around "c0.1" already`},
		{"around another one", byColumns, copied + "layout A around c0.2t\nlayout A around c0.1", `A has a layout around "c0.2t" already`},
		{"at no loop", byColumns, copied + "layout A around c0.7", `there is no loop "c0.7"`},
		{"half a command", byColumns, copied + "layout A", "layout A around c1.1t"},
		{"of tiles of rows", byColumns, "classes {S0}\nband c0 S0[k, i, j] -> [k, i, j]\ntile c0.2 by 8\ncopy A at c0.2t\nlayout A around c0.1", "is not that of a tile along one dimension, with another in front"},
		{"of tiles that overlap", strings.ReplaceAll(byColumns, "= A[i][j]", "= A[i][j] + A[i][j + 1]"), copied + "layout A around c0.1", "is not that of a tile along one dimension"},
		{"of parts that have none", twoNests, nested + "tile c0_1.2 by 8\ncopy A at c0_1.2t\nlayout A around c0.1", "S0 uses A where it has no copy"},
		{"of different tiles", twoNests, nested + "tile c0_0.2 by 4\ntile c0_1.2 by 8\ncopy A at c0_0.2t\ncopy A at c0_1.2t\nlayout A around c0.1", "have different tiles"},
	} {
		_, _, err := provenRegion(t, "double C[n][n];", test.region, test.recipe)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// The proof does not believe what a mark says: other tiles than the copies have, code without a
// copy, and threads that share the layout are found.
func TestLayoutMarkIsProven(t *testing.T) {
	const said, copied = "layout c0.1 A 1:8", "copy c0.2t A 1:8:0 S0@0"
	for _, test := range []struct{ said, changed, want string }{
		{said, said, ""},
		{said, "layout c0.1 A 1:16", "is no tile of the layout"},
		{said, "layout c0.1 A 0:8", "is no tile of the layout"},
		{said, "layout c0.1 B 1:8", `S0 uses B below the mark "layout c0.1 B 1:8" where it has no copy`},
		{copied, "team c0.2t", `S0 uses A below the mark "layout c0.1 A 1:8" where it has no copy`},
		{copied, "copy c0.2t A 1:8:0:9 S0@0", "is no tile of the layout"},
	} {
		g, proven, err := provenRegion(t, "", byColumns, byColumnsTiled+"copy A at c0.2t\nlayout A around c0.1")
		if err != nil {
			t.Fatal(err)
		}
		err = g.Check(marktest.Change(t, proven, test.said, marktest.Parse(t, test.changed)))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.changed, err, test.want)
		}
	}
}

// Of two layouts of one array one would hide what the other has.
func TestLayoutInLayout(t *testing.T) {
	g, proven, err := provenRegion(t, "", byColumns, byColumnsTiled+"copy A at c0.2t\nlayout A around c0.1")
	if err != nil {
		t.Fatal(err)
	}
	text := proven.String()
	const mark = "  mark: \"layout c0.1 A 1:8\"\n  child:\n"
	twice := strings.Replace(text, mark, mark+strings.ReplaceAll(mark, "  ", "   "), 1)
	err = g.Check(marktest.Read(t, g.Model.Context, twice))
	if err == nil || !strings.Contains(err.Error(), "already below") {
		t.Errorf("got %v in %s", err, twice)
	}
}

// Threads that run the code of a layout at the same time would share it.
func TestLayoutOnThreads(t *testing.T) {
	const region = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = B[j];"
	g, proven, err := provenRegion(t, "", region, "classes {S0}\nband c0 permutable S0[i, j] -> [j, i]\ntile c0.1 by 8\nparallel c0.1t\ncopy A at c0.1t\nlayout A around c0.1t")
	if err != nil {
		t.Fatal(err)
	}
	text := proven.String()
	marks := []string{`"layout c0.1t A 1:8"`, `"parallel c0.1t"`}
	if strings.Index(text, marks[0]) > strings.Index(text, marks[1]) {
		t.Fatalf("the layout is inside of the threads in %s", text)
	}
	swapped := strings.NewReplacer(marks[0], marks[1], marks[1], marks[0]).Replace(text)
	if err := g.Check(marktest.Read(t, g.Model.Context, swapped)); err == nil || !strings.Contains(err.Error(), "which run at the same time, share the layout of A") {
		t.Errorf("got %v", err)
	}
}
