package space

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// meeting knows which rows of two statements meet: for some values of the
// parameters, some iteration of the shared loop that runs the first statement is
// later than one that runs the second, and the other way round. Then the ranges
// of the rows have two iterations or more in common. Rows that do not meet make
// no shared loop, but two loops one after the other, as other classes do.
//
// A statement whose row has one value only meets the rows whose range has it. A
// statement in no loop meets everything, and so do statements that cycles of
// dependences tie together, because they are in one class of every partition.
//
// Whether rows meet is mostly seen from a few instances of each statement at
// one size, the ends of its loops; only where these do not show it, isl decides
// for all sizes.
type meeting struct {
	model *scop.Model
	// slack is the largest difference of two shifts, the peel bound minus 1.
	slack int64
	// component numbers the statements' strongly connected components.
	component []int
	// size is one value for each parameter, or nil when there is none that the
	// program allows.
	size []int64
	// looked says that a statement has been looked at: ends are the iterators
	// of some of its instances at the size; there may be none.
	looked []bool
	ends   [][][]int64
	// spans are for each statement those of its simple rows.
	spans []span
	// near remembers nearness.
	near map[[2]int]bool
	test *groupTest
}

// span says of some rows of one statement what bounds their values at its ends:
// the least value of each is at most low, the greatest at least high.
type span struct {
	known     bool
	low, high int64
}

// commonSize is the least value of the parameters at the size that is looked
// at, if the program allows it; with a larger slack it is larger.
const commonSize = 64

// newMeeting is the meeting of a test's rows; reaches is the transitive closure
// of the dependences.
func newMeeting(g *groupTest, reaches [][]bool) *meeting {
	n := len(g.model.Statements)
	return &meeting{model: g.model, test: g, slack: int64(g.peel - 1), component: newOrder(reaches).component,
		looked: make([]bool, n), ends: make([][][]int64, n), spans: make([]span, n),
		near: map[[2]int]bool{}}
}

// look finds the ends of a statement, once. What isl fails at stays unknown.
func (m *meeting) look(s int) {
	if m.looked[s] {
		return
	}
	context := m.model.Context
	mark := context.Mark()
	defer context.Release(mark)
	m.looked[s] = true
	if m.size == nil {
		m.size = m.someSize()
	}
	if m.size != nil {
		m.ends[s] = m.endsOf(s)
	}
	if context.Err() != nil {
		context.TakeErr()
		m.ends[s] = nil
	}
	m.spans[s] = m.simpleSpan(s)
}

// someSize are values of the parameters, none below commonSize unless it must
// be, that the program allows; they differ, so that a loop from one to another
// is seen. It is nil when there are none.
func (m *meeting) someSize() []int64 {
	p := m.model.Program
	values, conditions := make([]string, len(p.Parameters)), make([]string, len(p.Parameters))
	for _, least := range []int64{max(commonSize, 4*m.slack), 0} {
		for k, name := range p.Parameters {
			values[k] = fmt.Sprintf("tune_v%d = %s", k, name)
			conditions[k] = fmt.Sprintf("%s >= %d", name, least+least/8*int64(k))
		}
		text := fmt.Sprintf("%s{ [%s] : %s }", p.ParametersText(), strings.Join(values, ", "), strings.Join(append(conditions, "0 = 0"), " and "))
		set := m.model.Context.ReadSet(text).IntersectParams(m.model.Parameters)
		if size, ok := set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam)).Lexmin().Point(); ok {
			return size
		}
	}
	return nil
}

// endsOf are the first and the last instance of a statement at the size, and
// the last of the first iteration of its outermost loop and the first of the
// last one.
func (m *meeting) endsOf(s int) [][]int64 {
	set := m.model.Statements[s].Domain
	for p, name := range m.model.Program.Parameters {
		for k := range set.Dim(isl.DimParam) {
			if set.DimName(isl.DimParam, k) == name {
				set = set.FixSi(isl.DimParam, k, int(m.size[p]))
			}
		}
	}
	set = set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam))
	for k := range m.model.Statements[s].Depth() {
		below, _ := set.HasLowerBound(k)
		above, _ := set.HasUpperBound(k)
		if !below || !above {
			return nil
		}
	}
	first, ok := set.Lexmin().Point()
	last, okToo := set.Lexmax().Point()
	if !ok || !okToo {
		return nil
	}
	ends := [][]int64{first, last}
	if end, ok := set.FixSi(isl.DimSet, 0, int(first[0])).Lexmax().Point(); ok {
		ends = append(ends, end)
	}
	if end, ok := set.FixSi(isl.DimSet, 0, int(last[0])).Lexmin().Point(); ok {
		ends = append(ends, end)
	}
	return ends
}

// simpleRows are all rows of a statement with coefficients 0 and 1.
func (m *meeting) simpleRows(s int) []scop.Row {
	var rows []scop.Row
	for _, times := range m.test.timeSets(s) {
		coefficients := make([]int64, len(m.test.times[s]))
		for _, t := range times {
			coefficients[t] = 1
		}
		rows = append(rows, m.test.row(s, coefficients, 0))
	}
	return rows
}

// simpleSpan is the span of all simple rows of a statement.
func (m *meeting) simpleSpan(s int) span {
	all := span{known: len(m.ends[s]) > 0}
	for k, row := range m.simpleRows(s) {
		one := m.spanAt(s, row)
		if k == 0 {
			all.low, all.high = one.low, one.high
		}
		all.low, all.high = max(all.low, one.low), min(all.high, one.high)
	}
	return all
}

// spanAt is the span of one row of a statement that has been looked at.
func (m *meeting) spanAt(s int, row scop.Row) span {
	one := span{known: len(m.ends[s]) > 0}
	for k, end := range m.ends[s] {
		value := row.At(end, m.size)
		if k == 0 {
			one.low, one.high = value, value
		}
		one.low, one.high = min(one.low, value), max(one.high, value)
	}
	return one
}

