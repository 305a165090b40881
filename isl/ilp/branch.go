package ilp

import (
	"container/heap"
	"slices"

	"polytune/internal/integer"
)

// branch moves the point to the smallest solution, by branch and bound instead
// of cuts: where the point has a fraction, the unknown is at most the integer
// below or at least the one above. Of the tableaus made so, the one with the
// smallest point comes next. No solution of another one is smaller than its
// point, so that the first point without fractions is the smallest solution.
func (t *tableau) branch() result {
	var open tableaus
	if r := open.add(t.clone()); r != found {
		return r
	}
	for len(open) > 0 {
		next := heap.Pop(&open).(*tableau)
		k := next.firstFraction()
		if k < 0 {
			*t = *next
			return found
		}
		for _, half := range next.halves(k) {
			if open.add(half) == exceeded {
				return exceeded
			}
		}
	}
	return infeasible
}

// halves are the tableau with the unknown rounded down at most, and rounded up at
// least.
func (t *tableau) halves(k int) [2]*tableau {
	up := t.clone()
	t.upper[k] = integer.FloorDivide(t.rows[k][0], t.denominators[k])
	up.least[k] = t.upper[k] + 1
	t.settled, up.settled = k, k
	return [2]*tableau{t, up}
}

// clone is a copy that counts for the same work.
func (t *tableau) clone() *tableau {
	c := *t
	c.rows = make([][]int64, len(t.rows))
	for k, row := range t.rows {
		c.rows[k] = slices.Clone(row[:t.columns+1])
	}
	c.denominators, c.upper, c.least = slices.Clone(t.denominators), slices.Clone(t.upper), slices.Clone(t.least)
	c.point, c.row, c.support = slices.Clone(t.point), make([]int64, len(t.row)), nil
	c.changed += c.entries()
	return &c
}

// entries is the number of the tableau's entries.
func (t *tableau) entries() int { return len(t.rows) * (t.columns + 1) }

// tableaus is a heap of tableaus by their points.
type tableaus []*tableau

// maxOpenEntries bounds the entries of the tableaus of a heap: 128 MiB of them.
const maxOpenEntries = 1 << 24

// add adds a tableau, its point at the smallest one that satisfies the
// constraints, if there is one.
func (list *tableaus) add(t *tableau) result {
	if len(*list)*t.entries() > maxOpenEntries {
		return exceeded
	}
	r := t.relax()
	if r == found {
		heap.Push(list, t)
	}
	return r
}

func (list tableaus) Len() int      { return len(list) }
func (list tableaus) Swap(i, j int) { list[i], list[j] = list[j], list[i] }
func (list *tableaus) Push(t any)   { *list = append(*list, t.(*tableau)) }
func (list *tableaus) Pop() any {
	last := len(*list) - 1
	t := (*list)[last]
	*list = (*list)[:last]
	return t
}

// Less says whether the point of one tableau is lexicographically smaller than
// that of another.
func (list tableaus) Less(i, j int) bool {
	a, b := list[i], list[j]
	for k := range a.point {
		if productLess(a.point[k], b.scale, b.point[k], a.scale) {
			return true
		}
		if productLess(b.point[k], a.scale, a.point[k], b.scale) {
			return false
		}
	}
	return false
}
