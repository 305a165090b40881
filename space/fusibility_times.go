package space

import (
	"cmp"
	"slices"

	"polytune/isl"
	"polytune/scop"
)

// loopTime is an affine expression that grows as one loop of a statement
// advances, in one of its two directions: sign · iterator + parameters · n +
// constant.
type loopTime struct {
	loop       int
	sign       int64
	parameters []int64
	constant   int64
}

// sourceTimes are the times of a statement's loops in the direction of the
// source: the iterators, negated for loops that count down, so that the
// original order always has a row.
func sourceTimes(s *scop.Statement, parameters int) []loopTime {
	times := make([]loopTime, s.Depth())
	for k, loop := range s.Loops {
		times[k] = loopTime{loop: k, sign: 1, parameters: make([]int64, parameters)}
		if loop.Descending {
			times[k].sign = -1
		}
	}
	return times
}

// otherTimes are further times of a statement's loops, for signed rows. One
// that runs against the iterator starts at the loop's end: an affine upper
// bound of the iterator over the domain minus the iterator. Where the domain
// has several such bounds, as of a loop up to min(N, M), there is a time for
// each; bounds that are not affine, such as N/2, give none. A loop that counts
// down also has its iterator as a time.
func otherTimes(m *scop.Model, s int) ([]loopTime, error) {
	mark := m.Context.Mark()
	defer m.Context.Release(mark)
	var times []loopTime
	depth, domain := m.Statements[s].Depth(), m.Statements[s].Domain
	for k, loop := range m.Statements[s].Loops {
		if loop.Descending {
			times = append(times, loopTime{loop: k, sign: 1, parameters: make([]int64, len(m.Program.Parameters))})
		}
		values := domain.ProjectOut(isl.DimSet, k+1, depth-k-1).ProjectOut(isl.DimSet, 0, k)
		// The bound i < N of a loop may follow from one of a loop inside, such
		// as 2i < N, and be lost where the values of i are all that is looked at.
		bounds, err := upperBounds(m, values.RemoveRedundancies(), 0)
		more, err2 := upperBounds(m, domain, k)
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		for _, bound := range append(bounds, more...) {
			bound.loop = k
			if !slices.ContainsFunc(times, bound.equal) {
				times = append(times, bound)
			}
		}
	}
	return times, nil
}

// upperBounds are the times bound − iterator for each affine upper bound among
// the constraints of a set on one of its dimensions.
func upperBounds(m *scop.Model, set *isl.Set, dimension int) ([]loopTime, error) {
	dimensions := set.Dim(isl.DimSet)
	names := make([]string, set.Dim(isl.DimParam))
	for p := range names {
		names[p] = set.DimName(isl.DimParam, p)
	}
	var times []loopTime
	for _, piece := range set.BasicSets() {
		equalities, inequalities, err := piece.Constraints()
		if err != nil {
			m.Context.TakeErr()
			return nil, err
		}
		for _, row := range append(bothSigns(equalities), inequalities...) {
			alone := row[dimension] == -1 && isZero(row[:dimension]) && isZero(row[dimension+1:dimensions])
			if time, ok := upperBound(row[dimensions:], names, m.Program.Parameters); ok && alone {
				times = append(times, time)
			}
		}
	}
	return times, nil
}

// bothSigns are the rows and their negations.
func bothSigns(rows [][]int64) [][]int64 {
	both := slices.Clone(rows)
	for _, row := range rows {
		negated := make([]int64, len(row))
		for k, v := range row {
			negated[k] = -v
		}
		both = append(both, negated)
	}
	return both
}

// upperBound reads the rest of a constraint, over [named parameters, quantified
// variables, constant], as the bound of bound − iterator >= 0, if it is one over
// the program's parameters.
func upperBound(row []int64, names, parameters []string) (time loopTime, ok bool) {
	time = loopTime{sign: -1, parameters: make([]int64, len(parameters)), constant: row[len(row)-1]}
	for k, name := range names {
		p := slices.Index(parameters, name)
		switch {
		case p >= 0:
			time.parameters[p] = row[k]
		case row[k] != 0:
			return time, false
		}
	}
	return time, isZero(row[len(names) : len(row)-1])
}

func (t loopTime) equal(u loopTime) bool {
	return t.loop == u.loop && t.sign == u.sign && t.constant == u.constant && slices.Equal(t.parameters, u.parameters)
}

// rowOf is the schedule row Σ coefficient · time + shift of a statement with
// the given number of loops.
func rowOf(depth, parameters int, times []loopTime, coefficients []int64, shift int64) scop.Row {
	row := scop.Row{Iterators: make([]int64, depth), Parameters: make([]int64, parameters), Constant: shift}
	for k, c := range coefficients {
		row.Iterators[times[k].loop] += c * times[k].sign
		for p, v := range times[k].parameters {
			row.Parameters[p] += c * v
		}
		row.Constant += c * times[k].constant
	}
	return row
}