// overlaps says whether the ranges of rows with these spans have a common part
// of at least this length.
func (s span) overlaps(t span, length int64) bool {
	return s.known && t.known && s.low+length <= t.high && t.low+length <= s.high
}

// isFree says that all rows of two statements meet: one is in no loop, or cycles
// tie them together.
func (m *meeting) isFree(s, t int) bool {
	return m.model.Statements[s].Depth() == 0 || m.model.Statements[t].Depth() == 0 || m.component[s] == m.component[t]
}

// concerns says whether simple rows of two statements, with shifts below the
// peel bound, may fail to meet. There is no meeting inside other loops.
func (m *meeting) concerns(s, t int) bool {
	if m == nil || m.isFree(s, t) {
		return false
	}
	m.look(s)
	m.look(t)
	return !m.spans[s].overlaps(m.spans[t], m.slack+1)
}

// allNear says whether any two statements of a class have simple rows that meet
// with shifts below the peel bound, whatever the dependences.
func (m *meeting) allNear(class []int) (bool, error) {
	for i, t := range class {
		for _, s := range class[:i] {
			if !m.concerns(s, t) {
				continue
			}
			if near, err := m.areNear(s, t); !near || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// areNear is allNear for two statements, computed once.
func (m *meeting) areNear(first, second int) (bool, error) {
	key := [2]int{first, second}
	if near, known := m.near[key]; known {
		return near, nil
	}
	others := m.simpleRows(second)
	for _, row := range m.simpleRows(first) {
		for _, other := range others {
			forward, backward, err := m.lags(first, second, row, other)
			if err != nil {
				return false, err
			}
			if max(forward, backward) <= m.slack && forward+backward <= 0 {
				m.near[key] = true
				return true, nil
			}
		}
	}
	m.near[key] = false
	return false, nil
}

// lags are the least differences of the shifts of the second statement, with
// the row other, and of the first, with row, and of the first and the second,
// with which the rows meet. Larger than the slack says that they do not.
func (m *meeting) lags(first, second int, row, other scop.Row) (forward, backward int64, err error) {
	if m.spanAt(first, row).overlaps(m.spanAt(second, other), m.slack+1) {
		return -m.slack, -m.slack, nil
	}
	mark := m.model.Context.Mark()
	defer m.model.Context.Release(mark)
	forward, backward, err = m.exactLags(m.values(first, row), m.values(second, other))
	if err != nil {
		m.model.Context.TakeErr()
		return 0, 0, fmt.Errorf("the rows of %s and %s: %w", m.model.Statements[first].Name, m.model.Statements[second].Name, err)
	}
	return forward, backward, nil
}

// exactLags are lags for the values of two rows.
func (m *meeting) exactLags(values, others *isl.Set) (forward, backward int64, err error) {
	// later is by how much an iteration of the second statement can be later
	// than one of the first.
	later := differences(values, others)
	if forward, err = m.least(later.Apply(m.model.Context.ReadMap("{ [d] -> [-d] }"))); err != nil {
		return 0, 0, err
	}
	if backward, err = m.least(later); err != nil {
		return 0, 0, err
	}
	zero := m.model.Context.ReadSet("{ [0] }")
	for _, alone := range []*isl.Set{values, others} {
		single, err := differences(alone, alone).IsSubset(zero)
		if single || err != nil {
			return forward, backward, err
		}
	}
	return max(forward+1, -m.slack), max(backward+1, -m.slack), nil
}

// differences are those of any number of the second set and one of the first,
// for any values of the parameters.
func differences(first, second *isl.Set) *isl.Set {
	all := first.MapTo(second).Deltas()
	return all.ProjectOut(isl.DimParam, 0, all.Dim(isl.DimParam))
}

// values are those of a row over all instances of its statement.
func (m *meeting) values(s int, row scop.Row) *isl.Set {
	return m.model.Statements[s].Domain.Apply(m.model.Context.ReadMap(m.model.Program.RowsText(s, row)))
}

// least is the smallest of a set of numbers, but not less than what no shift
// needs; more than the slack when the set is empty.
func (m *meeting) least(numbers *isl.Set) (int64, error) {
	limit := -m.slack - 1
	small := numbers.Intersect(m.model.Context.ReadSet(fmt.Sprintf("{ [d] : d <= %d }", limit)))
	if none, err := small.IsEmpty(); !none || err != nil {
		return limit, err
	}
	if none, err := numbers.IsEmpty(); none || err != nil {
		return m.slack + 1, err
	}
	point, ok := numbers.Lexmin().Point()
	if !ok {
		return 0, cmp.Or(m.model.Context.Err(), isl.ErrTooLarge)
	}
	return point[0], nil
}

// apart are two statements whose rows do not meet; ok is false when all do.
func (m *meeting) apart(rows Rows) (first, second int, ok bool, err error) {
	if m == nil {
		return 0, 0, false, nil
	}
	spans := map[int]span{}
	spanOf := func(s int) span {
		if _, known := spans[s]; !known {
			m.look(s)
			spans[s] = m.spanAt(s, rows[s])
		}
		return spans[s]
	}
	statements := rows.Statements()
	for i, t := range statements {
		for _, s := range statements[:i] {
			if m.isFree(s, t) || spanOf(s).overlaps(spanOf(t), 1) {
				continue
			}
			forward, backward, err := m.lags(s, t, rows[s], rows[t])
			if err != nil || forward > 0 || backward > 0 {
				return s, t, true, err
			}
		}
	}
	return 0, 0, false, nil
}

// Statements are those that have rows, in textual order.
func (r Rows) Statements() []int { return slices.Sorted(maps.Keys(r)) }
