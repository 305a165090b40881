package command

import (
	"fmt"
	"maps"
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
// the name of the first, and stands where the earliest of them has stood. Loops in the place of
// nodes say down to which loops they share them, and the others stay inside; these nodes may be
// classes.
type Fuse struct {
	Nodes []string
	// Shifting has the later ones run so many iterations later that it is legal.
	Shifting bool
}

var _ = All.Add(schedule.Spec{
	Syntax:  "fuse NODES [shifting]",
	Doc:     "the fusion of parts",
	Example: "fuse c0_0 c0_1",
	New:     func() schedule.Command { return Fuse{} },
	Random:  randomFuse,
	Say:     schedule.Silent,
})

// Apply makes one node of the parts.
func (c Fuse) Apply(t *schedule.Tree) error {
	if c.Shifting {
		return fmt.Errorf("by how many iterations has to be found before; the dependences say it")
	}
	together, err := c.parts(t)
	if err != nil {
		return err
	}
	*together.among = together.fuse(t)
	t.Merge()
	return nil
}

// fusion are nodes that are to share loops.
type fusion struct {
	nodes []*schedule.Node
	// among are the nodes among which they are, and loops is how many they are to share.
	among *[]*schedule.Node
	loops int
}

// fuse makes one node of them, and returns those among which it is.
func (f *fusion) fuse(t *schedule.Tree) []*schedule.Node {
	first := f.nodes[0]
	fused := &schedule.Node{Name: first.Name, Depth: first.Depth, Bands: first.Bands}
	for k := range f.loops {
		fused.Loops = append(fused.Loops, f.shared(k))
	}
	names := t.FreshNodes(fused.Name)
	for _, n := range f.nodes {
		fused.Statements = append(fused.Statements, n.Statements...)
		fused.Parts = append(fused.Parts, n.Inside(f.loops, names)...)
	}
	isOne := func(n *schedule.Node) bool { return slices.Contains(f.nodes, n) }
	all := slices.Clone(*f.among)
	all[slices.IndexFunc(all, isOne)] = fused
	return slices.DeleteFunc(all, isOne)
}

// shared is the k-th loop that they share.
func (f *fusion) shared(k int) *schedule.Loop {
	l := *f.nodes[0].Loops[k]
	rows, of := map[int]schedule.Row{}, map[int]int{}
	for _, n := range f.nodes {
		own := n.Loops[k]
		maps.Copy(rows, own.Terms[0].Rows)
		maps.Copy(of, own.Of)
		l.Permutable, l.Shifted = l.Permutable && own.Permutable, l.Shifted || own.Shifted
	}
	l.Terms, l.Of = []schedule.Term{{Rows: rows, Size: 1}}, of
	return &l
}

// parts are the nodes that are named, or those of the loops.
func (c Fuse) parts(t *schedule.Tree) (*fusion, error) {
	if len(c.Nodes) < 2 {
		return nil, fmt.Errorf("fusing needs two nodes or more")
	}
	f := &fusion{}
	for k, name := range c.Nodes {
		n, loops, err := fusedNode(t, name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(f.nodes, n) {
			return nil, fmt.Errorf("node %q is named twice", name)
		}
		f.nodes = append(f.nodes, n)
		switch {
		case k == 0:
			f.loops = loops
		case loops != f.loops || loops < 0 && (!isLike(n, f.nodes[0]) || len(n.Marks)+len(f.nodes[0].Marks) > 0):
			return nil, fmt.Errorf("nodes %q and %q do not have as many plain loops of the same bands and nothing inside; fuse before loops are tiled or marked", c.Nodes[0], name)
		}
	}
	areLoops := f.loops >= 0
	if !areLoops {
		f.loops = len(f.nodes[0].Loops)
	}
	for _, n := range f.nodes {
		for _, l := range n.Loops[:f.loops] {
			if err := mayChange(t, l, "fuse"); areLoops && err != nil {
				return nil, err
			}
		}
	}
	if f.among = siblings(t, f.nodes, areLoops || t.Unclaimed); f.among == nil {
		return nil, fmt.Errorf("%s are not parts of one node", strings.Join(c.Nodes, " "))
	}
	return f, nil
}

// fusedNode is the node of a name, and -1, or that of a loop, and the number of its loops down to
// that one.
func fusedNode(t *schedule.Tree, name string) (n *schedule.Node, loops int, err error) {
	n, missing := t.Node(name)
	if missing == nil {
		return n, -1, nil
	}
	n, place, err := t.Loop(name)
	switch {
	case err != nil && !strings.Contains(name, "."):
		return nil, 0, missing
	case err != nil:
		return nil, 0, err
	case n.Phase != nil || len(n.Marks) > 0:
		return nil, 0, fmt.Errorf("node %q has marks of its own; fuse before", n.Name)
	}
	return n, place + 1, nil
}

// siblings are the nodes among which all of some are, parts of one node or, where they may be,
// classes; nil where there are no such.
func siblings(t *schedule.Tree, nodes []*schedule.Node, mayBeClasses bool) (among *[]*schedule.Node) {
	hasAll := func(parts []*schedule.Node) bool {
		return !slices.ContainsFunc(nodes, func(n *schedule.Node) bool { return !slices.Contains(parts, n) })
	}
	if mayBeClasses && hasAll(t.Classes) {
		return &t.Classes
	}
	t.Walk(func(n *schedule.Node) bool {
		if hasAll(n.Parts) {
			among = &n.Parts
		}
		return among == nil
	})
	return among
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
