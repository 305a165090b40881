package space

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"time"
)

// DefaultBudget is the work that Sample spends on counting, and a good budget
// for Count: some seconds at most.
const DefaultBudget = 250_000

// Total is the number of total preorders of n statements, legal or not: the
// ordered Bell numbers 1, 1, 3, 13, 75, 541, 4683, … (OEIS A000670).
func Total(n int) *big.Int {
	totals := []*big.Int{big.NewInt(1)}
	for m := 1; m <= n; m++ {
		sum := new(big.Int)
		for first := 1; first <= m; first++ {
			choices := new(big.Int).Binomial(int64(m), int64(first))
			sum.Add(sum, choices.Mul(choices, totals[m-first]))
		}
		totals = append(totals, sum)
	}
	return totals[n]
}

// Count is the number of partitions of the space, found without listing them:
// parts of the program between which there are no dependences are counted
// each on its own, by the number of classes, and so is what is left of a part
// when its first class has been taken away. Only parts with affine cuts have
// to be listed.
//
// The work grows with the number of sets of statements that can be left and
// of first classes they can begin with. Count gives up when it exceeds the
// budget, which also bounds the memory; ok is then false.
func (s *Space) Count(budget int) (count *big.Int, ok bool, err error) {
	defer s.watch()()
	all, err := s.counted(budget)
	if all == nil || err != nil {
		return nil, false, err
	}
	return all.total(), true, nil
}

// counted is the tally of the whole space, or nil when counting exceeds the
// budget. What has been counted once is kept.
func (s *Space) counted(budget int) (*arrangements, error) {
	if s.counter == nil {
		s.counter = newCounter(s)
	}
	if err := s.learn(); err != nil {
		return nil, err
	}
	s.counter.budget = budget
	all, err := s.counter.count(s.counter.everything)
	s.counter.budget = math.MaxInt
	if err != nil {
		s.counter = nil
	}
	if errors.Is(err, errBudget) {
		return nil, nil
	}
	return all, err
}

// watch measures the time until the returned function is called, without
// that of deciding fusibility, as time of enumeration.
func (s *Space) watch() (stop func()) {
	start, before, questions := time.Now(), s.enumerated, s.memory.elapsed
	return func() { s.enumerated = before + time.Since(start) - (s.memory.elapsed - questions) }
}

// counter counts partitions without listing them: the number of ways to
// arrange the components that are left depends only on which are left, not on
// the classes already made of the others.
type counter struct {
	*order
	space      *Space
	neighbours []bitset
	// sequence are the components in topological order, everything is their
	// set, and constrained are those of affine constraints.
	sequence                []int
	everything, constrained bitset
	binomials               binomials
	known                   map[string]*arrangements
	// budget is what may still be done: classes formed, products of counts,
	// numbers stored, steps of listing. What has been counted is looked up without limit.
	budget int
}

// arrangements are the ways to partition a set of components.
type arrangements struct {
	// counts are their numbers, by the number of classes.
	counts []*big.Int
	// parts are those of a set that falls apart; merged are the counts of
	// the first of them together, the first two, and so on.
	parts  []*arrangements
	merged [][]*big.Int
	// left is a set in one part.
	left bitset
	// listed are, for a part with affine constraints, its partitions by their
	// number of classes; -1 is the class of statements outside the part.
	listed [][]Partition
}

// errBudget says that counting would take more work than the budget.
var errBudget = errors.New("the partitions are too many ways apart to be counted within the budget")

func newCounter(s *Space) *counter {
	n := len(s.order.components)
	c := &counter{order: s.order, space: s, neighbours: s.neighbours(), sequence: s.order.topological(),
		everything: newBitset(n), constrained: newBitset(n), binomials: binomialsUpTo(n), known: map[string]*arrangements{}}
	for k := range n {
		c.everything.add(k)
	}
	for _, a := range s.affine {
		for _, i := range a.statements {
			c.constrained.add(s.order.component[i])
		}
	}
	return c
}

// count finds the arrangements of the components in left, which contains all
// successors of its members within its part.
func (c *counter) count(left bitset) (*arrangements, error) {
	key := left.key()
	if known := c.known[key]; known != nil {
		return known, nil
	}
	a := &arrangements{left: left}
	err := c.fill(a, connected(left, c.neighbours))
	if err == nil {
		err = c.spend(len(a.counts))
	}
	if err != nil {
		return nil, err
	}
	c.known[key] = a
	return a, nil
}

// fill counts the arrangements of a set with the given parts.
func (c *counter) fill(a *arrangements, parts []bitset) error {
	switch {
	case len(parts) == 0:
		a.counts = []*big.Int{big.NewInt(1)}
		return nil
	case len(parts) > 1:
		return c.merge(a, parts)
	case !a.left.intersect(c.constrained).isEmpty():
		return c.list(a)
	}
	for first, err := range c.firstClasses(a.left) {
		if err != nil {
			return err
		}
		rest, err := c.count(first.rest)
		if err != nil {
			return err
		}
		for k, count := range rest.counts {
			a.add(k+1, count)
		}
	}
	return nil
}

// spend takes work off the budget.
func (c *counter) spend(work int) error {
	if c.budget -= work; c.budget < 0 {
		return errBudget
	}
	return nil
}

// add adds to the number of arrangements with so many classes.
func (a *arrangements) add(classes int, count *big.Int) {
	for len(a.counts) <= classes {
		a.counts = append(a.counts, new(big.Int))
	}
	a.counts[classes].Add(a.counts[classes], count)
}

// total is the number of all arrangements.
func (a *arrangements) total() *big.Int { return sum(a.counts) }

func sum(numbers []*big.Int) *big.Int {
	total := new(big.Int)
	for _, n := range numbers {
		total.Add(total, n)
	}
	return total
}

// merge counts the arrangements of a set that falls into parts.
func (c *counter) merge(a *arrangements, parts []bitset) error {
	for k, part := range parts {
		counted, err := c.count(part)
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
func (c *counter) list(a *arrangements) error {
	e := newEnumerator(c.space)
	e.limitTo(a.left)
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

// firstClass is a choice for the first of the classes.
type firstClass struct {
	// class are its statements, rest the components that are left.
	class, rest bitset
}

// firstClasses yields the fusible sets of components in left that no other
// component in left precedes. An error ends the sequence.
func (c *counter) firstClasses(left bitset) func(func(firstClass, error) bool) {
	return func(yield func(firstClass, error) bool) {
		c.extendClass(firstClass{newBitset(len(c.component)), left}, c.sequence, yield)
	}
}

// extendClass yields all that extend a class by components among the
// candidates, and says whether to go on.
func (c *counter) extendClass(begun firstClass, candidates []int, yield func(firstClass, error) bool) bool {
	for i, next := range candidates {
		if !begun.rest.contains(next) || c.isBlocked(next, begun.rest) {
			continue
		}
		joined := begun.class.with(c.components[next]...)
		fusible, err := c.space.memory.isFusible(joined)
		if err == nil {
			err = c.spend(1)
		}
		if err != nil {
			return yield(firstClass{}, err) && false
		}
		if !fusible {
			continue
		}
		rest := slices.Clone(begun.rest)
		rest.remove(next)
		longer := firstClass{joined, rest}
		if !yield(longer, nil) || !c.extendClass(longer, candidates[i+1:], yield) {
			return false
		}
	}
	return true
}

// isBlocked says whether a component in left precedes the given one.
func (c *counter) isBlocked(component int, left bitset) bool {
	return slices.ContainsFunc(left.members(), func(d int) bool { return c.precedes(d, component) })
}
