package space

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// forms are what the dependences from one statement to another, or to itself,
// demand of their schedule rows: rows over the coefficients of the source's
// times, those of the target's, and the target's shift minus the source's,
// which must be zero or at least zero.
//
// They follow from Farkas' lemma: the schedule difference must be in the cone
// of the affine forms that are non-negative on the dependence
// (depend.Dependence.Cone). The constant form 1 is in it, hence the factor of
// the difference of the shifts is zero in equalities and not negative in
// inequalities.
type forms struct {
	equalities, inequalities [][]int64
}

// between are the forms of a pair of statements. They are computed once.
func (g *groupTest) between(source, target int) (*forms, error) {
	key := [2]int{source, target}
	if f := g.forms[key]; f != nil {
		return f, nil
	}
	mark := g.model.Context.Mark()
	defer g.model.Context.Release(mark)
	f := &forms{}
	for _, d := range g.dependences {
		if d.Source != source || d.Target != target {
			continue
		}
		cone, err := d.Cone()
		if err != nil {
			g.model.Context.TakeErr()
			return nil, fmt.Errorf("dependences of %s on %s: %w",
				g.model.Statements[target].Name, g.model.Statements[source].Name, err)
		}
		parameters := parameterColumns(d, g.model.Program.Parameters)
		f.equalities = g.appendForms(f.equalities, cone.Equalities, d, parameters)
		f.inequalities = g.appendForms(f.inequalities, cone.Inequalities, d, parameters)
	}
	g.forms[key] = f
	return f, nil
}

// parameterColumns says for each parameter of the program which column of the
// dependence's cone it has. Every relation of a model has them all.
func parameterColumns(d *depend.Dependence, names []string) []int {
	columns := make([]int, len(names))
	for k := range d.Relation.Dim(isl.DimParam) {
		if p := slices.Index(names, d.Relation.DimName(isl.DimParam, k)); p >= 0 {
			columns[p] = 1 + k
		}
	}
	return columns
}

// appendForms turns rows of a cone, over [constant, parameters, source
// iterators, target iterators], into forms: the schedule difference has the
// negated times of the source.
func (g *groupTest) appendForms(list, rows [][]int64, d *depend.Dependence, parameters []int) [][]int64 {
	first := 1 + d.Relation.Dim(isl.DimParam)
	for _, row := range rows {
		var form []int64
		for _, t := range g.times[d.Source] {
			form = append(form, -valueOf(row, first, t, parameters))
		}
		for _, t := range g.times[d.Target] {
			form = append(form, valueOf(row, first+g.depth(d.Source), t, parameters))
		}
		form = append(form, row[0])
		known := slices.ContainsFunc(list, func(other []int64) bool { return slices.Equal(form, other) })
		if !known && !isZero(form) {
			list = append(list, form)
		}
	}
	return list
}

// valueOf is the product of a row of a cone with the coefficients of a time
// of the statement whose iterators start at column first.
func valueOf(row []int64, first int, t loopTime, parameters []int) int64 {
	value := t.sign*row[first+t.loop] + t.constant*row[0]
	for p, c := range t.parameters {
		value += c * row[parameters[p]]
	}
	return value
}

func isZero(row []int64) bool {
	return !slices.ContainsFunc(row, func(v int64) bool { return v != 0 })
}

// privatesOf are the private variables whose objects the outer rows do not
// tell apart yet: the statements that access one must have the same row,
// along the loops around its declaration alone, so that the class's loop
// keeps together what shares an object.
func privatesOf(p *scop.Program, outer map[int][][]int64) []scop.Private {
	return slices.DeleteFunc(p.Privates(), func(private scop.Private) bool {
		return !slices.ContainsFunc(private.Statements, func(s int) bool {
			return !scop.Determines(outer[s], p.Statements[s].Depth(), private.Loops)
		})
	})
}
