package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// binding is what a name means from some place of the region on: an iterator,
// a copy of an affine value, or a variable of the region's own.
type binding struct {
	declarator *cc.Declarator
	// loop is the index of the iterator's loop, or -1.
	loop int
	// copy is the value that stands for the variable, or nil. Of a variable that is followed nobody
	// may know the value here, or it is still the one that it had in front of the region.
	copy              *affineCopy
	unknown, incoming bool
	// tried says that an expression with the variable is only tried: that nobody knows the value
	// is no reason not to follow it.
	tried bool
	// left says that the variable is an iterator which has what its loop left in it.
	left bool
	// renamed is the name that the variable has in the generated code, or ""
	// for its own.
	renamed string
}

// affineCopy is a variable that only holds an affine value under another name:
// int k = i + 1. The value takes its place everywhere, and the assignment
// disappears. So it does for an index of rows: int k = i * m + j.
type affineCopy struct {
	integerValue
	// factors are those in an index of rows that may be lengths of these.
	factors rowLengths
	// phrase is the text of the value, with uses as in a statement.
	phrase
	// cast is the conversion to the variable's type, or "" where the value has
	// that already.
	cast string
	// modulo says that the index of rows is the value modulo 2^32.
	modulo bool
}

// bind is the place after a name got a meaning.
func (p place) bind(b binding) place {
	p.bindings = append(p.bindings[:len(p.bindings):len(p.bindings)], b)
	return p
}

// bindingOf is the present meaning of a variable, or nil.
func (p place) bindingOf(d *cc.Declarator) *binding {
	for k := len(p.bindings) - 1; k >= 0; k-- {
		if p.bindings[k].declarator == d {
			return &p.bindings[k]
		}
	}
	return nil
}

// bindingOfName is the present meaning of a name in the text, or nil.
func (p place) bindingOfName(name string) *binding {
	for k := len(p.bindings) - 1; k >= 0; k-- {
		if p.bindings[k].declarator.Name() == name {
			return &p.bindings[k]
		}
	}
	return nil
}

// copyOf makes a variable stand for the value that node gives it, if that is
// affine, the only one the variable ever gets in the region, and if the
// variable is used in the rest of the block only.
func (x *extractor) copyOf(d *cc.Declarator, value cc.ExpressionNode, node cc.Node, at place) *affineCopy {
	t := d.Type()
	if !cc.IsIntegerType(t) || t.Size() < 4 || t.Kind() == cc.Bool || d.IsVolatile() || d.IsAtomic() || d.AddressTaken() ||
		d.StorageDuration() != cc.Automatic || x.facts.assignments[d] != 1 || x.facts.isIterator(d) || x.reading.keepsCopies {
		return nil
	}
	extent, ok := spanOf(node)
	if !ok || !x.usedOnlyIn(d, extent, at) || !x.facts.local[d] && x.readLater(d) != nil {
		return nil
	}
	e := x.evaluatorAt(at)
	v, err := e.affine(value)
	var index polynomial
	e.ignoresWrapping = e.isCountedModulo(value) && (isUnsigned(t) || t.Size() == 8)
	switch {
	case err != nil && (e.ignoresWrapping || keepsIndex(value.Type(), t)) && len(e.factorsOf(value)) > 0:
		// Whether an index that it is a part of stays in its row is a question at the reference:
		// for int row = i * m nothing says yet that m is positive.
		var ok bool
		if index, ok = e.polynomial(value); !ok {
			return nil
		}
	case err != nil || !e.keepsAs(v, value.Type(), t):
		return nil
	}
	inner, ok := spanOf(value)
	if !ok {
		return nil
	}
	source, offset, err := x.sourceOf(inner)
	if err != nil || !isOneLine(source) {
		return nil
	}
	c := &affineCopy{integerValue: integerValue{v, index}, factors: e.factorsOf(value), modulo: e.ignoresWrapping && index != nil}
	if c.source, c.uses, err = x.instanceText(source, offset, at, nil); err != nil {
		return nil
	}
	if typeName(value.Type()) != typeName(t) {
		c.cast = "(" + typeName(t) + ") "
	}
	return c
}

// keepsIndex says whether a variable of the second type leads to the same element as the value of
// the first type that it gets: it holds that, or what differs by a multiple of all addresses.
func keepsIndex(value, variable cc.Type) bool {
	return cc.IsIntegerType(value) && (variable.Size() == 8 || !isUnsigned(variable) && variable.Size() >= value.Size())
}

// usedOnlyIn says that all uses of a variable come after the node that sets it
// and before the end of the block.
func (x *extractor) usedOnlyIn(d *cc.Declarator, setting span, at place) bool {
	for _, sequence := range x.facts.uses[d] {
		if sequence >= setting.firstSequence && sequence <= setting.lastSequence {
			continue
		}
		if sequence < setting.firstSequence || sequence > at.blockEnd {
			return false
		}
	}
	return true
}

