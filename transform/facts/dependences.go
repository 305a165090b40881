package facts

import (
	"slices"

	"polytune/schedule"
	"polytune/scop/depend"
)

// Forward says whether no dependence has a negative distance along the rows.
func Forward(active []*depend.Dependence, rows map[int]schedule.Row) (bool, error) {
	for _, d := range active {
		cone, err := d.Cone()
		if err != nil {
			return false, err
		}
		if !cone.Contains(d.Distance(rows[d.Source], rows[d.Target], 1, 0)) {
			return false, nil
		}
	}
	return true, nil
}

// CarriesNothing says whether all dependences among some statements have no distance along their
// rows.
func CarriesNothing(g *depend.Graph, statements []int, rows map[int]schedule.Row) (bool, error) {
	if rows == nil {
		return false, nil
	}
	for _, d := range g.Within(statements) {
		cone, err := d.Cone()
		if err != nil {
			return false, err
		}
		for _, sign := range []int64{1, -1} {
			if !cone.Contains(d.Distance(rows[d.Source], rows[d.Target], sign, 0)) {
				return false, nil
			}
		}
	}
	return true, nil
}

// Within are the dependences with both ends in the group.
func Within(active []*depend.Dependence, group []int) []*depend.Dependence {
	var inside []*depend.Dependence
	for _, d := range active {
		if slices.Contains(group, d.Source) && slices.Contains(group, d.Target) {
			inside = append(inside, d)
		}
	}
	return inside
}

// Constraining are the dependences that constrain the order.
func Constraining(all []*depend.Dependence) []*depend.Dependence {
	isRelaxed := func(d *depend.Dependence) bool { return d.Relaxed != nil }
	if !slices.ContainsFunc(all, isRelaxed) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), isRelaxed)
}

// IsStill says whether no dependence has a distance along rows of statements.
func IsStill(active []*depend.Dependence, rows map[int]schedule.Row) (bool, error) {
	back := map[int]schedule.Row{}
	for s, row := range rows {
		back[s] = row.Plus(row, -2) // the negative row
	}
	ahead, err := Forward(active, rows)
	if !ahead || err != nil {
		return false, err
	}
	return Forward(active, back)
}
