package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/transform/facts"
)

// Concurrency is how a recipe runs the program's statements of the largest depth, which have the
// most instances but for those that bring last values back.
type Concurrency struct {
	// Beside is the number of them of which several instances run beside each other, in register
	// blocks or in vector lanes. Those in blocks that stay in registers along a loop count twice:
	// they use there what they load several times. Those whose writes depend on data do not count:
	// nothing of theirs stays in a register, and lanes need a branch each; nor do those in lanes
	// along a loop that runs in longer steps than one, as over every fourth element.
	Beside int
	// Shared is the number of them whose outermost loop threads share out, which wait for each
	// other once then.
	Shared int
	// Whole says that some expanded array with several subscripts has elements for all iterations.
	Whole bool
}

// IsBetterThan compares how recipes run two programs that compute the same: threads and lanes are
// worth more than the memory that has to be there for them, but threads alone only where it is
// little, and where few statements lose lanes for it.
func (c Concurrency) IsBetterThan(other Concurrency) bool {
	return c.Beside > other.Beside || c.Shared-other.Shared > facts.SharedPerBeside*(other.Beside-c.Beside) && !c.Whole
}

// ConcurrencyOf is how a recipe runs the program of a model.
func ConcurrencyOf(m *scop.Model, recipe schedule.Recipe) (found Concurrency, err error) {
	p := m.Program
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
		found.Beside += value * countOf(n.Statements, func(s int) bool {
			return p.Statements[s].Depth() == deepest && mayRunBeside(p, s) && !isVectorInSteps(m, n, s)
		})
	}
	if err = m.Context.Err(); err != nil {
		return found, err
	}
	for _, n := range tree.Classes {
		if len(n.Loops) > 0 && (n.Loops[0].IsParallel() || n.Loops[0].Collapsed) {
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

// isVectorInSteps says whether a vector loop of a node runs along an iterator of a statement that
// takes no two consecutive values.
func isVectorInSteps(m *scop.Model, n *schedule.Node, s int) bool {
	return slices.ContainsFunc(n.Loops, func(l *schedule.Loop) bool {
		if !l.IsVector() || len(l.Terms) != 1 {
			return false
		}
		along := make([]int64, m.Statements[s].Depth())
		iterator := facts.LastIterator(l.Terms[0].Rows[s])
		if iterator < 0 {
			return false
		}
		along[iterator] = 1
		next, err := facts.AdvanceOf(m, s, along)
		return err == nil && next.Moves && next.Step[iterator] > 1
	})
}

// besideIn is how much each statement of a node counts.
func besideIn(n *schedule.Node) (value int) {
	for _, l := range n.Loops {
		_, startsBlock := command.BlockAt(l)
		switch {
		case startsBlock && !l.Unrolled:
			value = max(value, 2)
		case startsBlock || l.IsVector():
			value = max(value, 1)
		}
	}
	return value
}
