package boxes_test

import (
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule/command"
	"polytune/scop/mark"
)

// moving has tiles of so many points along j, one after the other.
func moving(points string) string {
	return "classes {S0 S1}\nband c0 S0[t, i, j] -> [2t, i, j]; S1[t, i, j] -> [2t + 1, i, j]\nhexagon c0.1 c0.2 c0.3 by 1 2 " + points + " slopes 1 1 1\n" +
		"block c0p0.2h\nthread c0p0.2 c0p0.3 by 2 3\nbarrier c0p0.1\nblock c0p1.2h\nthread c0p1.2 c0p1.3 by 2 3\nbarrier c0p1.1\n" +
		"barrier c0p0.3h\nbarrier c0p1.3h\ncopy A at c0p0.3h to shared\ncopy B at c0p1.3h to shared\n"
}

// A box moves by a tile where most of it is new. A mark that says another distance, or one for a
// box that does not move, is refused.
func TestMoves(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-2d")
	for points, want := range map[string]mark.BoxMove{"3": {Dimension: 1, Distance: 3}, "1": {}} {
		recipe, err := command.Parse(g.Model.Program, moving(points))
		if err != nil {
			t.Fatal(err)
		}
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			t.Fatal(err)
		}
		schedule := tree.Schedule(g.Model)
		if err := g.Check(schedule); err != nil {
			t.Fatal(err)
		}
		boxes := 0
		for n, m := range *schedule.Marks {
			box, is := m.(mark.Box)
			if !is {
				continue
			}
			if boxes++; box.Moves != want {
				t.Errorf("tiles of %s points: %v moves by %+v, want %+v", points, box, box.Moves, want)
			}
			for _, wrong := range []mark.BoxMove{{Dimension: 1, Distance: 2}, {Dimension: 1, Distance: 4}, {Dimension: 0, Distance: 3}} {
				box.Moves = wrong
				(*schedule.Marks)[n] = box
				if err := g.Check(schedule); err == nil {
					t.Errorf("tiles of %s points: %v is taken to move by %+v", points, box, wrong)
				}
				(*schedule.Marks)[n] = m
			}
		}
		if boxes != 2 {
			t.Errorf("%d boxes", boxes)
		}
	}
}
