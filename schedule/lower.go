package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// Schedule lowers the tree to an isl schedule tree: every loop is a band of
// one member, below marks that say when it is parallel or vector.
//
// The instances of tiled statements are expanded: S0[i, j] becomes
// S0[t0, t1, i, j] with the coordinates of its tile in front, so that all
// bands are affine. With floor(i/32) in their place isl's code generator
// needs minutes for skewed tiles instead of milliseconds. depend.Graph.Check
// proves that the expansion loses and doubles nothing.
func (t *Tree) Schedule(m *scop.Model) mark.Schedule {
	return (&lowering{tree: t, model: m, marks: &mark.Table{}}).schedule()
}

func (l *lowering) schedule() mark.Schedule {
	l.tiles, l.declared = l.tree.tileTerms(), map[string]bool{}
	l.gone, l.come = map[int][]*isl.Set{}, map[int][]*isl.Set{}
	indent := 0
	for _, array := range l.tree.Constants {
		l.line(indent, "child:")
		indent++
		l.mark(indent, mark.Box{Array: array, Memory: mark.Constant})
	}
	l.sequence(indent, l.tree.Classes)
	made := mark.Schedule{Tree: l.model.Context.ReadSchedule(fmt.Sprintf("domain: %q\n", l.domain().String()) + l.text.String()), Marks: l.marks}
	if l.tree.hasBoxes() {
		boxes.Fill(l.model, made)
	}
	return made
}

// lowering writes the YAML form of an isl schedule tree.
type lowering struct {
	tree  *Tree
	model *scop.Model
	// tiles are the tile coordinates of each statement, in the order of the
	// expanded tuple.
	tiles map[int][]tileTerm
	text  strings.Builder
	// marks are those of the tree.
	marks *mark.Table
	// around are the loops around the present place, outermost first.
	around []*Loop
	// rows are those of the point loops around the present place, and
	// declared the private variables whose marks have been written.
	rows     []map[int]Row
	declared map[string]bool
	// atomic says that no loop is to be split.
	atomic bool
	// phases are those around the present place, and present the instances of the innermost one's
	// statements.
	phases  []Phase
	present map[int]*isl.Set
	// unites says that statements that do the same in a phase are united: gone are the instances of
	// statements that have the name of another one, come those that have theirs.
	unites     bool
	gone, come map[int][]*isl.Set
}

func (l *lowering) line(indent int, format string, args ...any) {
	l.text.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(&l.text, format, args...)
	l.text.WriteByte('\n')
}

// sequence writes nodes that run one after the other, as the child of what
// was written last.
func (l *lowering) sequence(indent int, nodes []*Node) {
	switch {
	case len(nodes) == 0:
	case nodes[0].Phase != nil:
		l.phased(indent, nodes)
	case len(nodes) == 1:
		l.node(indent, nodes[0])
	default:
		l.line(indent, "child:")
		l.line(indent+1, "sequence:")
		for _, n := range nodes {
			l.line(indent+1, "- filter: %q", l.filter(n))
			l.node(indent+2, n)
		}
	}
}

// node writes a node with its marks.
func (l *lowering) node(indent int, n *Node) {
	for _, m := range n.Marks {
		indent = l.child(indent)
		l.mark(indent, m)
	}
	if len(n.Marks) > 0 && len(n.Loops) == 0 && l.endsAt(n) {
		l.nothing(indent, n)
	}
	l.chain(indent, n, n.Loops)
}

// child begins the child of what was written last, and returns its indent.
func (l *lowering) child(indent int) int {
	l.line(indent, "child:")
	return indent + 1
}

// nothing writes a band that makes no loop: isl's reader wants a child below every mark.
func (l *lowering) nothing(indent int, n *Node) {
	l.line(l.child(indent), "schedule: %q", l.band(n, func(int) string { return "0" }))
}

