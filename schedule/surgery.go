package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// FreshNodes gives, one after the other, names for further parts of a node that no node has.
func (t *Tree) FreshNodes(parent string) func() string {
	number := -1
	return func() string {
		for {
			number++
			if name := fmt.Sprintf("%s_%d", parent, number); !t.isNode(name) {
				return name
			}
		}
	}
}

// FreshLoop is a name for a loop, or one with another number where a loop has that.
func (t *Tree) FreshLoop(name string) string {
	for {
		if _, _, count := t.loopWhere(func(l *Loop) bool { return l.Name == name }); count == 0 {
			return name
		}
		parts := ending.FindStringSubmatchIndex(name)
		number, _ := strconv.Atoi(name[parts[2]:parts[3]])
		name = fmt.Sprint(name[:parts[2]], number+1, name[parts[4]:])
	}
}

// For is a copy of the loop for some of its statements.
func (l *Loop) For(statements []int) *Loop {
	own := *l
	own.Terms, own.Boxes = nil, slices.Clone(l.Boxes)
	for _, term := range l.Terms {
		own.Terms = append(own.Terms, Term{Rows: rowsOf(term.Rows, statements), Size: term.Size, Factor: term.Factor})
	}
	if l.TileRows != nil {
		own.TileRows = rowsOf(l.TileRows, statements)
	}
	return &own
}

// rowsOf are the rows of some of the statements.
func rowsOf(rows map[int]Row, statements []int) map[int]Row {
	some := map[int]Row{}
	for _, s := range statements {
		some[s] = rows[s]
	}
	return some
}

// Around are the loops around a statement, outermost first.
func (t *Tree) Around(s int) (loops []*Loop) {
	for _, n := range t.NodesAround(s) {
		loops = append(loops, n.Loops...)
	}
	return loops
}

// NodesAround are the nodes that run a statement, outermost first.
func (t *Tree) NodesAround(s int) (nodes []*Node) {
	t.Walk(func(n *Node) bool {
		if slices.Contains(n.Statements, s) {
			nodes = append(nodes, n)
		}
		return true
	})
	return nodes
}

// FreshClass is a name for a further class that no node has.
func (t *Tree) FreshClass() string {
	for number := 0; ; number++ {
		if name := fmt.Sprint("c", number); !t.isNode(name) {
			return name
		}
	}
}

// Along is the own name of the loop over points whose tiles or blocks the loop runs over; its own
// where it runs over points.
func (l *Loop) Along() string { return strings.TrimSuffix(l.Name, l.suffix()) }

// Remove takes a statement out of the tree, and nodes that have no other one.
func (t *Tree) Remove(s int) { t.Classes = without(t.Classes, s) }

// without are nodes without a statement.
func without(nodes []*Node, s int) (left []*Node) {
	for _, n := range nodes {
		if !slices.Contains(n.Statements, s) {
			left = append(left, n)
			continue
		}
		own := *n
		own.Statements = slices.DeleteFunc(slices.Clone(n.Statements), func(other int) bool { return other == s })
		if len(own.Statements) == 0 {
			continue
		}
		own.Loops, own.Parts = nil, without(n.Parts, s)
		for _, l := range n.Loops {
			own.Loops = append(own.Loops, l.For(own.Statements))
		}
		left = append(left, &own)
	}
	return left
}

// Join has a statement run in the loop, too, with rows for its terms, named after one of the
// statement's loops in the source, if it is known.
func (l *Loop) Join(s int, row Row, of map[int]int) {
	for k := range l.Terms {
		l.Terms[k].Rows = maps.Clone(l.Terms[k].Rows)
		l.Terms[k].Rows[s] = row
	}
	l.Of = joined(l.Of, of, s)
}

// joined are the loops of the source by statement with that of one more.
func joined(of, more map[int]int, s int) map[int]int {
	of = maps.Clone(of)
	if of == nil {
		of = map[int]int{}
	}
	delete(of, s)
	if k, is := more[s]; is {
		of[s] = k
	}
	return of
}

// Inside is all of a node inside of its first loops as parts of another one: itself without these
// loops, or its parts where it has no others. name is that of a part that is made.
func (n *Node) Inside(loops int, name func() string) []*Node {
	if loops == len(n.Loops) && len(n.Parts) > 0 {
		return n.Parts
	}
	own := *n
	own.Name, own.Loops, own.Marks = name(), slices.Clone(n.Loops[loops:]), nil
	if len(own.Loops) == 0 {
		own.Bands = 0
	}
	return []*Node{&own}
}

// Divide gives a node that goes on inside of its first loops a part that has the rest.
func (t *Tree) Divide(n *Node, loops int) {
	if loops < len(n.Loops) || len(n.Parts) == 0 {
		n.Parts = n.Inside(loops, t.FreshNodes(n.Name))
		n.Loops = n.Loops[:loops:loops]
	}
}

// Merge makes one node of each node with its only part, and puts parts of nodes without loops in
// their places, as long as nobody has said anything of the nodes. Where bands are claimed nodes stay
// as they are named.
func (t *Tree) Merge() {
	if t.Unclaimed {
		t.Classes = merged(t.Classes)
	}
}

func merged(nodes []*Node) (all []*Node) {
	for _, n := range nodes {
		n.Parts = merged(n.Parts)
		if isSilent(n) && len(n.Loops) == 0 && len(n.Parts) > 0 && n.Parts[0].Phase == nil {
			all = append(all, n.Parts...)
			continue
		}
		if len(n.Parts) == 1 && isSilent(n.Parts[0]) {
			n.take(n.Parts[0])
		}
		all = append(all, n)
	}
	return all
}

// isSilent says whether a node is no more than an order of its statements.
func isSilent(n *Node) bool { return n.Phase == nil && len(n.Marks) == 0 }

// take puts what the node's only part has inside of its loops.
func (n *Node) take(part *Node) {
	for _, l := range part.Loops {
		own := *l
		own.Band += n.Bands
		n.Loops = append(slices.Clip(n.Loops), &own)
	}
	n.Parts, n.Depth, n.Bands = part.Parts, max(n.Depth, part.Depth), n.Bands+part.Bands
}
