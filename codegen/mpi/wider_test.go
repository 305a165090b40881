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

// Where isl needs too long for the loops over what is read of other ranks, more is sent; all ranks have
// the same in the end, and the program and a warning say so.
func TestWider(t *testing.T) {
	for _, c := range []onRanks{
		{"all tell all", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = x[i] + j;\nfor (int i = 0; i < n; i++) for (int j = 0; j < m; j += 2) b[i][j] = a[n - 1 - i][j];", "ranks S0.i S1.i"},
		{"rows of some", "for (int t = 0; t < m; t++) {\nfor (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = b[i][j] + j;\nfor (int i = 2; i < n; i++) for (int j = 1; j < m; j += 2) b[i][j] = a[i - 2][j] + a[i][0]; }", "ranks S0.i S1.i"},
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
			for operations := uint64(20_000); ; operations /= 2 {
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
				if !strings.Contains(string(text), "more than is read") {
					continue
				}
				if len(notes.Warnings) == 0 || !strings.Contains(notes.Warnings[0], "that nobody reads") {
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
