package hyperplane

import (
	"slices"

	"polytune/isl/ilp"
	"polytune/scop"
	"polytune/scop/depend"
)

// distances says how a hyperplane program treats the distances of
// dependences.
type distances int

const (
	// bounded minimises an upper bound u·p + w of all distances.
	bounded distances = iota
	// zero allows no distance at all: u = 0 and w = 0, a parallel loop.
	zero
	// short is bounded with u = 0 and w up to Longest.
	short
	// free does not look at distances.
	free
)

func (d distances) String() string { return [...]string{"bounded", "none", "short", "any"}[d] }

// Longest is the largest distance that counts as short. Stencils have distances
// of one or two times the number of skewed loops.
const Longest = 16

// limits are the upper bounds of the unknowns u and of w.
func (d distances) limits() (u, w int64) {
	switch d {
	case zero:
		return 0, 0
	case short:
		return 0, Longest
	}
	return unlimitedValue, unlimitedValue
}

// addDependence adds the constraints of one dependence.
func (h *hyperplanes) addDependence(d *depend.Dependence, treatment distances) error {
	err := h.addValidity(d)
	if treatment != free && err == nil {
		err = h.addBounding(d)
	}
	return err
}

// between names a dependence behind the equation that a constraint comes from.
func (h *hyperplanes) between(equation string, d *depend.Dependence) string {
	return equation + " " + h.scop.Statements[d.Source].Name + " -> " + h.scop.Statements[d.Target].Name
}

// addValidity adds the validity constraint (10), φ(t) - φ(s) >= 0, by Farkas'
// lemma.
func (h *hyperplanes) addValidity(d *depend.Dependence) error {
	cone, err := d.SymbolicCone(h.symbols)
	h.addForm(h.between("(10)", d), cone, d, 1, false)
	return err
}

// addNoDistance adds the validity constraint (10) and the bounding constraint
// (11) with u = 0 and w = 0, by Farkas' lemma: φ(t) - φ(s) is neither negative
// nor positive on the dependence, so it is zero on all generators of the cone.
func (h *hyperplanes) addNoDistance(d *depend.Dependence) error {
	cone, err := d.SymbolicCone(h.symbols)
	equation := h.between("(10) = (11) = 0", d)
	for _, row := range slices.Concat(cone.Equalities, cone.Inequalities) {
		h.program.constrain(equation, h.substitute(row, d, 1, false), true)
	}
	return err
}

// addNoGrowth adds what no distance and a short one, with u = 0 in (11), have in
// common: φ(t) - φ(s) does not grow along the rays of the dependence, which are
// the generators without a constant, as far as parameters are not negative.
func (h *hyperplanes) addNoGrowth(d *depend.Dependence) error {
	cone, err := d.SymbolicBoundingCone(h.symbols)
	equation := h.between("(10) = (11) = 0", d)
	for _, row := range slices.Concat(cone.Equalities, cone.Inequalities) {
		if row[0] == 0 {
			h.program.constrain(equation, h.substitute(row, d, 1, false), true)
		}
	}
	return err
}

// addBounding adds the bounding constraint (11),
// u·p + w - (φ(t) - φ(s)) >= 0, by Farkas' lemma.
func (h *hyperplanes) addBounding(d *depend.Dependence) error {
	cone, err := d.SymbolicBoundingCone(h.symbols)
	h.addForm(h.between("(11)", d), cone, d, -1, true)
	return err
}

// addForm constrains sign·(φ(t) - φ(s)), plus u·p + w when bounded, to lie in
// the cone of forms that are non-negative on the dependence.
func (h *hyperplanes) addForm(equation string, cone depend.Cone, d *depend.Dependence, sign int64, bounded bool) {
	for _, row := range cone.Equalities {
		h.program.constrain(equation, h.substitute(row, d, sign, bounded), true)
	}
	for _, row := range cone.Inequalities {
		h.program.constrain(equation, h.substitute(row, d, sign, bounded), false)
	}
}

// substitute turns a constraint on the coefficients [constant, parameters…,
// source iterators…, target iterators…] of a form into one on the unknowns.
func (h *hyperplanes) substitute(cone []int64, d *depend.Dependence, sign int64, bounded bool) ilp.SparseRow {
	row := h.scratch
	if bounded {
		row[h.w] += cone[0]
		for k, unknown := range h.u {
			row[unknown] += cone[1+k]
		}
	}
	first := 1 + len(h.u)
	h.substituteRow(row, cone, d.Source, -sign, first)
	h.substituteRow(row, cone, d.Target, sign, first+len(h.of[d.Source].c))
	return h.gather(d.Source, d.Target)
}

// gather takes the entries that are not zero out of the scratch row, which is
// about two statements and has no constant.
func (h *hyperplanes) gather(source, target int) ilp.SparseRow {
	row := ilp.SparseRow{Terms: make([]ilp.Term, 0, 8)}
	take := func(first, end int) {
		for k, v := range h.scratch[first:end] {
			if v != 0 {
				row.Terms = append(row.Terms, ilp.Term{Unknown: first + k, Value: v})
				h.scratch[first+k] = 0
			}
		}
	}
	early, late := h.of[source], h.of[target]
	if late.first < early.first {
		early, late = late, early
	}
	take(0, h.w+1)
	take(early.first, early.end)
	take(late.first, late.end)
	return row
}

// substituteRow adds factor·φ of a statement whose iterators start at column
// first of the constraint.
func (h *hyperplanes) substituteRow(row, cone []int64, s int, factor int64, first int) {
	of := h.of[s]
	row[of.c0] += factor * cone[0]
	for p, unknown := range of.d {
		row[unknown] += factor * cone[1+p]
	}
	for k, unknown := range of.c {
		row[unknown] += factor * h.timeIn(cone, h.scop.Statements[s].Times[k], first)
	}
}

// timeIn is the product of a constraint on the coefficients of a form with
// those of a time of the statement whose iterators start at column first.
func (h *hyperplanes) timeIn(cone []int64, time scop.Row, first int) int64 {
	bases, rest := h.symbols.Split(time.Constant)
	value := rest * cone[0]
	for b, c := range bases {
		value += c * cone[1+len(time.Parameters)+b]
	}
	for p, c := range time.Parameters {
		value += c * cone[1+p]
	}
	for k, c := range time.Iterators {
		value += c * cone[first+k]
	}
	return value
}
