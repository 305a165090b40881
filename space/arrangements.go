package space

import (
	"errors"
	"math/big"
	"slices"
)

// counter counts partitions without listing them: the number of ways to
// arrange the components that are left depends only on which are left, not on
// the classes already made of the others.
type counter struct {
	*order
	space      *Space
	neighbours []bitset
	// predecessors are, for each component, those that it must not come in an
	// earlier class than.
	predecessors []bitset
	// sequence are the components in topological order, everything is their
	// set, and constrained are those of affine constraints.
	sequence                []int
	everything, constrained bitset
	binomials               binomials
	known                   map[string]*arrangements
	// budget is what may still be done: sets of components looked at, products
	// of counts, numbers stored, steps of listing. What has been counted is
	// looked up without limit.
	budget int
}

// arrangements are the ways to partition a set of components, of which some
// may join a class that has been begun outside of the set: the begun class.
type arrangements struct {
	// counts are their numbers, by the number of classes besides the begun one.
	counts []*big.Int
	// choices are the alternatives for a component of a set in one part.
	choices []choice
	// parts are those of a set that falls apart; merged are the counts of
	// the first of them together, the first two, and so on.
	parts  []*arrangements
	merged [][]*big.Int
	// listed are, for a part with affine constraints, its partitions by their
	// number of classes; -1 is the class of statements outside the part.
	listed [][]Partition
}

// choice is what becomes of a component.
type choice struct {
	component int
	fate      fate
	// then are the ways for the others, and for the component if it stays.
	then *arrangements
}

type fate int

const (
	// begins: the component is in the first of the classes, and is the first
	// in topological order there.
	begins fate = iota
	// joins: it is in the begun class.
	joins
	// stays: it is in another class than the begun one.
	stays
)

// classes is the number of classes that are there by the choice itself.
func (c choice) classes() int {
	if c.fate == begins {
		return 1
	}
	return 0
}

// errBudget says that counting would take more work than the budget.
var errBudget = errors.New("the partitions are too many ways apart to be counted within the budget")

func newCounter(s *Space) *counter {
	n := len(s.order.components)
	c := &counter{order: s.order, space: s, neighbours: s.neighbours(), sequence: s.order.topological(),
		everything: newBitset(n), constrained: newBitset(n), binomials: binomialsUpTo(n), known: map[string]*arrangements{}}
	for k := range n {
		c.everything.add(k)
		c.predecessors = append(c.predecessors, newBitset(n))
		for d := range n {
			if s.order.precedes(d, k) {
				c.predecessors[k].add(d)
			}
		}
	}
	for _, a := range s.affine {
		for _, i := range a.statements {
			c.constrained.add(s.order.component[i])
		}
	}
	return c
}

// count finds the arrangements of the components in left, which contains all
// successors of its members within its part, without a begun class.
func (c *counter) count(left bitset) (*arrangements, error) {
	return c.ways(left, newBitset(len(c.components)), nil)
}

// ways finds the arrangements of the components in left when any of those in
// open, which are among them, may join a class that has been begun with the
// given statements. The class is nil where all of open can join it together.
func (c *counter) ways(left, open, class bitset) (*arrangements, error) {
	if err := c.spend(1); err != nil {
		return nil, err
	}
	open = c.candidates(left, open, class)
	if class != nil && !open.isEmpty() {
		free, err := c.canAllJoin(class, open)
		if err != nil {
			return nil, err
		}
		if !free {
			a := &arrangements{}
			return a, c.decide(a, left, open, class)
		}
	}
	key := left.key() + open.key()
	if known := c.known[key]; known != nil {
		return known, nil
	}
	a := &arrangements{}
	if err := c.fill(a, left, open); err != nil {
		return nil, err
	}
	c.known[key] = a
	return a, nil
}

// candidates are the members of open that may join the class: not those of
// which it is known that they cannot be fused with it, nor those with a
// predecessor that is left outside.
func (c *counter) candidates(left, open, class bitset) bitset {
	outside := left.without(open)
	open = slices.Clone(open)
	for _, k := range c.sequence {
		if !open.contains(k) {
			continue
		}
		excluded := !c.predecessors[k].intersect(outside).isEmpty()
		if !excluded && class != nil {
			fusible, known := c.space.memory.known(class.with(c.components[k]...))
			excluded = known && !fusible
		}
		if excluded {
			open.remove(k)
			outside.add(k)
		}
	}
	return open
}

// fewOpen is the number of open components up to which it costs less to decide
// one by one than to ask whether all can be fused.
const fewOpen = 10

// canAllJoin says whether all open components can join the class together, as
// far as that is known or worth to be asked. What keeps them from it is found
// out: it answers for all other sets with the same members.
func (c *counter) canAllJoin(class, open bitset) (bool, error) {
	memory, all := c.space.memory, class.union(c.statementsOf(open))
	fusible, known := memory.known(all)
	if known || open.size() <= fewOpen {
		return fusible, nil
	}
	fusible, err := memory.isFusible(all)
	if err == nil && !fusible {
		_, err = smallest(all, memory.isFusible)
	}
	return fusible, err
}

