package variant

import (
	"math/big"
	"math/rand/v2"

	"polytune/internal/uniform"
)

// group is a number of axes that conditions tie together, when some others
// are known: the values of its first axis, and for each what is left then.
// Groups of which the same is left are one, so that all together are an
// acyclic graph.
type group struct {
	// settings is their number.
	settings *big.Int
	branches []branch
	// counts are the settings of each branch.
	counts []*big.Int
}

// branch is one value of a group's first axis. The groups that are left are
// independent of each other.
type branch struct {
	fact fact
	left []*group
}

// counter makes the groups of a model.
type counter struct {
	groups map[string]*group
	// budget is the number of groups that may still be made.
	budget int
}

// compile makes the groups of the open axes; ok is false when the budget is
// used up.
func (c *counter) compile(s state) (groups []*group, ok bool) {
	for _, part := range s.parts() {
		g, ok := c.group(part)
		if !ok {
			return nil, false
		}
		groups = append(groups, g)
	}
	return groups, true
}

// group makes the group of axes that are all tied together.
func (c *counter) group(s state) (*group, bool) {
	key := s.key()
	if g := c.groups[key]; g != nil {
		return g, true
	}
	if c.budget--; c.budget < 0 {
		return nil, false
	}
	g := &group{settings: new(big.Int)}
	for f, next := range s.choices {
		left, ok := c.compile(next)
		if !ok {
			return nil, false
		}
		count := product(left)
		g.branches, g.counts = append(g.branches, branch{f, left}), append(g.counts, count)
		g.settings.Add(g.settings, count)
	}
	c.groups[key] = g
	return g, true
}

// product is the number of settings of independent groups.
func product(groups []*group) *big.Int {
	count := big.NewInt(1)
	for _, g := range groups {
		count.Mul(count, g.settings)
	}
	return count
}

// compile makes the groups of all axes.
func (m *Model) compile(budget int) (groups []*group, ok bool) {
	c := &counter{map[string]*group{}, budget}
	return c.compile(m.start())
}

// Count is the number of settings. They are not listed: the numbers of groups
// of axes that no condition ties together are multiplied, and within a group
// what is left to choose is counted once for all beginnings that leave the
// same. The work is the number of these remainders; ok is false when it
// exceeds the budget.
func (m *Model) Count(budget int) (count *big.Int, ok bool) {
	groups, ok := m.compile(budget)
	if !ok {
		return nil, false
	}
	return product(groups), true
}

// Sample draws n settings, each uniformly from all and independently of the
// others. It counts first, see Count; ok is false when that exceeds the
// budget.
func (m *Model) Sample(random *rand.Rand, n, budget int) (list []Setting, ok bool) {
	groups, ok := m.compile(budget)
	if !ok {
		return nil, false
	}
	for range n {
		setting := Setting{}
		draw(random, groups, setting)
		list = append(list, setting)
	}
	return list, true
}

// draw adds values of the axes of the groups to the setting. Each value is
// drawn with the share of the settings that have it.
func draw(random *rand.Rand, groups []*group, setting Setting) {
	for _, g := range groups {
		b := g.branches[uniform.Index(random, g.counts)]
		setting.add(b.fact)
		draw(random, b.left, setting)
	}
}
