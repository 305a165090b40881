package scop

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Cut is one hyperplane for each of some statements, which divides their
// instances into those where its row is at most 0 and those where it is at
// least 1: index-set splitting (section 2.4.4 of the Pluto+ paper).
type Cut []CutRow

// CutRow is the hyperplane of one statement.
type CutRow struct {
	// Statement is the name of the whole statement.
	Statement string
	Row       Row
}

// Piece says which part of a statement a statement of a cut program is.
type Piece struct {
	// Whole is the name of the statement, and Index its place, in the program
	// before it was cut.
	Whole string
	Index int
	// Number has, from the lowest bit on, one bit for each cut that divides
	// the statement: 0 where the row is at most 0.
	Number int
}

// Spelling is the statement's name for people: "S0.1" for a piece, whose Name
// is one that isl can read.
func (s *Statement) Spelling() string {
	if s.Piece == nil {
		return cmp.Or(s.Spelled, s.Name)
	}
	return fmt.Sprintf("%s.%d", cmp.Or(s.Spelled, s.Piece.Whole), s.Piece.Number)
}

// Whole is the name of the statement of the uncut program that s is, or is a
// piece of.
func (s *Statement) Whole() string {
	if s.Piece == nil {
		return s.Name
	}
	return s.Piece.Whole
}

// CutText is a cut of the program as ParseCut reads it:
// "S0[t, i] -> [2i - N + 1]; S1[t, i] -> [2i - N]".
func (p *Program) CutText(c Cut) string {
	var parts []string
	for _, row := range c {
		s := p.anyPieceOf(row.Statement)
		if s < 0 {
			continue
		}
		iterators := p.IteratorNames(s)
		parts = append(parts, fmt.Sprintf("%s[%s] -> [%s]", cmp.Or(p.Statements[s].Spelled, row.Statement), strings.Join(iterators, ", "), row.Row.Text(iterators, p.Parameters)))
	}
	return strings.Join(parts, "; ")
}

// ParseCut reads a cut of the program, whole or in pieces.
func (p *Program) ParseCut(text string) (Cut, error) {
	var c Cut
	for _, part := range strings.Split(text, ";") {
		s, rows, err := p.ParseRows(part, p.findPieces)
		if err != nil {
			return nil, err
		}
		name := p.Statements[s].Whole()
		switch {
		case len(rows) != 1:
			return nil, fmt.Errorf("statement %s has %d rows; a cut has one, as in S0[i, j] -> [2i - N + 1]", name, len(rows))
		case slices.ContainsFunc(c, func(other CutRow) bool { return other.Statement == name }):
			return nil, fmt.Errorf("statement %s is cut twice; give a second cut a line of its own", name)
		}
		c = append(c, CutRow{name, rows[0]})
	}
	return c, nil
}

// findPieces is anyPieceOf, with an error for none.
func (p *Program) findPieces(whole string) (int, error) {
	s := p.anyPieceOf(whole)
	if s < 0 {
		return 0, fmt.Errorf("there is no statement %q to cut", whole)
	}
	return s, nil
}

// anyPieceOf is the index of a statement that is the named one or a piece of
// it, or -1.
func (p *Program) anyPieceOf(whole string) int {
	return slices.IndexFunc(p.Statements, func(s Statement) bool { return s.Whole() == whole || s.Spelled == whole })
}