// text is what stands in the place of the variable, and the uses in it. Alone
// says that there is nothing else between the brackets.
func (c *affineCopy) text(inSubscript, alone bool) (string, []scop.Use) {
	prefix, suffix := "(", ")"
	if alone && inSubscript {
		prefix, suffix = "", ""
	} else if c.cast != "" && !inSubscript {
		prefix, suffix = "("+c.cast+"(", "))"
	} else if lexemes := scan([]byte(c.source)); len(lexemes) == 1 {
		prefix, suffix = "", ""
	}
	uses := make([]scop.Use, len(c.uses))
	for i, u := range c.uses {
		uses[i] = scop.Use{Offset: u.Offset + len(prefix), Loop: u.Loop, Subscript: inSubscript}
	}
	return prefix + c.source + suffix, uses
}

// assignedCopy is the variable and the value of a statement such as k = i + 1.
func assignedCopy(s *cc.Statement) (*cc.Declarator, cc.ExpressionNode) {
	if s.Case != cc.StatementExpr || s.ExpressionStatement.ExpressionList == nil {
		return nil, nil
	}
	a, ok := unwrap(s.ExpressionStatement.ExpressionList).(*cc.AssignmentExpression)
	if !ok || a.Case != cc.AssignmentExpressionAssign {
		return nil, nil
	}
	d := variableOf(a.UnaryExpression)
	if d == nil {
		return nil, nil
	}
	return d, a.AssignmentExpression
}

// instanceText is the text of a statement in which copies, renamed
// variables and elements in rows are replaced, and the places in it that name an iterator. Known
// are the subscripts whose value the model has, and these elements.
func (x *extractor) instanceText(source string, offset int, at place, known []knownText) (string, []scop.Use, error) {
	var b strings.Builder
	var uses []scop.Use
	done := 0
	lexemes := x.between(offset, offset+len(source))
	write := func(l lexeme, end int, text string, inner []scop.Use) {
		b.WriteString(source[done : l.start-offset])
		for _, u := range inner {
			u.Offset += b.Len()
			uses = append(uses, u)
		}
		b.WriteString(text)
		done = end - offset
	}
	for i, l := range lexemes {
		if l.start-offset < done {
			continue
		}
		if element := elementAt(l, known); element != nil {
			write(l, element.end, element.text, element.uses)
			continue
		}
		if l.kind != identifier || i > 0 && x.isMemberOperator(lexemes[i-1]) {
			continue
		}
		name := x.of(l)
		if err := x.checkMacro(l, name, at); err != nil {
			return "", nil, err
		}
		bound := at.bindingOfName(name)
		if bound == nil {
			continue
		}
		text, inner := name, []scop.Use(nil)
		switch subscript := isWithin(l, known) || x.isPlainSubscript(lexemes, i, at); {
		case bound.loop >= 0:
			inner = []scop.Use{{Loop: bound.loop, Subscript: subscript, Argument: !subscript && x.isSubscriptArgument(lexemes, i, at)}}
		case bound.copy != nil:
			text, inner = bound.copy.text(subscript, i > 0 && i+1 < len(lexemes) && x.of(lexemes[i-1]) == "[" && x.of(lexemes[i+1]) == "]")
		case bound.renamed != "":
			text = bound.renamed
		}
		write(l, l.end, text, inner)
	}
	b.WriteString(source[done:])
	return b.String(), uses, nil
}

// isPlainSubscript says whether a lexeme stands in brackets with nothing but iterators and whole
// numbers that are added or subtracted. What a macro makes of its arguments is not known by their
// places, as in MAX(m, a[i - 1][j]), but that is a subscript whatever it makes.
func (x *extractor) isPlainSubscript(lexemes []lexeme, i int, at place) bool {
	open, closing := i, i
	for open >= 0 && x.of(lexemes[open]) != "[" {
		open--
	}
	for closing < len(lexemes) && x.of(lexemes[closing]) != "]" {
		closing++
	}
	if open < 0 || closing == len(lexemes) {
		return false
	}
	for k, l := range lexemes[open+1 : closing] {
		text := x.of(l)
		switch isOperator := text == "+" || text == "-"; {
		case k%2 == 1 && !isOperator:
			return false
		case k%2 == 1:
		case strings.Trim(text, "0123456789") == "" && (len(text) == 1 || text[0] != '0'):
		default:
			if bound := at.bindingOfName(text); x.isMacro(text) || bound == nil || bound.loop < 0 {
				return false
			}
		}
	}
	return (closing-open)%2 == 0
}

func isWithin(l lexeme, spans []knownText) bool {
	for _, s := range spans {
		if l.start >= s.start && l.start <= s.last {
			return true
		}
	}
	return false
}
