package transform

import (
	"math"
	"slices"

	"polytune/isl/ilp"
)

// presolved is an integer program with fewer unknowns and constraints than
// another one whose lexicographically smallest solution it has. Hyperplane
// programs are full of equalities, given or implied by two inequalities: there
// is no distance along a direction in which a dependence goes on for ever, say.
// Many have no solution at all, which shows here.
type presolved struct {
	names []string
	// value[k] is unknown k as a row over others and the constant, nil while it is
	// one. The others come before it in the objective, so the smallest solution
	// for them makes it the smallest too.
	value [][]int64
	// lower and upper bound the unknowns; endless is no bound.
	lower, upper []int64
	// pending are equalities not looked at yet, equalities those that give no
	// unknown a value, because its coefficient is neither 1 nor -1.
	pending, equalities [][]int64
	inequalities        [][]int64
	// infeasible says that there is no solution, large that numbers became so,
	// and the program must be solved as it was.
	infeasible, large bool
}

// endless stands for the missing end of an unknown's interval.
const endless = math.MaxInt64

// largestEntry bounds the numbers in rows.
const largestEntry = 1 << 56

// presolve simplifies a program as long as that makes new equalities.
func presolve(p *ilp.Problem) *presolved {
	n := len(p.Unknowns)
	s := &presolved{names: p.Unknowns, value: make([][]int64, n),
		lower: slices.Repeat([]int64{endless}, n), upper: slices.Repeat([]int64{endless}, n),
		pending: slices.Clip(p.Equalities), inequalities: slices.Clip(p.Inequalities)}
	for {
		s.eliminate()
		s.rewrite()
		s.propagate()
		if s.infeasible || s.large || len(s.pending) == 0 {
			return s
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
			if !ok || s.infeasible {
				return
			}
			last := len(row) - 1
			divisor := divisorOf(row[:last])
			switch {
			case divisor == 0 && row[last] == 0:
				continue
			case divisor == 0 || row[last]%divisor != 0:
				s.infeasible = true
				return
			}
			for k := range row {
				row[k] /= divisor
			}
			if k := lastUnknown(row); row[k] == 1 || row[k] == -1 {
				s.give(k, row)
				again = true
			} else {
				s.equalities = append(s.equalities, row)
			}
		}
		again = again && len(s.equalities) > 0
	}
}

// give gives unknown k the value that an equality says.
func (s *presolved) give(k int, equality []int64) {
	value := make([]int64, len(equality))
	for i, v := range equality {
		value[i] = -v * equality[k]
	}
	value[k] = 0
	s.value[k] = value
	if s.lower[k] != endless {
		row := slices.Clone(value)
		row[len(row)-1] -= s.lower[k]
		s.inequalities = append(s.inequalities, row)
	}
	if s.upper[k] != endless {
		row := make([]int64, len(value))
		for i, v := range value {
			row[i] = -v
		}
		row[len(row)-1] += s.upper[k]
		s.inequalities = append(s.inequalities, row)
	}
	for i, other := range s.value {
		if i != k && other != nil && other[k] != 0 {
			s.value[i], _ = s.substituted(other)
		}
	}
}

// substituted is a new row with the values of unknowns in their places; ok is
// false, and the program large, when numbers become so.
func (s *presolved) substituted(row []int64) (result []int64, ok bool) {
	result = slices.Clone(row)
	for k, factor := range row[:len(row)-1] {
		if factor == 0 || s.value[k] == nil {
			continue
		}
		result[k] = 0
		for i, v := range s.value[k] {
			if v == 0 {
				continue
			}
			if math.Abs(float64(factor)*float64(v))+math.Abs(float64(result[i])) > largestEntry {
				s.large = true
				return nil, false
			}
			result[i] += factor * v
		}
	}
	return result, true
}

