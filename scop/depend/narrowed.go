package depend

import "polytune/isl"

// narrowed are pairs of instances that are in some relations as well. What has quotients, as the
// times of loops over tiles have, is left for later: most proofs hold without it, and isl decides
// faster what has fewer unknowns.
type narrowed struct {
	pairs *isl.Map
	later []*isl.Map
}

// to keeps the pairs that are in a relation.
func (n *narrowed) to(relation *isl.Map) {
	if relation.HasQuotients() {
		n.later = append(n.later, relation)
	} else {
		n.pairs = n.pairs.Intersect(relation)
	}
}

// within are those that are in one more relation.
func (n *narrowed) within(relation *isl.Map) (*isl.Map, error) {
	return narrowed{n.pairs.Intersect(relation), n.later}.all()
}

// all are the pairs that are in all of the relations.
func (n narrowed) all() (*isl.Map, error) {
	pairs := n.pairs
	for _, relation := range n.later {
		if none, err := pairs.IsEmpty(); err != nil || none {
			return pairs, err
		}
		pairs = pairs.Intersect(relation)
	}
	return pairs, nil
}
