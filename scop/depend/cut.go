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
	all, relaxed, pairs := between(g.Dependences), between(g.Relaxed), between(g.pairs)
	cut := &Graph{Model: m}
	for r := range m.Statements {
		for s := range m.Statements {
			whole := [2]int{indexOfWhole(g, &m.Statements[r]), indexOfWhole(g, &m.Statements[s])}
			dependences, err := restricted(m, all[whole], r, s)
			var pair []*Dependence
			var anyOrder []*Dependence
			if err == nil {
				anyOrder, err = restricted(m, relaxed[whole], r, s)
			}
			if err == nil && len(dependences) > 0 {
				pair, err = restricted(m, pairs[whole], r, s)
			}
			if err != nil {
				return nil, fmt.Errorf("dependences of %s on %s: %w", m.Statements[s].Spelling(), m.Statements[r].Spelling(), err)
			}
			cut.Dependences = append(cut.Dependences, dependences...)
			cut.Relaxed = append(cut.Relaxed, anyOrder...)
			cut.pairs = append(cut.pairs, pair...)
		}
	}
	cut.reaches = closure(withLinks(cut.Successors(), m.Program.Privates()))
	return cut, m.Context.Err()
}

// between are dependences by their sources and targets.
func between(dependences []*Dependence) map[[2]int][]*Dependence {
	lists := map[[2]int][]*Dependence{}
	for _, d := range dependences {
		ends := [2]int{d.Source, d.Target}
		lists[ends] = append(lists[ends], d)
	}
	return lists
}

// indexOfWhole is the place, in the graph's program, of the statement that s is
// a piece of.
func indexOfWhole(g *Graph, s *scop.StatementModel) int {
	if s.Piece != nil {
		return s.Piece.Index
	}
	return g.Model.Statement(s.Name).Index
}

// restricted are the restrictions of dependences between two statements to the
// instances of two pieces, r and s of m, those that are not empty. Dependences of
// one relation keep one.
func restricted(m *scop.Model, whole []*Dependence, r, s int) (list []*Dependence, err error) {
	if len(whole) == 0 {
		return nil, nil
	}
	source, target := &m.Statements[r], &m.Statements[s]
	instances := source.Domain.SetTupleName(source.Whole()).MapTo(target.Domain.SetTupleName(target.Whole()))
	parts := map[*isl.Map]*isl.Map{}
	for _, d := range whole {
		part, known := parts[d.Relation]
		if !known {
			part = d.Relation.Intersect(instances).SetTupleName(isl.DimIn, source.Name).SetTupleName(isl.DimOut, target.Name).Coalesce()
			empty, err := part.IsEmpty()
			if err != nil {
				return nil, err
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
		restricted.cones, restricted.symbolic = cones{}, cones{}
		restricted.Source, restricted.Target, restricted.Relation = r, s, part
		list = append(list, &restricted)
	}
	return list, nil
}
