package command

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
)

// pick is one of a list, and the zero value of an empty one.
func pick[T any](random *rand.Rand, list []T) (chosen T) {
	if len(list) > 0 {
		chosen = list[random.IntN(len(list))]
	}
	return chosen
}

// pickNode is one of a tree's nodes that are as wanted, nil where there is none.
func pickNode(random *rand.Rand, t *schedule.Tree, isWanted func(*schedule.Node) bool) *schedule.Node {
	var nodes []*schedule.Node
	t.Walk(func(n *schedule.Node) bool {
		if isWanted(n) {
			nodes = append(nodes, n)
		}
		return true
	})
	return pick(random, nodes)
}

// hasLoops says whether a node has so many loops at least.
func hasLoops(count int) func(*schedule.Node) bool {
	return func(n *schedule.Node) bool { return len(n.Loops) >= count }
}

// namesAtLoops are the names that the loops of a tree have at them.
func namesAtLoops(t *schedule.Tree, of func(*schedule.Loop) []string) (names []string) {
	t.Walk(func(n *schedule.Node) bool {
		for _, l := range n.Loops {
			names = append(names, of(l)...)
		}
		return true
	})
	return names
}

// shuffledLoops are the names of a tree's loops in an order that chance chooses.
func shuffledLoops(random *rand.Rand, t *schedule.Tree) []string {
	return shuffled(random, namesAtLoops(t, func(l *schedule.Loop) []string { return []string{l.Name} }))
}

// shuffled is a list in an order that chance chooses.
func shuffled[T any](random *rand.Rand, list []T) []T {
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// plainPoints are the names of a node's loops over points that may be moved.
func plainPoints(t *schedule.Tree, n *schedule.Node) (names []string) {
	for _, l := range n.Loops {
		if l.Level == 0 && t.MayMove(l) && !l.Block {
			names = append(names, l.Name)
		}
	}
	return names
}

// inLanes is the innermost loop of some node and what makes it a vector loop if it is none; nil
// where there is no node as wanted.
func inLanes(random *rand.Rand, t *schedule.Tree, isWanted func(*schedule.Node) bool) (n *schedule.Node, loop string, before []schedule.Command) {
	n = pickNode(random, t, func(n *schedule.Node) bool { return len(n.Loops) > 0 && isWanted(n) })
	if n == nil {
		return nil, "", nil
	}
	innermost := n.Loops[len(n.Loops)-1]
	if !innermost.IsVector() {
		before = append(before, Vectorize{Loop: innermost.Name})
	}
	return n, innermost.Name, before
}

// anyNode is what inLanes wants where it wants nothing.
func anyNode(*schedule.Node) bool { return true }

// onThreads is what makes a loop parallel if it is not.
func onThreads(l *schedule.Loop) []schedule.Command {
	if l.IsParallel() {
		return nil
	}
	return []schedule.Command{Parallel{Loop: l.Name}}
}

// except is a list without what some others have.
func except[T comparable](list []T, others []T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(element T) bool { return slices.Contains(others, element) })
}
