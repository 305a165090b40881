// Package split divides the iteration domains of a program's statements:
// index-set splitting (Bondhugula et al., "Tiling and optimizing
// time-iterated computations on periodic domains", PACT 2014; section 2.4.4 of
// the Pluto+ paper, TOPLAS 2016). Long dependences that are symmetric about one
// place of a loop, like those of a stencil on a ring, forbid all tiling. Cut at
// that place, the statement's halves can move in opposite directions, so that
// the dependences become short.
//
// Find looks for cuts, Program makes the pieces, and Graph proves them and has
// their dependences.
//
// # Where to find what
//
//   - where a statement is split: find.go, middle.go; so that a loop is free in the pieces:
//     free.go; the pieces: split.go; that they are all of it: prove.go
//   - their dependences: scop/depend/cut.go; which pieces then part, and which statements
//     otherwise: transform/apart.go
package split

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"polytune/isl"
	"polytune/scop"
)

// Program is the program with the statements divided at the cuts. Pieces that
// have no instance for any value of the parameters are left out. Everything
// else stays as it was: the order in which instances run too, because pieces of a
// statement stand at one textual position, and never have an instance in common.
func Program(p *scop.Program, cuts []scop.Cut) (*scop.Program, error) {
	if len(p.Cuts) > 0 {
		return nil, errors.New("the program has been cut already")
	}
	ctx := isl.NewContext()
	defer ctx.Close()
	defer ctx.Limit(maxOperations, maxTime)()
	m, err := p.Model(ctx)
	if err != nil {
		return nil, err
	}
	cut := *p
	cut.Cuts, cut.Statements = cuts, nil
	for i := range m.Statements {
		pieces, err := piecesOf(m, &m.Statements[i], cuts)
		if err != nil {
			return nil, fmt.Errorf("the pieces of %s: %w", p.Statements[i].Name, err)
		}
		cut.Statements = append(cut.Statements, pieces...)
	}
	return &cut, nil
}

// maxOperations and maxTime bound isl's work for the pieces of a program.
const (
	maxOperations = 4_000_000
	maxTime       = 20 * time.Second
)

// piecesOf are the pieces of a statement with instances, or one when there is
// none.
func piecesOf(m *scop.Model, s *scop.StatementModel, cuts []scop.Cut) ([]scop.Statement, error) {
	rows, err := rowsOf(m.Program, s, cuts)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return []scop.Statement{*s.Statement}, nil
	}
	var pieces []scop.Statement
	for number := range 1 << len(rows) {
		domain := s.Domain
		for k, row := range rows {
			domain = domain.Intersect(side(m, s.Index, row, number>>k&1))
		}
		empty, err := domain.IsEmpty()
		if err != nil {
			return nil, err
		}
		if !empty || len(pieces) == 0 && number == 1<<len(rows)-1 {
			pieces = append(pieces, piece(s, number, domain.Coalesce()))
		}
	}
	return pieces, m.Context.Err()
}

// maxRows bounds the cuts of one statement: 2^5 pieces.
const maxRows = 5

// rowsOf are the rows at which the cuts divide a statement.
func rowsOf(p *scop.Program, s *scop.StatementModel, cuts []scop.Cut) (rows []scop.Row, err error) {
	for _, cut := range cuts {
		for _, row := range cut {
			if row.Statement != s.Name {
				continue
			}
			if len(row.Row.Iterators) != s.Depth() || len(row.Row.Parameters) != len(p.Parameters) {
				return nil, errors.New("a cut has another number of loops or parameters")
			}
			rows = append(rows, row.Row)
		}
	}
	if len(rows) > maxRows {
		return nil, fmt.Errorf("it is cut %d times; %d are possible", len(rows), maxRows)
	}
	return rows, nil
}

// side is the half-space of a cut: row <= 0 for 0, and row >= 1 for 1.
func side(m *scop.Model, s int, row scop.Row, which int) *isl.Set {
	condition := "<= 0"
	if which == 1 {
		condition = ">= 1"
	}
	p := m.Program
	return m.Context.ReadSet(fmt.Sprintf("%s{ %s : %s %s }", p.ParametersText(), p.InstanceText(s), row.Text(p.IteratorNames(s), p.Parameters), condition))
}

// piece is the part of a statement with these instances.
func piece(s *scop.StatementModel, number int, domain *isl.Set) scop.Statement {
	piece := *s.Statement
	piece.Name = fmt.Sprintf("%s_%d", s.Name, number)
	piece.Piece = &scop.Piece{Whole: s.Name, Index: s.Index, Number: number}
	piece.Domain = domain.SetTupleName(piece.Name).String()
	piece.Accesses = slices.Clone(s.Statement.Accesses)
	for k := range piece.Accesses {
		piece.Accesses[k].Relation = s.Accesses[k].SetTupleName(isl.DimIn, piece.Name).String()
	}
	return piece
}
