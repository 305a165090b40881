package depend

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// Cone is the set of all affine forms that are non-negative on a dependence
// relation, by the affine form of Farkas' lemma. A form has the coefficients
// [constant, parameters…, source iterators…, target iterators…]; each row r
// stands for r · coefficients = 0 or >= 0.
type Cone struct {
	Equalities, Inequalities [][]int64
}

// Cone returns the cone of the dependence. It is computed once.
func (d *Dependence) Cone() (Cone, error) {
	return cached(&d.cone, d.Relation)
}

// BoundingCone returns the cone of the dependence limited to parameters that
// are not negative: the forms that can bound a distance from above. It has
// forms that grow with a parameter the dependence does not mention. It is
// computed once.
func (d *Dependence) BoundingCone() (Cone, error) {
	return cached(&d.boundingCone, d.Relation.IntersectParams(nonNegative(d.Relation)))
}

// nonNegative is the set in which all parameters of the relation are at least
// zero.
func nonNegative(relation *isl.Map) *isl.Set {
	all := relation.Domain().Params()
	names := make([]string, all.Dim(isl.DimParam))
	conditions := make([]string, len(names))
	for k := range names {
		names[k] = all.DimName(isl.DimParam, k)
		conditions[k] = names[k] + " >= 0"
	}
	return relation.Context().ReadSet(fmt.Sprintf("[%s] -> { : %s }", strings.Join(names, ", "), strings.Join(conditions, " and ")))
}

// cached is the cone of the relation, from the place where it is kept.
func cached(place **Cone, relation *isl.Map) (Cone, error) {
	if *place != nil {
		return **place, nil
	}
	var cone Cone
	columns := 1
	for _, piece := range relation.DetectEqualities().BasicMaps() {
		set := piece.Wrap()
		if columns == 1 {
			columns += set.Dim(isl.DimParam) + set.Dim(isl.DimSet)
		}
		equalities, inequalities, err := coefficients(set)
		if err != nil {
			return Cone{}, fmt.Errorf("coefficients by Farkas' lemma: %w", err)
		}
		cone.Equalities = appendDistinct(cone.Equalities, equalities, columns)
		cone.Inequalities = appendDistinct(cone.Inequalities, inequalities, columns)
	}
	if err := relation.Context().Err(); err != nil {
		return Cone{}, fmt.Errorf("coefficients by Farkas' lemma: %w", err)
	}
	*place = &cone
	return cone, nil
}

// coefficients are the constraints on the coefficients of the affine forms
// that are non-negative on a set: rows over [constant, parameters, dimensions,
// quantified variables]. They are the generators of the cone over the set: a
// form is non-negative on a polyhedron exactly if it is on its vertices, its
// rays and, in both directions, its lines. isl eliminates Farkas multipliers
// instead, by the method of Fourier and Motzkin, which takes ten times as long
// and can go on for minutes; it is asked where there are too many generators.
func coefficients(set *isl.BasicSet) (equalities, inequalities [][]int64, err error) {
	lifted := set.Lift()
	equalities, inequalities, err = lifted.Constraints()
	if err != nil {
		return nil, nil, err
	}
	dimensions := lifted.Dim(isl.DimSet)
	points, rows, err := compressed(1+lifted.Dim(isl.DimParam)+dimensions, rotated(equalities, dimensions), rotated(inequalities, dimensions))
	if err == nil && points == nil {
		return nil, nil, nil
	}
	var g *generators
	if err == nil {
		g, err = newGenerators(len(points), rows)
	}
	if err != nil {
		return lifted.RemoveRedundancies().Coefficients().Constraints()
	}
	equalities, inequalities = g.coefficients(points)
	return equalities, inequalities, nil
}

// coefficients are the generators as constraints on the coefficients of forms:
// none for a cone over no point at all, on which every form is non-negative.
func (g *generators) coefficients(points lattice) (equalities, inequalities [][]int64) {
	if !slices.ContainsFunc(g.rays, func(r ray) bool { return r.vector[0] > 0 }) {
		return nil, nil
	}
	for _, line := range g.lines {
		equalities = append(equalities, points.at(line))
	}
	for _, r := range g.rays {
		inequalities = append(inequalities, points.at(r.vector))
	}
	return equalities, inequalities
}

// rotated are rows over [dimensions, parameters, constant] as rows over
// [constant, parameters, dimensions].
func rotated(rows [][]int64, dimensions int) [][]int64 {
	list := make([][]int64, len(rows))
	for i, row := range rows {
		last := len(row) - 1
		list[i] = append([]int64{row[last]}, row[dimensions:last]...)
		list[i] = append(list[i], row[:dimensions]...)
	}
	return list
}

// appendDistinct appends the first columns of each row that is not there yet.
// The columns left out belong to existentially quantified dimensions, whose
// coefficients are zero in the forms asked for, and to the constant, which is
// zero because the constraints are homogeneous.
func appendDistinct(rows, more [][]int64, columns int) [][]int64 {
	for _, row := range more {
		row = row[:columns]
		known := slices.ContainsFunc(rows, func(other []int64) bool { return slices.Equal(row, other) })
		zero := !slices.ContainsFunc(row, func(v int64) bool { return v != 0 })
		if !known && !zero {
			rows = append(rows, row)
		}
	}
	return rows
}

// Contains says whether the form with the given coefficients is non-negative
// on the dependence.
func (c Cone) Contains(form []int64) bool {
	return !slices.ContainsFunc(c.Equalities, func(row []int64) bool { return dot(row, form) != 0 }) &&
		!slices.ContainsFunc(c.Inequalities, func(row []int64) bool { return dot(row, form) < 0 })
}