// rewrite puts values in the inequalities, tightens them to integers, and keeps of
// those with equal coefficients the strongest. Those about one unknown become its
// bounds, and opposite ones equalities.
func (s *presolved) rewrite() {
	if s.infeasible || s.large {
		return
	}
	strongest := map[string]int{}
	var list [][]int64
	for _, row := range s.inequalities {
		row, ok := s.substituted(row)
		if !ok {
			return
		}
		last := len(row) - 1
		switch divisor := divisorOf(row[:last]); {
		case divisor == 0 && row[last] < 0:
			s.infeasible = true
			return
		case divisor == 0:
			continue
		case divisor > 1:
			for k := range row[:last] {
				row[k] /= divisor
			}
			row[last] = floorDivide(row[last], divisor)
		}
		if k := lastUnknown(row); isZeroRow(row[:k]) {
			s.bound(k, row)
			continue
		}
		key := rowKey(row[:last])
		if place, known := strongest[key]; known {
			list[place][last] = min(list[place][last], row[last])
			continue
		}
		strongest[key] = len(list)
		list = append(list, row)
	}
	s.inequalities = s.withoutOpposites(list, strongest)
	for k := range s.lower {
		s.closeInterval(k)
	}
}

// withoutOpposites makes equalities of pairs of opposite inequalities.
func (s *presolved) withoutOpposites(list [][]int64, places map[string]int) [][]int64 {
	var rest [][]int64
	opposite := make([]int64, len(s.names))
	for i, row := range list {
		last := len(row) - 1
		for k, v := range row[:last] {
			opposite[k] = -v
		}
		place, known := places[rowKey(opposite)]
		switch {
		case !known || list[place][last]+row[last] > 0:
			rest = append(rest, row)
		case list[place][last]+row[last] < 0:
			s.infeasible = true
		case i < place:
			s.pending = append(s.pending, row)
		}
	}
	return rest
}

// bound notes an inequality about unknown k alone, with a coefficient 1 or -1.
func (s *presolved) bound(k int, row []int64) {
	if constant := row[len(row)-1]; row[k] > 0 {
		s.raise(k, -constant)
	} else {
		s.reduce(k, constant)
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
		row := make([]int64, len(s.names)+1)
		row[k], row[len(s.names)] = 1, -s.lower[k]
		s.pending = append(s.pending, row)
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
		s.inequalities = slices.DeleteFunc(s.inequalities, func(row []int64) bool {
			if s.infeasible || s.large {
				return false
			}
			changed = s.tighten(row) || changed
			least, ends := s.extreme(row, s.upper, s.lower)
			return ends == 0 && least >= 0
		})
		if !changed {
			return
		}
	}
}

// extreme is the sum of a row where unknowns with positive coefficients have
// one bound and those with negative ones the other; endless is the number of those
// left out because they have none, or a product is large.
func (s *presolved) extreme(row, negative, positive []int64) (sum int64, ends int) {
	last := len(row) - 1
	sum = row[last]
	for k, v := range row[:last] {
		if v == 0 {
			continue
		}
		if product, ok := boundProduct(v, negative[k], positive[k]); ok {
			sum += product
		} else {
			ends++
		}
	}
	return sum, ends
}

// boundProduct is a coefficient times one of two bounds, by its sign.
func boundProduct(v, negative, positive int64) (int64, bool) {
	bound := positive
	if v < 0 {
		bound = negative
	}
	if bound == endless || math.Abs(float64(v)*float64(bound)) > 1<<50 {
		return 0, false
	}
	return v * bound, true
}

// tighten derives bounds of the unknowns of an inequality from those of its
// others, and says whether it changes any.
func (s *presolved) tighten(row []int64) (changed bool) {
	most, ends := s.extreme(row, s.lower, s.upper)
	if ends == 0 && most < 0 {
		s.infeasible = true
	}
	if ends > 1 || s.infeasible {
		return false
	}
	for k, v := range row[:len(row)-1] {
		if v == 0 {
			continue
		}
		own, known := boundProduct(v, s.lower[k], s.upper[k])
		if ends == 1 && known {
			continue
		}
		rest := most - own
		if v > 0 {
			changed = s.raise(k, -floorDivide(rest, v)) || changed
		} else {
			changed = s.reduce(k, floorDivide(rest, -v)) || changed
		}
		s.closeInterval(k)
	}
	return changed
}
