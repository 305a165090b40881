package transform

import (
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/mark"
)

// said is what a recipe says of loops, by their names. Of loops that are in none of the sets it says
// nothing but that they are there.
type said struct {
	// kept are loops of which is said how they run, and those over tiles; tiled are those over the
	// points of tiles; moved have a place among others, or a row, that a command has given them.
	kept, tiled, moved map[string]bool
}

// givesShape says whether a command gives the tree its shape, and says nothing of how loops run.
func givesShape(c schedule.Command) bool {
	switch c.(type) {
	case command.Classes, command.Original, command.Schedule, command.Band, command.Split, command.Distribute, command.Fuse, command.After, command.Before, command.Name:
		return true
	}
	return false
}

// saidBy is what a recipe says, with the tree that it makes.
func saidBy(recipe schedule.Recipe, p *scop.Program) (*said, *schedule.Tree, error) {
	tree, moved := schedule.NewTree(p), map[*schedule.Loop]bool{}
	for _, c := range recipe {
		before := chainsOf(tree)
		if err := tree.Do(c); err != nil {
			return nil, nil, err
		}
		if !givesShape(c) {
			noteMoved(moved, before, chainsOf(tree))
		}
	}
	s := &said{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	tree.Walk(func(n *schedule.Node) bool {
		for _, l := range n.Loops {
			s.kept[l.Name] = isSaid(l)
			s.tiled[l.Name] = slices.ContainsFunc(n.Loops, func(o *schedule.Loop) bool { return o.Level > 0 && o.Name == l.Name+"t" })
			s.moved[l.Name] = moved[l]
		}
		return true
	})
	return s, tree, nil
}

// isSaid says whether some command has said how a loop runs: on threads, in lanes, unrolled, with
// copies; over tiles or register blocks, along wavefronts.
func isSaid(l *schedule.Loop) bool {
	return l.Level > 0 || len(l.Terms) != 1 || l.Block || l.Unrolled || l.Collapsed || len(l.Marks) > 0 || len(l.Requests) > 0 || len(l.Boxes) > 0
}

// placedLoop is a loop with the text of its rows.
type placedLoop struct {
	*schedule.Loop
	rows string
}

// chainsOf are the loops of a tree's nodes.
func chainsOf(tree *schedule.Tree) map[string][]placedLoop {
	chains := map[string][]placedLoop{}
	tree.Walk(func(n *schedule.Node) bool {
		for _, l := range n.Loops {
			chains[n.Name] = append(chains[n.Name], placedLoop{l, fmt.Sprintf("%+v", l.Terms)})
		}
		return true
	})
	return chains
}

// noteMoved notes the loops that have another row than before, or another place among those that
// were there.
func noteMoved(moved map[*schedule.Loop]bool, before, after map[string][]placedLoop) {
	for name, loops := range after {
		was := before[name]
		isIn := func(list []placedLoop) func(placedLoop) bool {
			return func(l placedLoop) bool {
				return !slices.ContainsFunc(list, func(o placedLoop) bool { return o.Loop == l.Loop })
			}
		}
		stayed := slices.DeleteFunc(slices.Clone(loops), isIn(was))
		was = slices.DeleteFunc(slices.Clone(was), isIn(stayed))
		for k, l := range stayed {
			if was[k].Loop != l.Loop || was[k].rows != l.rows {
				moved[l.Loop] = true
			}
		}
	}
}

// isOf says whether the recipe says something of a node's loops, or of those of a part.
func (s *said) isOf(n *schedule.Node) bool {
	return slices.ContainsFunc(n.Loops, func(l *schedule.Loop) bool { return s.kept[l.Name] || s.moved[l.Name] || s.tiled[l.Name] }) ||
		slices.ContainsFunc(n.Parts, s.isOf)
}

// openRun are loops right inside each other of which is said the same.
type openRun struct {
	loops []*schedule.Loop
	// isOpen says that nothing is said of how they run, isTiled that they have tiles, inOrder that
	// their order is said, isLast that no loop of the node is inside, isInside that one outside is over
	// points, too, which register blocks would have inside.
	isOpen, isTiled, inOrder, isLast, isInside bool
}

// runsOf are the runs of a node's loops, outermost first. A single open loop inside of loops over
// points of tiles is one of these.
func (s *said) runsOf(n *schedule.Node) (runs []openRun) {
	for k, l := range n.Loops {
		isTiled := !s.kept[l.Name] && s.tiled[l.Name]
		if last := len(runs) - 1; k > 0 && runs[last].isOpen == !s.kept[l.Name] && runs[last].isTiled == isTiled {
			runs[last].loops = append(runs[last].loops, l)
		} else {
			runs = append(runs, openRun{loops: []*schedule.Loop{l}, isOpen: !s.kept[l.Name], isTiled: isTiled})
		}
	}
	if last := len(runs) - 1; last > 0 && runs[last-1].isTiled && runs[last].isOpen && len(runs[last].loops) == 1 {
		runs[last-1].loops = append(runs[last-1].loops, runs[last].loops...)
		runs = runs[:last]
	}
	for k := range runs {
		runs[k].isLast = k == len(runs)-1
		runs[k].isInside = slices.ContainsFunc(runs[:k], func(o openRun) bool { return !o.isOpen && slices.ContainsFunc(o.loops, isOverPoints) })
		runs[k].inOrder = slices.ContainsFunc(runs[k].loops, func(l *schedule.Loop) bool { return s.moved[l.Name] })
	}
	return runs
}

// isOverPoints says whether a loop is over no tiles and no blocks.
func isOverPoints(l *schedule.Loop) bool { return l.Level == 0 && !l.Block }

// holdsIn says whether a tree has what is said: the loops run as they do in the tree that the recipe
// makes, and are in the same order.
func (s *said) holdsIn(after, made *schedule.Tree) bool {
	holds := true
	made.Walk(func(n *schedule.Node) bool {
		var order []string
		for _, l := range n.Loops {
			if !s.kept[l.Name] && !s.moved[l.Name] {
				continue
			}
			order = append(order, l.Name)
			node, place, err := after.Loop(l.Name)
			holds = holds && err == nil && node.Name == n.Name && (!s.kept[l.Name] || runsAs(node.Loops[place], l))
		}
		holds = holds && slices.Equal(order, s.orderIn(after, order))
		return holds
	})
	return holds
}

// orderIn are some loops of one node in the order in which a tree has them.
func (s *said) orderIn(tree *schedule.Tree, names []string) (order []string) {
	tree.Walk(func(n *schedule.Node) bool {
		for _, l := range n.Loops {
			if slices.Contains(names, l.Name) {
				order = append(order, l.Name)
			}
		}
		return true
	})
	return order
}

// runsAs says whether a loop runs as another one, whatever has been added.
func runsAs(l, as *schedule.Loop) bool {
	if fmt.Sprintf("%+v", l.Terms) != fmt.Sprintf("%+v", as.Terms) || l.Block != as.Block || l.Unrolled != as.Unrolled || l.Collapsed != as.Collapsed {
		return false
	}
	for _, m := range as.Marks {
		if !slices.ContainsFunc(l.Marks, func(o mark.Mark) bool { return o.String() == m.String() }) {
			return false
		}
	}
	return true
}
