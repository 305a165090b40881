package codegen_test

import (
	"testing"

	"polytune/codegen"
	"polytune/loopir"
	"polytune/scop/mark"
)

// Threads of a team wait once more in each iteration of a loop that says so, and the code does the
// same; where no threads run the loop together the mark is declined.
func TestWaiting(t *testing.T) {
	const body = "for (int t = 0; t < n; t++) { for (int j = 0; j < m; j++) y[j] = 3 * y[j] + a[t][j]; for (int j = 0; j < m; j++) b[j][t] = y[m - 1 - j]; }"
	const start = "original\nparallel S0.j\nparallel S1.j\nteam S0.t\n"
	barriers := map[string]int{}
	for _, text := range []string{start, start + "barrier S0.t\n"} {
		_, graph, recipe := written(t, body, text)
		tree, proven, err := recipe.Prove(graph)
		if err != nil {
			t.Fatal(err)
		}
		honours := mark.NewHonours()
		program, err := codegen.Lower(graph.Model, proven, codegen.Options{Tree: tree, Original: "original", Honours: honours}, nil)
		if err != nil {
			t.Fatal(err)
		}
		loopir.Walk(program.Code, func(s loopir.Stmt) {
			if _, is := s.(*loopir.Barrier); is {
				barriers[text]++
			}
		})
		if !doesTheSame(t, graph, program.Code) || len(honours.Declined()) > 0 {
			t.Errorf("%sdeclined %v in\n%s", text, honours.Declined(), program)
		}
	}
	if without, with := barriers[start], barriers[start+"barrier S0.t\n"]; with != without+1 {
		t.Errorf("%d barriers, and %d without the command", with, without)
	}
}
