package depend

import (
	"slices"

	"polytune/isl"
	"polytune/scop"
)

// Carried are the parts of dependences that a loop of the source carries: between different
// iterations of it in one iteration of the loops around it. The loop is that at a depth, from 1,
// around a statement. Those of updates that may run in any order are not among them.
func (g *Graph) Carried(statement, depth int) (carried []*Dependence, err error) {
	p := g.Model.Program
	around := p.Statements[statement].Position[:depth]
	isInside := func(s int) bool {
		other := &p.Statements[s]
		return len(other.Loops) >= depth && slices.Equal(other.Position[:depth], around)
	}
	operator := "<"
	if p.Statements[statement].Loops[depth-1].Descending {
		operator = ">"
	}
	for _, d := range g.Dependences {
		if d.Depth != depth || !isInside(d.Source) || !isInside(d.Target) {
			continue
		}
		part := d.Where(g.iterator(d.Source, depth), operator, g.iterator(d.Target, depth))
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

// iterator is the time of a statement that its iterator at a depth, from 1, is.
func (g *Graph) iterator(s, depth int) *isl.Map {
	p := g.Model.Program
	row := scop.Row{Iterators: make([]int64, len(p.Statements[s].Loops)), Parameters: make([]int64, len(p.Parameters))}
	row.Iterators[depth-1] = 1
	return g.Time(s, row)
}

// Smallest is one of the dependence's pairs, with the smallest parameters, as for a violation.
func (d *Dependence) Smallest(m *scop.Model) (*Pair, error) {
	return (&Violation{Dependence: d, all: d.Relation.String()}).Smallest(m)
}
