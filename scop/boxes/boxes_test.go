package boxes_test

import (
	"fmt"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule/command"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// tiled is a recipe for gemm with copies of all arrays.
func tiled(tiles, threads string) string {
	return "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 16 16\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 16 16\nband c1 permutable S1[i, k, j] -> [i, j, k]\n" +
		"tile c1.1 c1.2 c1.3 by " + tiles + "\nblock c1.1t c1.2t\nthread c1.1 c1.2 by " + threads + "\ncopy A at c1.3t to shared\ncopy B at c1.3t to shared\ncopy C at c1.2t to private\nbarrier c1.3t\n"
}

// The boxes of gemm: tiles of both factors in shared memory, and a thread's points in private
// memory, without the strides of threads.
func TestSides(t *testing.T) {
	for _, test := range []struct {
		tiles, threads string
		want           map[string]string
	}{
		{"16 16 16", "16 16", map[string]string{"A": "16/1@-1 16/1@-1", "B": "16/1@-1 16/1@-1", "C": "1/16@1 1/16@0"}},
		{"32 32 8", "8 32", map[string]string{"A": "32/1@-1 8/1@-1", "B": "8/1@-1 32/1@-1", "C": "4/8@1 1/32@0"}},
	} {
		g := kerneltest.Graph(t, "polybench/gemm")
		recipe, err := command.Parse(g.Model.Program, tiled(test.tiles, test.threads))
		if err != nil {
			t.Fatal(err)
		}
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range *tree.Schedule(g.Model).Marks {
			box, is := m.(mark.Box)
			if !is {
				continue
			}
			text := ""
			for _, s := range box.Sides {
				text += fmt.Sprintf(" %d/%d@%d", s.Extent, s.Stride, s.Thread)
			}
			if text != " "+test.want[box.Array] {
				t.Errorf("%s of %s: %s, want %s; %+v", box.Array, test.tiles, text, test.want[box.Array], box.Sides)
			}
		}
	}
}

// A box that is one element short, begins one element later, or counts in other strides, is
// refused; so is a copy of several threads' elements with strides that are right for one.
func TestShortBoxes(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/gemm")
	recipe, err := command.Parse(g.Model.Program, tiled("32 32 8", "8 32"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for name, change := range map[string]func(*mark.BoxSide){
		"short":  func(s *mark.BoxSide) { s.Extent-- },
		"late":   func(s *mark.BoxSide) { s.Origin.Constant++ },
		"stride": func(s *mark.BoxSide) { s.Stride++ },
		"thread": func(s *mark.BoxSide) { s.Thread = (s.Thread + 2) % 3 },
	} {
		schedule := tree.Schedule(g.Model)
		for n, m := range *schedule.Marks {
			box, is := m.(mark.Box)
			for d := range box.Sides {
				if !is || name == "stride" && box.Sides[d].Extent == 1 {
					continue
				}
				wrong := box
				wrong.Sides = slices.Clone(box.Sides)
				change(&wrong.Sides[d])
				(*schedule.Marks)[n] = wrong
				if err := g.Check(schedule); err == nil {
					t.Errorf("%s: side %d of %s is taken: %+v", name, d, box, wrong.Sides[d])
				}
				(*schedule.Marks)[n] = box
				changed++
			}
		}
		if err := g.Check(schedule); err != nil {
			t.Errorf("%s: unchanged: %v", name, err)
		}
	}
	if changed < 20 {
		t.Errorf("only %d sides are changed", changed)
	}
}

// What is found of a kernel's boxes is found once, with the sides that the marks have now, and
// again where a mark says something else or objects of isl's are released.
func TestBoxesAreFoundOnce(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/gemm")
	recipe, err := command.Parse(g.Model.Program, tiled("16 16 16", "16 16"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		t.Fatal(err)
	}
	start := g.Model.Context.Mark()
	schedule := tree.Schedule(g.Model)
	kernel := boxes.Kernels(schedule.Tree.Root(), schedule.Marks)[1]
	of := func() (first *boxes.Box, nodes map[*isl.ScheduleNode]bool) {
		found, err := boxes.In(g.Model, schedule.Marks, kernel)
		if err != nil || len(found) != 3 {
			t.Fatalf("%d boxes: %v", len(found), err)
		}
		nodes = map[*isl.ScheduleNode]bool{}
		for _, box := range found {
			nodes[box.Node] = true
		}
		return found[0], nodes
	}
	box, nodes := of()
	n := slices.IndexFunc(*schedule.Marks, func(m mark.Mark) bool { return fmt.Sprint(m) == box.Box.String() })
	shorter := box.Box
	shorter.Sides = slices.Clone(box.Sides)
	shorter.Sides[0].Extent--
	(*schedule.Marks)[n] = shorter
	if again, _ := of(); !nodes[again.Node] || again.Sides[0].Extent != shorter.Sides[0].Extent {
		t.Errorf("sides are %v, not those of the mark, or the search is a new one", again.Sides)
	}
	shorter.Memory = mark.Kept
	(*schedule.Marks)[n] = shorter
	if again, _ := of(); nodes[again.Node] || again.Memory != mark.Kept {
		t.Errorf("the box in %s memory is that of another mark", again.Memory)
	}
	g.Model.Context.Release(start)
	schedule = tree.Schedule(g.Model)
	kernel = boxes.Kernels(schedule.Tree.Root(), schedule.Marks)[1]
	if again, _ := of(); len(again.Sides) != 2 {
		t.Errorf("sides are %v behind the release", again.Sides)
	}
}
