package scop

import "slices"

// Expr is an expression of a statement. Its place is where the statement's text has it: a tree that
// was made by hand has none before Statement.Write.
type Expr interface {
	At() Place
	// Parts are the expressions that it is made of, in the order of the text.
	Parts() []Expr
	// with is a copy at another place, with other parts.
	with(at Place, parts []Expr) Expr
}

// Ref names a variable, an element or a member: A[i][j], s, px[i].r. So does a macro without
// arguments.
type Ref struct {
	Place
	Name string
	// Loop is the index among the statement's loops of the iterator that it names; -1 for others.
	Loop int
	// Selected says what stands behind the name, with nothing in brackets: "[][]", "[].r", "->x".
	Selected   string
	Subscripts []Expr
}

// Number is a constant as C writes it.
type Number struct {
	Place
	Text string
}

// Unary is an operator with one operand: - + ! ~ * & sizeof, ++ and --, "()" for parentheses, and
// "(type)" for a cast.
type Unary struct {
	Place
	Operator string
	Postfix  bool
	X        Expr
}

// Binary is an operator with two operands: those of arithmetic, comparisons, assignments, and the
// comma.
type Binary struct {
	Place
	Operator string
	X, Y     Expr
}

// Call is a function with arguments, or a macro.
type Call struct {
	Place
	Function  string
	Arguments []Expr
}

// Select is If ? Then : Else.
type Select struct {
	Place
	If, Then, Else Expr
}

// Opaque is all else, such as statements with conditions, loops or declarations of their own, and
// strings, with the expressions that are found in it. Text are the words around these.
type Opaque struct {
	Place
	Text   string
	Inside []Expr
}

// At is the place itself.
func (p Place) At() Place { return p }

// Parts are the subscripts.
func (e *Ref) Parts() []Expr { return e.Subscripts }

// Parts are none.
func (e *Number) Parts() []Expr { return nil }

// Parts are the operand.
func (e *Unary) Parts() []Expr { return []Expr{e.X} }

// Parts are the operands.
func (e *Binary) Parts() []Expr { return []Expr{e.X, e.Y} }

// Parts are the arguments.
func (e *Call) Parts() []Expr { return e.Arguments }

// Parts are the condition and both values.
func (e *Select) Parts() []Expr { return []Expr{e.If, e.Then, e.Else} }

// Parts are the expressions inside.
func (e *Opaque) Parts() []Expr { return e.Inside }

func (e *Ref) with(at Place, parts []Expr) Expr {
	return &Ref{at, e.Name, e.Loop, e.Selected, parts}
}
func (e *Number) with(at Place, _ []Expr) Expr { return &Number{at, e.Text} }
func (e *Unary) with(at Place, parts []Expr) Expr {
	return &Unary{at, e.Operator, e.Postfix, parts[0]}
}
func (e *Binary) with(at Place, parts []Expr) Expr {
	return &Binary{at, e.Operator, parts[0], parts[1]}
}
func (e *Call) with(at Place, parts []Expr) Expr { return &Call{at, e.Function, parts} }
func (e *Select) with(at Place, parts []Expr) Expr {
	return &Select{at, parts[0], parts[1], parts[2]}
}
func (e *Opaque) with(at Place, parts []Expr) Expr { return &Opaque{at, e.Text, parts} }

// Walk visits an expression and all in it, in the order of the text; where visit answers false,
// what is inside is left out. A nil expression has nothing to visit.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, part := range e.Parts() {
		Walk(part, visit)
	}
}

// Has says whether an expression, or one in it, is such.
func Has(e Expr, is func(Expr) bool) bool {
	found := false
	Walk(e, func(inner Expr) bool {
		found = found || is(inner)
		return !found
	})
	return found
}

// change is a copy of an expression at other places, in which other references stand for some; nil
// leaves a reference as it is.
func change(e Expr, place func(Place) Place, other func(*Ref) Expr) Expr {
	if e == nil {
		return nil
	}
	if ref, ok := e.(*Ref); ok {
		if changed := other(ref); changed != nil {
			return changed
		}
	}
	parts := make([]Expr, len(e.Parts()))
	for k, part := range e.Parts() {
		parts[k] = change(part, place, other)
	}
	return e.with(place(e.At()), parts)
}

// SameExpr says whether two expressions are alike. loop compares their iterators, by their indices.
func SameExpr(a, b Expr, loop func(a, b int) bool) bool {
	if a == nil || b == nil {
		return false
	}
	if !sameNode(a, b, loop) || len(a.Parts()) != len(b.Parts()) {
		return false
	}
	for k, part := range a.Parts() {
		if !SameExpr(part, b.Parts()[k], loop) {
			return false
		}
	}
	return true
}

func sameNode(a, b Expr, loop func(a, b int) bool) bool {
	switch a := a.(type) {
	case *Ref:
		b, ok := b.(*Ref)
		if !ok || a.Selected != b.Selected || (a.Loop < 0) != (b.Loop < 0) {
			return false
		}
		return a.Loop >= 0 && loop(a.Loop, b.Loop) || a.Loop < 0 && a.Name == b.Name
	case *Number:
		b, ok := b.(*Number)
		return ok && a.Text == b.Text
	case *Unary:
		b, ok := b.(*Unary)
		return ok && a.Operator == b.Operator && a.Postfix == b.Postfix
	case *Binary:
		b, ok := b.(*Binary)
		return ok && a.Operator == b.Operator
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Function == b.Function
	case *Select:
		_, ok := b.(*Select)
		return ok
	case *Opaque:
		b, ok := b.(*Opaque)
		return ok && a.Text == b.Text
	}
	return false
}

// Unwrapped is an expression without parentheses around it.
func Unwrapped(e Expr) Expr {
	for {
		group, ok := e.(*Unary)
		if !ok || group.Operator != Parentheses {
			return e
		}
		e = group.X
	}
}

// Parentheses is the operator of Unary for these.
const Parentheses = "()"

// Operations is the number of + - * / in an expression outside of subscripts, with ++ and --, and
// those of an assignment such as +=; signs do not count.
func Operations(e Expr) (count int) {
	Walk(e, func(inner Expr) bool {
		switch inner := inner.(type) {
		case *Ref:
			return false
		case *Unary:
			if inner.Operator == "++" || inner.Operator == "--" {
				count++
			}
		case *Binary:
			if slices.Contains([]string{"+", "-", "*", "/", "+=", "-=", "*=", "/="}, inner.Operator) {
				count++
			}
		}
		return true
	})
	return count
}

// Chooses says whether parts of an expression may not be evaluated; nobody knows of one without a
// tree.
func Chooses(e Expr) (is bool) {
	if e == nil {
		return true
	}
	Walk(e, func(e Expr) bool {
		_, selects := e.(*Select)
		binary, isBinary := e.(*Binary)
		is = is || selects || isBinary && (binary.Operator == "&&" || binary.Operator == "||")
		return !is
	})
	return is
}
