package mpi_test

import (
	"strings"
	"testing"

	"polytune/codegen/mpi"
	"polytune/loopir"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/ranks"
)

const (
	mirrored = `for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[i] + j;
		for (int i = 0; i < n; i++) for (int j = 0; j < m; j += 2) b[i][j] = a[n - 1 - i][j];`
	rowsOfSome = `for (int t = 0; t < m; t++) {
		for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = b[i][j] + j;
		for (int i = 2; i < n; i++)
			for (int j = 1; j < m; j += 2) b[i][j] = a[i - 2][j] + a[i][0]; }`
	// besideRead and readThen write elements of an array of which others are read of other ranks,
	// and those that have been read.
	besideRead = `for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[i] + j;
		for (int i = 0; i < n; i++) {
			for (int j = 0; j < m; j += 2) b[i][j] = a[n - 1 - i][j];
			a[i][1] = i; }`
	readThen = `for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[i] + j;
		for (int i = 0; i < n; i++) for (int j = 0; j < m; j += 2) {
			b[i][j] = a[n - 1 - i][j];
			a[n - 1 - i][j] = i; }`
)

// narrow is what is spent on loops, such that those over some elements take too long, and others do
// not.
var narrow = ranks.Printing{Operations: 20_000, Pieces: 1}

// Where isl needs too long for the loops over what is read of other ranks, more is sent, also while
// others run; all ranks have the same in the end, and the program and a warning say so.
func TestWider(t *testing.T) {
	const shared, async = "ranks S0.i S1.i", "ranks S0.i S1.i\nexchange a before S1.i async"
	for _, c := range []struct {
		onRanks
		said string
	}{
		{onRanks{"all tell all", mirrored, shared}, "more than is read"},
		{onRanks{"rows of some", rowsOfSome, shared}, "more than is read"},
		{onRanks{"under way", mirrored, async}, "messages with a before S1.i have more than is " +
			"read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, unit := unitOf(t, c.region)
			recipe, err := command.Parse(g.Model.Program, "original\n"+c.commands+"\n")
			if err != nil {
				t.Fatal(err)
			}
			exact, _, err := mpi.Lower(g, recipe, unit, mpi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for operations := narrow.Operations; ; operations /= 2 {
				if operations < 100 {
					t.Fatal("nothing wider is sent")
				}
				restore := mpi.Printing(ranks.Printing{Operations: operations, Pieces: 1})
				text, notes, err := mpi.Program(g, recipe, unit, mpi.Options{})
				program, m, failed := mpi.Lower(g, recipe, unit, mpi.Options{})
				restore()
				if err != nil || failed != nil {
					t.Fatal(err, failed)
				}
				if !strings.Contains(string(text), c.said) {
					continue
				}
				if len(notes.Warnings) == 0 || !strings.Contains(notes.Warnings[0],
					"that nobody reads") {
					t.Errorf("warnings: %q\n%s", notes.Warnings, text)
				}
				if err := sameOnRanks(g.Model, m, originalOf(t, g), program.Code); err != nil {
					t.Errorf("with %d operations: %v\n%s", operations, err, program)
				}
				if few, more := toldBy(t, m, exact.Code), toldBy(t, m, program.Code); more <= few {
					t.Errorf("%d elements are told, and %d where more is", few, more)
				}
				return
			}
		})
	}
}

// Elements that one end of a message writes while it is under way are in none that is wider, and
// where these are read nothing wider is sent.
func TestWiderLate(t *testing.T) {
	for _, region := range []string{besideRead, readThen} {
		g, unit, recipe, err := recipeFor(t, region, "ranks S0.i S1.i\n"+
			"exchange a before S1.i async", false)
		if err != nil {
			t.Fatal(err)
		}
		restore := mpi.Printing(narrow)
		program, m, err := mpi.Lower(g, recipe, unit, mpi.Options{Gather: ranks.OnNone})
		restore()
		if err != nil {
			t.Fatal(err)
		}
		machine, err := loopir.NewMachine(m, map[string]int64{"n": 9, "m": 5})
		if err != nil {
			t.Fatal(err)
		}
		machine.Notes = func(n loopir.Note) {
			if n.Kind == "send" && n.Of == "a" && strings.HasSuffix(n.Element, " 1]") {
				t.Errorf("%s is told while it is written:\n%s", n.Element, region)
			}
		}
		if _, _, err := machine.RunOnRanks(program.Code, 4); err != nil {
			t.Fatal(err)
		}
	}
}

// toldBy is how many elements ranks tell each other, results too.
func toldBy(t *testing.T, m *scop.Model, code loopir.Code) (count int) {
	t.Helper()
	machine, err := loopir.NewMachine(m, map[string]int64{"n": 9, "m": 5})
	if err != nil {
		t.Fatal(err)
	}
	machine.Notes = func(n loopir.Note) {
		if n.Kind == "send" {
			count++
		}
	}
	if _, _, err := machine.RunOnRanks(code, 4); err != nil {
		t.Fatal(err)
	}
	return count
}
