package space

import "slices"

// pairRelation is a set of ways in which the classes of two statements i < j can
// lie to each other.
type pairRelation uint8

const (
	// earlier: the class of i comes before that of j, p_ij = 1.
	earlier pairRelation = 1 << iota
	// same: both are in one class, e_ij = 1.
	same
	// later: the class of j comes first, p_ij = e_ij = 0.
	later
	anyRelation = earlier | same | later
)

// relationOf is the relation of two class numbers.
func relationOf(first, second int) pairRelation {
	switch {
	case first < second:
		return earlier
	case first == second:
		return same
	default:
		return later
	}
}

// groupedConstraint is a constraint on the encoding with its terms grouped by pairs of
// statements: at most one variable of a pair is 1, so that the constraint is
// a sum over its pairs of a value that depends on the pair's relation.
type groupedConstraint struct {
	Constraint
	pairs []pairTerms
	// statements are those of all pairs, ascending.
	statements []int
}

// pairTerms are the coefficients of p_ij and e_ij.
type pairTerms struct {
	i, j              int
	precedes, equates int64
	// allowed are the relations that the pair has in the space.
	allowed pairRelation
}

func (p pairTerms) statements() [2]int { return [2]int{p.i, p.j} }

// value is what the pair adds to the sum in one relation.
func (p pairTerms) value(r pairRelation) int64 {
	switch r {
	case earlier:
		return p.precedes
	case same:
		return p.equates
	default:
		return 0
	}
}

// grouped takes a constraint apart.
func (e Encoding) grouped(c Constraint) groupedConstraint {
	a := groupedConstraint{Constraint: c}
	for i := range e.Statements {
		for j := i + 1; j < e.Statements; j++ {
			p := pairTerms{i: i, j: j, allowed: anyRelation}
			for _, t := range c.Terms {
				switch t.Variable {
				case e.Precedes(i, j):
					p.precedes += int64(t.Coefficient)
				case e.Equal(i, j):
					p.equates += int64(t.Coefficient)
				}
			}
			if p.precedes != 0 || p.equates != 0 {
				a.pairs = append(a.pairs, p)
				a.statements = append(a.statements, i, j)
			}
		}
	}
	slices.Sort(a.statements)
	a.statements = slices.Compact(a.statements)
	return a
}

// verdict is what is known of a constraint when some relations are possible.
type verdict int

const (
	undecided verdict = iota
	// entailed: it holds whatever is chosen.
	entailed
	// violated: it cannot hold.
	violated
)

// judge bounds the constraint's sum over the possible relations of each pair,
// taken one by one.
func (a *groupedConstraint) judge(possible func(pairTerms) pairRelation) verdict {
	low, high := int64(a.Constant), int64(a.Constant)
	for _, p := range a.pairs {
		r := possible(p)
		if r == 0 {
			return violated
		}
		least, most := p.extremes(r)
		low, high = low+least, high+most
	}
	return a.verdictOf(low, high)
}

// verdictOf is the verdict when the sum lies between low and high.
func (a *groupedConstraint) verdictOf(low, high int64) verdict {
	switch {
	case high < 0 || a.Equality && low > 0:
		return violated
	case low >= 0 && (high == 0 || !a.Equality):
		return entailed
	default:
		return undecided
	}
}

// extremes are the least and the greatest value in the given relations, of
// which there is one at least.
func (p pairTerms) extremes(possible pairRelation) (least, most int64) {
	first := true
	for r := earlier; r <= later; r <<= 1 {
		if possible&r == 0 {
			continue
		}
		v := p.value(r)
		if first {
			least, most, first = v, v, false
		}
		least, most = min(least, v), max(most, v)
	}
	return least, most
}
