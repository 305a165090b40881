package scop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/internal/pattern"
)

// InlinedAccess is what an access of a statement is that has another one's expression inside: one of
// its own before, or, where Inner is above 0, the inner statement's access of that number, in the
// place of that own one.
type InlinedAccess struct{ Own, Inner int }

// MayInline says why the value that a statement writes cannot be computed in the place of references
// to it; nil where it can. Whether it is the same value is another question.
func (p *Program) MayInline(statement int) error {
	s := &p.Statements[statement]
	root, isBinary := s.Value.(*Binary)
	switch {
	case len(s.Accesses) == 0 || !isBinary:
		return fmt.Errorf("%s is no assignment of an expression", s.Spelling())
	case root.Operator != "=":
		return fmt.Errorf("%s updates what it reads: %s", s.Spelling(), strings.Join(strings.Fields(s.Source), " "))
	}
	target, isRef := root.X.(*Ref)
	written := p.Array(s.Accesses[0].Array)
	if !isRef || !s.Accesses[0].Write || written == nil || target.Name != written.InTexts() || target.Selected != strings.Repeat("[]", len(written.Extents)) {
		return fmt.Errorf("%s assigns to no element of an array that the program has by itself", s.Spelling())
	}
	for _, a := range s.Accesses[1:] {
		switch {
		case a.Write:
			return fmt.Errorf("%s writes %s besides %s", s.Spelling(), p.Array(a.Array).Spelling(), written.Spelling())
		case a.Array == written.Name:
			return fmt.Errorf("%s updates what it reads, %s", s.Spelling(), written.Spelling())
		}
	}
	switch {
	case s.Accesses[0].May:
		return fmt.Errorf("data decide whether, or where, %s writes", s.Spelling())
	case len(written.Members) > 0:
		return fmt.Errorf("%s assigns a struct", s.Spelling())
	case Has(root.Y, hasEffect):
		return fmt.Errorf("the expression of %s is more than a value", s.Spelling())
	}
	return nil
}

// hasEffect says whether an expression does something by itself, or may.
func hasEffect(e Expr) bool {
	switch e := e.(type) {
	case *Opaque:
		return true
	case *Unary:
		return e.Operator == "++" || e.Operator == "--"
	case *Binary:
		return bindingOf(e) <= choosing-1
	}
	return false
}

// Inlined is a reader with the expression of another statement in the place of some of its accesses,
// converted to the type of the elements. instances are, for each of these accesses, the rows of the
// instance whose value it reads, nil where it has none. parts say what the reader's new accesses are,
// which it has not yet.
func (p *Program) Inlined(reader, statement int, instances map[int][]Row) (Statement, []InlinedAccess, error) {
	s, inner := p.Statements[reader], &p.Statements[statement]
	array := p.Array(inner.Accesses[0].Array)
	references, err := p.references(&s, array)
	if err != nil {
		return s, nil, err
	}
	inside := map[*Ref]Expr{}
	var parts []InlinedAccess
	for a, access := range s.Accesses {
		rows, is := instances[a]
		if !is {
			parts = append(parts, InlinedAccess{Own: a})
			continue
		}
		place := slices.IndexFunc(references, func(r reference) bool { return r.access == a })
		if access.Write || place < 0 {
			return s, nil, fmt.Errorf("%s updates %s, and does not only read it", s.Spelling(), array.Spelling())
		}
		at := references[place].ref
		value, err := p.evaluated(inner, array, at, rows)
		if err != nil {
			return s, nil, err
		}
		if Has(s.Value, func(e Expr) bool { _, is := e.(*Call); return is }) {
			value = &Unary{Operator: Parentheses, X: value} // which may be a macro
		}
		inside[at] = value
		for k := range inner.Accesses[1:] {
			parts = append(parts, InlinedAccess{a, k + 1})
		}
	}
	s.Value = change(s.Value, func(at Place) Place { return at }, func(r *Ref) Expr { return inside[r] })
	s.UnknownWork, s.Serial, s.Reduction = s.UnknownWork || inner.UnknownWork, max(s.Serial, inner.Serial), nil
	p.rewrite(&s)
	return s, parts, nil
}

