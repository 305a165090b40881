package schedule

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"polytune/scop"
	"polytune/scop/mark"
)

// SubscriptsBelow are an array's subscripts by statement of a node, those of one reference after the other.
func SubscriptsBelow(p *scop.Program, n *Node, array string) (map[int][][]scop.Expr, error) {
	all := map[int][][]scop.Expr{}
	for _, s := range n.Statements {
		statement := &p.Statements[s]
		if !slices.ContainsFunc(statement.Accesses, func(a scop.Access) bool { return a.Array == array }) {
			continue
		}
		assignment := p.Assignment(statement)
		if assignment == nil {
			return nil, fmt.Errorf("%s is not an assignment of sums, products and quotients of elements of one floating-point type, whose elements could be copied", statement.Spelling())
		}
		for k, operand := range assignment.Operands {
			if statement.Accesses[k].Array == array {
				all[s] = append(all[s], operand.Subscripts)
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("nothing inside uses %s", array)
	}
	return all, nil
}

// copiedSides are the dimensions of an array whose subscripts are an iterator over which some loops run one by one or in tiles, or a constant more, in
// all references.
func copiedSides(p *scop.Program, subscripts map[int][][]scop.Expr, loops []*Loop) []localSide {
	var sides []localSide
	for d := range dimensionsOf(subscripts) {
		for _, l := range slices.Backward(loops) {
			if len(l.Terms) != 1 {
				continue
			}
			side := localSide{dimension: d, tile: l, size: max(1, l.Terms[0].Size)}
			if side.holds(p, subscripts) {
				sides = append(sides, side)
				break
			}
		}
	}
	return sides
}

// CanCopy says whether some loops run over tiles of a subscript of all of an array's references.
func (t *Tree) CanCopy(subscripts map[int][][]scop.Expr, loops []*Loop) bool {
	return len(copiedSides(t.Program, subscripts, loops)) > 0
}

// dimensionsOf is the number of subscripts that all references have.
func dimensionsOf(subscripts map[int][][]scop.Expr) int {
	least := -1
	for _, references := range subscripts {
		for _, r := range references {
			if least < 0 || len(r) < least {
				least = len(r)
			}
		}
	}
	return max(0, least)
}

// holds says whether the subscripts of all references follow the loop, and notes by how much they are more than its iterations. A copy for single
// iterations has one element.
func (side *localSide) holds(p *scop.Program, subscripts map[int][][]scop.Expr) bool {
	side.least, side.most = math.MaxInt64, math.MinInt64
	for s, references := range subscripts {
		row, known := side.tile.Terms[0].Rows[s]
		for _, r := range references {
			k, constant, ok := shiftedIterator(r[side.dimension])
			if !known || !ok || row.Text(p.IteratorNames(s), p.Parameters) != p.IteratorNames(s)[k] {
				return false
			}
			side.least, side.most = min(side.least, constant), max(side.most, constant)
		}
	}
	return side.size > 1 || side.least == side.most
}

// shiftedIterator reads a subscript like i, i + 1 or i - 1.
func shiftedIterator(subscript scop.Expr) (loop int, constant int64, ok bool) {
	if sum, isSum := subscript.(*scop.Binary); isSum && (sum.Operator == "+" || sum.Operator == "-") {
		number, isNumber := sum.Y.(*scop.Number)
		if !isNumber {
			return 0, 0, false
		}
		value, err := strconv.ParseInt(sum.Operator+number.Text, 10, 32)
		if err != nil {
			return 0, 0, false
		}
		subscript, constant = sum.X, value
	}
	iterator, isRef := subscript.(*scop.Ref)
	if !isRef || iterator.Loop < 0 {
		return 0, 0, false
	}
	return iterator.Loop, constant, true
}

// HasCopies says whether elements of some array are copied; none are without a tree.
func (t *Tree) HasCopies() bool {
	if t == nil {
		return false
	}
	has := false
	t.Walk(func(n *Node) bool {
		has = has || slices.ContainsFunc(n.Loops, func(l *Loop) bool { return len(l.Copies)+len(l.Boxes) > 0 })
		return !has
	})
	return has
}

// copyMarks are the marks of the arrays that are copied in each iteration of the innermost loop around the present
// place of a node.
func (l *lowering) copyMarks(n *Node) []mark.Mark {
	if len(l.around) == 0 {
		return nil
	}
	loop := l.around[len(l.around)-1]
	var marks []mark.Mark
	for _, array := range loop.Copies {
		subscripts, err := SubscriptsBelow(l.tree.Program, n, array)
		if err != nil {
			continue
		}
		m := mark.Local{Loop: loop.Name, Array: array, Own: l.isOnThreads()}
		for _, side := range copiedSides(l.tree.Program, subscripts, l.around) {
			m.Sides = append(m.Sides, mark.LocalSide{Dimension: side.dimension, Size: side.size, Offset: -side.least,
				Extent: side.size + side.most - side.least, Tiles: l.places(side, slices.Collect(maps.Keys(subscripts)))})
		}
		marks = append(marks, m)
	}
	return marks
}
