package depend

import (
	"slices"

	"polytune/scop/mark"
)

// IdleBarriers are barriers of a proven schedule that nothing needs: without all of them the schedule is legal, too. Of several of which one is enough, the last ones are needed.
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
		err := (&marksCheck{g, &marks, true}).below(schedule.Tree.Root(), nil)
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
