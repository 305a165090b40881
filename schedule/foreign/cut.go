package foreign

import (
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
)

// cutOf is a cut of a statement between pieces of its schedule; ok is false where no affine
// expression divides them.
func cutOf(p *scop.Program, statement int, pieces []isl.Piece) (cut scop.Cut, ok bool) {
	for _, piece := range pieces {
		for _, part := range piece.Domain.BasicSets() {
			equalities, inequalities, err := part.Constraints()
			if err != nil {
				return nil, false
			}
			for _, constraint := range slices.Concat(inequalities, equalities) {
				if row, ok := rowOf(p, statement, piece.Domain, constraint); ok {
					return scop.Cut{{Statement: p.Statements[statement].Whole(), Row: row}}, true
				}
			}
		}
	}
	return nil, false
}

// rowOf is the row that is at most 0 where a constraint holds; ok is false where the constraint has
// quotients, or no iterator.
func rowOf(p *scop.Program, statement int, domain *isl.Set, constraint []int64) (row scop.Row, ok bool) {
	depth, parameters := p.Statements[statement].Depth(), domain.Dim(isl.DimParam)
	behind := depth + parameters
	row = scop.Row{Iterators: make([]int64, depth), Parameters: make([]int64, len(p.Parameters)), Constant: -constraint[len(constraint)-1]}
	isLarge := func(c int64) bool { return c > schedule.MaxFactor || c < -schedule.MaxFactor }
	if slices.ContainsFunc(constraint[:behind], isLarge) || row.Constant > schedule.MaxCount || row.Constant < -schedule.MaxCount {
		return row, false
	}
	if scop.IsZero(constraint[:depth]) || !scop.IsZero(constraint[behind:len(constraint)-1]) {
		return row, false
	}
	for k := range depth {
		row.Iterators[k] = -constraint[k]
	}
	for k := range parameters {
		factor := constraint[depth+k]
		at := slices.Index(p.Parameters, domain.DimName(isl.DimParam, k))
		if at < 0 && factor != 0 {
			return row, false
		}
		if at >= 0 {
			row.Parameters[at] = -factor
		}
	}
	return row, true
}
