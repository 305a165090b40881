package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
)

// Fuse has parts of a node share their loops, as many and of the same bands, which is what
// distribute takes apart (loop fusion):
//
//	fuse c0_1 c0_0
//
//	for c0.1 { for c0_0.2 S0; for c0_1.2 S1 }  -->  for c0.1 for c0_1.2 { S1; S0 }
//
// In each iteration they run in the order in which they are named. The node that they become has
// the name of the first, and stands where the earliest of them has stood.
type Fuse struct{ Nodes []string }

var _ = All.Add(schedule.Spec{
	Syntax:  "fuse NODES",
	Doc:     "the fusion of parts",
	Example: "fuse c0_0 c0_1",
	New:     func() schedule.Command { return Fuse{} },
	Random:  randomFuse,
	Say:     schedule.Silent,
})

// Apply makes one node of the parts.
func (c Fuse) Apply(t *schedule.Tree) error {
	parent, nodes, err := c.parts(t)
	if err != nil {
		return err
	}
	fused := &schedule.Node{Name: nodes[0].Name, Depth: nodes[0].Depth, Bands: nodes[0].Bands}
	for k, n := range nodes {
		fused.Statements = append(fused.Statements, n.Statements...)
		fused.Parts = append(fused.Parts, &schedule.Node{Name: fmt.Sprintf("%s_%d", fused.Name, k), Statements: n.Statements, Depth: n.Depth})
	}
	for k, loop := range nodes[0].Loops {
		l := *loop
		rows := map[int]schedule.Row{}
		for _, n := range nodes {
			for s, row := range n.Loops[k].Terms[0].Rows {
				rows[s] = row
			}
			l.Permutable = l.Permutable && n.Loops[k].Permutable
		}
		l.Terms = []schedule.Term{{Rows: rows, Size: 1}}
		fused.Loops = append(fused.Loops, &l)
	}
	first := slices.IndexFunc(parent.Parts, func(n *schedule.Node) bool { return slices.Contains(nodes, n) })
	parent.Parts[first] = fused
	parent.Parts = slices.DeleteFunc(parent.Parts, func(n *schedule.Node) bool { return slices.Contains(nodes, n) })
	return nil
}

// parts are the node of which all are parts, and these.
func (c Fuse) parts(t *schedule.Tree) (parent *schedule.Node, nodes []*schedule.Node, err error) {
	if len(c.Nodes) < 2 {
		return nil, nil, fmt.Errorf("fusing needs two nodes or more")
	}
	for k, name := range c.Nodes {
		n, err := t.Node(name)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(nodes, n) {
			return nil, nil, fmt.Errorf("node %q is named twice", name)
		}
		if k > 0 && (!isLike(n, nodes[0]) || len(n.Marks)+len(nodes[0].Marks) > 0) {
			return nil, nil, fmt.Errorf("nodes %q and %q do not have as many plain loops of the same bands and nothing inside; fuse before loops are tiled or marked", nodes[0].Name, name)
		}
		nodes = append(nodes, n)
	}
	t.Walk(func(n *schedule.Node) bool {
		if !slices.ContainsFunc(nodes, func(part *schedule.Node) bool { return !slices.Contains(n.Parts, part) }) {
			parent = n
		}
		return parent == nil
	})
	if parent == nil {
		return nil, nil, fmt.Errorf("%s are not parts of one node", strings.Join(c.Nodes, " "))
	}
	return parent, nodes, nil
}

// isLike says whether two nodes have some loops, as many and of the same bands, all of them plain,
// and nothing inside.
func isLike(a, b *schedule.Node) bool {
	return len(a.Loops) > 0 && a.Phase == nil && b.Phase == nil && len(a.Parts)+len(b.Parts) == 0 &&
		slices.EqualFunc(a.Loops, b.Loops, func(k, l *schedule.Loop) bool { return k.Band == l.Band && isPlain(k) && isPlain(l) })
}

// isPlain says whether nothing but its rows is known of a loop over points.
func isPlain(l *schedule.Loop) bool {
	return l.Level == 0 && len(l.Terms) == 1 && l.TileRows == nil && !l.Block && !l.Unrolled && !l.IsVector() && !startsBlock(l) && !isMarked(l) && !l.Collapsed
}

// randomFuse are two parts of a node in loops that they share.
func randomFuse(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool { return len(n.Parts) > 1 })
	if n == nil {
		return nil
	}
	first := pick(random, n.Parts)
	return []schedule.Command{Fuse{Nodes: []string{first.Name, pick(random, except(n.Parts, []*schedule.Node{first})).Name}}}
}
