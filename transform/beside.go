package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// Concurrency is how a recipe runs the program's statements of the largest depth, which have the most instances but
// for those that bring last values back.
type Concurrency struct {
	// Beside is the number of them of which several instances run beside each other, in register blocks or
	// in vector lanes. Those in blocks that stay in registers along a loop count twice: they use there what they load
	// several times. Those whose writes depend on data do not count: nothing of theirs stays in a register, and lanes
	// need a branch each.
	Beside int
	// Shared is the number of them whose outermost loop threads share out, which wait for each other once then.
	Shared int
	// Whole says that some expanded array with several subscripts has elements for all iterations.
	Whole bool
}

// IsBetterThan compares how recipes run two programs that compute the same: threads and lanes are worth
// more than the memory that has to be there for them, but threads alone only where it is little, and where
// few statements lose lanes for it.
func (w Concurrency) IsBetterThan(other Concurrency) bool {
	return w.Beside > other.Beside || w.Shared-other.Shared > sharedPerBeside*(other.Beside-w.Beside) && !w.Whole
}

// sharedPerBeside is how many statements threads have to share out more for each that does not run in lanes any more: few threads are worth
// as much as a vector's lanes, and there are two at least.
const sharedPerBeside = 4

// ConcurrencyOf is how a recipe runs the program.
func ConcurrencyOf(p *scop.Program, recipe schedule.Recipe) (found Concurrency, err error) {
	tree, err := recipe.Replay(p)
	if err != nil {
		return found, err
	}
	deepest := p.Deepest()
	for nodes := tree.Classes; len(nodes) > 0; nodes = nodes[1:] {
		n := nodes[0]
		value := besideIn(n)
		if value == 0 {
			nodes = append(slices.Clip(nodes), n.Parts...)
			continue
		}
		found.Beside += value * countOf(n.Statements, func(s int) bool { return p.Statements[s].Depth() == deepest && mayRunBeside(p, s) })
	}
	for _, n := range tree.Classes {
		if len(n.Loops) > 0 && (n.Loops[0].Parallel || n.Loops[0].Collapsed) {
			found.Shared += countOf(n.Statements, func(s int) bool { return p.Statements[s].Depth() == deepest && !p.BringsBack(s) })
		}
	}
	contracted := tree.Contractions()
	for _, e := range p.Expansions {
		_, is := contracted[e.Name]
		found.Whole = found.Whole || !is && len(e.Extents) > 1
	}
	return found, nil
}

// countOf is the number of statements that are so.
func countOf(statements []int, is func(int) bool) (count int) {
	for _, s := range statements {
		if is(s) {
			count++
		}
	}
	return count
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
// seldom for the array to pay: what was in a register is in memory then. Arrays whose last values are needed behind the region are in memory anyway.
func UsesElementsSeldom(m *scop.Model) (bool, error) {
	p := &planner{graph: &depend.Graph{Model: m}}
	deepest := m.Program.Deepest()
	for _, e := range m.Program.Expansions {
		if m.Program.Array(e.Array) != nil && len(e.Extents) > e.Dimensions() {
			continue
		}
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
