package schedule_test

import (
	"slices"
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
)

// In the trailing tiles of lu the updates on either side of the diagonal are one statement, as
// those on the diagonal and below it are in cholesky, but only where the one that is left has the
// copies of both and the tiles run in phases.
func TestUnited(t *testing.T) {
	const tiled = `classes {S0 S1 S2}
band c0 permutable S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, j]; S2[i, j, k] -> [i, j, k]
split c0 {S0} {S1} {S2}
tile c0.1 c0.2 c0.3 by 4 4 4
sink c0.2t
sink c0.1t
`
	const triangular = `classes {S0 S1 S2 S3}
band c0 permutable S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, j]; S2[i, k] -> [i, i, k]; S3[i] -> [i, i, i]
split c0 {S0} {S1} {S2} {S3}
tile c0.1 c0.2 c0.3 by 4 4 4
sink c0.2t
sink c0.1t
phases c0.3t
`
	for _, test := range []struct {
		kernel, recipe string
		want           bool
	}{
		{"lu", tiled, false},
		{"lu", tiled + "phases c0.3t\n", true},
		{"lu", tiled + "phases c0.3t\npack S0 A[i][k] at c0p3.1t\npack S2 A[i][k] at c0p3.1t\n", true},
		{"lu", tiled + "phases c0.3t\npack S0 A[i][k] at c0p3.1t\n", true},
		{"lu", tiled + "phases c0.3t\npack S2 A[i][k] at c0p3.1t\n", false},
		{"cholesky", triangular, true},
	} {
		g := kerneltest.Graph(t, test.kernel)
		recipe, err := command.Parse(g.Model.Program, test.recipe)
		if err != nil {
			t.Fatal(err)
		}
		tree, proven, err := recipe.Prove(g)
		if err != nil {
			t.Fatal(err)
		}
		united := tree.United(g.Model)
		same, err := united.Tree.Domain().IsEqual(proven.Tree.Domain())
		if err != nil || same == test.want {
			t.Errorf("%s: united %v, want %v (%v)", test.recipe, !same, test.want, err)
		}
	}
}

// Two statements with the same text and iterations run both: they are twins, but not one.
func TestUnitedKeepsAll(t *testing.T) {
	g := kerneltest.Analyze(t, twiceAdded())
	recipe, err := command.Parse(g.Model.Program, `classes {S0 S1}
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
	if same, err := tree.United(g.Model).Tree.Domain().IsEqual(proven.Tree.Domain()); err != nil || !same {
		t.Errorf("instances were lost: %v, %v", same, err)
	}
}

// twiceAdded is for i for j { A[i][j] += 1.0; A[i][j] += 1.0; }.
func twiceAdded() *scop.Program {
	p := &scop.Program{Name: "twice", Parameters: []string{"N"}, Context: "[N] -> { : }"}
	for k, name := range []string{"S0", "S1"} {
		p.Statements = append(p.Statements, scop.Statement{
			Name: name, Loops: []scop.Loop{{Iterator: "i"}, {Iterator: "j"}}, Position: []int{0, 0, k},
			Domain:   "[N] -> { " + name + "[i, j] : 0 <= i, j < N }",
			Accesses: []scop.Access{{Array: "A", Read: true, Write: true, Relation: "[N] -> { " + name + "[i, j] -> A[i, j] }"}},
		})
	}
	return p
}

// Twins have the same text but for their iterators; one may have fewer loops than the other.
func TestTwins(t *testing.T) {
	for kernel, want := range map[string][]string{
		"lu":        {"{ S2[i, j, k] -> S0[i, j, k] }", "{ S0[i, j, k] -> S2[i, j, k] }"},
		"cholesky":  {"{ S2[i, k] -> S0[i, i, k] }"},
		"2mm":       nil,
		"jacobi-2d": nil,
	} {
		m := kerneltest.Graph(t, kernel).Model
		var got []string
		for s := range m.Statements {
			for other := range m.Statements {
				if w, ok := schedule.TwinOf(m, s, other); ok && s != other {
					got = append(got, strings.TrimPrefix(w.Relation(m.Program, s, other), "[N] -> "))
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: twins %v, want %v", kernel, got, want)
		}
	}
}

// Spaces do not matter between words of a statement, but in a string they do.
func TestSameText(t *testing.T) {
	for _, test := range []struct {
		one, other string
		same       bool
	}{
		{"A = B +\tC;", "A  = B\n+ C;", true},
		{"A = B + C;", "A = B - C;", false},
		{"A = SQ(B + C);", "A = SQ((B + C));", false},
		{"A = ALPHA * B;", "A = (ALPHA) * B;", false},
		{"if (C) A = 1; else ;", "if (C) ; else A = 1;", false},
		{"for (A;;) B;", "for (;A;) B;", false},
		{"A = sizeof(int);", "A = _Alignof(int);", false},
		{"if (C) A = 1;", "if (C)  A = 1;", true},
		{`A = f("a b");`, `A = f("a  b");`, false},
		{`A = f(' ');`, `A = f('\t');`, false},
	} {
		one, other := frontend.Tree(test.one, nil, nil), frontend.Tree(test.other, nil, nil)
		if scop.SameExpr(one, other, func(int, int) bool { return false }) != test.same {
			t.Errorf("%q and %q: same %v is wanted", test.one, test.other, test.same)
		}
	}
}
