package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
)

// A tile that is larger than the arrays is never full, but compilers see the
// constant trip count of its loops beside the constant extents of the arrays,
// and warn of it. Such full tiles are not printed.

// visit is a call of a statement below loops of a full tile. No condition but
// those of the loops decides whether it is made.
type visit struct {
	run    *loopir.Run
	ranges map[string]interval
}

// isNeverFull says that a statement's accesses at the first and at the last
// iteration of one loop of the full tile are never both inside the arrays.
func (n *place) isNeverFull(t *fullTile) bool {
	for _, v := range t.visits {
		for variable, r := range v.ranges {
			if width, constant := r.width(); constant && width > 0 && t.isFree(variable, v.ranges) {
				if shift, ok := t.shiftOf(v.run.At, variable, width); ok && n.isImpossible(v.run.Statement, shift) {
					return true
				}
			}
		}
	}
	return false
}

// width is the last value less the first where both are known to be a
// constant apart.
func (i interval) width() (width int64, constant bool) {
	if i.lower == nil || i.upper == nil {
		return 0, false
	}
	difference := i.upper.plus(i.lower, -1)
	return difference[""], difference.isConstant()
}

// isFree says that the loops inside that of the variable run as often, and
// over the same values, in each of its iterations.
func (t *fullTile) isFree(variable string, ranges map[string]interval) bool {
	alone := map[string]interval{variable: {}}
	for _, r := range ranges {
		if r.depth <= ranges[variable].depth {
			continue
		}
		if width, constant := r.width(); !constant || width < 0 || r.lower[variable] != 0 || t.isOpaqueIn(r.lower, alone) {
			return false
		}
	}
	return true
}

// shiftOf is how much a statement's iterators change when the loop variable
// grows by width.
func (t *fullTile) shiftOf(iterators []*loopir.Expr, variable string, width int64) (shift []int64, ok bool) {
	for _, iterator := range iterators {
		value := t.linearOf(iterator)
		if t.isOpaqueIn(value, map[string]interval{variable: {}}) {
			return nil, false
		}
		shift = append(shift, value[variable]*width)
	}
	return shift, true
}

// isImpossible says that no two instances of the statement that are that far
// apart stay inside the arrays.
func (n *place) isImpossible(s *scop.StatementModel, shift []int64) bool {
	mark := n.model.Context.Mark()
	defer n.model.Context.Release(mark)
	from, to := make([]string, len(shift)), make([]string, len(shift))
	for k, distance := range shift {
		from[k] = fmt.Sprintf("i%d", k)
		to[k] = fmt.Sprintf("i%d + %d", k, distance)
	}
	inside := n.insideArrays(s)
	moved := inside.Apply(n.model.Context.ReadMap(fmt.Sprintf("{ %s[%s] -> %[1]s[%[3]s] }", s.Name, strings.Join(from, ", "), strings.Join(to, ", "))))
	empty, err := inside.Intersect(moved).IsEmpty()
	if err != nil {
		n.fail(err)
	}
	return err == nil && empty
}

// insideArrays are the statement's instances whose accesses are inside those
// arrays whose extents are numbers.
func (n *statements) insideArrays(s *scop.StatementModel) *isl.Set {
	inside := s.Domain
	for k, access := range s.Accesses {
		array := n.model.Program.Array(s.Statement.Accesses[k].Array)
		if array == nil {
			continue
		}
		var subscripts, conditions []string
		for d, extent := range array.Extents {
			subscripts = append(subscripts, fmt.Sprintf("c%d", d))
			if size, err := strconv.ParseInt(extent, 10, 64); err == nil {
				conditions = append(conditions, fmt.Sprintf("0 <= c%d < %d", d, size))
			}
		}
		if len(conditions) == 0 {
			continue
		}
		elements := n.model.Context.ReadSet(fmt.Sprintf("{ %s[%s] : %s }", array.Name, strings.Join(subscripts, ", "), strings.Join(conditions, " and ")))
		inside = inside.Intersect(elements.Apply(access.Reverse()))
	}
	return inside
}
