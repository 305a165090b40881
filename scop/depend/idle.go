package depend

import (
	"slices"

	"polytune/scop/mark"
)

// IdleBarriers are barriers of a proven schedule that nothing needs: without all of them the
// schedule is legal, too. Of several of which one is enough, the last ones are needed.
func (g *Graph) IdleBarriers(schedule mark.Schedule) (idle []mark.Barrier, err error) {
	if schedule.Marks == nil {
		return nil, nil
	}
	marks := slices.Clone(*schedule.Marks)
	for k, m := range marks {
		barrier, is := m.(mark.Barrier)
		if !is {
			continue
		}
		marks[k] = mark.Unroll{} // which claims nothing
		err := g.checkMarks(mark.Schedule{Tree: schedule.Tree, Marks: &marks})
		switch {
		case err == nil:
			idle = append(idle, barrier)
		case IsIllegal(err):
			marks[k] = barrier
		default:
			return nil, err
		}
	}
	return idle, nil
}

// checkMarks proves what the marks of a schedule claim, which runs all instances in order.
func (g *Graph) checkMarks(marked mark.Schedule) error {
	overlapped, err := g.overlappedOf(marked, true)
	if err != nil {
		return err
	}
	between, err := g.between(overlapped, true)
	if err != nil {
		return err
	}
	if err := (&marksCheck{Graph: between, marks: marked.Marks, order: marked.Tree.Map().IntersectDomain(marked.Tree.Domain()), complete: true, apart: true}).below(marked.Tree.Root(), nil); err != nil {
		return err
	}
	for _, o := range overlapped {
		if err := o.checkMarks(); err != nil {
			return err
		}
	}
	return nil
}
