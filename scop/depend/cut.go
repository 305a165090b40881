package depend

import (
	"fmt"

	"polytune/isl"
	"polytune/scop"
)

// Cut is the graph of a program whose statements are pieces of those of g's,
// in the same context. Its dependences are the restrictions of g's to the
// pieces: the same ones that Analyze finds, because pieces keep the textual
// positions, loops and references of their statement. Empty ones are left out
// without looking at their references again, which makes it several times
// faster.
func (g *Graph) Cut(m *scop.Model) (*Graph, error) {
	between := map[[2]int][]*Dependence{}
	for _, d := range g.Dependences {
		pair := [2]int{d.Source, d.Target}
		between[pair] = append(between[pair], d)
	}
	cut := &Graph{Model: m}
	for r := range m.Statements {
		for s := range m.Statements {
			pair := [2]int{indexOfWhole(g, &m.Statements[r]), indexOfWhole(g, &m.Statements[s])}
			if err := cut.restrict(between[pair], r, s); err != nil {
				return nil, fmt.Errorf("dependences of %s on %s: %w", m.Statements[s].Spelling(), m.Statements[r].Spelling(), err)
			}
		}
	}
	cut.reaches = closure(withLinks(cut.Successors(), m.Program.Privates()))
	cut.pairs = merged(cut.Dependences)
	return cut, m.Context.Err()
}

// indexOfWhole is the place, in the graph's program, of the statement that s is
// a piece of.
func indexOfWhole(g *Graph, s *scop.StatementModel) int {
	if s.Piece != nil {
		return s.Piece.Index
	}
	return g.Model.Statement(s.Name).Index
}

// restrict adds the restrictions of dependences between two statements to the
// instances of two pieces. Dependences of one relation keep one.
func (g *Graph) restrict(whole []*Dependence, r, s int) error {
	if len(whole) == 0 {
		return nil
	}
	source, target := &g.Model.Statements[r], &g.Model.Statements[s]
	pairs := source.Domain.SetTupleName(source.Whole()).MapTo(target.Domain.SetTupleName(target.Whole()))
	parts := map[*isl.Map]*isl.Map{}
	for _, d := range whole {
		part, known := parts[d.Relation]
		if !known {
			part = d.Relation.Intersect(pairs).SetTupleName(isl.DimIn, source.Name).SetTupleName(isl.DimOut, target.Name).Coalesce()
			empty, err := part.IsEmpty()
			if err != nil {
				return err
			}
			if empty {
				part = nil
			}
			parts[d.Relation] = part
		}
		if part == nil {
			continue
		}
		restricted := *d
		restricted.cone, restricted.boundingCone = nil, nil
		restricted.Source, restricted.Target, restricted.Relation = r, s, part
		g.Dependences = append(g.Dependences, &restricted)
	}
	return nil
}
