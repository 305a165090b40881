package split

import (
	"polytune/scop"
	"polytune/scop/depend"
)

// Free finds cuts of statements after which a loop carries no dependence within the
// pieces: index-set splitting (Allen and Kennedy, "Optimizing compilers for modern
// architectures", 2001, section 5.7.1 on breaking dependences at a crossing or first
// iteration, here one that moves with the loops outside). For shortest paths,
//
//	for k for i for j: path[i][j] = min(path[i][j], path[i][k] + path[k][j])
//
// all dependences along i in one iteration of k begin or end at i = k, and those along j
// at j = k: apart from row and column k nothing depends on each other.
//
// Looked at are loops that are one statement's own; the place to cut at is where
// two of its references to an array meet.
func Free(g *depend.Graph) ([]scop.Cut, error) {
	var cuts []scop.Cut
	for s := range g.Model.Statements {
		rows := 0
		for k := range g.Model.Statements[s].Depth() {
			if rows+2 > maxRows || k < ownLoops(g.Model, s) {
				continue
			}
			row, found, err := freeing(g, s, k)
			if err != nil {
				return nil, err
			}
			if found {
				zero := scop.Row{Iterators: make([]int64, len(row.Iterators)), Parameters: make([]int64, len(row.Parameters))}
				name := g.Model.Statements[s].Name
				cuts = append(cuts, scop.Cut{{Statement: name, Row: row}}, scop.Cut{{Statement: name, Row: zero.Plus(row, -1)}})
				rows += 2
			}
		}
	}
	return cuts, nil
}

// ownLoops is the place of the outermost loop that a statement shares with no
// other.
func ownLoops(m *scop.Model, s int) int {
	shared := 0
	for r := range m.Statements {
		if r != s {
			shared = max(shared, m.Statements[r].CommonLoops(m.Statements[s].Statement))
		}
	}
	return shared
}

// freeing is a row that is zero at one iteration of loop k, where all dependences that
// the loop carries begin or end; found is false when there is none, or the
// loop carries nothing.
func freeing(g *depend.Graph, s, k int) (row scop.Row, found bool, err error) {
	rows, err := meetings(g.Model, s, k)
	if len(rows) == 0 || err != nil {
		return row, false, err
	}
	mark := g.Model.Context.Mark()
	defer g.Model.Context.Release(mark)
	carried, err := carriedBy(g, s, k)
	if len(carried) == 0 || err != nil {
		return row, false, err
	}
	for _, row := range rows {
		at := side(g.Model, s, row, 0).Subtract(side(g.Model, s, scop.Row{Iterators: row.Iterators, Parameters: row.Parameters, Constant: row.Constant + 1}, 0))
		all := true
		for _, d := range carried {
			begins, ends := d.Relation.IntersectDomain(at), d.Relation.Reverse().IntersectDomain(at).Reverse()
			empty, err := d.Relation.Subtract(begins).Subtract(ends).IsEmpty()
			if err != nil {
				return row, false, err
			}
			all = all && empty
		}
		if all {
			return row, true, nil
		}
	}
	return row, false, nil
}

// carriedBy are the parts of a statement's dependences on itself that its loop k
// carries.
func carriedBy(g *depend.Graph, s, k int) (carried []*depend.Dependence, err error) {
	time := g.Time(s, g.Iterator(s, k))
	for _, d := range g.Pairs() {
		if d.Source != s || d.Target != s {
			continue
		}
		for outer := 0; outer < k && d != nil; outer++ {
			if d, err = g.Unsatisfied(d, g.Iterator(s, outer), g.Iterator(s, outer)); err != nil {
				return nil, err
			}
		}
		if d == nil {
			continue
		}
		part := d.Where(time, "<", time)
		empty, err := part.IsEmpty()
		if err != nil {
			return nil, err
		}
		if !empty {
			carried = append(carried, part)
		}
	}
	return carried, nil
}

// meetings are rows that are zero where a subscript that is the iterator of loop k,
// but for a constant, is what another reference to the array has in that place:
// an expression of loops outside.
func meetings(m *scop.Model, s, k int) (rows []scop.Row, err error) {
	statement := &m.Statements[s]
	subscripts := make([][]scop.Row, len(statement.Accesses))
	for a, access := range statement.Accesses {
		if subscripts[a], err = scop.Subscripts(access); err != nil {
			return nil, err
		}
	}
	for a, own := range subscripts {
		for b, other := range subscripts {
			if statement.Statement.Accesses[a].Array != statement.Statement.Accesses[b].Array || len(own) != len(other) {
				continue
			}
			for d := range own {
				if isIterator(own[d], k) && isOutside(other[d], k) {
					rows = append(rows, own[d].Plus(other[d], -1))
				}
			}
		}
	}
	return rows, nil
}

// isIterator says whether a subscript is the iterator of a loop, but for a constant.
func isIterator(row scop.Row, loop int) bool {
	for k, c := range row.Iterators {
		if k == loop && c != 1 || k != loop && c != 0 {
			return false
		}
	}
	for _, c := range row.Parameters {
		if c != 0 {
			return false
		}
	}
	return true
}

// isOutside says whether a subscript moves with loops outside of one, and with no
// others.
func isOutside(row scop.Row, loop int) bool {
	moves := false
	for k, c := range row.Iterators {
		if k >= loop && c != 0 {
			return false
		}
		moves = moves || c != 0
	}
	return moves
}
