package randomprogram

import (
	"fmt"
	"slices"
	"strings"
)

// FunctionName is the name of the function that Source prints.
const FunctionName = "kernel"

// resultName is the array that takes the scalars at the end.
const resultName = "result"

// Prelude holds the macros that Source may use.
const Prelude = "#include <math.h>\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"

// Argument is an array argument of the printed function and its largest
// number of elements.
type Argument struct {
	Name, Type string
	Elements   int
}

// Arguments are the array arguments of the function, which follow N and M.
func (p *Program) Arguments(l Layout) []Argument {
	var arguments []Argument
	for _, a := range p.used() {
		if a.Dimensions > 0 {
			arguments = append(arguments, Argument{a.Name, a.Type, l.Elements[a.Name]})
		}
	}
	if scalars := p.scalars(); len(scalars) > 0 {
		arguments = append(arguments, Argument{resultName, "double", len(scalars)})
	}
	return arguments
}

// used are the arrays that some statement names.
func (p *Program) used() []Array {
	named := map[string]bool{}
	e := &editor{target: -1, reference: func(r *Reference) { named[r.Array] = true }}
	e.nodes(&p.Body)
	var list []Array
	for _, a := range p.Arrays {
		if named[a.Name] {
			list = append(list, a)
		}
	}
	return list
}

func (p *Program) scalars() []Array {
	return slices.DeleteFunc(p.used(), func(a Array) bool { return a.Dimensions > 0 })
}

// printer writes C.
type printer struct {
	strings.Builder
	program *Program
	layout  Layout
}

// Source is the function in C, without the prelude.
func (p *Program) Source(l Layout) string {
	w := &printer{program: p, layout: l}
	arguments := []string{"int N", "int M"}
	for _, a := range p.Arguments(l) {
		arguments = append(arguments, a.Type+" "+a.Name+w.extents(a))
	}
	w.line(0, "void %s(%s)", FunctionName, strings.Join(arguments, ", "))
	w.line(0, "{")
	for _, a := range p.scalars() {
		w.line(1, "%s %s = 3;", a.Type, a.Name)
	}
	if iterators := p.iterators(); p.IteratorsOutside && len(iterators) > 0 {
		w.line(1, "int %s;", strings.Join(iterators, ", "))
	}
	w.line(0, "#pragma scop")
	w.nodes(1, p.Body)
	w.line(0, "#pragma endscop")
	for k, a := range p.scalars() {
		w.line(1, "%s[%d] = %s;", resultName, k, a.Name)
	}
	w.line(0, "}")
	return w.String()
}

func (w *printer) extents(a Argument) string {
	if a.Name == resultName {
		return fmt.Sprintf("[%d]", a.Elements)
	}
	text := ""
	for _, extent := range w.layout.Extents[a.Name] {
		text += "[" + extent + "]"
	}
	return text
}

// iterators are the names of all iterators.
func (p *Program) iterators() []string {
	var names []string
	walk(p.Body, func(n *Node) {
		if n.Loop != nil && !slices.Contains(names, n.Loop.Iterator) {
			names = append(names, n.Loop.Iterator)
		}
	})
	return names
}

