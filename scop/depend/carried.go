package depend

import (
	"slices"

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
		part := d.Where(g.Time(d.Source, g.Iterator(d.Source, depth-1)), operator, g.Time(d.Target, g.Iterator(d.Target, depth-1)))
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

// Iterator is the row of a statement that is the iterator of one of its loops, from 0.
func (g *Graph) Iterator(s, loop int) scop.Row {
	row := scop.Row{Iterators: make([]int64, g.Model.Statements[s].Depth()), Parameters: make([]int64, len(g.Model.Program.Parameters))}
	row.Iterators[loop] = 1
	return row
}

// Smallest is one of the dependence's pairs, with the smallest parameters, as for a violation.
func (d *Dependence) Smallest(m *scop.Model) (*Pair, error) {
	return (&Violation{Dependence: d, all: d.Relation.String()}).Smallest(m)
}
