package hyperplane

import (
	"slices"

	"polytune/scop"
)

// manyUnknowns is the number of unknowns from which the rows of a statement's
// pieces are looked for as one at first.
const manyUnknowns = 48

// isLarge says whether a program for the statements has so many unknowns.
func (f *Finder) isLarge(statements []int) bool {
	unknowns := 0
	for _, s := range statements {
		unknowns += f.Program.Statements[s].Depth() + len(f.Program.Program.Parameters) + 3
	}
	return unknowns >= manyUnknowns
}

// mirror says how a piece of a statement lies to another one: on the other side
// of a cut, or not, along each loop.
type mirror struct {
	// first is the other piece.
	first int
	// sum[k] is, for a loop along which the pieces lie on different sides, the sum of
	// a time and its mirror image, over parameters: twice the place of the
	// cut; nil for other loops.
	sum [][]int64
}

// mirrors are those of the pieces whose statement has an earlier piece among the
// statements, by piece. Pieces of statements that are cut obliquely, or twice along one
// loop, have none.
func mirrors(m *scop.Model, statements []int) map[int]mirror {
	images := map[int]mirror{}
	first := map[string]int{}
	for _, s := range statements {
		statement := &m.Statements[s]
		if statement.Piece == nil {
			continue
		}
		earlier, known := first[statement.Whole()]
		if !known {
			first[statement.Whole()] = s
			continue
		}
		sum, ok := mirrored(m, statement, statement.Piece.Number^m.Statements[earlier].Piece.Number)
		if ok {
			images[s] = mirror{earlier, sum}
		}
	}
	return images
}

// mirrored are the sums of times and their mirror images for pieces on different
// sides of the cuts of a statement that the bits of sides say.
func mirrored(m *scop.Model, s *scop.StatementModel, sides int) (sum [][]int64, ok bool) {
	sum = make([][]int64, s.Depth())
	cut := make([]bool, s.Depth())
	for number, row := range cutRows(m.Program, s.Whole()) {
		isThere := func(c int64) bool { return c != 0 }
		k := slices.IndexFunc(row.Iterators, isThere)
		if k < 0 || cut[k] || slices.ContainsFunc(row.Iterators[k+1:], isThere) {
			return nil, false
		}
		cut[k] = true
		if sides>>number&1 == 0 {
			continue
		}
		sum[k] = make([]int64, len(row.Parameters))
		for p, c := range row.Parameters {
			twice := -2 * c * s.Times[k].Iterators[k]
			if twice%row.Iterators[k] != 0 {
				return nil, false
			}
			sum[k][p] = twice/row.Iterators[k] + 2*s.Times[k].Parameters[p]
		}
	}
	return sum, true
}

// cutRows are the rows at which a statement is cut, in the order of the bits of
// its pieces' numbers.
func cutRows(p *scop.Program, statement string) (rows []scop.Row) {
	for _, cut := range p.Cuts {
		for _, row := range cut {
			if row.Statement == statement {
				rows = append(rows, row.Row)
			}
		}
	}
	return rows
}

// addTie gives a piece the row of another one, mirrored where the pieces lie on
// different sides of a cut, as in Figure 4 (g) of the Pluto+ paper; constant
// shifts stay free. This is no condition of the paper's but a restriction: its
// solutions are legal, and not always the smallest. It leaves far fewer
// unknowns.
func (h *hyperplanes) addTie(s int, image mirror) {
	of, first := h.of[s], h.of[image.first]
	shift := make([][]int64, min(len(of.d), len(h.scop.Program.Parameters)))
	for p := range shift {
		shift[p] = h.program.newRow()
		shift[p][of.d[p]], shift[p][first.d[p]] = 1, -1
	}
	for k := range of.c {
		row := h.program.newRow()
		row[of.c[k]], row[first.c[k]] = 1, -1
		if image.sum[k] != nil {
			row[first.c[k]] = 1
			for p, v := range image.sum[k] {
				shift[p][first.c[k]] -= v
			}
		}
		h.program.isZero(h.about("mirror", s), row)
	}
	for _, row := range shift {
		h.program.isZero(h.about("mirror", s), row)
	}
}

// isImage says whether the rows found for a piece are those of the other one,
// mirrored: then a new row of the one is independent where the other's is.
func (m mirror) isImage(rows, others [][]int64) bool {
	return slices.EqualFunc(rows, others, func(row, other []int64) bool {
		for k, v := range row {
			if m.sum[k] != nil {
				v = -v
			}
			if v != other[k] {
				return false
			}
		}
		return true
	})
}
