package refusal

import (
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// Read reads a recipe of the program of a graph.
type Read func(p *scop.Program, text string) (schedule.Recipe, error)

// wrong is a dependence that a recipe violates.
type wrong struct {
	Source
	graph     *depend.Graph
	violation *depend.Violation
	// recipe is the whole one, at the place of the command that is at fault, and tree what is made
	// up to and with that.
	recipe schedule.Recipe
	at     int
	tree   *schedule.Tree
	read   Read
	// pair is the smallest example, nil for none, and meeting where the tree tells its instances
	// apart, nil where that is not known.
	pair    *depend.Pair
	meeting *meeting
	// carrier is the name of the loop whose mark the dependence contradicts, and together says that
	// nothing orders the pair.
	carrier  string
	together bool
}

// meeting is where a tree tells two instances apart: at a loop, by its values, or in parts of a
// node.
type meeting struct {
	// loop is that loop, nil for parts; name is its name, and source and target are its values.
	loop           *schedule.Loop
	node           *schedule.Node
	name           string
	source, target int64
	// around is the name of the innermost loop around both parts, "" for none.
	around string
}

// find looks for the smallest example, and for the loop.
func (w *wrong) find() {
	var err error
	if w.pair, err = w.violation.Smallest(w.graph.Model); err != nil {
		w.pair = nil
	}
	if w.violation.Mark != nil {
		if name := mark.LoopOf(w.violation.Mark); name != "" {
			if n, k, err := w.tree.Loop(name); err == nil {
				w.carrier = w.loopName(n.Loops[k])
				w.meeting = w.along(n, n.Loops[k])
				return
			}
		}
	}
	if w.pair != nil {
		w.meeting, w.together = w.meet(w.tree.Classes, "")
	}
}

// loopName is the name of a loop.
func (w *wrong) loopName(l *schedule.Loop) string { return l.Name }

// along is where the instances of the example are along a loop of a node; nil where that is not known.
func (w *wrong) along(n *schedule.Node, l *schedule.Loop) *meeting {
	if w.pair == nil {
		return nil
	}
	d := w.violation.Dependence
	source, known := w.value(l, d.Source, w.pair.Source)
	target, too := w.value(l, d.Target, w.pair.Target)
	if !known || !too {
		return nil
	}
	return &meeting{loop: l, node: n, name: w.loopName(l), source: source, target: target}
}

// meet walks down some nodes that run one after the other, around being the loop around them.
// together says that nothing tells the instances apart.
func (w *wrong) meet(nodes []*schedule.Node, around string) (m *meeting, together bool) {
	d := w.violation.Dependence
	nodeOf := func(s int) *schedule.Node {
		k := slices.IndexFunc(nodes, func(n *schedule.Node) bool { return slices.Contains(n.Statements, s) })
		if k < 0 {
			return nil
		}
		return nodes[k]
	}
	n, other := nodeOf(d.Source), nodeOf(d.Target)
	switch {
	case len(nodes) == 0:
		return nil, true
	case n == nil || other == nil || n.Phase != nil || other.Phase != nil:
		return nil, false
	case n != other:
		return &meeting{around: around}, false
	}
	for _, l := range n.Loops {
		here := w.along(n, l)
		if here == nil || here.source != here.target {
			return here, false
		}
		around = w.loopName(l)
	}
	return w.meet(n.Parts, around)
}

// value is that of a loop in which an instance runs; known is false where that is no sum of rows.
func (w *wrong) value(l *schedule.Loop, s int, iterators []int64) (value int64, known bool) {
	for _, term := range l.Terms {
		row, has := term.Rows[s]
		if !has {
			return 0, false
		}
		value += floor(row.At(iterators, w.pair.Parameters), max(1, term.Size))
	}
	return value, len(l.Terms) > 0
}

// floor is a quotient that is rounded down.
func floor(a, b int64) int64 {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}
