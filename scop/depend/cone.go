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

// cones are those of a dependence, once they are known.
type cones struct{ all, bounding *Cone }

// Cone returns the cone of the dependence. It is computed once.
func (d *Dependence) Cone() (Cone, error) { return d.cones.cone(d.Relation, Symbols{}) }

// BoundingCone returns the cone of the dependence limited to parameters that
// are not negative: the forms that can bound a distance from above. It has
// forms that grow with a parameter the dependence does not mention. It is
// computed once; it is Cone's where the dependence exists for such parameters
// alone.
func (d *Dependence) BoundingCone() (Cone, error) { return d.cones.boundingCone(d.Relation, Symbols{}) }

// SymbolicCone is Cone where the bases of y are further parameters, behind the program's. They are
// the same in each call.
func (d *Dependence) SymbolicCone(y Symbols) (Cone, error) {
	if len(y.Bases) == 0 {
		return d.Cone()
	}
	return d.symbolic.cone(d.Relation, y)
}

// SymbolicBoundingCone is BoundingCone where the bases of y are further parameters, behind the
// program's.
func (d *Dependence) SymbolicBoundingCone(y Symbols) (Cone, error) {
	if len(y.Bases) == 0 {
		return d.BoundingCone()
	}
	return d.symbolic.boundingCone(d.Relation, y)
}

func (c *cones) cone(relation *isl.Map, y Symbols) (Cone, error) {
	if c.all == nil {
		cone, err := coneOf(relation, 0, y)
		if err != nil {
			return Cone{}, fmt.Errorf("coefficients by Farkas' lemma: %w", err)
		}
		c.all = &cone
	}
	return *c.all, nil
}

func (c *cones) boundingCone(relation *isl.Map, y Symbols) (Cone, error) {
	if c.bounding != nil {
		return *c.bounding, nil
	}
	cone, err := c.cone(relation, y)
	if parameters := relation.Dim(isl.DimParam) + len(y.Bases); err == nil && !cone.impliesNonNegative(parameters) {
		if cone, err = coneOf(relation, parameters, y); err != nil {
			err = fmt.Errorf("coefficients by Farkas' lemma: %w", err)
		}
	}
	if err != nil {
		return Cone{}, err
	}
	c.bounding = &cone
	return cone, nil
}

// impliesNonNegative says whether the parameters are at least zero in the
// dependence: on all generators of the cone over it, which are the rows.
func (c Cone) impliesNonNegative(parameters int) bool {
	for k := 1; k <= parameters; k++ {
		if slices.ContainsFunc(c.Equalities, func(row []int64) bool { return row[k] != 0 }) ||
			slices.ContainsFunc(c.Inequalities, func(row []int64) bool { return row[k] < 0 }) {
			return false
		}
	}
	return true
}

// coneOf is the cone of the relation where its first parameters, with the symbols behind them, so
// many as nonNegative says, are at least zero. Where there are too many vertices it is a part of
// that cone.
func coneOf(relation *isl.Map, nonNegative int, y Symbols) (Cone, error) {
	var cone Cone
	columns, loops := 1, loopsOfOne(relation)
	for _, piece := range relation.DetectEqualities().BasicMaps() {
		set := piece.Wrap()
		if columns == 1 {
			columns += set.Dim(isl.DimParam) + len(y.Bases) + set.Dim(isl.DimSet)
		}
		equalities, inequalities, err := coefficients(set, nonNegative, y, loops)
		if err != nil {
			return Cone{}, err
		}
		cone.Equalities = appendDistinct(cone.Equalities, equalities, columns)
		cone.Inequalities = appendDistinct(cone.Inequalities, inequalities, columns)
	}
	return cone, relation.Context().Err()
}

// loopsOfOne is the number of a statement's loops where the relation leads from it to itself, or 0.
func loopsOfOne(relation *isl.Map) int {
	if relation.TupleName(isl.DimIn) != relation.TupleName(isl.DimOut) {
		return 0
	}
	return relation.Dim(isl.DimIn)
}

// coefficients are the constraints on the coefficients of the affine forms
// that are non-negative on a set: rows over [constant, parameters, dimensions,
// quantified variables]. They are the generators of the cone over the set: a
// form is non-negative on a polyhedron exactly if it is on its vertices, its
// rays and, in both directions, its lines. isl eliminates Farkas multipliers
// instead, by the method of Fourier and Motzkin, which takes ten times as long
// and can go on for minutes. The
// first parameters, so many as nonNegative says, are taken to be at least zero. The
// set's dimensions are so many iterators of a statement twice as loops says, or else anything.
func coefficients(set *isl.BasicSet, nonNegative int, y Symbols, loops int) (equalities, inequalities [][]int64, err error) {
	lifted := set.Lift()
	equalities, inequalities, err = lifted.Constraints()
	if err != nil {
		return nil, nil, err
	}
	parameters, dimensions := lifted.Dim(isl.DimParam), lifted.Dim(isl.DimSet)
	quantified := dimensions - set.Dim(isl.DimSet)
	equalities = y.rows(rotated(equalities, dimensions), parameters, quantified)
	inequalities = y.rows(rotated(inequalities, dimensions), parameters, quantified)
	parameters += len(y.Bases)
	for k := range nonNegative {
		row := make([]int64, 1+parameters+dimensions)
		row[1+k] = 1
		inequalities = append(inequalities, row)
	}
	p := polyhedron{columns: 1 + parameters + dimensions, equalities: equalities, inequalities: inequalities, source: 1 + parameters, loops: loops}
	equalities, inequalities = p.forms(set.ToSet().Context())
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

// constantLast are rows with their first entry behind the others.
func constantLast(rows [][]int64) [][]int64 {
	list := make([][]int64, len(rows))
	for i, row := range rows {
		list[i] = append(slices.Clone(row[1:]), row[0])
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

// Slope is the largest value of one form over another one's, which is positive on the dependence,
// as a fraction from 0 on: the smallest x from 0 on with distance <= x steps on all of the
// dependence. It is the optimum of a linear program, found at its vertices and rays, which are the
// cone's rows. bounded says whether there is such an x.
func (c Cone) Slope(steps, distance []int64) (over, under int64, bounded bool) {
	if slices.ContainsFunc(c.Equalities, func(line []int64) bool { return dot(line, distance) != 0 }) {
		return 0, 1, false
	}
	over, under = 0, 1
	for _, row := range c.Inequalities {
		far, long := dot(row, distance), dot(row, steps)
		switch {
		case far <= 0:
		case long <= 0:
			return 0, 1, false
		case far*under > over*long:
			over, under = far, long
		}
	}
	return over, under, true
}