// reference is a place in a statement's tree that names an element, and the access that it is.
type reference struct {
	ref    *Ref
	access int
}

// references are those to an array, in the order of the text, where all are found.
func (p *Program) references(s *Statement, array *Array) (list []reference, err error) {
	var refs []*Ref
	Walk(s.Value, func(e Expr) bool {
		if r, is := e.(*Ref); is && r.Name == array.InTexts() && r.Loop < 0 {
			refs = append(refs, r)
		}
		return true
	})
	isOpaque := func(e Expr) bool { _, is := e.(*Opaque); return is }
	if s.Value == nil || Has(s.Value, isOpaque) {
		return nil, fmt.Errorf("%s is more than an expression", s.Spelling())
	}
	for a, access := range s.Accesses {
		if access.Array == array.Name {
			list = append(list, reference{access: a})
		}
	}
	mentions := 0
	for _, m := range s.Mentions {
		if m.Array == array.Name {
			mentions++
		}
	}
	if !array.Renamable || len(refs) != len(list) || mentions != len(list) {
		return nil, fmt.Errorf("the text of %s does not name each element of %s that it uses", s.Spelling(), array.Spelling())
	}
	isOfArray := func(e Expr) bool {
		r, is := e.(*Ref)
		return is && r.Loop < 0 && slices.ContainsFunc(s.Accesses, func(a Access) bool { return p.Array(a.Array).InTexts() == r.Name })
	}
	for k, r := range refs {
		if r.Selected != strings.Repeat("[]", len(array.Extents)) {
			return nil, fmt.Errorf("%s uses rows of %s, and not elements", s.Spelling(), array.Spelling())
		}
		if slices.ContainsFunc(r.Subscripts, func(e Expr) bool { return Has(e, isOfArray) }) {
			return nil, fmt.Errorf("data decide which elements of %s %s uses", array.Spelling(), s.Spelling())
		}
		list[k].ref = r
	}
	return list, nil
}

// evaluated is what a statement assigns to an element, as a place that names the element has it.
func (p *Program) evaluated(s *Statement, array *Array, at *Ref, rows []Row) (Expr, error) {
	root := s.Value.(*Binary)
	iterators := make([]Expr, s.Depth())
	for k := range iterators {
		for d, subscript := range root.X.(*Ref).Subscripts {
			if less, is := shifted(subscript, k); is && iterators[k] == nil {
				iterators[k] = sum(at.Subscripts[d], -less)
			}
		}
		switch {
		case iterators[k] != nil:
		case rows == nil:
			return nil, fmt.Errorf("the subscripts of %s do not say which %s is meant, and no affine expression does", array.Spelling(), s.Spelling()+"."+s.Loops[k].Iterator)
		default:
			iterators[k] = p.ofRow(rows[k])
		}
	}
	value := s.substituted(root.Y, iterators, false)
	return &Unary{Operator: "(" + strings.TrimPrefix(array.Type, "const ") + ")", X: value}, nil
}

// shifted says whether an expression is an iterator and a number, and which number that is.
func shifted(e Expr, loop int) (number int64, is bool) {
	if binary, isBinary := e.(*Binary); isBinary && (binary.Operator == "+" || binary.Operator == "-") {
		constant, isNumber := binary.Y.(*Number)
		if !isNumber {
			return 0, false
		}
		value, err := strconv.ParseInt(binary.Operator+constant.Text, 10, 32)
		if err != nil {
			return 0, false
		}
		e, number = binary.X, value
	}
	r, isRef := e.(*Ref)
	return number, isRef && r.Loop == loop
}

// sum is an expression and a number.
func sum(e Expr, number int64) Expr {
	switch {
	case number > 0:
		return &Binary{Operator: "+", X: e, Y: &Number{Text: strconv.FormatInt(number, 10)}}
	case number < 0:
		return &Binary{Operator: "-", X: e, Y: &Number{Text: strconv.FormatInt(-number, 10)}}
	}
	return e
}

