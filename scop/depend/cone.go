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
		equalities, inequalities, err := set.RemoveRedundancies().Lift().Coefficients().Constraints()
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
	dot := func(row []int64) (sum int64) {
		for k, v := range row {
			sum += v * form[k]
		}
		return sum
	}
	return !slices.ContainsFunc(c.Equalities, func(row []int64) bool { return dot(row) != 0 }) &&
		!slices.ContainsFunc(c.Inequalities, func(row []int64) bool { return dot(row) < 0 })
}
