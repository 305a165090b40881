package transform

import (
	"fmt"
	"slices"

	"polytune/isl/ilp"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// searchOperations limits the search for one hyperplane. Kernels with few
// statements need less than 15,000, swim with its 27 more than 60,000.
const searchOperations = 200_000

// box bounds the coefficients of times (b in section 3.3 of the Pluto+
// paper) and the constants of rows. Without bounds the cuts of the integer
// program can go on for ever where loop bounds are large constants.
type box struct{ coefficient, shift int64 }

// boxes are those tried in turn until one has a solution. The paper's b = 4
// comes second: where coefficients up to 2 do, as they nearly always do, the
// search among them is faster by an order of magnitude; no kernel's
// hyperplanes differ.
var boxes = []box{{2, 8}, {4, 16}}

// hyperplane finds the next hyperplane of a band: rows that are legal for all
// active dependences and linearly independent of those found; nil when there
// is none.
//
// A solution without any distance is the minimum of (12), so the small program
// that allows none is tried before the one that bounds distances. When a
// search explodes, any legal row will do.
func (p *planner) hyperplane(statements []int, found map[int][][]int64, active []*depend.Dependence, privates []scop.Private) (map[int]schedule.Row, error) {
	gaveUp := false
	for _, treatment := range []distances{zero, bounded} {
		for _, b := range boxes {
			rows, exceeded, err := p.search(statements, found, active, privates, treatment, b)
			if rows != nil || err != nil {
				return rows, err
			}
			gaveUp = gaveUp || exceeded && treatment == bounded
		}
	}
	if !gaveUp {
		return nil, nil
	}
	rows, _, err := p.search(statements, found, active, privates, free, boxes[0])
	return rows, err
}

// search solves one hyperplane program; exceeded says that it was given up.
func (p *planner) search(statements []int, found map[int][][]int64, active []*depend.Dependence, privates []scop.Private, treatment distances, b box) (rows map[int]schedule.Row, exceeded bool, err error) {
	h := newHyperplanes(p.graph.Model, statements, b)
	for _, d := range active {
		if err := h.addDependence(d, treatment); err != nil {
			return nil, false, err
		}
	}
	for _, s := range statements {
		h.addIndependence(s, found[s])
	}
	for _, private := range privates {
		h.addPrivate(private)
	}
	solution, ok, exceeded, err := ilp.LexminWithin(p.graph.Model.Context, searchOperations, h.problem)
	if !ok || err != nil {
		return nil, exceeded, err
	}
	return h.rows(solution), false, nil
}

// hyperplanes is the integer program that finds one tiling hyperplane for a
// set of statements: one affine row per statement, with non-negative
// coefficients, along which no dependence goes backwards. It is the Pluto
// algorithm as section 2.5 of the Pluto+ paper (TOPLAS'16) states it, with the
// times of the loops (scop.StatementModel.Times) in the place of the iterators:
// so the original order of a loop that counts down is among the rows, and loops
// in opposite directions begin together.
type hyperplanes struct {
	model      *scop.Model
	statements []int
	problem    *ilp.Problem
	// time[s][k] is the unknown of the coefficient of the time of loop k of
	// statement s, constant[s] that of its shift; bound[p] and boundConstant
	// are u and w of equation (11).
	time          map[int][]int
	constant      map[int]int
	bound         []int
	boundConstant int
}

// newHyperplanes makes the unknowns in the order of the objective (12):
// lexmin(u, w, …, c_i, c_0, …). Within a statement the coefficients of inner
// loops come first, so that of equally good rows the one along an outer
// loop of the source wins.
func newHyperplanes(m *scop.Model, statements []int, b box) *hyperplanes {
	h := &hyperplanes{model: m, statements: statements, problem: &ilp.Problem{},
		time: map[int][]int{}, constant: map[int]int{}}
	unknown := func(format string, args ...any) int {
		h.problem.Unknowns = append(h.problem.Unknowns, fmt.Sprintf(format, args...))
		return len(h.problem.Unknowns) - 1
	}
	for _, parameter := range m.Program.Parameters {
		h.bound = append(h.bound, unknown("u_%s", parameter))
	}
	h.boundConstant = unknown("w")
	for _, s := range statements {
		depth := m.Statements[s].Depth()
		h.time[s] = make([]int, depth)
		for k := depth - 1; k >= 0; k-- {
			h.time[s][k] = unknown("c%d_%s", k+1, m.Statements[s].Name)
		}
		h.constant[s] = unknown("c0_%s", m.Statements[s].Name)
	}
	for k := range h.problem.Unknowns {
		h.problem.AtLeast(k, 0)
	}
	for _, s := range statements {
		for _, k := range h.time[s] {
			h.problem.AtMost(k, b.coefficient)
		}
		h.problem.AtMost(h.constant[s], b.shift)
	}
	return h
}

// distances says how a hyperplane program treats the distances of
// dependences.
type distances int

const (
	// bounded minimises an upper bound u·p + w of all distances.
	bounded distances = iota
	// zero allows no distance at all: u = 0 and w = 0, a parallel loop.
	zero
	// free does not look at distances.
	free
)

// addDependence adds, for one dependence, the validity constraint (10),
// φ(t) - φ(s) >= 0, and, for bounded distances, the bounding constraint (11),
// u·p + w - (φ(t) - φ(s)) >= 0, both by Farkas' lemma; for zero distances
// φ(s) - φ(t) >= 0.
func (h *hyperplanes) addDependence(d *depend.Dependence, treatment distances) error {
	validity, err := d.Cone()
	if err != nil {
		return err
	}
	h.addForm(validity, d, 1, false)
	switch treatment {
	case zero:
		h.addForm(validity, d, -1, false)
	case bounded:
		bounding, err := d.BoundingCone()
		if err != nil {
			return err
		}
		h.addForm(bounding, d, -1, true)
	}
	return nil
}

// addForm constrains sign·(φ(t) - φ(s)), plus u·p + w when bounded, to lie in
// the cone of forms that are non-negative on the dependence.
func (h *hyperplanes) addForm(cone depend.Cone, d *depend.Dependence, sign int64, bounded bool) {
	for _, row := range cone.Equalities {
		h.problem.Equalities = appendDistinct(h.problem.Equalities, h.substitute(row, d, sign, bounded))
	}
	for _, row := range cone.Inequalities {
		h.problem.Inequalities = appendDistinct(h.problem.Inequalities, h.substitute(row, d, sign, bounded))
	}
}

// substitute turns a constraint on the coefficients [constant, parameters…,
// source iterators…, target iterators…] of a form into one on the unknowns.
func (h *hyperplanes) substitute(cone []int64, d *depend.Dependence, sign int64, bounded bool) []int64 {
	row := h.problem.NewRow()
	row[h.constant[d.Target]] += sign * cone[0]
	row[h.constant[d.Source]] -= sign * cone[0]
	if bounded {
		row[h.boundConstant] += cone[0]
		for k, unknown := range h.bound {
			row[unknown] += cone[1+k]
		}
	}
	first := 1 + len(h.bound)
	for k, unknown := range h.time[d.Source] {
		row[unknown] -= sign * timeIn(cone, h.model.Statements[d.Source].Times[k], first)
	}
	first += len(h.time[d.Source])
	for k, unknown := range h.time[d.Target] {
		row[unknown] += sign * timeIn(cone, h.model.Statements[d.Target].Times[k], first)
	}
	return row
}

// timeIn is the product of a constraint on the coefficients of a form with
// those of a time of the statement whose iterators start at column first.
func timeIn(cone []int64, time scop.Row, first int) int64 {
	value := time.Constant * cone[0]
	for p, c := range time.Parameters {
		value += c * cone[1+p]
	}
	for k, c := range time.Iterators {
		value += c * cone[first+k]
	}
	return value
}

// appendDistinct appends a row unless it is there already or says nothing.
func appendDistinct(rows [][]int64, row []int64) [][]int64 {
	trivial := !slices.ContainsFunc(row, func(v int64) bool { return v != 0 })
	if trivial || slices.ContainsFunc(rows, func(other []int64) bool { return slices.Equal(other, row) }) {
		return rows
	}
	return append(rows, row)
}

// addIndependence demands of a statement a row that is not zero, (13), and
// linearly independent of those found, (16): every row of H⊥ non-negative on
// it, and their sum positive.
func (h *hyperplanes) addIndependence(s int, found [][]int64) {
	depth := len(h.time[s])
	forward := make([][]int64, len(found))
	for i, row := range found {
		forward[i] = make([]int64, depth)
		for k, c := range row {
			forward[i][k] = h.model.Statements[s].Times[k].Iterators[k] * c
		}
	}
	basis := scop.Orthogonal(forward, depth)
	if len(basis) == 0 {
		return
	}
	nonzero := h.problem.NewRow()
	for _, unknown := range h.time[s] {
		nonzero[unknown] = 1
	}
	nonzero[len(nonzero)-1] = -1
	sum := h.problem.NewRow()
	sum[len(sum)-1] = -1
	for _, vector := range basis {
		row := h.problem.NewRow()
		for k, unknown := range h.time[s] {
			row[unknown] = vector[k]
			sum[unknown] += vector[k]
		}
		h.problem.Inequalities = appendDistinct(h.problem.Inequalities, row)
	}
	h.problem.Inequalities = appendDistinct(h.problem.Inequalities, nonzero)
	h.problem.Inequalities = appendDistinct(h.problem.Inequalities, sum)
}

// rows reads the rows of the statements from a solution.
func (h *hyperplanes) rows(solution []int64) map[int]schedule.Row {
	rows := map[int]schedule.Row{}
	for _, s := range h.statements {
		row := schedule.Row{
			Iterators:  make([]int64, len(h.time[s])),
			Parameters: make([]int64, len(h.bound)),
			Constant:   solution[h.constant[s]],
		}
		for k, unknown := range h.time[s] {
			row = combination(1, row, solution[unknown], h.model.Statements[s].Times[k])
		}
		rows[s] = row
	}
	return rows
}