// fill counts the arrangements of a set of which all open members can join
// the begun class together.
func (c *counter) fill(a *arrangements, left, open bitset) error {
	parts := connected(left, c.neighbours)
	switch {
	case len(parts) == 0:
		a.counts = []*big.Int{big.NewInt(1)}
		return c.spend(1)
	case len(parts) > 1:
		return c.merge(a, parts, open)
	case !open.isEmpty():
		return c.decide(a, left, open, nil)
	case !left.intersect(c.constrained).isEmpty():
		return c.list(a, left)
	}
	return c.begin(a, left)
}

// begin counts the arrangements of a set in one part by the first class: its
// first member in topological order, and what of those that come later in
// that order joins it.
func (c *counter) begin(a *arrangements, left bitset) error {
	open := slices.Clone(left)
	for _, k := range c.sequence {
		if !left.contains(k) {
			continue
		}
		open.remove(k)
		if !c.predecessors[k].intersect(left).isEmpty() {
			continue
		}
		rest := slices.Clone(left)
		rest.remove(k)
		then, err := c.ways(rest, open, newBitset(len(c.component), c.components[k]...))
		if err != nil {
			return err
		}
		a.choose(choice{k, begins, then})
	}
	return c.spend(len(a.counts))
}

// decide counts the arrangements of a set by whether one of the open components
// joins the begun class.
func (c *counter) decide(a *arrangements, left, open, class bitset) error {
	k := c.next(left, open, class)
	rest, others := slices.Clone(left), slices.Clone(open)
	rest.remove(k)
	others.remove(k)
	longer, joinable := class, true
	if class != nil {
		var err error
		longer = class.with(c.components[k]...)
		if joinable, err = c.space.memory.isFusible(longer); err != nil {
			return err
		}
	}
	if joinable {
		joined, err := c.ways(rest, others, longer)
		if err != nil {
			return err
		}
		a.choose(choice{k, joins, joined})
	}
	stayed, err := c.ways(left, others, class)
	if err != nil {
		return err
	}
	a.choose(choice{k, stays, stayed})
	return c.spend(len(a.counts))
}

// next is the open component that is decided on next, of those whose
// predecessors have been: where not all can join the class, one of a set that
// cannot or a predecessor of it, since without such sets the others are free;
// otherwise the first.
func (c *counter) next(left, open, class bitset) int {
	if class != nil {
		all := class.union(c.statementsOf(open))
		for _, set := range c.space.memory.infusible {
			if set.isSubset(all) {
				statement := set.without(class).members()[0]
				return c.earliest(c.component[statement], left)
			}
		}
	}
	return c.sequence[slices.IndexFunc(c.sequence, open.contains)]
}

// earliest is the component, or a predecessor of it that is left and has none.
func (c *counter) earliest(component int, left bitset) int {
	before := c.predecessors[component].intersect(left)
	if before.isEmpty() {
		return component
	}
	return c.sequence[slices.IndexFunc(c.sequence, before.contains)]
}

// spend takes work off the budget.
func (c *counter) spend(work int) error {
	if c.budget -= work; c.budget < 0 {
		return errBudget
	}
	return nil
}

// choose adds an alternative.
func (a *arrangements) choose(alternative choice) {
	a.choices = append(a.choices, alternative)
	for k, count := range alternative.then.counts {
		a.add(k+alternative.classes(), count)
	}
}

// add adds to the number of arrangements with so many classes.
func (a *arrangements) add(classes int, count *big.Int) {
	for len(a.counts) <= classes {
		a.counts = append(a.counts, new(big.Int))
	}
	a.counts[classes].Add(a.counts[classes], count)
}

// total is the number of all arrangements.
func (a *arrangements) total() *big.Int {
	total := new(big.Int)
	for _, n := range a.counts {
		total.Add(total, n)
	}
	return total
}

// merge counts the arrangements of a set that falls into parts.
func (c *counter) merge(a *arrangements, parts []bitset, open bitset) error {
	for k, part := range parts {
		counted, err := c.ways(part, open.intersect(part), nil)
		if err != nil {
			return err
		}
		a.parts = append(a.parts, counted)
		if k == 0 {
			a.merged = append(a.merged, counted.counts)
			continue
		}
		together := &arrangements{}
		for way := range c.merges(a.merged[k-1], counted.counts) {
			if err := c.spend(1); err != nil {
				return err
			}
			together.add(way.together, way.count)
		}
		a.merged = append(a.merged, together.counts)
	}
	a.counts = a.merged[len(parts)-1]
	return nil
}

// list counts the arrangements of a part with affine constraints by listing
// them.
func (c *counter) list(a *arrangements, part bitset) error {
	e := newEnumerator(c.space)
	e.limitTo(part)
	one, looked := big.NewInt(1), e.statistics.LookAhead
	var exceeded error
	err := e.run(nil, func(p Partition) bool {
		if exceeded = c.spend(len(p) + e.statistics.LookAhead - looked); exceeded != nil {
			return false
		}
		looked = e.statistics.LookAhead
		classes := p.Count()
		for len(a.listed) <= classes {
			a.listed = append(a.listed, nil)
		}
		a.listed[classes] = append(a.listed[classes], p)
		a.add(classes, one)
		return true
	})
	return errors.Join(err, exceeded)
}
