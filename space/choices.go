package space

import (
	"errors"
	"iter"
	"slices"
)

// choiceSteps bounds the search for choices of one class. Kernels need a few
// hundred; a search beyond the bound is one of many statements that hardly
// restrict each other.
const choiceSteps = 100_000

// errChoices ends a listing of choices that would go on for too long.
var errChoices = errors.New("the search for rows with coefficients 0 and 1 that go together was given up")

// choices yields all choices of one candidate for each statement of a class
// such that all dependences of the class and its private variables are
// respected, each with the least shifts, all of them non-negative and less than
// the peel bound. The number of a candidate among those of its statement that
// occur at all says how simple it is; choices come in the order of the sum of
// these numbers. When the search takes too long, the sequence ends with
// errChoices.
func (g *groupTest) choices(class []int) iter.Seq2[Rows, error] {
	return func(yield func(Rows, error) bool) {
		c, err := g.newChoices(class)
		if err != nil {
			yield(nil, err)
			return
		}
		domains, ok := c.initial()
		if !ok {
			return
		}
		_, most := c.sums(0, domains)
		for sum := 0; sum <= most && !c.ended(); sum++ {
			c.extend(0, domains, make([]int64, len(class)), sum, func(rows Rows) bool { return yield(rows, nil) })
		}
		if c.steps > choiceSteps {
			yield(nil, errChoices)
		}
	}
}

// choice is one choice of the class, simple but not always the simplest; nil
// when there is none or none was found in time.
func (g *groupTest) choice(class []int) (Rows, error) {
	c, err := g.newChoices(class)
	if err != nil {
		return nil, err
	}
	var found Rows
	if domains, ok := c.initial(); ok {
		c.extend(0, domains, make([]int64, len(class)), anySum, func(rows Rows) bool {
			found = rows
			return false
		})
	}
	return found, nil
}

// chooser searches the choices of a class, statement by statement. After each
// step every statement's remaining candidates have a partner among the
// remaining candidates of every other statement (arc consistency, Mackworth
// 1977); without that, the search would find out late what does not go together.
type chooser struct {
	test  *groupTest
	class []int
	// candidates are those of each statement of the class, links its pairings
	// with the others, by place in the class.
	candidates [][]candidate
	links      [][]*pairing
	// numbers are the candidates' numbers among those that occur.
	numbers [][]int
	steps   int
	stopped bool
}

// anySum stands for any sum of the candidates' numbers.
const anySum = -1

func (g *groupTest) newChoices(class []int) (*chooser, error) {
	c := &chooser{test: g, class: class}
	for i, s := range class {
		list, err := g.candidatesOf(s)
		if err != nil {
			return nil, err
		}
		c.candidates = append(c.candidates, list)
		c.links = append(c.links, make([]*pairing, len(class)))
		for j, t := range class[:i] {
			p, err := g.pair(t, s)
			if err != nil {
				return nil, err
			}
			c.links[i][j], c.links[j][i] = p, p
		}
	}
	return c, nil
}

func (c *chooser) ended() bool { return c.stopped || c.steps > choiceSteps }

// initial are the candidates of each statement that have partners; ok is false
// when there are none.
func (c *chooser) initial() (domains []bitset, ok bool) {
	for _, list := range c.candidates {
		domain := newBitset(len(list))
		for k := range list {
			domain.add(k)
		}
		domains = append(domains, domain)
	}
	changed := make([]int, len(c.class))
	for i := range changed {
		changed[i] = i
	}
	if !c.propagate(domains, changed) {
		return nil, false
	}
	c.numbers = make([][]int, len(c.class))
	for i, domain := range domains {
		c.numbers[i] = make([]int, len(c.candidates[i]))
		for number, k := range domain.members() {
			c.numbers[i][k] = number
		}
	}
	return domains, true
}

