package depend

import (
	"polytune/isl"
	"polytune/scop"
)

// Time is the relation from the instances of a statement, given by its index,
// to the values of its schedule row.
func (g *Graph) Time(s int, row scop.Row) *isl.Map {
	return g.Model.Context.ReadMap(g.Model.Program.RowsText(s, row))
}

// Distance is the affine form sign·(φ(t) - φ(s)) + constant of the schedule
// rows φ of source s and target t, with its coefficients in the order of Cone.
func (d *Dependence) Distance(source, target scop.Row, sign, constant int64) []int64 {
	form := []int64{sign*(target.Constant-source.Constant) + constant}
	for k := range target.Parameters {
		form = append(form, sign*(target.Parameters[k]-source.Parameters[k]))
	}
	for _, c := range source.Iterators {
		form = append(form, -sign*c)
	}
	for _, c := range target.Iterators {
		form = append(form, sign*c)
	}
	return form
}

// Unsatisfied is the part of the dependence in which source and target have
// equal values of their schedule rows, or nil when that is empty. Farkas'
// lemma answers the common cases, distance always zero or always positive,
// without new relations.
func (g *Graph) Unsatisfied(d *Dependence, source, target scop.Row) (*Dependence, error) {
	cone, err := d.Cone()
	if err != nil {
		return nil, err
	}
	if cone.Contains(d.Distance(source, target, 1, -1)) {
		return nil, nil
	}
	if cone.Contains(d.Distance(source, target, 1, 0)) && cone.Contains(d.Distance(source, target, -1, 0)) {
		return d, nil
	}
	part := d.Where(g.Time(d.Source, source), "=", g.Time(d.Target, target))
	if empty, err := part.IsEmpty(); err != nil || empty {
		return nil, err
	}
	return part, nil
}
