package codegen_test

import (
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