// name is that of a variable in C.
var name = pattern.New(`^\w+$`)

// ofRow is a row of some statement as an expression.
func (p *Program) ofRow(row Row) Expr {
	var all Expr
	add := func(factor int64, e Expr) {
		term := e
		if factor != 1 && factor != -1 {
			term = &Binary{Operator: "*", X: &Number{Text: strconv.FormatInt(max(factor, -factor), 10)}, Y: e}
		}
		switch {
		case factor == 0:
		case all == nil && factor < 0:
			all = &Unary{Operator: "-", X: term}
		case all == nil:
			all = term
		case factor < 0:
			all = &Binary{Operator: "-", X: all, Y: term}
		default:
			all = &Binary{Operator: "+", X: all, Y: term}
		}
	}
	for k, factor := range row.Iterators {
		add(factor, &Ref{Loop: k})
	}
	for k, factor := range row.Parameters {
		parameter := &Ref{Name: p.Spelling(p.Parameters[k]), Loop: -1}
		if !name.MatchString(parameter.Name) {
			parameter.Name = "(" + parameter.Name + ")"
		}
		add(factor, parameter)
	}
	if all == nil {
		return &Number{Text: strconv.FormatInt(row.Constant, 10)}
	}
	return sum(all, row.Constant)
}

// substituted is an expression of the statement with others for its iterators, which keep their types
// where they are values.
func (s *Statement) substituted(e Expr, iterators []Expr, inSubscript bool) Expr {
	r, isRef := e.(*Ref)
	if isRef && r.Loop >= 0 {
		value := iterators[r.Loop]
		if !inSubscript {
			typed := s.Loops[r.Loop].Type
			if typed == "" {
				typed = "int"
			}
			return &Unary{Operator: Parentheses, X: &Unary{Operator: "(" + typed + ")", X: value}}
		}
		if bindingOf(value) < tightest {
			return &Unary{Operator: Parentheses, X: value}
		}
		return value
	}
	parts := make([]Expr, len(e.Parts()))
	for k, part := range e.Parts() {
		parts[k] = s.substituted(part, iterators, inSubscript || isRef)
	}
	return e.with(e.At(), parts)
}

// rewrite gives a statement whose tree has changed its text, and the places in it.
func (p *Program) rewrite(s *Statement) {
	s.Write()
	s.Mentions = nil
	Walk(s.Value, func(e Expr) bool {
		r, is := e.(*Ref)
		if !is || r.Loop >= 0 {
			return true
		}
		a := slices.IndexFunc(p.Arrays, func(a Array) bool { return a.Renamable && a.InTexts() == r.Name })
		if a >= 0 {
			s.Mentions = append(s.Mentions, Mention{Offset: r.Start, Array: p.Arrays[a].Name})
		}
		return true
	})
}

// Left is the program with a statement that has no instances any more. It keeps its place and its
// name, which recipes may have.
func (p *Program) Left(statement int) *Program {
	q := *p
	q.Statements = slices.Clone(p.Statements)
	s := &q.Statements[statement]
	s.Domain = fmt.Sprintf("%s{ %s : false }", p.ParametersText(), p.InstanceText(statement))
	s.Accesses, s.Reduction, s.Mentions = nil, nil, nil
	return &q
}

// IsLeft says whether a statement has no instances because a recipe computes what it did elsewhere.
func (p *Program) IsLeft(statement int) bool {
	return p.Origin != nil && len(p.Statements[statement].Accesses) == 0
}

// Root is the program of which commands of a recipe have made this one; itself where none has.
func (p *Program) Root() *Program {
	for p.Origin != nil {
		p = p.Origin
	}
	return p
}

// DropUnused leaves an array out of the program that no statement accesses.
func (p *Program) DropUnused(array string) *Program {
	q := *p
	q.Arrays, q.Locals = slices.Clone(p.Arrays), slices.Clone(p.Locals)
	q.dropUnused(array)
	return &q
}