// endsAt says whether nothing is written below the loops of a node at the present place.
func (l *lowering) endsAt(n *Node) bool { return !hasInside(n.Parts) && !l.isAnchored(n) }

// hasInside says whether sequence writes anything: a node with one part alone has what that has.
func hasInside(parts []*Node) bool {
	switch {
	case len(parts) == 0:
		return false
	case len(parts) > 1 || parts[0].Phase != nil || len(parts[0].Marks) > 0:
		return true
	}
	return len(parts[0].Loops) > 0 || hasInside(parts[0].Parts)
}

// chain writes the loops of a node and then its parts.
func (l *lowering) chain(indent int, n *Node, loops []*Loop) {
	if len(loops) == 0 {
		l.sequence(indent, n.Parts)
		if l.isAnchored(n) {
			l.anchor(indent)
		}
		return
	}
	loop := loops[0]
	if loop.IsDivided() {
		l.apart(indent, n, loops)
		return
	}
	indent = l.child(indent)
	for _, m := range append(l.marksOf(l.requestsAbove(loops), n, loops), l.loopMarks(loop)...) {
		l.mark(indent, m)
		indent = l.child(indent)
	}
	l.line(indent, "schedule: %q", l.partial(n, loop))
	if loop.Permutable {
		l.line(indent, "permutable: 1")
	}
	if option := l.option(loop); mark.Has[mark.Block](loop.Marks) || holdBoxes(loops, n.Parts) {
		l.line(indent, "options: %q", atomicOption)
	} else if option != "" {
		l.line(indent, "options: %q", option)
	}
	around, rows := l.around, l.rows
	l.around = append(slices.Clip(around), loop)
	if len(loop.Terms) == 1 && loop.Terms[0].Size <= 1 {
		l.rows = append(slices.Clip(rows), loop.Terms[0].Rows)
	}
	if loop.Mapped != nil {
		l.rows = append(slices.Clip(rows), loop.Mapped.Rows)
	}
	waiting := waitingAt(loop)
	for _, m := range waiting {
		indent = l.child(indent)
		l.mark(indent, m)
	}
	declared := l.declarations(n)
	for _, name := range declared {
		indent = l.child(indent)
		l.mark(indent, mark.Private{Variable: name})
	}
	local := append(l.marksOf(l.requestsBelow(), n, loops[1:]), l.tileMarks(n, loop)...)
	for _, m := range local {
		indent = l.child(indent)
		l.mark(indent, m)
	}
	if len(declared)+len(local)+len(waiting) > 0 && len(loops) == 1 && l.endsAt(n) {
		l.nothing(indent, n)
	}
	l.chain(indent, n, loops[1:])
	l.around, l.rows = around, rows
}

// waitingAt are the marks of a loop that stand above the code of its iterations: those of who waits at
// the end of each.
func waitingAt(loop *Loop) (list []mark.Mark) {
	if m, is := mark.Of[mark.Barrier](loop.Marks); is {
		m.Loop = loop.Name
		list = append(list, m)
	}
	if mark.Has[mark.Meet](loop.Marks) {
		list = append(list, mark.Meet{Loop: loop.Name})
	}
	return list
}

// declarations are the private variables whose objects the loops around the
// present place are the first to tell apart.
func (l *lowering) declarations(n *Node) []string {
	var names []string
	for _, private := range l.tree.Program.Privates() {
		if !l.declared[private.Name] && slices.Contains(n.Statements, private.Statements[0]) && l.determine(private) {
			l.declared[private.Name] = true
			names = append(names, private.Name)
		}
	}
	return names
}

// determine says whether the loops around the present place tell all objects
// of the variable apart.
func (l *lowering) determine(private scop.Private) bool {
	for _, s := range private.Statements {
		var rows [][]int64
		for _, row := range l.rows {
			rows = append(rows, row[s].Iterators)
		}
		if slices.ContainsFunc(rows, func(r []int64) bool { return r == nil }) ||
			!scop.Determines(rows, l.tree.Program.Statements[s].Depth(), private.Loops) {
			return false
		}
	}
	return true
}

