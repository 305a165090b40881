package codegen

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// same is an expression at the present place.
func same(e *loopir.Expr) *loopir.Expr { return e }

// values are those that uses says, as C.
func (n *copies) values(run *loopir.Run, at func(*loopir.Expr) *loopir.Expr) []text {
	return n.texts(n.uses(run, at))
}

// uses are the values of a statement's iterators in an instance, one for each use of one: in
// subscripts of an array with memory of its own less the first iteration of the tile. at is an
// expression's value at the place that is meant.
func (n *copies) uses(run *loopir.Run, at func(*loopir.Expr) *loopir.Expr) []*loopir.Expr {
	s := run.Statement
	values := make([]*loopir.Expr, len(s.Uses))
	if run.Values != nil {
		for k, value := range run.Values {
			values[k] = at(value)
		}
		return values
	}
	for k, use := range s.Uses {
		value := run.At[use.Loop]
		if side := n.localSide(s.Statement, use); side != nil {
			value = n.inSide(value, side, func() *loopir.Expr { return run.Tiles[side.Tiles[s.Name]] })
		}
		values[k] = at(value)
	}
	return values
}

// localSide is the dimension of a contracted array whose subscript is that use of an
// iterator; nil for all other uses.
func (n *copies) localSide(s *scop.Statement, use scop.Use) *mark.LocalSide {
	for name, mark := range n.contractions {
		if side := sideAt(s, name, name, mark.Sides, use); side != nil {
			return side
		}
	}
	return nil
}

// sideAt is the one of some dimensions of an array, which texts call by the second name, whose
// subscript is that use of an iterator.
func sideAt(s *scop.Statement, array, inTexts string, sides []mark.LocalSide, use scop.Use) *mark.LocalSide {
	if !slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return a.Array == array }) {
		return nil
	}
	for k := range sides {
		isSubscript := func(e scop.Expr) bool {
			element, ok := e.(*scop.Ref)
			return ok && element.Name == inTexts && sides[k].Dimension < len(element.Subscripts) && element.Subscripts[sides[k].Dimension].At().Start == use.Offset
		}
		if scop.Has(s.Value, isSubscript) {
			return &sides[k]
		}
	}
	return nil
}

// tiledSides are the sides of a mark that are as long as a tile.
func tiledSides(mark mark.Local) (sides []mark.LocalSide) {
	for _, side := range mark.Sides {
		if side.Size > 1 {
			sides = append(sides, side)
		}
	}
	return sides
}

// sideOf is the one of some sides that is a dimension, nil for none.
func sideOf(sides []mark.LocalSide, dimension int) *mark.LocalSide {
	k := slices.IndexFunc(sides, func(side mark.LocalSide) bool { return side.Dimension == dimension })
	if k < 0 {
		return nil
	}
	return &sides[k]
}

// inSide is a subscript in memory for one tile or iteration.
func (n *copies) inSide(subscript *loopir.Expr, side *mark.LocalSide, tile func() *loopir.Expr) *loopir.Expr {
	if side.Size == 1 {
		return loopir.Int(side.Offset)
	}
	subscript = loopir.Operation(isl.OpSub, subscript, loopir.Operation(isl.OpMul, loopir.Int(side.Size), tile()))
	if side.Offset != 0 {
		subscript = loopir.Operation(isl.OpAdd, subscript, loopir.Int(side.Offset))
	}
	return subscript
}
