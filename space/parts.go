package space

import "slices"

// linker is an oracle that knows between which statements there is anything
// to judge: a set of statements is fusible when each of the parts is into
// which the links inside the set divide it.
//
// groupTest is one with the dependences and the loops that may fail to meet as links: it judges the
// weakly connected parts of a class each on its own. Then a minimal infusible set is connected by
// links of its own members. So are those that a user's cut keeps apart, when the cut counts as a
// link.
//
// Now divide any statements, with what the order, the links and the affine
// constraints say about them, into parts between which none of the three has
// a connection. The partitions of the whole are then exactly the ways to
// merge a partition of each part: a class of the whole, cut down to the
// parts, gives classes of the parts; it is fusible exactly when those are,
// and no order and no constraint relates classes of different parts.
type linker interface {
	// links are pairs of statements.
	links() [][2]int
}

// links are the pairs of statements that restrict each other: by dependences,
// or because their loops may fail to meet.
func (g *groupTest) links() [][2]int {
	var pairs [][2]int
	for _, d := range g.dependences {
		pairs = append(pairs, [2]int{d.Source, d.Target})
	}
	for t := range g.model.Statements {
		for s := range t {
			if g.meeting.concerns(s, t) {
				pairs = append(pairs, [2]int{s, t})
			}
		}
	}
	return pairs
}

// neighbours are, for each component of the order, those that are ordered or
// linked with it, or that share an affine constraint with it. All are when
// the oracle knows no links.
func (s *Space) neighbours() []bitset {
	n := len(s.order.components)
	adjacent := make([]bitset, n)
	for c := range adjacent {
		adjacent[c] = newBitset(n)
	}
	connect := func(c, d int) {
		adjacent[c].add(d)
		adjacent[d].add(c)
	}
	links, known := s.memory.oracle.(linker)
	for d := range n {
		for c := range d {
			if !known || s.order.precedes(c, d) || s.order.precedes(d, c) {
				connect(c, d)
			}
		}
	}
	if known {
		for _, pair := range links.links() {
			connect(s.order.component[pair[0]], s.order.component[pair[1]])
		}
	}
	for _, group := range s.constrainedGroups() {
		for _, i := range group[1:] {
			connect(s.order.component[group[0]], s.order.component[i])
		}
	}
	return adjacent
}

// constrainedGroups are statements that the user's cuts relate: those that
// are kept apart and those of each affine constraint.
func (s *Space) constrainedGroups() [][]int {
	var groups [][]int
	for _, set := range s.memory.forbidden {
		groups = append(groups, set.members())
	}
	for _, a := range s.affine {
		groups = append(groups, a.statements)
	}
	return groups
}

// connected divides a set of vertices into the connected components of the
// graph inside it, in the order of their first members.
func connected(set bitset, adjacent []bitset) []bitset {
	var parts []bitset
	rest := slices.Clone(set)
	for !rest.isEmpty() {
		first := rest.members()[0]
		part := newBitset(64*len(set), first)
		for frontier := part; !frontier.isEmpty(); {
			reached := newBitset(64 * len(set))
			for _, v := range frontier.members() {
				reached = reached.union(adjacent[v])
			}
			frontier = reached.intersect(rest).without(part)
			part = part.union(frontier)
		}
		parts = append(parts, part)
		rest = rest.without(part)
	}
	return parts
}
