package space

import (
	"cmp"
	"slices"

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
// source, so that the original order always has a row.
func sourceTimes(s *scop.StatementModel) []loopTime {
	times := make([]loopTime, s.Depth())
	for k, time := range s.Times {
		times[k] = loopTime{loop: k, sign: time.Iterators[k], parameters: time.Parameters, constant: time.Constant}
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
	statement := &m.Statements[s]
	times := sourceTimes(statement)
	for k, loop := range statement.Loops {
		if loop.Descending {
			times = append(times, loopTime{loop: k, sign: 1, parameters: make([]int64, len(m.Program.Parameters))})
		}
		// The bound i < N of a loop may follow from one of a loop inside, such
		// as 2i < N, and be lost where the values of i are all that is looked at.
		bounds, err := m.UpperBounds(statement.Iterations(k).RemoveRedundancies(), 0)
		more, err2 := m.UpperBounds(statement.Domain, k)
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		for _, bound := range append(bounds, more...) {
			time := loopTime{loop: k, sign: -1, parameters: bound.Parameters, constant: bound.Constant}
			if !slices.ContainsFunc(times, time.equal) {
				times = append(times, time)
			}
		}
	}
	return times[statement.Depth():], nil
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
