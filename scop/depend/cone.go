package depend

import (
	"fmt"
	"slices"

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
	if d.cone != nil {
		return *d.cone, nil
	}
	var cone Cone
	columns := 1
	for _, piece := range d.Relation.DetectEqualities().BasicMaps() {
		set := piece.Wrap()
		if columns == 1 {
			columns += set.Dim(isl.DimParam) + set.Dim(isl.DimSet)
		}
		equalities, inequalities, err := set.Lift().Coefficients().Constraints()
		if err != nil {
			return Cone{}, fmt.Errorf("Farkas coefficients: %w", err)
		}
		cone.Equalities = appendDistinct(cone.Equalities, equalities, columns)
		cone.Inequalities = appendDistinct(cone.Inequalities, inequalities, columns)
	}
	d.cone = &cone
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
