package schedule

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// Schedule lowers the tree to an isl schedule tree: every loop is a band of
// one member, below a mark that names it when it is parallel or vector.
func (t *Tree) Schedule(m *scop.Model) *isl.Schedule {
	l := lowering{tree: t, model: m}
	l.line(0, "domain: %q", m.Domain().String())
	l.sequence(0, t.Classes)
	return m.Context.ReadSchedule(l.text.String())
}

// lowering writes the YAML form of an isl schedule tree.
type lowering struct {
	tree  *Tree
	model *scop.Model
	text  strings.Builder
	// outer holds the loops around the present place, outermost first.
	outer []*Loop
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
	case len(nodes) == 1:
		l.chain(indent, nodes[0], nodes[0].Loops)
	default:
		l.line(indent, "child:")
		l.line(indent+1, "sequence:")
		for _, n := range nodes {
			l.line(indent+1, "- filter: %q", l.filter(n))
			l.chain(indent+2, n, n.Loops)
		}
	}
}

// chain writes the loops of a node and then its parts.
func (l *lowering) chain(indent int, n *Node, loops []*Loop) {
	if len(loops) == 0 {
		l.sequence(indent, n.Parts)
		return
	}
	loop := loops[0]
	l.line(indent, "child:")
	indent++
	for _, mark := range l.marks(loop) {
		l.line(indent, "mark: %q", mark)
		l.line(indent, "child:")
		indent++
	}
	l.line(indent, "schedule: %q", l.partial(n, loop))
	if loop.Permutable {
		l.line(indent, "permutable: 1")
	}
	if loop.standsStill() {
		l.line(indent, "options: %q", "{ separate[0] }")
	}
	l.outer = append(l.outer, loop)
	l.chain(indent, n, loops[1:])
	l.outer = l.outer[:len(l.outer)-1]
}

// standsStill says whether some statement runs in one iteration of the loop
// only while others move on. Code generation then treats that iteration apart,
// so that no condition stays inside.
func (l *Loop) standsStill() bool {
	still, moving := false, false
	for _, row := range l.Terms[0].Rows {
		still = still || row.IsConstant()
		moving = moving || !row.IsConstant()
	}
	return still && moving
}

// MarkTile stands above the loops over the points of a tile when full tiles
// are to be told from partial ones; the name of the innermost tile loop
// follows after a space.
const MarkTile = "tile"

// marks are the marks of a loop, outermost first.
func (l *lowering) marks(loop *Loop) []string {
	var marks []string
	if len(l.outer) > 0 {
		if outside := l.outer[len(l.outer)-1]; outside.Separate {
			marks = append(marks, MarkTile+" "+outside.Name)
		}
	}
	switch {
	case loop.Vector:
		marks = append(marks, depend.MarkVector+" "+loop.Name)
	case loop.Parallel:
		marks = append(marks, depend.MarkParallel+" "+loop.Name)
	}
	return marks
}

// filter is the set of all instances of the node's statements.
func (l *lowering) filter(n *Node) string {
	parts := make([]string, len(n.Statements))
	for i, s := range n.Statements {
		parts[i] = tuple(l.tree.Program, s)
	}
	return "{ " + strings.Join(parts, "; ") + " }"
}

// tuple is a statement with its iterators, S0[i, j].
func tuple(p *scop.Program, s int) string {
	return p.Statements[s].Name + "[" + strings.Join(iteratorNames(&p.Statements[s], p.Parameters), ", ") + "]"
}

// RowsText is the relation from the instances of a statement to the values of
// rows, as isl text: "[N] -> { S0[i, j] -> [i, i + j] }".
func RowsText(p *scop.Program, s int, rows ...Row) string {
	iterators := iteratorNames(&p.Statements[s], p.Parameters)
	values := make([]string, len(rows))
	for k, row := range rows {
		values[k] = row.text(iterators, p.Parameters)
	}
	return fmt.Sprintf("%s{ %s -> [%s] }", parametersText(p), tuple(p, s), strings.Join(values, ", "))
}

// parametersText is the declaration of the parameters in isl text.
func parametersText(p *scop.Program) string {
	if len(p.Parameters) == 0 {
		return ""
	}
	return "[" + strings.Join(p.Parameters, ", ") + "] -> "
}

// partial is the loop's value for each statement of the node: the schedule of
// a band of one member in isl's text.
func (l *lowering) partial(n *Node, loop *Loop) string {
	p := l.tree.Program
	parts := make([]string, len(n.Statements))
	for i, s := range n.Statements {
		iterators := iteratorNames(&p.Statements[s], p.Parameters)
		terms := make([]string, len(loop.Terms))
		for k, term := range loop.Terms {
			text := term.Rows[s].text(iterators, p.Parameters)
			if term.Size > 1 {
				text = fmt.Sprintf("floor((%s)/%d)", text, term.Size)
			}
			terms[k] = "(" + text + ")"
		}
		parts[i] = fmt.Sprintf("%s -> [%s]", tuple(l.tree.Program, s), strings.Join(terms, " + "))
	}
	return parametersText(p) + "[{ " + strings.Join(parts, "; ") + " }]"
}
