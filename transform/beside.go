package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// Beside says for how many of the program's statements of the largest depth, which have the most instances but
// for those that bring last values back, a recipe runs several instances beside each other, in register blocks or
// in vector lanes. Those in blocks that stay in registers along a loop count twice: they use there what they load
// several times. Those whose writes depend on data do not count: nothing of theirs stays in a register, and lanes
// need a branch each.
func Beside(p *scop.Program, recipe schedule.Recipe) (int, error) {
	tree, err := recipe.Replay(p)
	if err != nil {
		return 0, err
	}
	deepest, count := p.Deepest(), 0
	for nodes := tree.Classes; len(nodes) > 0; nodes = nodes[1:] {
		n := nodes[0]
		value := besideIn(n)
		if value == 0 {
			nodes = append(slices.Clip(nodes), n.Parts...)
			continue
		}
		for _, s := range n.Statements {
			if p.Statements[s].Depth() == deepest && mayRunBeside(p, s) {
				count += value
			}
		}
	}
	return count, nil
}

// mayRunBeside says whether a statement counts where it runs beside itself.
func mayRunBeside(p *scop.Program, s int) bool {
	return !p.BringsBack(s) && !p.Statements[s].WritesPerhaps()
}

// besideIn is how much each statement of a node counts.
func besideIn(n *schedule.Node) (value int) {
	for _, l := range n.Loops {
		switch {
		case l.Registers != nil && !l.Unrolled:
			value = max(value, 2)
		case l.Registers != nil || l.Vector:
			value = max(value, 1)
		}
	}
	return value
}

// minimumUses is the number of the deepest instances for each element of an expanded array from which on blocks and
// lanes win more than the way through memory costs. Measured on an Intel Xeon with AVX-512, gcc 12, two threads,
// 2,000 to 60,000 products of small matrices whose sums are variables: with the sums in an array 4 x 4 take 2,
// 6 x 6 3 to 4, 8 x 8 2 and 12 x 12 1.4 to 2 times as long; 16 x 16 take 0.6 of the time, and 24 x 24 0.4. Nests of shorter loops
// that are tiny together do not count either, because compilers unroll them: the largest of 5 x 5 bytes around each point of
// a picture takes 2.1 ms with its variable in an array, and 0.4 without (AMD EPYC with AVX-512, gcc 12).
const minimumUses = 16

// UsesElementsSeldom says whether the deepest statements are known to use an element of some expanded array too
// seldom for the array to pay: what was in a register is in memory then.
func UsesElementsSeldom(m *scop.Model) (bool, error) {
	p := &planner{graph: &depend.Graph{Model: m}}
	deepest := m.Program.Deepest()
	for _, e := range m.Program.Expansions {
		most := int64(0)
		for s := range m.Statements {
			if depth := m.Statements[s].Depth(); depth < deepest || m.Program.BringsBack(s) {
				continue
			}
			uses, err := p.instancesInside(s, e.Loops)
			if err != nil {
				return false, err
			}
			most = max(most, uses)
		}
		if most <= mostTiny {
			return true, nil
		}
	}
	return false, nil
}

// instancesInside is an upper bound of a statement's instances in one iteration of so many of its loops; unlimited where
// that depends on parameters, or some loop is not a short one.
func (p *planner) instancesInside(s, loops int) (int64, error) {
	depth := p.graph.Model.Statements[s].Depth()
	var outer [][]int64
	for k := range min(loops, depth) {
		unit := make([]int64, depth)
		unit[k] = 1
		outer = append(outer, unit)
	}
	extents, ok, err := p.extents(s, outer)
	if !ok || err != nil {
		return unlimited, err
	}
	product := int64(1)
	for _, extent := range extents {
		if extent.Constant >= minimumUses || slices.ContainsFunc(extent.Parameters, func(c int64) bool { return c != 0 }) {
			return unlimited, nil
		}
		product = min(unlimited/minimumUses, product) * max(1, extent.Constant)
	}
	return product, nil
}
