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

// macros are those that Source may use.
const macros = "#include <stddef.h>\n#include <math.h>\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"

// Prelude is what stands in front of the function: macros and global variables.
func (p *Program) Prelude(l Layout) string {
	text := macros
	if p.Named {
		text += "static const int TWO = 2;\n"
	}
	for _, operator := range []string{"min", "max"} {
		if p.uses(operator) {
			text += extrema[operator]
		}
	}
	for _, a := range p.used() {
		if a.Global {
			text += fmt.Sprintf("static %s %s%s;\n", a.Type, a.Name, extents(Data{Name: a.Name}, l))
		}
	}
	return text
}

// uses says whether an assignment has the operator.
func (p *Program) uses(operator string) (is bool) {
	walk(p.Body, func(n *Node) { is = is || n.Assignment != nil && n.Assignment.Operator == operator })
	return is
}

// Data is an array that outlives a call of the function and its largest
// number of elements.
type Data struct {
	Name, Type string
	Elements   int
	// Global data are no arguments of the function.
	Global bool
}

// Data are the arrays that the function works on. Those that are not global
// are its arguments after N and M.
func (p *Program) Data(l Layout) []Data {
	var data []Data
	for _, a := range p.used() {
		if a.Dimensions > 0 && !a.Temporary {
			data = append(data, Data{a.Name, a.Type, l.Elements[a.Name], a.Global})
		}
	}
	if scalars := p.results(); len(scalars) > 0 {
		data = append(data, Data{resultName, "double", len(scalars), false})
	}
	return data
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

// results are the scalars whose values the function returns.
func (p *Program) results() []Array {
	return slices.DeleteFunc(p.scalars(), func(a Array) bool { return a.Temporary })
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
	for _, a := range p.Data(l) {
		if !a.Global {
			arguments = append(arguments, a.Type+" "+a.Name+extents(a, l))
		}
	}
	w.line(0, "void %s(%s)", FunctionName, strings.Join(arguments, ", "))
	w.line(0, "{")
	if p.Named {
		w.line(1, "const int three = 3;")
	}
	for _, a := range p.scalars() {
		declaration := a.Type + " "
		if a.Global {
			declaration = ""
		}
		w.line(1, "%s%s = 3;", declaration, a.Name)
	}
	for _, a := range p.used() {
		if a.Dimensions > 0 && a.Temporary {
			w.line(1, "%s %s%s = {3};", a.Type, a.Name, extents(Data{Name: a.Name}, l))
		}
	}
	if iterators := p.iterators(); p.IteratorsOutside && len(iterators) > 0 {
		w.line(1, "%s %s;", p.iteratorType(), strings.Join(iterators, ", "))
	}
	w.line(0, "#pragma scop")
	w.nodes(1, p.Body)
	w.line(0, "#pragma endscop")
	for k, a := range p.results() {
		w.line(1, "%s[%d] = %s;", resultName, k, a.Name)
	}
	w.line(0, "}")
	return w.String()
}

func (p *Program) iteratorType() string {
	if p.Long {
		return "long"
	}
	return "int"
}

func extents(a Data, l Layout) string {
	if a.Name == resultName {
		return fmt.Sprintf("[%d]", a.Elements)
	}
	text := ""
	for _, extent := range l.Extents[a.Name] {
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
	case n.Copy != nil:
		w.line(indent, "%s %s = %s;", w.program.iteratorType(), n.Copy.Name, w.integer(n.Copy.Value))
	case n.Set != nil:
		w.line(indent, "%s;", w.set(n.Set))
	case n.Exit != nil:
		w.line(indent, "%s;", map[bool]string{true: "break", false: "continue"}[n.Exit.Break])
	case n.Guarded != nil:
		w.styled(indent, n.Guarded)
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
	if w.program.Bare && len(body) == 1 && body[0].If == nil && body[0].Guarded == nil && body[0].Copy == nil && body[0].Set == nil && body[0].Exit == nil &&
		(body[0].Assignment == nil || body[0].Assignment.Declare == "") {
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

func (w *printer) guarded(indent int, g *Guarded) {
	w.line(indent, "if (%s) {", w.dataCondition(g))
	w.assignments(indent+1, g.Then)
	if len(g.Else) > 0 {
		w.line(indent, "} else {")
		w.assignments(indent+1, g.Else)
	}
	w.line(indent, "}")
}

func (w *printer) assignments(indent int, list []Assignment) {
	for k := range list {
		w.line(indent, "%s", w.assignment(&list[k]))
	}
}

// dataCondition is the condition on the element.
func (w *printer) dataCondition(g *Guarded) string {
	return fmt.Sprintf("%s > %s", w.reference(&g.Element), map[bool]string{true: "40", false: "0.4"}[w.typeOf(g.Element.Array) == "int"])
}

// set is an assignment to a variable of an affine value.
func (w *printer) set(s *Set) string {
	if one := (Integer{Constant: 1}); s.Operator != "=" && len(s.Value.Terms) == 0 && s.Value.Constant == one.Constant && w.program.Seed%2 == 0 {
		return s.Name + map[string]string{"+=": "++", "-=": "--"}[s.Operator]
	}
	return fmt.Sprintf("%s %s %s", s.Name, s.Operator, w.integer(s.Value))
}

// styled writes an if on an element as a loop or a switch that does the same.
func (w *printer) styled(indent int, g *Guarded) {
	switch g.Style {
	case "for":
		w.line(indent, "for (int once = 0; once < 1; once++) {")
		w.line(indent+1, "if (%s) break;", "once > 0 && "+w.reference(&g.Element)+" > 1")
		w.guarded(indent+1, g)
		w.line(indent, "}")
	case "do":
		w.line(indent, "do {")
		w.guarded(indent+1, g)
		w.line(indent, "} while (%s != %s);", w.reference(&g.Element), w.reference(&g.Element))
	case "switch":
		w.line(indent, "switch (%s) {", w.dataCondition(g))
		w.line(indent, "case 1:")
		w.assignments(indent+1, g.Then)
		w.line(indent+1, "break;")
		w.line(indent, "default:")
		w.assignments(indent+1, g.Else)
		w.line(indent+1, "break;")
		w.line(indent, "}")
	default:
		w.guarded(indent, g)
	}
}

// typeOf is the type of an array, or "" for a local variable.
func (w *printer) typeOf(name string) string {
	if a := w.program.Array(name); a != nil {
		return a.Type
	}
	return ""
}

func (w *printer) header(l *Loop) string {
	tests := make([]string, len(l.Tests))
	for k, test := range l.Tests {
		tests[k] = w.condition(test)
	}
	declaration := w.program.iteratorType() + " "
	if w.program.IteratorsOutside {
		declaration = ""
	}
	advance := w.advance(l)
	for k := range l.Also {
		advance += ", " + w.set(&l.Also[k])
	}
	return fmt.Sprintf("for (%s%s = %s; %s; %s)", declaration, l.Iterator, w.integer(l.Start), strings.Join(tests, " && "), advance)
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
		return fmt.Sprintf("%s -= %s", l.Iterator, w.number(-l.Step))
	case style%2 == 0:
		return fmt.Sprintf("%s = %s + %s", l.Iterator, l.Iterator, w.number(l.Step))
	}
	return fmt.Sprintf("%s += %s", l.Iterator, w.number(l.Step))
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
	switch {
	case a.Declare == "int", w.typeOf(a.Target.Array) == "int" && len(a.Target.Subscripts) == 0 && a.isAffine():
		// Not affine, or the model would have the value for the variable
		// and no instances of its assignments.
		sum = "(int) (1.0 * (" + sum + ")) % 101"
	case w.typeOf(a.Target.Array) == "int":
		sum = "(" + sum + ") % 101" // so that nothing overflows
	}
	if call := calls[a.Operator]; call != "" {
		return fmt.Sprintf("%s = %s(%s, %s);", target, call, target, sum)
	}
	return fmt.Sprintf("%s %s %s;", target, a.Operator, sum)
}

// isAffine says whether nothing is assigned but integers and scalars, which may have values that
// are.
func (a *Assignment) isAffine() bool {
	return !slices.ContainsFunc(a.Values, func(v Value) bool { return v.Element != nil && len(v.Element.Subscripts) > 0 })
}
