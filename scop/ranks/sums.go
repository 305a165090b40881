package ranks

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Sum is what ranks put together behind some code, in which each of them has updated elements of an
// array by itself: rank 0 from what they had before, the others from the operator's neutral
// element, or from the same where that changes nothing. Then all ranks have the same.
type Sum struct {
	// Name is that of the instances in front of the code, and with End of those behind it.
	Name   string
	Clause scop.Clause
	Array  *scop.Array
	// Behind is the loop behind which it is.
	Behind string
	// Times are the parameters of At for the values of the loops around.
	Times []string
	// At are the elements that any rank updates, over the program's parameters and the times;
	// Points relate the times to them.
	At     *isl.Set
	Points *isl.Map
}

// sums finds what is put together behind each piece.
func (p *planner) sums() error {
	for _, part := range p.parts {
		if part.mark == nil {
			continue
		}
		for k, clause := range part.mark.Reductions {
			sum, err := p.sumOf(part, clause)
			if err != nil {
				return err
			}
			if sum == nil {
				continue
			}
			sum.Name = p.name(fmt.Sprintf("tune_sum%d_%d", len(p.plan.Sums), k))
			part.sums, p.plan.Sums = append(part.sums, sum), append(p.plan.Sums, sum)
		}
	}
	return nil
}

// sumOf is what is put together under a clause, nil for nothing.
func (p *planner) sumOf(part *part, clause scop.Clause) (*Sum, error) {
	array := p.Program.Array(clause.Array)
	sum := &Sum{Clause: clause, Array: array, Behind: part.mark.Loop,
		Times: p.timeNames(part.depth)}
	if array == nil || p.Program.PrivateLoops(clause.Array) > 0 {
		return nil, refused("ranks would have to put values of %s together, of which each "+
			"iteration has its own", clause.Array)
	}
	if part.isAsync(clause.Array) {
		return nil, refused("what %s has before is needed where ranks begin to add up, so that "+
			"nothing can run while messages with it are under way: leave async out",
			array.Spelling())
	}
	now := p.Context.ReadSet(fmt.Sprintf("[%s] -> { [%[1]s] }", strings.Join(sum.Times, ", ")))
	for name, times := range part.times {
		s := p.Statement(name)
		r := s.Reduction.Under(clause)
		if r == nil {
			continue
		}
		for _, k := range r.Accesses {
			points := times.Reverse().ApplyRange(p.elements(s, k))
			if sum.Points != nil {
				points = points.Union(sum.Points)
			}
			sum.Points = points.Coalesce()
		}
	}
	if sum.Points == nil {
		return nil, nil
	}
	sum.At = sum.Points.IntersectDomain(now).Range().Coalesce()
	for d := range sum.At.Dim(isl.DimSet) {
		bounds := []func(int) (bool, error){sum.At.HasLowerBound, sum.At.HasUpperBound}
		for _, bounded := range bounds {
			is, err := bounded(d)
			if err == nil && !is {
				err = refused("data decide which elements of %s are updated under %s, so that "+
					"nobody knows what ranks have to put together: leave its loops out of %q",
					array.Spelling(), clause, "ranks")
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return sum, p.Context.Err()
}

// summed says whether ranks put the values of an array together behind a piece, so that all have
// them.
func (p *part) summed(array string) bool { return p.mark != nil && p.mark.Sums(array) }

// begin puts the instances with which sums of a piece begin in front of a node, and end those that
// put them together behind it; the node is the result.
func (p *planner) begin(node *isl.ScheduleNode, part *part) *isl.ScheduleNode {
	for _, sum := range part.sums {
		node = node.GraftBefore(p.extension(part, sum.Name))
	}
	return node
}

func (p *planner) end(node *isl.ScheduleNode, part *part) *isl.ScheduleNode {
	for _, sum := range part.sums {
		node = node.GraftAfter(p.extension(part, sum.Name+End))
	}
	return node
}
