package hyperplane

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"polytune/isl/ilp"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// Bounds of the integer programs of this file: of the multiple of the face, and
// of shifts. Sums of the hyperplanes of a band have coefficients well below.
const (
	mostFaces     = 64
	mostFaceShift = 64
)

// Front asks for the multiple of a face along which tiles may start together, and for shifts of
// the statements: λ0·face - others + shift has a distance of at least Least along all active
// dependences.
type Front struct {
	// Face and Others are rows by statement; Others is nil for none.
	Face, Others map[int]schedule.Row
	Active       []*depend.Dependence
	// Privates are variables whose statements get the same constant, where there are Others: the
	// rows are a loop's then.
	Privates []scop.Private
	Least    int64
}

// Multiple finds the smallest multiple λ0 >= 1 of the face, and then the smallest shifts of the
// statements, as section IV of the SC'12 paper has it. shifts is nil when there is none. The
// constraints are (10) of the Pluto+ paper, by Farkas' lemma.
func (f *Finder) Multiple(front Front) (factor int64, shifts map[int]int64, err error) {
	q, shift, err := f.multiplesOf(front)
	if err != nil {
		return 0, nil, err
	}
	started, problem := time.Now(), q.problem()
	answer, err := ilp.Lexmin(f.Program.Context, SearchOperations, problem)
	record := Program{Purpose: ForStart, Statements: slices.Sorted(maps.Keys(front.Face)), Unknowns: len(problem.Unknowns), Constraints: problem.Constraints(),
		Stage: "legal", Seconds: time.Since(started).Seconds(), Exceeded: answer.Exceeded, Solver: answer.Solver, program: q}
	if front.Least > 0 {
		record.Stage = "positive"
	}
	if answer.Found {
		record.values = answer.Solution
		factor, shifts = answer.Solution[0], map[int]int64{}
		for s, unknown := range shift {
			shifts[s] = answer.Solution[unknown]
		}
	}
	f.record(record)
	return factor, shifts, err
}

// multiplesOf writes the program of Multiple, with the number of each statement's
// shift.
func (f *Finder) multiplesOf(front Front) (q *program, shift map[int]int, err error) {
	q, shift = &program{}, map[int]int{}
	q.add(unknown{name: "lambda0", upper: mostFaces})
	for _, s := range slices.Sorted(maps.Keys(front.Face)) {
		shift[s] = q.add(unknown{name: "c0_" + f.Program.Statements[s].Name, upper: mostFaceShift})
	}
	positive := q.newRow()
	positive[0], positive[len(positive)-1] = 1, -1
	q.atLeastZero("SC'12 IV", positive)
	if front.Others != nil {
		front.shiftTogether(q, shift)
	}
	for _, d := range front.Active {
		cone, err := d.Cone()
		if err != nil {
			return nil, nil, err
		}
		equation := fmt.Sprintf("(10) %s -> %s", f.Program.Statements[d.Source].Name, f.Program.Statements[d.Target].Name)
		for _, form := range cone.Equalities {
			q.isZero(equation, front.distanceRow(q, form, d, shift))
		}
		for _, form := range cone.Inequalities {
			q.atLeastZero(equation, front.distanceRow(q, form, d, shift))
		}
	}
	return q, shift, nil
}

// shiftTogether demands the same constant of the rows λ0·face - others + shift of all statements
// that share objects of a private variable, as addPrivate does of the band's own rows.
func (front *Front) shiftTogether(q *program, shift map[int]int) {
	for _, private := range front.Privates {
		leader := private.Statements[0]
		for _, s := range private.Statements[1:] {
			if _, inside := front.Face[s]; !inside {
				continue
			}
			row := q.newRow()
			row[0] = front.Face[s].Constant - front.Face[leader].Constant
			row[shift[s]]++
			row[shift[leader]]--
			row[len(row)-1] = front.Others[leader].Constant - front.Others[s].Constant
			q.isZero("private", row)
		}
	}
}

// distanceRow is the constraint that a row of a dependence's cone puts on
// λ0·Δface - Δothers + Δshift - least.
func (front *Front) distanceRow(q *program, cone []int64, d *depend.Dependence, shift map[int]int) []int64 {
	row := q.newRow()
	row[0] = product(cone, d.Distance(front.Face[d.Source], front.Face[d.Target], 1, 0))
	row[shift[d.Target]] += cone[0]
	row[shift[d.Source]] -= cone[0]
	last := len(row) - 1
	row[last] = -front.Least * cone[0]
	if front.Others != nil {
		row[last] += product(cone, d.Distance(front.Others[d.Source], front.Others[d.Target], -1, 0))
	}
	return row
}

// product is the scalar product of two vectors.
func product(a, b []int64) int64 {
	sum := int64(0)
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}
