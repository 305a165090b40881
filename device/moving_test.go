package device_test

import (
	"testing"

	"polytune/internal/kerneltest"
	"polytune/loopir"
)

// moving has classical tiles that are wider than what the elements of two of them have in common.
const moving = "classes {S0 S1}\nband c0 S0[t, i, j] -> [2t, i, j]; S1[t, i, j] -> [2t + 1, i, j]\nhexagon c0.1 c0.2 c0.3 by 1 2 3 slopes 1 1 1\n" +
	"block c0p0.2h\nthread c0p0.2 c0p0.3 by 2 3\nbarrier c0p0.1\nblock c0p1.2h\nthread c0p1.2 c0p1.3 by 2 3\nbarrier c0p1.1\n" +
	"barrier c0p0.3h\nbarrier c0p1.3h\ncopy A at c0p0.3h to shared\ncopy B at c0p0.3h to shared\ncopy A at c0p1.3h to shared\ncopy B at c0p1.3h to shared\n"

// What a tile has left in a box that moves is not loaded again. Without what brings it to its
// place, the barrier behind that, or the rest of the loads, something else is left.
func TestMovingBoxes(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-2d")
	machine, wanted := source(t, g)
	program := passes(t, g, madeRecipe(t, g, moving))
	count := 0
	loopir.Walk(program.Code, func(s loopir.Stmt) {
		box, is := s.(*loopir.Box)
		if !is || len(box.Body) < 3 {
			return
		}
		choice, is := box.Body[0].(*loopir.If)
		if !is {
			return
		}
		if kept, is := choice.Then[0].(*loopir.Transfer); !is || kept.Part != loopir.KeptInBox {
			return
		}
		count++
		whole := box.Body
		for k := range 3 {
			box.Body = append(append(loopir.Code{}, whole[:k]...), whole[k+1:]...)
			if difference(machine, wanted, program.Code) == "" {
				t.Errorf("box %d: nothing is amiss without %T %d", count, whole[k], k)
			}
		}
		box.Body = whole
	})
	if count == 0 {
		t.Errorf("no box moves:\n%s", program)
	}
}