func (w *printer) line(indent int, format string, args ...any) {
	w.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

func (w *printer) nodes(indent int, nodes []Node) {
	for _, n := range nodes {
		w.node(indent, n)
	}
}

func (w *printer) node(indent int, n Node) {
	switch {
	case n.Loop != nil:
		open, end := w.braces(n.Loop.Body)
		w.line(indent, "%s%s", w.header(n.Loop), open)
		w.nodes(indent+1, n.Loop.Body)
		w.close(indent, end)
	case n.If != nil:
		w.conditional(indent, n.If)
	case n.Assignment != nil:
		w.line(indent, "%s", w.assignment(n.Assignment))
	case n.Block != nil:
		w.line(indent, "{")
		w.nodes(indent+1, n.Block)
		w.line(indent, "}")
	default:
		w.line(indent, ";")
	}
}

// braces are those around a body; none where it is one statement and the
// program is bare.
func (w *printer) braces(body []Node) (open, end string) {
	if w.program.Bare && len(body) == 1 && body[0].If == nil && (body[0].Assignment == nil || body[0].Assignment.Declare == "") {
		return "", ""
	}
	return " {", "}"
}

func (w *printer) close(indent int, end string) {
	if end != "" {
		w.line(indent, "%s", end)
	}
}

func (w *printer) conditional(indent int, n *If) {
	open, end := w.braces(n.Then)
	w.line(indent, "if (%s)%s", w.condition(n.Condition), open)
	w.nodes(indent+1, n.Then)
	if len(n.Else) > 0 {
		w.close(indent, end)
		open, end = w.braces(n.Else)
		w.line(indent, "else%s", open)
		w.nodes(indent+1, n.Else)
	}
	w.close(indent, end)
}

func (w *printer) header(l *Loop) string {
	tests := make([]string, len(l.Tests))
	for k, test := range l.Tests {
		tests[k] = w.condition(test)
	}
	declaration := "int "
	if w.program.IteratorsOutside {
		declaration = ""
	}
	return fmt.Sprintf("for (%s%s = %s; %s; %s)", declaration, l.Iterator, w.integer(l.Start), strings.Join(tests, " && "), w.advance(l))
}

// advance is the last part of the for, in one of C's ways to say it.
func (w *printer) advance(l *Loop) string {
	style := w.program.Seed + uint64(l.Iterator[0])
	switch {
	case l.Step == 1 && style%2 == 0:
		return l.Iterator + "++"
	case l.Step == 1:
		return "++" + l.Iterator
	case l.Step == -1:
		return l.Iterator + "--"
	case l.Step < 0:
		return fmt.Sprintf("%s -= %d", l.Iterator, -l.Step)
	case style%2 == 0:
		return fmt.Sprintf("%s = %s + %d", l.Iterator, l.Iterator, l.Step)
	}
	return fmt.Sprintf("%s += %d", l.Iterator, l.Step)
}

func (w *printer) assignment(a *Assignment) string {
	target := w.reference(&a.Target)
	if a.Declare != "" {
		target = a.Declare + " " + target
	}
	terms := make([]string, len(a.Values))
	for k, v := range a.Values {
		terms[k] = w.value(v)
	}
	sum := strings.Join(terms, " + ")
	if w.isInteger(a) {
		sum = "(" + sum + ") % 101" // so that nothing overflows
	}
	return fmt.Sprintf("%s %s %s;", target, a.Operator, sum)
}

// isInteger says whether an assignment's target is an integer.
func (w *printer) isInteger(a *Assignment) bool {
	array := w.program.Array(a.Target.Array)
	return a.Declare == "int" || array != nil && array.Type == "int"
}

func (w *printer) value(v Value) string {
	text := ""
	switch {
	case v.Condition != nil:
		text = fmt.Sprintf("(%s ? %s : %s)", w.condition(*v.Condition), w.reference(v.Element), w.reference(v.Otherwise))
	case v.Element != nil:
		text = w.reference(v.Element)
	case v.Integer != nil:
		text = parenthesized(w.integer(*v.Integer))
	default:
		return v.Factor
	}
	if v.Function != "" {
		text = v.Function + "(" + text + ")"
	}
	return v.Factor + " * " + text
}

func (w *printer) reference(r *Reference) string {
	text := r.Array
	for k, s := range r.Subscripts {
		text += "[" + w.integer(s.plus(w.layout.Shifts[r.Array][k])) + "]"
	}
	return text
}

// parenthesized puts a sum in parentheses.
func parenthesized(text string) string {
	if strings.ContainsAny(text, " -") {
		return "(" + text + ")"
	}
	return text
}

func (w *printer) integer(n Integer) string {
	text := ""
	for _, t := range n.Terms {
		factor := t.Factor
		switch {
		case text == "" && factor < 0:
			text = "-"
		case text != "" && factor < 0:
			text += " - "
		case text != "":
			text += " + "
		}
		if factor = max(factor, -factor); factor != 1 {
			text += fmt.Sprintf("%d * ", factor)
		}
		text += w.term(t)
	}
	switch {
	case text == "":
		return fmt.Sprint(n.Constant)
	case n.Constant < 0:
		return fmt.Sprintf("%s - %d", text, -n.Constant)
	case n.Constant > 0:
		return fmt.Sprintf("%s + %d", text, n.Constant)
	}
	return text
}

func (w *printer) term(t Term) string {
	switch {
	case t.Quotient != nil:
		return fmt.Sprintf("(%s %s %d)", parenthesized(w.integer(t.Quotient.Dividend)), t.Quotient.Operator, t.Quotient.Divisor)
	case t.Choice != nil && t.Choice.Macro != "":
		return fmt.Sprintf("%s(%s, %s)", t.Choice.Macro, w.integer(t.Choice.Then), w.integer(t.Choice.Else))
	case t.Choice != nil:
		return fmt.Sprintf("(%s ? %s : %s)", w.condition(t.Choice.Condition), w.integer(t.Choice.Then), w.integer(t.Choice.Else))
	case t.Masked != nil:
		return fmt.Sprintf("(%s & 7)", w.reference(t.Masked))
	}
	return t.Variable
}

func (w *printer) condition(c Condition) string {
	switch c.Operator {
	case "&&", "||":
		return fmt.Sprintf("(%s) %s (%s)", w.condition(c.Parts[0]), c.Operator, w.condition(c.Parts[1]))
	case "!":
		return "!(" + w.condition(c.Parts[0]) + ")"
	}
	return fmt.Sprintf("%s %s %s", w.integer(c.Left), c.Operator, w.integer(c.Right))
}
