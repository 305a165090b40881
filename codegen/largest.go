package codegen

import (
	"polytune/isl"
	"polytune/loopir"
)

// farParameter is how large parameters may be in code with tiles whose loops begin at them, and how
// small below zero: a tile is rounded to a multiple of its size, and ends behind the last
// iteration.
const farParameter = 1 << 62

// farFromLargest are the conditions under which no bound of a tile overflows: on the parameters of
// 64 bits at which loops begin, where tiles are rounded. Loops that begin elsewhere never end where
// their bounds are near the largest number.
func (n *memories) farFromLargest() (conditions []*loopir.Expr) {
	if !n.hasOriginal || !n.needed[helperFloor] {
		return nil
	}
	begins := n.beginnings()
	for k, name := range n.model.Program.Parameters {
		if !begins[k] || n.parameters[name] != wide {
			continue
		}
		parameter := loopir.Named(name)
		conditions = append(conditions,
			loopir.Operation(isl.OpGe, parameter, loopir.Int(-farParameter)),
			loopir.Operation(isl.OpLe, parameter, loopir.Int(farParameter)))
	}
	return conditions
}

// beginnings says which parameters, by their place, are in a lower bound of an iterator.
func (n *statements) beginnings() map[int]bool {
	begins := map[int]bool{}
	for i := range n.model.Statements {
		for _, piece := range n.model.Statements[i].Domain.BasicSets() {
			equalities, inequalities, err := piece.Constraints()
			if err != nil {
				n.model.Context.TakeErr()
				continue
			}
			iterators := piece.Dim(isl.DimSet)
			for k := range n.model.Program.Parameters {
				for _, row := range equalities {
					begins[k] = begins[k] || row[iterators+k] != 0
				}
				for _, row := range inequalities {
					begins[k] = begins[k] || row[iterators+k] != 0 && isLowerBound(row[:iterators])
				}
			}
		}
	}
	return begins
}

// isLowerBound says whether an inequality with these factors of the iterators bounds one from
// below.
func isLowerBound(factors []int64) bool {
	for _, f := range factors {
		if f > 0 {
			return true
		}
	}
	return false
}
