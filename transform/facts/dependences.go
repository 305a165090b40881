package facts

import (
	"slices"

	"polytune/schedule"
	"polytune/scop"
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

// WithPrivates leaves statements that share a private variable in one part at first, inside all
// loops, where other statements are in another: then these parts may have a loop of their own each.
// The order inside a part is a split of that.
func WithPrivates(g *depend.Graph, statements []int, groups [][]int, found map[int][][]int64, active []*depend.Dependence) [][]int {
	if !Complete(g, statements, found) {
		return groups
	}
	if together := ComponentsOf(g, statements, active, g.Model.Program.Privates()); len(together) > 1 {
		return together
	}
	return groups
}

// ComponentsOf are the strongly connected components of the statements under
// the given dependences and private variables, in topological order.
func ComponentsOf(g *depend.Graph, statements []int, active []*depend.Dependence, privates []scop.Private) [][]int {
	return depend.ComponentsOf(len(g.Model.Statements), statements, Constraining(active), privates)
}

// Coincident says whether all dependences have distance zero along the rows, which carry none of
// them backwards: relaxed ones, which nothing keeps from that, must not be among them.
func Coincident(active []*depend.Dependence, rows map[int]schedule.Row) (bool, error) {
	for _, d := range active {
		cone, err := d.Cone()
		if err != nil {
			return false, err
		}
		if !cone.Contains(d.Distance(rows[d.Source], rows[d.Target], -1, 0)) {
			return false, nil
		}
	}
	return true, nil
}

// Unsatisfied are the parts of the dependences in which source and target
// have equal values of all rows.
func Unsatisfied(g *depend.Graph, active []*depend.Dependence, band []map[int]schedule.Row) ([]*depend.Dependence, error) {
	var rest []*depend.Dependence
	for _, d := range active {
		for _, rows := range band {
			var err error
			if d, err = g.Unsatisfied(d, rows[d.Source], rows[d.Target]); err != nil {
				return nil, err
			}
			if d == nil {
				break
			}
		}
		if d != nil {
			rest = append(rest, d)
		}
	}
	return rest, nil
}

// Undetermined are the private variables of a node's statements whose objects
// the loops found do not tell apart yet: until they do, the statements that
// access one stay together.
func Undetermined(g *depend.Graph, statements []int, found map[int][][]int64) []scop.Private {
	program := g.Model.Program
	return slices.DeleteFunc(program.Privates(), func(private scop.Private) bool {
		return !slices.Contains(statements, private.Statements[0]) ||
			!slices.ContainsFunc(private.Statements, func(s int) bool {
				return !scop.Determines(found[s], program.Statements[s].Depth(), private.Loops)
			})
	})
}

// DependencesOf are the dependences between the statements, each pair of
// instances once: those that constrain the order, and the relaxed ones of
// reductions that may be done in any. The latter are there so that it is known
// which loops carry them.
func DependencesOf(g *depend.Graph, statements []int) []*depend.Dependence {
	return append(depend.Distinct(g.Within(statements)), Within(depend.Distinct(g.Relaxed), statements)...)
}

// CarriesNone says whether no dependence has a distance along the rows, relaxed ones neither.
func CarriesNone(active []*depend.Dependence, rows map[int]schedule.Row) (bool, error) {
	free, err := Coincident(Constraining(active), rows)
	if !free || err != nil {
		return false, err
	}
	clauses, err := Carried(active, rows)
	return len(clauses) == 0, err
}

// Carried are the clauses of the relaxed dependences that have a distance along
// the rows, forwards or, since nothing keeps rows from that, backwards.
func Carried(active []*depend.Dependence, rows map[int]schedule.Row) ([]scop.Clause, error) {
	var clauses []scop.Clause
	for _, d := range active {
		if d.Relaxed == nil || slices.Contains(clauses, *d.Relaxed) {
			continue
		}
		cone, err := d.Cone()
		if err != nil {
			return nil, err
		}
		source, target := rows[d.Source], rows[d.Target]
		if !cone.Contains(d.Distance(source, target, 1, 0)) || !cone.Contains(d.Distance(source, target, -1, 0)) {
			clauses = append(clauses, *d.Relaxed)
		}
	}
	return clauses, nil
}

// IsPrivate says whether an array is one of those that iterations declare for themselves.
func IsPrivate(g *depend.Graph, array *scop.Array) bool {
	return slices.ContainsFunc(g.Model.Program.Privates(), func(private scop.Private) bool { return private.Name == array.Name })
}

// IsWrittenBy says whether some statements write an array.
func IsWrittenBy(g *depend.Graph, statements []int, array string) bool {
	return slices.ContainsFunc(statements, func(s int) bool {
		return slices.ContainsFunc(g.Model.Program.Statements[s].Accesses, func(a scop.Access) bool { return a.Array == array && a.Write })
	})
}
