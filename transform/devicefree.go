package transform

import (
	"cmp"
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// moreApart says whether some of a plan's components has more free loops by itself than all have
// together.
func (m *deviceMapper) moreApart(n *devicePlan, components [][]int, together int, active []*depend.Dependence) (bool, error) {
	if len(components) == 1 || together == facts.MaxShared {
		return false, nil
	}
	for _, component := range components {
		band, inside := n.of(component).bands[0], facts.Within(active, component)
		free, err := m.freeOf(band, inside)
		if err != nil || min(len(free), facts.MaxShared) > together {
			return err == nil, err
		}
	}
	return false, nil
}

// grouped puts components of a plan together, each with an earlier one that it may run beside,
// where that leaves both as many free loops as the one with more of them has, at least one: fewer
// kernels start.
func (m *deviceMapper) grouped(n *devicePlan, components [][]int, active []*depend.Dependence) ([][]int, error) {
	var err error
	free := func(statements []int) int {
		if err != nil || m.onHost(statements) {
			return 0
		}
		var loops []int
		loops, err = m.freeOf(n.of(statements).bands[0], facts.Within(active, statements))
		return min(len(loops), facts.MaxShared)
	}
	ordered := func(i, j int) bool {
		return slices.ContainsFunc(active, func(d *depend.Dependence) bool { return d.Source == i && d.Target == j })
	}
	groups, failed := gather(components, ordered, func(group, component []int) (bool, error) {
		together := free(slices.Sorted(slices.Values(slices.Concat(group, component))))
		return together > 0 && together >= max(free(group), free(component)), err
	})
	return groups, cmp.Or(err, failed)
}

// unite makes one band of all of a plan without parts where its loops could change places.
func (m *deviceMapper) unite(n *devicePlan, active []*depend.Dependence) error {
	if len(n.parts) > 0 || len(n.bands) < 2 {
		return nil
	}
	all := deviceBand{permutable: true}
	for _, band := range n.bands {
		for _, rows := range band.rows {
			if is, err := facts.Forward(facts.Constraining(active), rows); err != nil || !is {
				return err
			}
			all.rows = append(all.rows, rows)
		}
	}
	n.bands = []deviceBand{all}
	return nil
}

// freeOf are the loops of a band that carry nothing; of one whose loops cannot change places, those
// in front alone.
func (m *deviceMapper) freeOf(band deviceBand, active []*depend.Dependence) (free []int, err error) {
	for k, rows := range band.rows {
		is, err := facts.Coincident(active, rows)
		if err != nil {
			return nil, err
		}
		if is {
			// Blocks and threads do not add up in copies of their own.
			if is, err = facts.Coincident(m.relaxedOf(rows), rows); err != nil {
				return nil, err
			}
		}
		if is && moves(rows) {
			free = append(free, k)
		} else if !band.permutable {
			break
		}
	}
	return free, nil
}

// relaxedOf are the dependences between statements of rows that may run in any order, but not at
// once.
func (m *deviceMapper) relaxedOf(rows map[int]schedule.Row) []*depend.Dependence {
	return facts.Within(depend.Distinct(m.graph.Relaxed), slices.Collect(maps.Keys(rows)))
}

// moves says whether a loop runs over iterations of some statement.
func moves(rows map[int]schedule.Row) bool {
	for _, row := range rows {
		if !row.IsConstant() {
			return true
		}
	}
	return false
}

// outside makes one loop of the outermost band the host's: that inside of which the most loops are
// free; the sum of all loops where none is.
func (m *deviceMapper) outside(n *devicePlan, active []*depend.Dependence) (bool, error) {
	band := n.bands[0]
	candidates := 1
	if band.permutable {
		candidates = len(band.rows)
	}
	best, most := 0, -1
	for k := range candidates {
		count, err := m.freeInside(n, band.rows[k], k, active)
		if err != nil {
			return false, err
		}
		if count > most {
			best, most = k, count
		}
	}
	host, rest := band.rows[best], slices.Delete(slices.Clone(band.rows), best, best+1)
	if most == 0 && band.permutable && len(band.rows) > 1 {
		host = sumOf(band.rows)
	}
	left, err := facts.Unsatisfied(m.graph, active, []map[int]schedule.Row{host})
	if err != nil {
		return false, err
	}
	m.emit(command.Band{Node: n.name, Permutable: true, Rows: schedule.Affine([]map[int]schedule.Row{host})})
	inner := *n
	inner.depth++
	inner.host = append(slices.Clip(n.host), host)
	inner.bands = slices.Clone(n.bands[1:])
	if len(rest) > 0 {
		inner.bands = append([]deviceBand{{simpler(rest, host), band.permutable}}, inner.bands...)
	}
	return m.mapped(&inner, left)
}

// sumOf is the sum of rows.
func sumOf(list []map[int]schedule.Row) map[int]schedule.Row {
	sum := map[int]schedule.Row{}
	for s, row := range list[0] {
		for _, other := range list[1:] {
			row = row.Plus(other[s], 1)
		}
		sum[s] = row
	}
	return sum
}

// freeInside counts, for the statements with the most loops, the free loops inside of one loop of
// the outermost band.
func (m *deviceMapper) freeInside(n *devicePlan, host map[int]schedule.Row, place int, active []*depend.Dependence) (count int, err error) {
	left, err := facts.Unsatisfied(m.graph, active, []map[int]schedule.Row{host})
	if err != nil {
		return 0, err
	}
	rest := deviceBand{slices.Delete(slices.Clone(n.bands[0].rows), place, place+1), n.bands[0].permutable}
	for _, component := range facts.ComponentsOf(m.graph, n.statements, left, m.graph.Model.Program.Privates()) {
		inside := facts.Within(left, component)
		part := n.of(component)
		bands := part.bands[1:]
		if len(rest.rows) > 0 {
			bands = append([]deviceBand{rest}, bands...)
		}
		for _, band := range bands {
			free, err := m.freeOf(band, inside)
			if err != nil {
				return 0, err
			}
			if count += len(free); len(free) > 0 {
				break
			}
		}
	}
	return count, nil
}

// simpler are rows without multiples of a row of a loop around, where that makes them shorter: 2t +
// i inside of t is i.
func simpler(list []map[int]schedule.Row, around map[int]schedule.Row) (made []map[int]schedule.Row) {
	for _, rows := range list {
		best, least := rows, lengthOf(rows)
		for factor := int64(-facts.MostSkewed); factor <= facts.MostSkewed; factor++ {
			other := map[int]schedule.Row{}
			for s, row := range rows {
				other[s] = row.Plus(around[s], factor)
			}
			if length := lengthOf(other); length < least {
				best, least = other, length
			}
		}
		made = append(made, best)
	}
	return made
}

// lengthOf is the sum of the factors of rows.
func lengthOf(rows map[int]schedule.Row) (length int64) {
	for _, row := range rows {
		for _, factor := range append(slices.Clone(row.Iterators), row.Parameters...) {
			length += max(factor, -factor)
		}
	}
	return length
}
