package split

import (
	"errors"
	"fmt"
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
)

// Graph is the dependence graph of a program that Program has cut, from the
// graph of the whole one, after a proof that the pieces are the statement: it
// does not trust the maker.
func Graph(whole *depend.Graph, p *scop.Program) (*depend.Graph, error) {
	m, err := whole.Model.Cut(p)
	if err != nil {
		return nil, err
	}
	if err := prove(whole.Model, m); err != nil {
		return nil, err
	}
	return whole.Cut(m)
}

// prove proves that each instance of the whole program is one of exactly one
// piece, and does there what it did: the same text, at the same place in the
// original order, with the same references, whose relations a cut model has from
// the whole one (scop.Model.Cut).
func prove(whole, cut *scop.Model) error {
	pieces := make([][]*scop.StatementModel, len(whole.Statements))
	for i := range cut.Statements {
		piece := &cut.Statements[i]
		of := whole.Statement(piece.Whole())
		if of == nil || piece.Piece != nil && piece.Piece.Index != of.Index {
			return fmt.Errorf("wrong pieces: %s is no piece of a statement of the program", piece.Spelling())
		}
		pieces[of.Index] = append(pieces[of.Index], piece)
	}
	for i := range whole.Statements {
		if err := provePieces(&whole.Statements[i], pieces[i]); err != nil {
			return err
		}
	}
	return whole.Context.Err()
}

// provePieces proves that the pieces are a partition of the statement's
// instances, and each of them what the statement is there.
func provePieces(s *scop.StatementModel, pieces []*scop.StatementModel) error {
	mark := s.Domain.Context().Mark()
	defer s.Domain.Context().Release(mark)
	union := s.Domain.Subtract(s.Domain)
	for _, piece := range pieces {
		if err := proveSame(s, piece); err != nil {
			return err
		}
		domain := piece.Domain.SetTupleName(s.Name)
		if disjoint, err := union.Intersect(domain).IsEmpty(); err != nil || !disjoint {
			return errors.Join(err, fmt.Errorf("wrong pieces: two pieces of %s have instances in common", s.Name))
		}
		union = union.Union(domain)
	}
	if equal, err := union.IsEqual(s.Domain); err != nil || !equal {
		return errors.Join(err, fmt.Errorf("wrong pieces: those of %s are not all of it", s.Name))
	}
	return nil
}

// proveSame proves that a piece does what the statement does, at the same place
// in the original order.
func proveSame(s, piece *scop.StatementModel) error {
	if piece.Source != s.Source || !slices.Equal(piece.Uses, s.Uses) || !slices.Equal(piece.Loops, s.Loops) ||
		!slices.Equal(piece.Position, s.Position) || len(piece.Accesses) != len(s.Accesses) {
		return fmt.Errorf("wrong pieces: %s has another text, place or number of references than %s", piece.Spelling(), s.Name)
	}
	for k, a := range s.Statement.Accesses {
		if b := piece.Statement.Accesses[k]; a.Array != b.Array || a.Read != b.Read || a.Write != b.Write || a.May != b.May {
			return fmt.Errorf("wrong pieces: reference %d of %s is another one than that of %s", k, piece.Spelling(), s.Name)
		}
	}
	return nil
}
