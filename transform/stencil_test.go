package transform

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// stencilText is the canonical form of the first region of a C function's body, as rows and slopes,
// or the reason why it has none.
func stencilText(t *testing.T, arguments, body string) string {
	t.Helper()
	source := fmt.Sprintf("void f(int T, int N, %s)\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", arguments, body)
	file, err := kerneltest.Parse("f.c", source, "f")
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	p := &planner{graph: g}
	var all []int
	for s := range g.Model.Statements {
		all = append(all, s)
	}
	f, err := stencilOf(p.graph, all, g.Dependences)
	var reason *NoStencil
	switch {
	case errors.As(err, &reason):
		return reason.Reason
	case err != nil:
		t.Fatalf("%s: %v", source, err)
	}
	var rows []string
	for _, s := range all {
		iterators := g.Model.Program.IteratorNames(s)
		row := []string{f.time[s].Text(iterators, g.Model.Program.Parameters)}
		for _, space := range f.space {
			row = append(row, space[s].Text(iterators, g.Model.Program.Parameters))
		}
		rows = append(rows, strings.Join(row, ", "))
	}
	return fmt.Sprintf("%s: %v", strings.Join(rows, "; "), f.slopes)
}

// Statements in one loop over time have the canonical form, with slopes that are exact, or a reason
// why not.
func TestStencilOf(t *testing.T) {
	const (
		line, two, plane = "double A[3][N]", "double A[N], double B[N]", "double A[3][N][N]"
		loops            = "for (int t = 0; t < T; t++) for (int i = 4; i < N - 4; i++) "
		nested           = "for (int t = 0; t < T; t++) for (int i = 4; i < N - 4; i++) for (int j = 4; j < N - 4; j++) "
	)
	for _, test := range []struct{ arguments, body, want string }{
		{line, loops + "A[(t + 2) % 3][i] = A[(t + 1) % 3][i - 1] + A[(t + 1) % 3][i + 1];", "t, i: [1 1]"},
		// What is overwritten two steps later counts as well: by 2 downwards in two steps.
		{line, loops + "A[(t + 2) % 3][i] = A[(t + 1) % 3][i - 2] + A[(t + 1) % 3][i];", "t, i: [2 1]"},
		{"double A[T + 1][N]", loops + "A[t + 1][i] = A[t][i - 2] + A[t][i];", "t, i: [2 0]"},
		{"double A[T + 2][N]", loops + "A[t + 2][i] = A[t + 1][i] + A[t][i - 3] + A[t][i + 1];", "t, i: [3/2 1/2]"},
		{"double A[T + 3][N]", loops + "A[t + 3][i] = A[t][i - 1] + A[t + 1][i + 3] + A[t][i + 2];", "t, i: [1/3 3/2]"},
		{"double A[T + 1][N]", loops + "A[t + 1][i] = A[t][i - 2] + A[t][i - 1];", "t, i: [2 0]"},
		{plane, nested + "A[(t + 2) % 3][i][j] = A[(t + 1) % 3][i + 3][j - 2] + A[(t + 1) % 3][i][j + 1];", "t, i, j: [3/2 3 1]"},
		// Two statements of a step have two values of time, and so have distances half as large for
		// each.
		{two, "for (int t = 0; t < T; t++) { for (int i = 1; i < N - 1; i++) B[i] = A[i - 1] + A[i + 1]; for (int i = 1; i < N - 1; i++) A[i] = B[i - 1] + B[i + 1]; }", "2t, i; 2t + 1, i: [1 1]"},
		{two, "for (int t = 0; t < T; t++) { for (int i = 1; i < N - 1; i++) B[i] = A[i - 1]; for (int i = 1; i < N - 1; i++) A[i] = B[i]; }", "2t, i; 2t + 1, i: [1 1]"},
		// Halves that read each other's mirrored elements: one of them runs backwards. Where one
		// reads what is in the same distance, too, nothing helps.
		{"double A[2][2 * N]", "for (int t = 0; t < T; t++) { for (int i = 0; i < N; i++) A[(t + 1) % 2][i] = A[t % 2][i] + A[t % 2][2 * N - 1 - i]; for (int i = N; i < 2 * N; i++) A[(t + 1) % 2][i] = A[t % 2][2 * N - i]; }",
			"t, i; t, -i + 2N - 1: [1 1]"},
		{"double A[2][2 * N]", "for (int t = 0; t < T; t++) { for (int i = 0; i < N; i++) A[(t + 1) % 2][i] = A[t % 2][i + N] + A[t % 2][2 * N - 1 - i]; for (int i = N; i < 2 * N; i++) A[(t + 1) % 2][i] = A[t % 2][i]; }",
			"no number bounds how far this goes in space for each step of time: the WAR dependence of A[(t + 1) % 2][i] in S1 (line 4) on A[t % 2][i + N] in S0 (line 4)"},
		// Statements that do not depend on each other in a step have the same time.
		{"double A[T + 1][N], double B[T + 1][N], double C[T + 1][N]", loops + "{ A[t + 1][i] = C[t][i - 1]; B[t + 1][i] = C[t][i + 1]; C[t + 1][i] = A[t + 1][i] + B[t + 1][i]; }",
			"2t, i; 2t, i; 2t + 1, i: [1 1]"},
		// A loop that begins elsewhere, or counts down.
		{"double A[T + 1][N]", "for (int t = 0; t < T; t++) for (int i = N - 5; i >= 4; i--) A[t + 1][i] = A[t][i - 2];", "t, -i + N - 5: [0 2]"},
		{"double A[T + 1][N]", "for (int t = T - 1; t >= 0; t--) for (int i = 4; i < N - 4; i++) A[t][i] = A[t + 1][i - 2];", "-t + T - 1, i: [2 0]"},
		// Statements in fewer loops are where an array that they share with others says.
		{"double A[N][N], double B[N][N]", `for (int t = 0; t < T; t++) {
  for (int j = 0; j < N; j++) A[0][j] = t;
  for (int i = 1; i < N; i++) for (int j = 0; j < N; j++) A[i][j] = A[i][j] - B[i][j] + B[i - 1][j];
  for (int i = 0; i < N - 1; i++) for (int j = 0; j < N; j++) B[i][j] = B[i][j] - A[i + 1][j] + A[i][j];
}`, "2t, 0, j; 2t, i, j; 2t + 1, i, j: [1 1 0]"},
		{"double A[N][N], double B[N][N]", `for (int t = 0; t < T; t++) {
  for (int i = 1; i < N; i++) for (int j = 0; j < N - 1; j++) B[i - 1][j + 1] = A[i][j];
  for (int j = 0; j < N; j++) A[N - 1][j] = B[N - 2][j];
}`, "2t, i, j; 2t + 1, N - 1, j: [0 0 1]"},
		{"double A[N][N], double x", "for (int t = 0; t < T; t++) { for (int i = 1; i < N; i++) for (int j = 0; j < N; j++) A[i][j] = A[i][j] + x; x = A[1][1]; }", "no number bounds how far this goes in space for each step of time: the RAW dependence of x in S0 (line 4) on x in S1 (line 4)"},
		// No one loop carries all dependences.
		{"double A[N]", loops + "A[i] = A[i - 1] + A[i + 1];", "in one iteration of the outermost loop, which has to carry all dependences, there is the RAW dependence of A[i-1] in S0 (line 4) on A[i] in S0 (line 4)"},
		{two, loops + "{ B[i] = A[i - 1]; A[i] = B[i]; }", "{S0} depends on itself, by other statements, in one iteration of the outermost loop, which has to carry all dependences: there is the RAW dependence of A[i-1] in S0 (line 4) on A[i] in S1 (line 4)"},
		{"double A[T][N]", loops + "A[t][i] = A[t][i - 4];", "in one iteration of the outermost loop, which has to carry all dependences, there is the RAW dependence of A[t][i-4] in S0 (line 4) on A[t][i] in S0 (line 4)"},
		{"double A[2][N]", loops + "A[(t + 1) % 2][i] = A[t % 2][i] + A[(t + 1) % 2][i - 1];", "in one iteration of the outermost loop, which has to carry all dependences, there is the RAW dependence of A[(t + 1) % 2][i - 1] in S0 (line 4) on A[(t + 1) % 2][i] in S0 (line 4)"},
		// Distances that grow with the size.
		{two, "for (int t = 0; t < T; t++) { for (int i = 0; i < N; i++) B[i] = A[N - 1 - i]; for (int i = 0; i < N; i++) A[i] = B[i]; }", "no number bounds how far this goes in space for each step of time: the WAR dependence of A[i] in S1 (line 4) on A[N-1-i] in S0 (line 4)"},
		{"double A[T + 1][N]", "for (int t = 0; t < T; t++) for (int i = 0; i < N / 2; i++) A[t + 1][i] = A[t][2 * i];", "no number bounds how far this goes in space for each step of time: the RAW dependence of A[t][2*i] in S0 (line 4) on A[t+1][i] in S0 (line 4)"},
		{"double A[T + 1][N]", "for (int t = 0; t < T; t++) for (int i = 0; i < N; i++) A[t + 1][i] = A[t][0];", "no number bounds how far this goes in space for each step of time: the RAW dependence of A[t][0] in S0 (line 4) on A[t+1][i] in S0 (line 4)"},
		// Steps and conditions.
		{"double A[T + 2][N]", "for (int t = 0; t < T; t += 2) for (int i = 4; i < N - 4; i++) A[t + 2][i] = A[t][i - 3];", "t, i: [3/2 0]"},
		{"double A[T + 1][N], double B[N]", "for (int t = 0; t < T; t++) for (int i = 4; i < N - 4; i++) if (t > 2) A[t + 1][i] = A[t][i - 3]; else A[t + 1][i] = A[t][i + 1];", "t, i; t, i: [3 1]"},
		{"double A[3][N], double B[3][N]", "for (int t = 1; t < T; t += 3) { B[(t + 1) % 3][0] = 1; for (int i = 4; i < N - 4; i++) B[(t + 1) % 3][i] = A[t % 3][i - 1]; for (int i = 4; i < N - 4; i += 2) A[t % 3][i] = B[(t + 1) % 3][i]; B[(t + 1) % 3][N - 1] = A[t % 3][1]; }",
			"2t, 0; 2t, i; 2t + 1, i; 2t + 1, N - 1: [1/5 1]"},
		{"double A[N], double B[N]", "for (int t = 0; t < T; t++) { for (int i = N - 3; i > 1; i--) A[i] = B[i - 1] + B[i + 1]; for (int i = N - 3; i > 1; i--) B[i] = A[i]; B[1] = B[2]; B[N - 2] = B[N - 3]; }",
			"4t, -i + N - 3; 4t + 1, -i + N - 3; 4t + 2, N - 4; 4t + 3, -1: [1 1]"},
		// A variable of each iteration.
		{"double A[3][N]", loops + "{ double x = A[t % 3][i - 1]; A[(t + 1) % 3][i] = x * x; }", "each iteration has a variable x of its own, and tiles have the statements with it, {S0 S1}, in different steps; write its value in its place, or give it elements by --expand"},
		// Other loops.
		{two, "for (int i = 0; i < N; i++) A[i] = B[i]; for (int i = 1; i < N; i++) B[i] = A[i - 1];", "no one loop is around all of {S0 S1}"},
		{"double A[N]", "for (int t = 1; t < N; t++) A[t] = A[t - 1];", "there is no loop over space inside of that around {S0}"},
		{two, loops + "B[i] = A[i];", "t, i: [0 0]"},
		{two, loops + "B[4] = A[i];", "in one iteration of the outermost loop, which has to carry all dependences, there is the WAW dependence of B[4] in S0 (line 4) on B[4] in S0 (line 4)"},
	} {
		if got := stencilText(t, test.arguments, test.body); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.body, got, test.want)
		}
	}
}
