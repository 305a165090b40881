package mpi_test

import (
	"strings"
	"testing"

	"polytune/codegen/mpi"
	"polytune/loopir"
	"polytune/schedule/command"
)

// All ranks wait for each other as often as the loop has iterations: also those that have none of
// the rows in some of them, and those that have none at all.
func TestMeet(t *testing.T) {
	const n, m = 5, 4
	for _, c := range []struct {
		onRanks
		times int
	}{
		{onRanks{"sweeps", sweeps, "ranks S0.i S1.i\nbarrier S0.t"}, m},
		{onRanks{"fewer rows each time", "for (int t = 0; t < n; t++) for (int i = t; i < n; " +
			"i++) x[i] = x[i] + t;", "barrier S0.t\nranks S0.i"}, n},
		{onRanks{"tiles", sweeps, "tile S0.t by 2 as tt tp\nranks S0.i S1.i\nbarrier tp\n" +
			"barrier tt"}, m + m/2},
		{onRanks{"ghost zones", sweeps, "tile S0.t by 2 as tt tp\nranks S0.i S1.i\nghost tt\n" +
			"barrier tt"}, m / 2},
		{onRanks{"beside ranks", "for (int i = 0; i < n; i++) x[i] = a[i][0];\n" +
			"for (int t = 0; t < m; t++) y[t] = x[0];", "ranks S0.i\nbarrier S1.t"}, m},
		{onRanks{"on all ranks, and around", "for (int t = 0; t < m; t++) { for (int k = 0; " +
			"k < n; k++) y[k] = y[k] + t;\nfor (int i = 0; i < n; i++) x[i] = x[i] + y[i]; }",
			"ranks S1.i\nbarrier S0.k\nbarrier S0.t"}, m*n + m},
	} {
		g, unit := unitOf(t, c.region)
		recipe, err := command.Parse(g.Model.Program, "original\n"+c.commands+"\n")
		if err != nil {
			t.Fatal(err)
		}
		program, model, err := mpi.Lower(g, recipe, unit, mpi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, notes, err := mpi.Program(g, recipe, unit, mpi.Options{})
		if err != nil || !strings.Contains(string(text), "MPI_Barrier(MPI_COMM_WORLD);") ||
			len(notes.Declined) > 0 {
			t.Errorf("%s: %v %v\n%s", c.name, err, notes.Declined, text)
		}
		machine, err := loopir.NewMachine(model, map[string]int64{"n": n, "m": m})
		if err != nil {
			t.Fatal(err)
		}
		const ranks = 7
		waited := [ranks]int{}
		machine.Notes = func(note loopir.Note) {
			if note.Kind == "barrier" {
				waited[note.Rank]++
			}
		}
		if _, _, err := machine.RunOnRanks(program.Code, ranks); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for rank, times := range waited {
			if times != c.times {
				t.Errorf("%s: rank %d waits %d times, not %d\n%s", c.name, rank, times, c.times,
					program)
			}
		}
	}
}

// Code in which one rank alone waits for the others ends with an error.
func TestMeetingAlone(t *testing.T) {
	g, unit := unitOf(t, blur)
	recipe, err := command.Parse(g.Model.Program, "original\nranks S0.i S1.i\n")
	if err != nil {
		t.Fatal(err)
	}
	program, model, err := mpi.Lower(g, recipe, unit, mpi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	loopir.Walk(program.Code, func(s loopir.Stmt) {
		if loop, is := s.(*loopir.For); is {
			loop.Body = append(loop.Body, &loopir.Meet{})
		}
	})
	machine, err := loopir.NewMachine(model, map[string]int64{"n": 5, "m": 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := machine.RunOnRanks(program.Code, 3); err == nil ||
		!strings.Contains(err.Error(), "wait") {
		t.Errorf("%v", err)
	}
}
