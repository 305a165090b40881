package ilp

import (
	"math"
	"slices"

	"polytune/internal/integer"
)

// presolved is an integer program with fewer unknowns and constraints than
// another one whose lexicographically smallest solution it has. Hyperplane
// programs are full of equalities, given or implied by two inequalities: there
// is no distance along a direction in which a dependence goes on for ever, say.
// Many have no solution at all, which shows here.
type presolved struct {
	names []string
	// value[k] is unknown k as a row over others, nil while it is one. The others
	// come before it in the objective, so the smallest solution for them makes it
	// the smallest too.
	value []*SparseRow
	// lower and upper bound the unknowns; -unbounded and unbounded are none.
	lower, upper []int64
	// pending are equalities not looked at yet, equalities those that give no
	// unknown a value, because its coefficient is neither 1 nor -1.
	pending, equalities []SparseRow
	inequalities        []SparseRow
	// infeasible says that there is no solution, large that numbers became so,
	// and the program must be solved as it was.
	infeasible, large bool
	// early says that the leading equalities suffice for there being no solution.
	early bool
	// sum has a zero for each unknown.
	sum []int64
	// key is room for the key of a row.
	key []byte
}

// presolve simplifies a problem as long as that makes new equalities. It looks at
// the leading equalities, with all inequalities, before the others.
func presolve(p *Problem) *presolved {
	n := len(p.Unknowns)
	s := &presolved{names: p.Unknowns, value: make([]*SparseRow, n), sum: make([]int64, n),
		lower: slices.Repeat([]int64{-unbounded}, n), upper: slices.Repeat([]int64{unbounded}, n)}
	s.inequalities = s.sparse(p.Inequalities)
	if p.Leading > 0 {
		s.simplify(p.Equalities[:p.Leading])
		s.early = s.infeasible
	}
	s.simplify(p.Equalities[p.Leading:])
	return s
}

// sparse are rows of the problem. Where they have large numbers, it is large.
func (s *presolved) sparse(rows [][]int64) []SparseRow {
	list := make([]SparseRow, len(rows))
	for i, row := range rows {
		s.large = s.large || slices.ContainsFunc(row, isLarge)
		list[i] = Sparse(row)
	}
	return list
}

// simplify takes in more equalities.
func (s *presolved) simplify(equalities [][]int64) {
	s.pending = append(s.pending, s.sparse(equalities)...)
	for !s.infeasible && !s.large {
		s.eliminate()
		s.rewrite()
		s.propagate()
		if len(s.pending) == 0 {
			return
		}
	}
}

// eliminate takes values of unknowns from the pending equalities.
func (s *presolved) eliminate() {
	for again := true; again; {
		again = false
		rows := append(s.pending, s.equalities...)
		s.pending, s.equalities = nil, nil
		for _, row := range rows {
			row, ok := s.substituted(row)
			if !ok {
				return
			}
			divisor := row.divisor()
			switch {
			case divisor == 0 && row.Constant == 0:
				continue
			case divisor == 0 || row.Constant%divisor != 0:
				s.infeasible = true
				return
			}
			row = row.divided(divisor)
			if last := row.last(); last.Value == 1 || last.Value == -1 {
				s.give(last, row)
				again = true
			} else {
				s.equalities = append(s.equalities, row)
			}
		}
		again = again && len(s.equalities) > 0
	}
}

// give gives the unknown of an equality's last Term the value that it says.
func (s *presolved) give(last Term, equality SparseRow) {
	k := last.Unknown
	value := equality.scaled(-last.Value)
	value.Terms = value.Terms[:len(value.Terms)-1]
	s.value[k] = &value
	if s.lower[k] > -unbounded {
		s.inequalities = append(s.inequalities, SparseRow{value.Terms, value.Constant - s.lower[k]})
	}
	if s.upper[k] < unbounded {
		opposite := value.scaled(-1)
		opposite.Constant += s.upper[k]
		s.inequalities = append(s.inequalities, opposite)
	}
	for i, other := range s.value {
		if other != nil && other.mentions(k) {
			row, _ := s.substituted(*other)
			s.value[i] = &row
		}
	}
}

// substituted is the row with the values of unknowns in their places; ok is
// false, and the program large, when numbers become so.
func (s *presolved) substituted(row SparseRow) (result SparseRow, ok bool) {
	result, ok = row.plus(s.value, s.sum)
	s.large = s.large || !ok
	return result, ok
}

