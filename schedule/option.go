package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop/mark"
)

// atomicOption keeps all iterations of a loop in one.
const atomicOption = "{ atomic[0] }"

// option is isl's AST generation option of a loop in its place: tile loops are not split, and the
// iterations that only some statements run are treated apart in point loops, so that no condition
// stays inside. Wavefronts may be split, because the one bound of all statements' wavefronts can be
// hard to find. Loops that blocks or threads of a device share stay whole: each copy would have its
// own blocks, or threads that wait for those of another. So do those behind whose iterations threads
// wait: each piece would wait under a condition of its own.
func (l *lowering) option(loop *Loop) string {
	switch {
	case l.atomic || loop.Hexagon != nil || loop.Overlapped != nil || mark.Has[mark.Block](loop.Marks) || mark.Has[mark.Thread](loop.Marks) || mark.Has[mark.Barrier](loop.Marks):
		return atomicOption
	case loop.Mapped != nil:
		return ""
	case loop.standsStill() || loop.Shifted && loop.Level == 0:
		return "{ separate[0] }"
	case (loop.Level > 0 || loop.Block) && len(loop.Terms) == 1:
		return atomicOption
	case l.isDelayed(loop), l.hasOtherEnds(loop):
		return "{ separate[0] }"
	}
	return ""
}

// standsStill says whether some statement runs in one iteration of the loop
// only while others move on.
func (l *Loop) standsStill() bool {
	still, moving := false, false
	for _, row := range l.Terms[0].Rows {
		still = still || row.IsConstant()
		moving = moving || !row.IsConstant()
	}
	return still && moving
}

// mostSeparated is the largest number of statements whose ranges are told apart: the code grows
// with their combinations.
const mostSeparated = 4

// isDelayed says whether some of the few statements of a loop without tiles run later in a loop
// outside than others: then their ranges differ, too. Where a statement has not every iteration
// between its first and last, a condition would stay all the same.
func (l *lowering) isDelayed(loop *Loop) bool {
	rows := loop.Terms[0].Rows
	isTiled := func(outer *Loop) bool { return outer.Level > 0 }
	if len(rows) > mostSeparated || loop.Level > 0 || loop.IsParallel() || loop.IsVector() || slices.ContainsFunc(l.around, isTiled) {
		return false
	}
	for _, row := range rows {
		if slices.ContainsFunc(row.Iterators, func(c int64) bool { return max(c, -c) > 1 }) {
			return false
		}
	}
	return slices.ContainsFunc(l.rows, func(outer map[int]Row) bool {
		constants := map[int64]bool{}
		for s := range rows {
			constants[outer[s].Constant] = true
		}
		return len(constants) > 1
	})
}

// mostRanges is the largest number of ranges of a vector loop's statements that are told apart.
const mostRanges = 3

// hasOtherEnds says whether the statements of a vector loop without tiles around have a few ranges:
// a condition inside keeps compilers from vectors. A median of 3 x 3 bytes with the difference to
// it, which the border has as well, took 17 times as long as with the border's iterations apart
// (gcc 12). Domains with holes keep their conditions all the same.
func (l *lowering) hasOtherEnds(loop *Loop) bool {
	if !loop.IsVector() || loop.Level > 0 || slices.ContainsFunc(l.around, func(outer *Loop) bool { return outer.Level > 0 || outer.Block }) {
		return false
	}
	rows := append(slices.Clip(l.rows), loop.Terms[0].Rows)
	var ranges []*isl.Set
	knows := func(values *isl.Set) bool {
		return slices.ContainsFunc(ranges, func(r *isl.Set) bool {
			equal, err := r.IsEqual(values)
			return equal || err != nil
		})
	}
	for s := range loop.Terms[0].Rows {
		values := l.valuesOf(s, rows)
		if values == nil {
			return false
		}
		if !knows(values) {
			ranges = append(ranges, values)
		}
	}
	return 1 < len(ranges) && len(ranges) <= mostRanges
}

// valuesOf is the set of values that loops have where a statement runs; nil where it is not convex.
func (l *lowering) valuesOf(s int, loops []map[int]Row) *isl.Set {
	p := l.tree.Program
	var texts []string
	for _, rows := range loops {
		if row, ok := rows[s]; ok {
			texts = append(texts, row.Text(p.IteratorNames(s), p.Parameters))
		}
	}
	values := l.model.Statements[s].Domain.Apply(l.model.Context.ReadMap(fmt.Sprintf("%s{ %s -> [%s] }", p.ParametersText(), p.InstanceText(s), strings.Join(texts, ", ")))).Coalesce()
	whole, err := values.RemoveDivs().IsEqual(values)
	if err != nil || !whole || len(values.BasicSets()) != 1 {
		return nil
	}
	return values
}
