package space

import (
	"iter"
	"maps"
)

// smallSupport is the number of statements up to which a constraint is judged
// by all weak orders of its statements (541 for 5), and not pair by pair.
const smallSupport = 5

// narrowing turns affine constraints into what an order and a set of
// infusible pairs can say, as far as possible: a relation of a pair with
// which a constraint cannot hold is excluded, for a single constraint at a
// time, until nothing changes. What the rest of the constraints demand is
// left to the enumeration.
type narrowing struct {
	space  *Space
	direct [][]bool
	// rest are the constraints that are not entailed yet.
	rest    []groupedConstraint
	changed bool
	// empty says that no partition satisfies the constraints.
	empty bool
}

// narrow sets the order of the space, and the constraints that remain.
func (s *Space) narrow(direct [][]bool, constraints []groupedConstraint) (empty bool, err error) {
	n := &narrowing{space: s, direct: direct, rest: constraints, changed: true}
	for n.changed && !n.empty {
		n.changed = false
		s.order = newOrder(n.direct)
		var left []groupedConstraint
		for _, a := range n.rest {
			settled, err := n.apply(&a)
			if err != nil {
				return false, err
			}
			if !settled {
				left = append(left, a)
			}
		}
		n.rest = left
	}
	s.affine = n.rest
	return n.empty, nil
}

// apply excludes the relations that the constraint does not support, and says
// whether it holds in all the others.
func (n *narrowing) apply(a *groupedConstraint) (settled bool, err error) {
	possible, err := n.possible(a)
	if err != nil {
		return false, err
	}
	supported, settled := a.supportPairwise(possible)
	if len(a.pairs) > 0 && len(a.statements) <= smallSupport && !settled {
		supported, settled = a.supportExactly(possible)
	}
	for k, p := range a.pairs {
		a.pairs[k].allowed = supported[p.statements()]
	}
	for pair, r := range possible {
		n.exclude(pair[0], pair[1], r&^supported[pair])
		n.empty = n.empty || supported[pair] == 0
	}
	n.empty = n.empty || len(a.pairs) == 0 && !settled
	return settled, nil
}

// relations are those of pairs of statements i < j.
type relations map[[2]int]pairRelation

// possible are the relations that the order and fusibility leave the pairs of
// the constraint, and where these are few all pairs of its statements.
func (n *narrowing) possible(a *groupedConstraint) (relations, error) {
	list := relations{}
	add := func(i, j int) error {
		r, err := n.space.possible(i, j)
		list[[2]int{i, j}] = r
		return err
	}
	for _, p := range a.pairs {
		if err := add(p.i, p.j); err != nil {
			return nil, err
		}
	}
	if len(a.statements) > smallSupport {
		return list, nil
	}
	for k, j := range a.statements {
		for _, i := range a.statements[:k] {
			if err := add(i, j); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// possible are the relations that the order and fusibility leave two
// statements.
func (s *Space) possible(i, j int) (pairRelation, error) {
	r := s.order.possible(i, j)
	c, d := s.order.component[i], s.order.component[j]
	if r&same == 0 || c == d {
		return r, nil
	}
	fusible, err := s.componentsFusible(newBitset(len(s.order.components), c, d))
	if !fusible {
		r &^= same
	}
	return r, err
}

// possible are the relations that the order leaves two statements.
func (o *order) possible(i, j int) pairRelation {
	r := anyRelation
	if o.before[i][j] {
		r &^= later
	}
	if o.before[j][i] {
		r &^= earlier
	}
	return r
}

// exclude takes relations from a pair.
func (n *narrowing) exclude(i, j int, excluded pairRelation) {
	if excluded&later != 0 && !n.space.order.before[i][j] {
		n.direct[i][j], n.changed = true, true
	}
	if excluded&earlier != 0 && !n.space.order.before[j][i] {
		n.direct[j][i], n.changed = true, true
	}
	if excluded&same != 0 {
		n.space.memory.forbid(newBitset(n.space.encoding.Statements, i, j))
		n.changed = true
	}
}

// supportPairwise are the relations of each pair with which the constraint
// can hold when the other pairs are free in theirs.
func (a *groupedConstraint) supportPairwise(possible relations) (supported relations, settled bool) {
	least, most := int64(a.Constant), int64(a.Constant)
	for _, p := range a.pairs {
		low, high := p.extremes(possible[p.statements()])
		least, most = least+low, most+high
	}
	supported = maps.Clone(possible)
	for _, p := range a.pairs {
		low, high := p.extremes(possible[p.statements()])
		for r := earlier; r <= later; r <<= 1 {
			v := p.value(r)
			if a.verdictOf(least-low+v, most-high+v) == violated {
				supported[p.statements()] &^= r
			}
		}
	}
	return supported, a.verdictOf(least, most) == entailed
}

// supportExactly are the relations of each pair that some weak order of the
// constraint's statements has with which the constraint holds.
func (a *groupedConstraint) supportExactly(possible relations) (supported relations, settled bool) {
	supported, settled = relations{}, true
	numbers := make([]int, len(a.statements))
	for range powers(len(numbers), numbers) {
		chosen, inside := a.relationsOf(numbers, possible)
		switch {
		case !inside:
		case a.judge(func(p pairTerms) pairRelation { return chosen[p.statements()] }) == entailed:
			for pair, r := range chosen {
				supported[pair] |= r
			}
		default:
			settled = false
		}
	}
	return supported, settled
}

// powers goes through all vectors of numbers below a bound.
func powers(bound int, vector []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for k := 0; k < len(vector); {
			if !yield(vector) {
				return
			}
			for k = 0; k < len(vector) && vector[k] == bound-1; k++ {
				vector[k] = 0
			}
			if k < len(vector) {
				vector[k]++
				k = 0
			}
		}
	}
}

// relationsOf are the relations of class numbers of the constraint's
// statements; inside says whether they are possible.
func (a *groupedConstraint) relationsOf(numbers []int, possible relations) (chosen relations, inside bool) {
	chosen = relations{}
	for y, j := range a.statements {
		for x, i := range a.statements[:y] {
			r := relationOf(numbers[x], numbers[y])
			if possible[[2]int{i, j}]&r == 0 {
				return nil, false
			}
			chosen[[2]int{i, j}] = r
		}
	}
	return chosen, true
}