// mark writes a mark, below which there has to be a child.
func (l *lowering) mark(indent int, m mark.Mark) { l.line(indent, "mark: %q", l.marks.Name(m)) }

// loopMarks are the marks of a loop that it has been given, outermost first: a kernel is around all
// others, and blocks are around accumulators of threads, which are around all but these.
func (l *lowering) loopMarks(loop *Loop) []mark.Mark {
	own := mark.Without[mark.Meet](mark.Without[mark.Barrier](loop.Marks))
	if mark.Has[mark.Reduce](own) {
		own = outermost[mark.Block](outermost[mark.Reduce](own))
	}
	own = outermost[mark.Ranks](outermost[mark.Kernel](outermost[mark.Resident](own)))
	if loop.IsVector() && len(loop.Reductions()) > 0 {
		own = mark.Without[mark.Parallel](mark.Without[mark.Threads](mark.Without[mark.Dynamic](mark.Without[mark.Collapse](own))))
	}
	if n := len(l.around); loop.Collapsed && !loop.IsParallel() && n > 0 && mark.Has[mark.Collapse](l.around[n-1].Marks) {
		own = own.With(mark.Parallel{})
	}
	return own.On(loop.Name)
}

// outermost are marks with the one of a kind, if there is one, in front.
func outermost[M mark.Mark](marks mark.Set) mark.Set {
	if m, is := mark.Of[M](marks); is {
		return slices.Insert(mark.Without[M](marks), 0, mark.Mark(m))
	}
	return marks
}

// filter is the set of all instances of the node's statements.
func (l *lowering) filter(n *Node) string {
	parts := make([]string, len(n.Statements))
	for i, s := range n.Statements {
		parts[i] = l.expanded(s)
	}
	return "{ " + strings.Join(parts, "; ") + " }"
}

// band is a band of one member in isl's text, with the value that it gives to
// each statement of the node.
func (l *lowering) band(n *Node, value func(s int) string) string {
	parts := make([]string, len(n.Statements))
	for i, s := range n.Statements {
		parts[i] = fmt.Sprintf("%s -> [%s]", l.expanded(s), value(s))
	}
	return l.tree.Program.ParametersText() + "[{ " + strings.Join(parts, "; ") + " }]"
}

// partial is the loop's value for each statement of the node.
func (l *lowering) partial(n *Node, loop *Loop) string {
	return l.band(n, func(s int) string { return l.value(s, loop) })
}

// value is the loop's value for a statement.
func (l *lowering) value(s int, loop *Loop) string {
	p := l.tree.Program
	iterators := p.IteratorNames(s)
	if loop.Hexagon != nil {
		return l.tileNames(s)[l.hexagonOf(s, loop.Hexagon.Of)+loop.Hexagon.Place]
	}
	if loop.Mapped != nil {
		return l.tileNames(s)[l.tree.coordinate(l.tiles[s], tileTerm{mapped: &loop.Mapped.MappedPlace}, s)]
	}
	if place := loop.Overlapped; place != nil {
		return l.tileNames(s)[l.tree.coordinate(l.tiles[s], tileTerm{overlapped: &OverlappedPlace{Of: place.Of}}, s)+place.Place]
	}
	terms := make([]string, len(loop.Terms))
	for k, term := range loop.Terms {
		if term.Size > 1 {
			place := l.tree.coordinate(l.tiles[s], tileTerm{row: term.Rows[s], size: term.Size}, s)
			terms[k] = l.tileNames(s)[place]
		} else {
			terms[k] = term.Rows[s].Text(iterators, p.Parameters)
		}
		if term.Factor != 0 {
			terms[k] = fmt.Sprintf("%d*(%s)", term.Factor, terms[k])
		}
	}
	return "(" + strings.Join(terms, ") + (") + ")"
}
