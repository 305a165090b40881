package mpi_test

import (
	"errors"
	"strings"
	"testing"

	"polytune/codegen/mpi"
	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
)

// What ranks cannot share is refused with what is wrong.
func TestRefusedOnRanks(t *testing.T) {
	imperfect := "for (int i = 0; i < n; i++) { x[i] = 1; for (int j = 0; j < m; " +
		"j++) a[i][j] = x[i]; }"
	written := "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[i];\n" +
		"for (int i = 0; i < n - 2; i++) { for (int j = 1; j < m; j++) b[i][j] = a[i][j] + a[i + " +
		"2][j]; a[i][0] = 1; }"
	summed := "for (int t = 0; t < m; t++) { for (int i = 0; i < n; i++) x[i] = x[i] + t; " +
		"for (int i = 0; i < n; i++) y[0] += x[i]; }"
	beside := "for (int i = 0; i < n; i++) x[i] = a[i][0];\n" +
		"for (int t = 0; t < m; t++) b[0][t] = t;"
	for _, c := range []struct{ name, region, commands, want string }{
		{"statements between loops", imperfect, "ranks S0.i S1.j", "not right inside"},
		{"a loop between", "for (int i = 0; i < m; i++) for (int j = 0; j < n; " +
			"j++) for (int l = 0; l < m; l++) a[j][i] = b[j][l];", "ranks S0.i S0.l",
			"\"S0.l\" is not right inside of \"S0.i\""},
		{"grids of different dimensions", blur, "ranks S0.i S0.j S1.i",
			"name as many of each nest"},
		{"twice", blur, "ranks S0.i S0.i", "twice"},
		{"inside of rows", sweeps, "ranks S0.i\nranks S0.j", "inside"},
		{"a grid whose inner loop carries", "for (int i = 0; i < n; i++) for (int j = 1; j < m; " +
			"j++) a[i][j] = a[i][j - 1];", "ranks S0.i S0.j", "S0[i' = i, j' = 1 + j]"},
		{"a grid whose outer loop carries", "for (int i = 1; i < n; i++) for (int j = 0; j < m; " +
			"j++) a[i][j] = a[i - 1][j];", "ranks S0.i S0.j", "S0[i' = 1 + i, j' = j]"},
		{"a message with values of others", blur, "ranks S0.i S1.i\n" +
			"send a[first - 1 .. first + 1][0 .. m - 1] to rank - 1 before S1.i\n" +
			"receive a[last .. last + 2][0 .. m - 1] from rank + 1 before S1.i",
			"has not the last value"},
		{"a message twice", blur, "ranks S0.i S1.i\n" +
			"send a[first .. first + 1][0 .. m - 1] to rank - 1 before S1.i\n" +
			"send a[first + 1 .. first + 2][0 .. m - 1] to rank - 1 before S1.i\n" +
			"receive a[last + 1 .. last + 2][0 .. m - 1] from rank + 1 before S1.i\n" +
			"receive a[last + 2 .. last + 3][0 .. m - 1] from rank + 1 before S1.i",
			"line 6: receive a[last + 2 .. last + 3][0 .. m - 1] from rank + 1 before S1.i: " +
				"some of its elements are in another message to or from the same rank: " +
				"receive a[last + 1 .. last + 2][0 .. m - 1] from rank + 1 before S1.i; " +
				"name each once"},
		{"the same message twice", blur, "ranks S0.i S1.i\n" +
			"send a[first .. first + 1][0 .. m - 1] to rank - 1 before S1.i\n" +
			"receive a[last + 1 .. last + 2][0 .. m - 1] from rank + 1 before S1.i\n" +
			"receive a[last + 1 .. last + 2][0 .. m - 1] from rank + 1 before S1.i",
			"name each once"},
		{"a message received in two", blur, "ranks S0.i S1.i\n" +
			"send a[first .. first + 1][0 .. m - 1] to rank - 1 before S1.i\n" +
			"receive a[last + 1 .. last + 1][0 .. m - 1] from rank + 1 before S1.i\n" +
			"receive a[last + 2 .. last + 2][0 .. m - 1] from rank + 1 before S1.i",
			"line 4: receive a[last + 1 .. last + 1][0 .. m - 1] from rank + 1 before S1.i: " +
				"it is not what the rank there sends of a"},
		{"a message and one that is received otherwise", blur,
			"ranks S0.i S1.i\nsend a[first .. first][0 .. m - 1] to rank - 1 before S1.i\n" +
				"send a[first + 1 .. first + 1][0 .. m - 1] to rank - 1 before S1.i\n" +
				"receive a[last + 1 .. last + 1][0 .. m - 1] from rank + 1 before S1.i\n" +
				"receive a[last + 3 .. last + 3][0 .. m - 1] from rank + 1 before S1.i",
			"line 6: receive a[last + 3 .. last + 3][0 .. m - 1] from rank + 1 before S1.i: " +
				"it is not what the rank there sends of a"},
		{"a message of which a part is received", blur, "ranks S0.i S1.i\n" +
			"send a[first .. first][0 .. m - 1] to rank - 1 before S1.i\n" +
			"send a[first + 1 .. first + 1][0 .. m - 1] to rank - 1 before S1.i\n" +
			"receive a[last + 1 .. last + 1][0 .. m - 1] from rank + 1 before S1.i",
			"line 4: send a[first + 1 .. first + 1][0 .. m - 1] to rank - 1 before S1.i: " +
				"it is not what the rank there receives of a"},
		{"a clause of another loop", blur, "ranks S0.i reduction(+:a)", "reduction(+:a)"},
		{"a grid by hand", blur, "ranks S0.i S0.j S1.i S1.j\n" +
			"send a[first .. first][0 .. m - 1] to rank - 1 before S1.i", "grid"},
		{"a message that its sender overwrites", written, "ranks S0.i S1.i\n" +
			"send a[first .. first + 1][0 .. m - 1] to rank - 1 before S1.i async\n" +
			"receive a[last + 1 .. last + 2][0 .. m - 1] from rank + 1 before S1.i",
			"S2 writes elements of a that the message has, while it is under way"},
		{"sums in ghost zones", summed, "ranks S0.i S1.i reduction(+:y)\nghost S0.t",
			"put together what they add up in \"S1.i\", which is inside of \"S0.t\""},
		{"a barrier in rows", sweeps, "ranks S0.i S1.i\nbarrier S0.j",
			"ranks share the iterations of \"S0.i\", which is around \"S0.j\": one has more"},
		{"a barrier of the rows", sweeps, "ranks S0.i S1.i\nbarrier S1.i",
			"ranks share the iterations of \"S1.i\": one has more"},
		{"a barrier before the rows", sweeps, "barrier S0.j\nranks S0.i S1.i",
			"which is around \"S0.j\": one has more"},
		{"a barrier in ghost zones", sweeps, "tile S0.t by 2 as tt tp\nranks S0.i S1.i\n" +
			"ghost tt\nbarrier tp", "ranks compute values of others again in the iterations of " +
			"\"tt\", which is around \"tp\""},
		{"a barrier in what becomes ghost zones", sweeps, "tile S0.t by 2 as tt tp\n" +
			"ranks S0.i S1.i\nbarrier tp\nghost tt", "which is around \"tp\""},
		{"a barrier of threads' iterations", beside, "ranks S0.i\nparallel S1.t\nbarrier S1.t",
			"nobody can wait for other ranks"},
		{"a barrier of what are threads' iterations then", beside,
			"ranks S0.i\nbarrier S1.t\nparallel S1.t", "not all ranks have the same iterations"},
		{"a barrier with no ranks", sweeps, "barrier S0.t", "ranks share loops by the command " +
			"ranks"},
		{"a copy around ranks", sweeps, "ranks S0.i S1.i\ncopy a at S0.t",
			"ranks tell each other elements of a itself"},
		{"a copy around ranks that come later", sweeps, "copy a at S0.t\nranks S0.i S1.i",
			"ranks tell each other elements of a itself"},
		{"a copy of several ranks' parts", sweeps, "ranks S0.i S0.j S1.i S1.j\ncopy a at S0.i",
			"several ranks have a part of such an iteration"},
		{"a copy in ghost zones", sweeps, "tile S0.t by 2 as tt tp\nranks S0.i S1.i\nghost tt\n" +
			"copy a at S0.i", "a copy is of a whole iteration: leave one of them out"},
		{"memory of what is no copy", blur, "ranks S0.i S1.i\nallocate a at S0.i",
			"nothing inside \"S0.i\" has memory of its own for a (S0 uses a where it has no " +
				"copy); copy or compute it before"},
		{"messages under way in ghost zones", sweeps, "ranks S0.i S0.j S1.i S1.j\n" +
			"exchange a before S0.i async\nghost S0.t", "nothing is told in front of"},
	} {
		g, unit, recipe, err := recipeFor(t, c.region, c.commands, strings.Contains(c.commands,
			"(+:y)"))
		if err == nil {
			_, _, err = mpi.Program(g, recipe, unit, mpi.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Ghost zones for which isl needs too long are refused by their line, as a question that is too
// hard.
func TestTooComplicatedZones(t *testing.T) {
	g, unit := unitOf(t, sweeps)
	recipe, err := command.Parse(g.Model.Program, "original\ntile S0.t by 2 as tt tp\n"+
		"ranks S0.i S0.j S1.i S1.j\nghost tt\n")
	if err != nil {
		t.Fatal(err)
	}
	const few = 300_000
	exceeded := g.Model.Context.Within(few,
		func() { _, _, err = mpi.Program(g, recipe, unit, mpi.Options{}) })
	var command *schedule.CommandError
	if !exceeded || !isl.IsLimit(err) || !errors.As(err, &command) || command.Line != 4 ||
		!strings.Contains(err.Error(), "too many sides") {
		t.Errorf("exceeded: %t, %v", exceeded, err)
	}
}

// Messages by hand with more than is read are sent, with a warning, and the program says for which
// blocks.
func TestByHandTooMuch(t *testing.T) {
	g, unit := unitOf(t, blur)
	recipe, err := command.Parse(g.Model.Program, "original\nranks S0.i S1.i\n"+
		"send a[first .. first + 2][0 .. m - 1] to rank - 1 before S1.i async\n"+
		"receive a[last + 1 .. last + 3][0 .. m - 1] from rank + 1 before S1.i\n")
	if err != nil {
		t.Fatal(err)
	}
	text, notes, err := mpi.Program(g, recipe, unit, mpi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "nobody reads: 72 with "; len(notes.Warnings) != 1 ||
		!strings.Contains(notes.Warnings[0], want) {
		t.Errorf("%q, not %q", notes.Warnings, want)
	}
	if want := "a block of 3 or more"; !strings.Contains(string(text), want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// Messages by hand of which nobody reads anything are waited for, too, also while they are under
// way.
func TestByHandUnread(t *testing.T) {
	const region = "for (int i = 1; i < n - 1; i++) x[i] = 2 * y[i - 1];\n" +
		"for (int i = 1; i < n - 1; i++) y[i] = x[i] + x[i - 1];"
	for _, async := range []string{"", " async"} {
		g, unit, recipe, err := recipeFor(t, region, "ranks S0.i S1.i\n"+
			"send y[first .. first + 1] to rank - 1 before S0.i"+async+
			"\nreceive y[last + 1 .. last + 2] from rank + 1 before S0.i", false)
		if err != nil {
			t.Fatal(err)
		}
		program, m, err := mpi.Lower(g, recipe, unit, mpi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := sameOnRanks(g.Model, m, originalOf(t, g), program.Code); err != nil {
			t.Errorf("%q: %v\n%s", async, err, program)
		}
	}
}

// Where data decide what is read all is sent, with a warning, and only there.
func TestDataDecide(t *testing.T) {
	for region, want := range map[string]int{
		"for (int i = 0; i < n; i++) x[i] = a[i][0];\nfor (int i = 0; i < n; i++) y[i] = " +
			"x[k[i]];": 1,
		"for (int i = 0; i < n; i++) x[i] = a[i][k[i]];\n" +
			"for (int i = 1; i < n; i++) y[i] = x[i - 1];": 0,
	} {
		g, unit, recipe, err := recipeFor(t, region, "ranks S0.i S1.i", false)
		if err != nil {
			t.Fatal(err)
		}
		_, notes, err := mpi.Program(g, recipe, unit, mpi.Options{})
		if err != nil || len(notes.Warnings) != want || want > 0 &&
			!strings.Contains(notes.Warnings[0], "data decide which elements of x S1 reads (line "+
				"4): all that other ranks compute are sent before S1.i") {
			t.Errorf("%s: %q, %v", region, notes.Warnings, err)
		}
	}
}

// The program says that all ranks have to call the function.
func TestAllRanksCall(t *testing.T) {
	g, unit, recipe, err := recipeFor(t, blur, "ranks S0.i S1.i", false)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := mpi.Program(g, recipe, unit, mpi.Options{})
	if err != nil || !strings.Contains(string(text), "Where one does not call it, "+
		"the others wait for ever.") {
		t.Errorf("%v\n%s", err, text)
	}
}