// rewrite puts values in the inequalities, tightens them to integers, and keeps of
// those with equal coefficients the strongest. Those about one unknown become its
// bounds, and opposite ones equalities.
func (s *presolved) rewrite() {
	if s.infeasible || s.large {
		return
	}
	strongest := map[string]int{}
	var list []SparseRow
	for _, row := range s.inequalities {
		row, ok := s.substituted(row)
		if !ok {
			return
		}
		divisor := row.divisor()
		if divisor == 0 {
			if s.infeasible = row.Constant < 0; s.infeasible {
				return
			}
			continue
		}
		row = row.divided(divisor)
		if len(row.Terms) == 1 {
			s.bound(row)
			continue
		}
		s.key = row.AppendKey(s.key[:0], 1)
		if place, known := strongest[string(s.key)]; known {
			list[place].Constant = min(list[place].Constant, row.Constant)
			continue
		}
		strongest[string(s.key)] = len(list)
		list = append(list, row)
	}
	s.inequalities = s.withoutOpposites(list, strongest)
	for k := range s.lower {
		s.closeInterval(k)
	}
}

// withoutOpposites makes equalities of pairs of opposite inequalities.
func (s *presolved) withoutOpposites(list []SparseRow, places map[string]int) []SparseRow {
	var rest []SparseRow
	for i, row := range list {
		s.key = row.AppendKey(s.key[:0], -1)
		place, known := places[string(s.key)]
		switch {
		case !known || list[place].Constant+row.Constant > 0:
			rest = append(rest, row)
		case list[place].Constant+row.Constant < 0:
			s.infeasible = true
		case i < place:
			s.pending = append(s.pending, row)
		}
	}
	return rest
}

// bound notes an inequality about one unknown alone, with a coefficient 1 or -1.
func (s *presolved) bound(row SparseRow) {
	if t := row.Terms[0]; t.Value > 0 {
		s.raise(t.Unknown, -row.Constant)
	} else {
		s.reduce(t.Unknown, row.Constant)
	}
}

// raise raises the lower bound of an unknown, and says whether that changes it.
func (s *presolved) raise(k int, lower int64) bool {
	if lower <= s.lower[k] {
		return false
	}
	s.large = s.large || isLarge(lower)
	s.lower[k] = lower
	return true
}

// reduce reduces the upper bound of an unknown, and says whether that changes it.
func (s *presolved) reduce(k int, upper int64) bool {
	if upper >= s.upper[k] {
		return false
	}
	s.large = s.large || isLarge(upper)
	s.upper[k] = upper
	return true
}

// closeInterval makes an equality of equal bounds of an unknown.
func (s *presolved) closeInterval(k int) {
	if s.value[k] != nil {
		return
	}
	switch {
	case s.lower[k] > s.upper[k]:
		s.infeasible = true
	case s.lower[k] == s.upper[k]:
		s.pending = append(s.pending, SparseRow{[]Term{{k, 1}}, -s.lower[k]})
	}
}

// propagations is how often bounds are derived from each other: where unknowns
// push each other's up there is no end.
const propagations = 4

// propagate derives bounds from the inequalities and the other bounds, and
// leaves out inequalities that bounds imply.
func (s *presolved) propagate() {
	for range propagations {
		changed := false
		s.inequalities = slices.DeleteFunc(s.inequalities, func(row SparseRow) bool {
			if s.infeasible || s.large {
				return false
			}
			changed = s.tighten(row) || changed
			least, ends := extreme(row, s.upper, s.lower)
			return ends == 0 && least >= 0
		})
		if !changed {
			return
		}
	}
}

// extreme is the sum of a row where unknowns with positive coefficients have
// one bound and those with negative ones the other; ends is the number of those
// left out because they have none, or a product is large.
func extreme(row SparseRow, negative, positive []int64) (sum int64, ends int) {
	sum = row.Constant
	for _, t := range row.Terms {
		if product, ok := boundProduct(t, negative, positive); ok {
			sum += product
		} else {
			ends++
		}
	}
	return sum, ends
}

// boundProduct is a term at one of two bounds of its unknown, by the sign of the
// coefficient.
func boundProduct(t Term, negative, positive []int64) (int64, bool) {
	bound := positive[t.Unknown]
	if t.Value < 0 {
		bound = negative[t.Unknown]
	}
	if math.Abs(float64(t.Value)*float64(bound)) > 1<<50 {
		return 0, false
	}
	return t.Value * bound, true
}

// tighten derives bounds of the unknowns of an inequality from those of its
// others, and says whether it changes any.
func (s *presolved) tighten(row SparseRow) (changed bool) {
	most, ends := extreme(row, s.lower, s.upper)
	if ends == 0 && most < 0 {
		s.infeasible = true
	}
	if ends > 1 || s.infeasible {
		return false
	}
	for _, t := range row.Terms {
		own, known := boundProduct(t, s.lower, s.upper)
		if ends == 1 && known {
			continue
		}
		rest := most - own
		if t.Value > 0 {
			changed = s.raise(t.Unknown, -integer.FloorDivide(rest, t.Value)) || changed
		} else {
			changed = s.reduce(t.Unknown, integer.FloorDivide(rest, -t.Value)) || changed
		}
		s.closeInterval(t.Unknown)
	}
	return changed
}
