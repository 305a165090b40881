package transform

import (
	"math"
	"slices"

	"polytune/internal/integer"
	"polytune/isl/ilp"
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
	value []*sparseRow
	// lower and upper bound the unknowns; endless is no bound.
	lower, upper []int64
	// pending are equalities not looked at yet, equalities those that give no
	// unknown a value, because its coefficient is neither 1 nor -1.
	pending, equalities []sparseRow
	inequalities        []sparseRow
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

// endless stands for the missing end of an unknown's interval.
const endless = math.MaxInt64

// presolve simplifies a program as long as that makes new equalities. It looks at
// so many leading equalities, with all inequalities, before the others.
func presolve(p *ilp.Problem, leading int) *presolved {
	n := len(p.Unknowns)
	s := &presolved{names: p.Unknowns, value: make([]*sparseRow, n), sum: make([]int64, n),
		lower: slices.Repeat([]int64{endless}, n), upper: slices.Repeat([]int64{endless}, n)}
	for _, row := range p.Inequalities {
		s.inequalities = append(s.inequalities, sparseOf(row))
	}
	if leading > 0 {
		s.simplify(p.Equalities[:leading])
		s.early = s.infeasible
	}
	s.simplify(p.Equalities[leading:])
	return s
}

// simplify takes in more equalities.
func (s *presolved) simplify(equalities [][]int64) {
	for _, row := range equalities {
		s.pending = append(s.pending, sparseOf(row))
	}
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
			case divisor == 0 && row.constant == 0:
				continue
			case divisor == 0 || row.constant%divisor != 0:
				s.infeasible = true
				return
			}
			row = row.divided(divisor)
			if last := row.last(); last.value == 1 || last.value == -1 {
				s.give(last, row)
				again = true
			} else {
				s.equalities = append(s.equalities, row)
			}
		}
		again = again && len(s.equalities) > 0
	}
}

// give gives the unknown of an equality's last term the value that it says.
func (s *presolved) give(last term, equality sparseRow) {
	k := last.unknown
	value := equality.scaled(-last.value)
	value.terms = value.terms[:len(value.terms)-1]
	s.value[k] = &value
	if s.lower[k] != endless {
		s.inequalities = append(s.inequalities, sparseRow{value.terms, value.constant - s.lower[k]})
	}
	if s.upper[k] != endless {
		opposite := value.scaled(-1)
		opposite.constant += s.upper[k]
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
func (s *presolved) substituted(row sparseRow) (result sparseRow, ok bool) {
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
	var list []sparseRow
	for _, row := range s.inequalities {
		row, ok := s.substituted(row)
		if !ok {
			return
		}
		divisor := row.divisor()
		if divisor == 0 {
			if s.infeasible = row.constant < 0; s.infeasible {
				return
			}
			continue
		}
		row = row.divided(divisor)
		if len(row.terms) == 1 {
			s.bound(row)
			continue
		}
		s.key = row.appendKey(s.key[:0], 1)
		if place, known := strongest[string(s.key)]; known {
			list[place].constant = min(list[place].constant, row.constant)
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
func (s *presolved) withoutOpposites(list []sparseRow, places map[string]int) []sparseRow {
	var rest []sparseRow
	for i, row := range list {
		s.key = row.appendKey(s.key[:0], -1)
		place, known := places[string(s.key)]
		switch {
		case !known || list[place].constant+row.constant > 0:
			rest = append(rest, row)
		case list[place].constant+row.constant < 0:
			s.infeasible = true
		case i < place:
			s.pending = append(s.pending, row)
		}
	}
	return rest
}

// bound notes an inequality about one unknown alone, with a coefficient 1 or -1.
func (s *presolved) bound(row sparseRow) {
	if t := row.terms[0]; t.value > 0 {
		s.raise(t.unknown, -row.constant)
	} else {
		s.reduce(t.unknown, row.constant)
	}
}

// raise raises the lower bound of an unknown, and says whether that changes it.
func (s *presolved) raise(k int, lower int64) bool {
	if s.lower[k] != endless && lower <= s.lower[k] {
		return false
	}
	s.lower[k] = lower
	return true
}

// reduce reduces the upper bound of an unknown, and says whether that changes it.
func (s *presolved) reduce(k int, upper int64) bool {
	if upper >= s.upper[k] {
		return false
	}
	s.upper[k] = upper
	return true
}

// closeInterval makes an equality of equal bounds of an unknown.
func (s *presolved) closeInterval(k int) {
	if s.value[k] != nil || s.lower[k] == endless || s.upper[k] == endless {
		return
	}
	switch {
	case s.lower[k] > s.upper[k]:
		s.infeasible = true
	case s.lower[k] == s.upper[k]:
		s.pending = append(s.pending, sparseRow{[]term{{k, 1}}, -s.lower[k]})
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
		s.inequalities = slices.DeleteFunc(s.inequalities, func(row sparseRow) bool {
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
func extreme(row sparseRow, negative, positive []int64) (sum int64, ends int) {
	sum = row.constant
	for _, t := range row.terms {
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
func boundProduct(t term, negative, positive []int64) (int64, bool) {
	bound := positive[t.unknown]
	if t.value < 0 {
		bound = negative[t.unknown]
	}
	if bound == endless || math.Abs(float64(t.value)*float64(bound)) > 1<<50 {
		return 0, false
	}
	return t.value * bound, true
}

// tighten derives bounds of the unknowns of an inequality from those of its
// others, and says whether it changes any.
func (s *presolved) tighten(row sparseRow) (changed bool) {
	most, ends := extreme(row, s.lower, s.upper)
	if ends == 0 && most < 0 {
		s.infeasible = true
	}
	if ends > 1 || s.infeasible {
		return false
	}
	for _, t := range row.terms {
		own, known := boundProduct(t, s.lower, s.upper)
		if ends == 1 && known {
			continue
		}
		rest := most - own
		if t.value > 0 {
			changed = s.raise(t.unknown, -integer.FloorDivide(rest, t.value)) || changed
		} else {
			changed = s.reduce(t.unknown, integer.FloorDivide(rest, -t.value)) || changed
		}
		s.closeInterval(t.unknown)
	}
	return changed
}
