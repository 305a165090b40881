package codegen_test

import (
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/loopir"
)

// Nothing is copied in where each iteration writes all elements before it reads them, and only there.
func TestCopiesOfWhatIsWrittenFirst(t *testing.T) {
	const sums = "for (int j = 0; j < m; j++) for (int k = 0; k < n; k++) y[j] = 3 * y[j] + b[j][k]; "
	for body, want := range map[string]bool{
		"for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) y[j] = a[i][j]; " + sums + "}":     false,
		"for (int i = 0; i < n; i++) { for (int j = 1; j < m; j++) y[j] = a[i][j]; " + sums + "}":     true,
		"for (int i = 0; i < n; i++) { " + sums + "for (int j = 0; j < m; j++) x[j] = y[j] + x[j]; }": true,
	} {
		_, graph, recipe := written(t, body, "original\ncopy y at S0.i\n")
		tree, proven, err := recipe.Prove(graph)
		if err != nil {
			t.Fatal(err)
		}
		program, err := codegen.Lower(graph.Model, proven, codegen.Options{Tree: tree, Original: "original"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		copiesIn := false
		loopir.Walk(program.Code, func(s loopir.Stmt) {
			if move, is := s.(*loopir.Move); is {
				_, to := move.To.(*loopir.Copied)
				copiesIn = copiesIn || to
			}
		})
		if copiesIn != want || !doesTheSame(t, graph, program.Code) {
			t.Errorf("copied in %v, want %v:\n%s", copiesIn, want, program)
		}
	}
}

// A loop's variable has the loop's value, also where all of its values are multiples of a number:
// what is copied in an iteration is named by it.
func TestCopiesWhereValuesAreMultiples(t *testing.T) {
	const one = "for (int i = 2; i < 3; i++) for (int j = 2; j < m; j++) "
	for _, test := range []struct{ body, recipe string }{
		{one + "y[j] = 3 * y[j] + i;", "skew S0.i by 2 S0.j\ncopy y at S0.i\n"},
		{one + "y[j] = i;", "skew S0.i by 2 S0.j\ncopy y at S0.i\n"},
		{"for (int i = 3; i < 4; i++) for (int j = 0; j < m; j++) y[j] = 3 * y[j] + i;", "skew S0.i by 3 S0.j\ncopy y at S0.i\n"},
		{one + "a[i][j] = b[i][j] + a[i][j - 1];", "skew S0.i by 2 S0.j\ncopy a at S0.i\ncopy b at S0.i\n"},
		{"for (int i = 0; i < 2 * n; i += 2) { y[i / 2] = i; for (int j = 0; j < m; j++) x[j] += y[i / 2] * b[j][i / 2]; }", "copy y at S1.i\n"},
	} {
		_, graph, recipe := written(t, test.body, "original\n"+test.recipe)
		tree, proven, err := recipe.Prove(graph)
		if err != nil {
			t.Fatalf("%s: %v", test.body, err)
		}
		program, err := codegen.Lower(graph.Model, proven, codegen.Options{Tree: tree, Original: "original"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !doesTheSame(t, graph, program.Code) {
			t.Errorf("%s with %s does something else:\n%s", test.body, test.recipe, program)
		}
	}
}

// Memory that is made once for several copies, or for what is computed again, is one thread's at a
// time: recipes with threads between the memory and what is in it are refused, all others do the
// same.
func TestAllocatedMemory(t *testing.T) {
	const (
		products = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < m; k++) a[i][j] += b[k][i] * y[k];"
		passes   = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = b[j][i] + 1; for (int i = 0; i < n - 1; i++) for (int j = 0; j < m; j++) p[i][j][0] = a[i][j] + a[i + 1][j];"
		tiles    = "tile S1.i S1.j by 4 8\ncompute S0 at S1.jt\n"
	)
	for _, test := range []struct {
		body, recipe string
		isLegal      bool
	}{
		{products, "copy b at S0.j\nallocate b at S0.i\n", true},
		{products, "copy b at S0.j\nallocate b at S0.i\nparallel S0.i\n", true},
		{products, "copy b at S0.j\nallocate b at S0.i\nparallel S0.j\n", false},
		{products, "tile S0.k by 4\ncopy y at S0.kt\nallocate y at S0.i\nparallel S0.j\n", false},
		{products, "tile S0.k by 4\ncopy y at S0.kt\nallocate y at S0.j\nparallel S0.j\n", true},
		{passes, tiles + "allocate a at S1.it\n", true},
		{passes, tiles + "allocate a at S1.it\nparallel S1.it\n", true},
		{passes, tiles + "allocate a at S1.it\nparallel S1.jt\n", false},
		{passes, tiles + "parallel S1.jt\n", true},
	} {
		_, graph, recipe := written(t, test.body, "original\n"+test.recipe)
		tree, proven, err := recipe.Prove(graph)
		if test.isLegal != (err == nil) || err != nil && !strings.Contains(err.Error(), "run at the same time") {
			t.Errorf("%s: %v", test.recipe, err)
		}
		if err != nil || test.body == passes {
			continue
		}
		program, err := codegen.Lower(graph.Model, proven, codegen.Options{Tree: tree, Original: "original"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !doesTheSame(t, graph, program.Code) {
			t.Errorf("%s does something else:\n%s", test.recipe, program)
		}
	}
}
