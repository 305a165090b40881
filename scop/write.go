package scop

import (
	"slices"
	"strings"
)

// Write gives a statement that has a tree alone its text, and the tree its places in that.
func (s *Statement) Write() {
	w := exprWriter{loops: s.Loops}
	s.Value = w.write(s.Value, loosest)
	w.text.WriteString(";")
	s.Source, s.Uses = w.text.String(), w.uses
}

// Compact is an expression as the statement's text has it, without blanks.
func (s *Statement) Compact(e Expr) string {
	return strings.Join(strings.Fields(s.Source[e.At().Start:e.At().End]), "")
}

// exprWriter writes expressions as C.
type exprWriter struct {
	loops []Loop
	text  strings.Builder
	uses  []Use
	// subscripts is the number of subscripts around the expression at hand.
	subscripts int
}

// bindings are the operators with two operands, those that bind least first; assignments and Select
// bind to the right.
var bindings = [][]string{{","}, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}, {"?"}, {"||"}, {"&&"}, {"|"}, {"^"},
	{"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

const (
	// loosest is how strongly a comma binds, choosing how strongly Select does, and tightest what
	// has one operand.
	loosest  = 0
	choosing = 2
	tightest = 13
)

// bindingOf is how strongly an expression binds.
func bindingOf(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return slices.IndexFunc(bindings, func(level []string) bool { return slices.Contains(level, e.Operator) })
	case *Select:
		return choosing
	}
	return tightest
}

// write appends an expression that has to bind so strongly, in parentheses where it does not, and
// gives it its places.
func (w *exprWriter) write(e Expr, least int) Expr {
	start := w.text.Len()
	if bindingOf(e) < least {
		e = &Unary{Operator: Parentheses, X: e}
	}
	parts := w.parts(e)
	return e.with(Place{start, w.text.Len()}, parts)
}

// parts appends an expression, and gives what it is made of.
func (w *exprWriter) parts(e Expr) []Expr {
	switch e := e.(type) {
	case *Ref:
		return w.ref(e)
	case *Number:
		w.text.WriteString(e.Text)
		return nil
	case *Unary:
		return []Expr{w.unary(e)}
	case *Binary:
		return w.binary(e)
	case *Call:
		w.text.WriteString(e.Function)
		return w.list("(", e.Arguments, ")")
	case *Select:
		condition := w.write(e.If, choosing+1)
		w.text.WriteString(" ? ")
		then := w.write(e.Then, choosing)
		w.text.WriteString(" : ")
		return []Expr{condition, then, w.write(e.Else, choosing)}
	}
	return e.Parts()
}

// ref appends a name with subscripts and members.
func (w *exprWriter) ref(e *Ref) (subscripts []Expr) {
	name := e.Name
	if e.Loop >= 0 {
		name = w.loops[e.Loop].Iterator
		w.uses = append(w.uses, Use{Offset: w.text.Len(), Loop: e.Loop, Subscript: w.subscripts > 0})
	}
	w.text.WriteString(name)
	w.subscripts++
	for k, part := range strings.Split(e.Selected, "[]") {
		if k > 0 {
			subscripts = append(subscripts, w.list("[", e.Subscripts[k-1:k], "]")...)
		}
		w.text.WriteString(part)
	}
	w.subscripts--
	return subscripts
}

func (w *exprWriter) unary(e *Unary) (operand Expr) {
	switch {
	case e.Operator == Parentheses:
		return w.list("(", []Expr{e.X}, ")")[0]
	case e.Postfix:
		operand = w.write(e.X, tightest)
		w.text.WriteString(e.Operator)
		return operand
	}
	w.text.WriteString(e.Operator)
	inner, isSign := e.X.(*Unary)
	if strings.HasSuffix(e.Operator, ")") || strings.HasSuffix(e.Operator, "f") || strings.HasPrefix(e.Operator, "_") || isSign && strings.HasPrefix(inner.Operator, e.Operator) {
		w.text.WriteString(" ")
	}
	return w.write(e.X, tightest)
}

func (w *exprWriter) binary(e *Binary) []Expr {
	level := bindingOf(e)
	left, right := level, level+1
	if level == choosing-1 {
		left, right = level+1, level
	}
	x := w.write(e.X, left)
	if e.Operator != "," {
		w.text.WriteString(" ")
	}
	w.text.WriteString(e.Operator + " ")
	return []Expr{x, w.write(e.Y, right)}
}

// list appends expressions with commas between them.
func (w *exprWriter) list(open string, list []Expr, closing string) (written []Expr) {
	w.text.WriteString(open)
	for k, e := range list {
		if k > 0 {
			w.text.WriteString(", ")
		}
		written = append(written, w.write(e, loosest+min(1, len(list)-1)))
	}
	w.text.WriteString(closing)
	return written
}