// propagate takes away, in place, candidates without partners, after the
// domains of some statements have changed; it is false when a statement has
// none left.
func (c *chooser) propagate(domains []bitset, changed []int) bool {
	for len(changed) > 0 {
		i := changed[0]
		changed = changed[1:]
		if domains[i].isEmpty() {
			return false
		}
		for j, link := range c.links[i] {
			if link == nil {
				continue
			}
			smaller := domains[j].intersect(link.partnersOf(domains[i], i < j))
			if !domains[j].isSubset(smaller) {
				domains[j] = smaller
				changed = append(changed, j)
			}
		}
	}
	return true
}

// partnersOf are the partners of any of the candidates of one statement, the
// first or the second of the pairing.
func (p *pairing) partnersOf(candidates bitset, first bool) bitset {
	lists := p.partners[1]
	if first {
		lists = p.partners[0]
	}
	var all bitset
	for _, k := range candidates.members() {
		if all == nil {
			all = slices.Clone(lists[k])
			continue
		}
		for word, bits := range lists[k] {
			all[word] |= bits
		}
	}
	return all
}

// sums are the least and the greatest sum of the numbers of candidates, for the
// statements from place i on.
func (c *chooser) sums(i int, domains []bitset) (least, most int) {
	for ; i < len(domains); i++ {
		members := domains[i].members()
		least += c.numbers[i][members[0]]
		most += c.numbers[i][members[len(members)-1]]
	}
	return least, most
}

// extend chooses candidates for the statements from place i on, such that the
// sum of their numbers is the given one, when those before have one candidate
// each and the least shifts.
func (c *chooser) extend(i int, domains []bitset, shifts []int64, sum int, yield func(Rows) bool) {
	if c.steps++; c.ended() {
		return
	}
	if i == len(c.class) {
		c.stopped = !yield(c.rows(domains, shifts))
		return
	}
	for _, k := range domains[i].members() {
		next := slices.Clone(domains)
		next[i] = newBitset(len(c.candidates[i]), k)
		rest := sum
		if sum != anySum {
			if rest -= c.numbers[i][k]; rest < 0 {
				return // later candidates have larger numbers
			}
		}
		later, ok := slices.Clone(shifts), c.propagate(next, []int{i})
		if !ok || !c.shift(i, next, later) || !c.canReach(i+1, next, rest) {
			continue
		}
		if c.extend(i+1, next, later, rest, yield); c.ended() {
			return
		}
	}
}

// canReach says whether the statements from place i on may have candidates with
// the given sum of numbers.
func (c *chooser) canReach(i int, domains []bitset, sum int) bool {
	least, most := c.sums(i, domains)
	return sum == anySum || least <= sum && sum <= most
}

// shift raises, in place, the shifts of the statements up to place i, which
// have one candidate each, until all lags are kept: the least solution of the
// difference constraints, by relaxation as in Bellman and Ford's algorithm. It
// is false when a shift reaches the peel bound.
func (c *chooser) shift(i int, domains []bitset, shifts []int64) bool {
	chosen := make([]int, i+1)
	for j := range chosen {
		chosen[j] = domains[j].members()[0]
	}
	for changed := true; changed; {
		changed = false
		for second := range chosen {
			for first := range second {
				link := c.links[second][first]
				if link == nil {
					continue
				}
				forward := shifts[first] + link.forward[chosen[first]][chosen[second]]
				backward := shifts[second] + link.backward[chosen[first]][chosen[second]]
				if max(forward, backward) >= int64(c.test.peel) {
					return false
				}
				if forward > shifts[second] || backward > shifts[first] {
					shifts[second], shifts[first] = max(shifts[second], forward), max(shifts[first], backward)
					changed = true
				}
			}
		}
	}
	return true
}

// rows are those of a complete choice.
func (c *chooser) rows(domains []bitset, shifts []int64) Rows {
	rows := Rows{}
	for i, s := range c.class {
		row := c.candidates[i][domains[i].members()[0]].row
		row.Constant += shifts[i]
		rows[s] = row
	}
	return rows
}
