package layers

import (
	"strings"

	"polytune/scop"
)

// valueOf is what a statement computes, with texts in the place of some references: the right side
// of an assignment, or its operation with what was there.
func valueOf(s *scop.Statement, texts map[scop.Expr]string) string {
	w := &valueWriter{texts}
	assignment, is := s.Value.(*scop.Binary)
	if !is || !strings.HasSuffix(assignment.Operator, "=") {
		return strings.Join(strings.Fields(s.Source), " ")
	}
	operator := strings.TrimSuffix(assignment.Operator, "=")
	switch operator {
	case "":
		return w.text(assignment.Y)
	case "=", "!", "<", ">":
		return w.text(s.Value)
	}
	right := w.text(assignment.Y)
	if _, isOperation := assignment.Y.(*scop.Binary); isOperation && operator != "+" || isChoice(assignment.Y) {
		right = "(" + right + ")"
	}
	return w.text(assignment.X) + " " + operator + " " + right
}

func isChoice(e scop.Expr) bool {
	_, is := e.(*scop.Select)
	return is
}

// valueWriter writes expressions.
type valueWriter struct{ texts map[scop.Expr]string }

func (w *valueWriter) text(e scop.Expr) string {
	if text, is := w.texts[e]; is {
		return text
	}
	switch e := e.(type) {
	case *scop.Number:
		return e.Text
	case *scop.Ref:
		return w.reference(e)
	case *scop.Unary:
		switch {
		case e.Operator == "()":
			return "(" + w.text(e.X) + ")"
		case e.Postfix:
			return w.text(e.X) + e.Operator
		}
		return e.Operator + w.text(e.X)
	case *scop.Binary:
		return w.text(e.X) + " " + e.Operator + " " + w.text(e.Y)
	case *scop.Call:
		return e.Function + "(" + w.list(e.Arguments) + ")"
	case *scop.Select:
		return w.text(e.If) + " ? " + w.text(e.Then) + " : " + w.text(e.Else)
	case *scop.Opaque:
		return e.Text
	}
	return ""
}

// reference is one to what has no source: a parameter, an iterator, or an element as C writes it.
func (w *valueWriter) reference(e *scop.Ref) string {
	text := e.Name + e.Selected
	for _, s := range e.Subscripts {
		text = strings.Replace(text, "[]", "["+w.text(s)+"]", 1)
	}
	return text
}

func (w *valueWriter) list(all []scop.Expr) string {
	texts := make([]string, len(all))
	for k, e := range all {
		texts[k] = w.text(e)
	}
	return strings.Join(texts, ", ")
}
