package schedule

import (
	"math/rand/v2"
	"testing"
)

// The hexagons of both phases have the same rows, and two of them fill a tile's box: the area of a
// hexagon is h + 1 times the distance of two hexagons of a phase. Strips are as wide as they should
// be at each step.
func TestHexagonRows(t *testing.T) {
	random := rand.New(rand.NewPCG(8339, 42))
	slope := func() Slope { return NewSlope(random.Int64N(7), 1+random.Int64N(3)) }
	for range 2000 {
		h := &Hexagon{Sizes: []int64{1 + random.Int64N(8), 0, 1 + random.Int64N(40)}, Slopes: []Slope{slope(), slope(), slope()}}
		h.Sizes[1] = h.LeastWidth() + random.Int64N(9)
		h.Sizes[1] = max(1, h.Sizes[1])
		steps, apart := h.hexagonPeriods()
		var area int64
		for step := range steps {
			first, last := h.Row(step)
			area += max(0, last-first+1)
			if first, last := h.Strip(1, step); last-first+1 != h.Sizes[2] {
				t.Fatalf("%v: a strip has %d points at step %d", h, last-first+1, step)
			}
		}
		if area != steps/2*apart {
			t.Fatalf("%v: a hexagon has %d points, not %d", h, area, steps/2*apart)
		}
	}
}

// Hexagons of both phases, by their corners and rows, have each point of the plane once.
func TestHexagonCorners(t *testing.T) {
	for _, h := range []*Hexagon{
		{Sizes: []int64{4, 8}, Slopes: []Slope{{1, 1}, {1, 1}}},
		{Sizes: []int64{3, 4}, Slopes: []Slope{{1, 1}, {2, 1}}},
		{Sizes: []int64{5, 3}, Slopes: []Slope{{3, 2}, {1, 3}}},
	} {
		covered := map[[2]int64]int{}
		for phase := range HexagonPhases {
			for time := int64(-4); time <= 4; time++ {
				for space := int64(-6); space <= 6; space++ {
					step, place := h.Corner(phase, time, space)
					for a := range 2 * h.Sizes[0] {
						first, last := h.Row(a)
						for b := first; b <= last; b++ {
							covered[[2]int64{step + a, place + b}]++
						}
					}
				}
			}
		}
		for step := int64(-10); step <= 10; step++ {
			for place := int64(-20); place <= 20; place++ {
				if n := covered[[2]int64{step, place}]; n != 1 {
					t.Fatalf("%v: step %d, place %d is in %d hexagons", h, step, place, n)
				}
			}
		}
	}
}
