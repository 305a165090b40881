package facts

import (
	"slices"

	"polytune/scop"
)

// Reuse says whether some statement uses an element again within the band:
// the criterion of section V-A-4 of the SC'10 paper, O(N) reuse in a nest of
// more than one loop. That is so when an access has fewer independent
// directions than the loops have. Loops of one iteration do not count. complete says that no loops
// are inside of the band: what stands still is one element then, which stays in a cache without
// tiles, such as a coefficient of a mask of 3 x 3 points.
func Reuse(moves []Movement, lengths []int64, complete bool) bool {
	for _, m := range moves {
		loops := 0
		for _, k := range m.Loops {
			if lengths[k] > 1 {
				loops++
			}
		}
		if loops < 2 {
			continue
		}
		for _, steps := range m.Steps {
			rank := AccessRank(steps)
			if stands := rank == 0 && (complete || len(steps[0].Subscripts) == 0); rank < loops && !stands {
				return true
			}
		}
	}
	return false
}

// AccessRank is the dimension of the data an access touches along some loops of a band.
func AccessRank(steps []Step) int {
	if len(steps) == 0 {
		return 0
	}
	var rows [][]int64
	for _, s := range steps {
		if !s.Known {
			return len(steps)
		}
		rows = append(rows, s.Subscripts)
	}
	return scop.Rank(rows, len(rows[0]))
}

// MoveAlong says whether all statements move along some loops of the band.
func MoveAlong(moves []Movement, loops ...int) bool {
	return !slices.ContainsFunc(moves, func(m Movement) bool {
		return slices.ContainsFunc(loops, func(k int) bool { return m.PlaceOf(k) < 0 })
	})
}

// UsesOnce says whether every statement has elements that it uses in one iteration
// only.
func UsesOnce(moves []Movement) bool {
	return !slices.ContainsFunc(moves, func(m Movement) bool {
		return !slices.ContainsFunc(m.Steps, func(steps []Step) bool { return AccessRank(steps) == len(m.Loops) && isKnown(steps) })
	})
}

func isKnown(steps []Step) bool {
	return !slices.ContainsFunc(steps, func(s Step) bool { return !s.Known })
}

// MovesAll says whether the targets of all statements move along a loop.
func MovesAll(moves []Movement, loop int) bool {
	return !slices.ContainsFunc(moves, func(m Movement) bool { return m.Steps[0][m.PlaceOf(loop)].Distance() == 0 })
}

// IsNear says whether all that moves along a loop does so by one element.
func IsNear(moves []Movement, loop int) bool {
	return CostOf(moves, loop).Stride <= 1
}

// StepsFrom are the steps of an access along the loops from the given one on.
func StepsFrom(m Movement, steps []Step, first int) (inside []Step) {
	for k, s := range steps {
		if m.Loops[k] >= first {
			inside = append(inside, s)
		}
	}
	return inside
}

// UsesAgainFar says whether the statements of a band around tiny nests use more again than what two
// loops inside keep in a cache: where an access stands still along one loop, two others inside of
// that move it, neither of which is tiny. It says so, too, where the innermost loop goes through an
// array by long steps, more than a few.
func UsesAgainFar(moves []Movement, lengths []int64) bool {
	if last := len(lengths) - 1; lengths[last] > ElementsOfLine && CostOf(moves, last).Stride > ElementsOfLine {
		return true
	}
	for _, m := range moves {
		for _, steps := range m.Steps {
			moving := 0
			for k, step := range slices.Backward(steps) {
				switch {
				case step.Distance() != 0 && lengths[m.Loops[k]] > MostTiny:
					moving++
				case step.Distance() != 0:
				case moving > 1:
					return true
				}
			}
		}
	}
	return false
}

// UsesAgainAround says whether elements are used again along a loop of a band that is not part of
// the tiny nest inside, or parts of their lines are. It says so, too, where there is no tiny nest,
// or nothing around it. The products of small matrices at each point of a grid use nothing again
// from one point to the next.
func UsesAgainAround(moves []Movement, lengths []int64) bool {
	around, product := len(lengths), int64(1)
	for around > 0 && lengths[around-1] <= MostTiny/product {
		around--
		product *= lengths[around]
	}
	if around == 0 || around == len(lengths) {
		return true
	}
	for _, m := range moves {
		for _, steps := range m.Steps {
			for k, step := range steps {
				if loop := m.Loops[k]; loop < around && lengths[loop] > 1 && step.Distance() <= ElementsOfLine {
					return true
				}
			}
		}
	}
	return false
}

// UsesLinesAgain says whether, whichever of the band's loops is the innermost, an access goes from
// line to line along it whose lines another of the loops goes along.
func UsesLinesAgain(moves []Movement, lengths []int64) bool {
	for inner, length := range lengths {
		if length <= ElementsOfLine || !leavesLines(moves, inner, lengths) {
			return false
		}
	}
	return true
}

// leavesLines says whether some access goes from line to line along one loop, and along the lines
// along another one that is longer than a line.
func leavesLines(moves []Movement, inner int, lengths []int64) bool {
	for _, m := range moves {
		k := m.PlaceOf(inner)
		if k < 0 {
			continue
		}
		for _, steps := range m.Steps {
			for other, loop := range m.Loops {
				if steps[k].Known && steps[k].Distance() >= ElementsOfLine && GoesAlongLines(steps[other]) && lengths[loop] > ElementsOfLine {
					return true
				}
			}
		}
	}
	return false
}

// GoesAlongLines says whether an access has several elements of a line in consecutive iterations.
func GoesAlongLines(s Step) bool { return 0 < s.Distance() && s.Distance() < ElementsOfLine }

// OnlyTrue says whether element k is true and no other is.
func OnlyTrue(values []bool, k int) bool {
	others := slices.Delete(slices.Clone(values), k, k+1)
	return values[k] && !slices.Contains(others, true)
}

// Cost is the cost metric of a candidate loop: the largest distance in memory
// between elements touched by consecutive iterations, over all references of
// all statements, and how many references are not reused.
type Cost struct {
	Stride int64
	moving int
}

func (c Cost) Less(o Cost) bool {
	if c.Stride != o.Stride {
		return c.Stride < o.Stride
	}
	return c.moving < o.moving
}

func CostOf(moves []Movement, loop int) Cost {
	var c Cost
	for _, m := range moves {
		k := m.PlaceOf(loop)
		if k < 0 {
			continue
		}
		for _, steps := range m.Steps {
			distance := steps[k].Distance()
			c.Stride = max(c.Stride, distance)
			if distance > 0 {
				c.moving++
			}
		}
	}
	return c
}
