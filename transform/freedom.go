package transform

import (
	"polytune/schedule"
	"polytune/schedule/command"
)

// Freedom says how a schedule runs the instances of a statement.
type Freedom struct {
	// Threads says that several threads share them, Outermost that they share the outermost loop,
	// and Lanes that several run beside each other, in vectors or register blocks.
	Threads, Outermost, Lanes bool
}

// FreedomOf is that of the statements of a schedule, by their indices. With parts of a loop that
// differ it is the most there is.
func FreedomOf(tree *schedule.Tree) map[int]Freedom {
	found := map[int]Freedom{}
	for _, n := range tree.Classes {
		outermost := len(n.Loops) > 0 && (n.Loops[0].IsParallel() || n.Loops[0].Collapsed)
		addFreedom(found, n, Freedom{Outermost: outermost})
	}
	return found
}

// With is the freedom of both.
func (f Freedom) With(other Freedom) Freedom {
	return Freedom{f.Threads || other.Threads, f.Outermost || other.Outermost, f.Lanes || other.Lanes}
}

// addFreedom adds that of a node's statements, which have some from the loops around it.
func addFreedom(found map[int]Freedom, n *schedule.Node, f Freedom) {
	for _, l := range n.Loops {
		_, startsBlock := command.BlockAt(l)
		f.Threads = f.Threads || l.IsParallel() || l.Collapsed || command.IsRelay(l)
		f.Lanes = f.Lanes || l.IsVector() || startsBlock
	}
	for _, part := range n.Parts {
		addFreedom(found, part, f)
	}
	for _, s := range n.Statements {
		found[s] = found[s].With(f)
	}
}
