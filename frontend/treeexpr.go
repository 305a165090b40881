package frontend

import (
	"slices"

	"polytune/scop"
)

// comma reads an expression.
func (p *treeParser) comma() scop.Expr {
	start := p.start()
	value := p.assignment()
	for p.accept(",") {
		right := p.assignment()
		value = &scop.Binary{Place: p.from(start), Operator: ",", X: value, Y: right}
	}
	return value
}

var assignments = []string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}

// assignment reads an expression without a comma.
func (p *treeParser) assignment() scop.Expr {
	start := p.start()
	value := p.binary(0)
	switch {
	case p.accept("?"):
		then := p.comma()
		p.expect(":")
		other := p.assignment()
		return &scop.Select{Place: p.from(start), If: value, Then: then, Else: other}
	case p.accept(assignments...):
		operator := p.tokens[p.next-1].text
		right := p.assignment()
		return &scop.Binary{Place: p.from(start), Operator: operator, X: value, Y: right}
	}
	return value
}

// binaries are the operators with two operands, those that bind least first.
var binaries = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// binary reads an expression of operators that bind as those of a level, or more.
func (p *treeParser) binary(level int) scop.Expr {
	if level == len(binaries) {
		return p.unary()
	}
	start := p.start()
	value := p.binary(level + 1)
	for p.accept(binaries[level]...) {
		operator := p.tokens[p.next-1].text
		right := p.binary(level + 1)
		value = &scop.Binary{Place: p.from(start), Operator: operator, X: value, Y: right}
	}
	return value
}

// unary reads an operand with the operators in front of it.
func (p *treeParser) unary() scop.Expr {
	defer p.inside()()
	start := p.start()
	switch {
	case p.accept("+", "-", "!", "~", "*", "&", "++", "--"):
		operator := p.tokens[p.next-1].text
		x := p.unary()
		return &scop.Unary{Place: p.from(start), Operator: operator, X: x}
	case p.accept("sizeof", "_Alignof", "__alignof__"):
		operator := p.tokens[p.next-1].text
		x := p.sized()
		return &scop.Unary{Place: p.from(start), Operator: operator, X: x}
	case p.peek(0) == "(" && p.isCast():
		p.next++
		name := p.start()
		for p.peek(0) != ")" {
			p.next++
		}
		operator := "(" + p.source[name:p.tokens[p.next-1].end] + ")"
		p.next++
		x := p.unary()
		return &scop.Unary{Place: p.from(start), Operator: operator, X: x}
	}
	return p.postfix()
}

// sized reads what stands behind sizeof.
func (p *treeParser) sized() scop.Expr {
	first := p.next
	if p.peek(0) != "(" || !p.isTypeAt(1) {
		return p.unary()
	}
	for depth := 0; p.next < len(p.tokens); {
		depth += depthOf(p.peek(0), "(", ")")
		if p.next++; depth == 0 {
			return p.opaque(first)
		}
	}
	p.fail()
	return &scop.Opaque{}
}

// isCast says whether a type stands in the parentheses that follow: words of types and asterisks,
// or a single name that stands right in front of another operand.
func (p *treeParser) isCast() bool {
	on := 1
	for named := false; p.isTypeAt(on) || on > 1 && p.peek(on) == "*" || named; on++ {
		named = slices.Contains([]string{"struct", "union", "enum"}, p.peek(on))
	}
	if p.peek(on) == ")" && on > 1 {
		return true
	}
	if p.peek(2) != ")" || p.next+3 >= len(p.tokens) || p.tokens[p.next+1].kind != identifier {
		return false
	}
	behind := p.tokens[p.next+3]
	return behind.kind == identifier || behind.kind == number
}

// postfix reads an operand with what stands behind it.
func (p *treeParser) postfix() scop.Expr {
	start := p.start()
	value := p.primary()
	for !p.failed {
		ref, isRef := value.(*scop.Ref)
		switch {
		case p.accept("["):
			value = p.subscripted(start, value)
		case p.accept(".", "->"):
			value = p.member(start, value)
		case p.peek(0) == "(" && isRef && ref.Selected == "":
			arguments := p.arguments()
			value = &scop.Call{Place: p.from(start), Function: ref.Name, Arguments: arguments}
		case p.accept("++", "--"):
			value = &scop.Unary{Place: p.from(start), Operator: p.tokens[p.next-1].text, Postfix: true, X: value}
		case p.peek(0) == "(":
			p.fail()
		default:
			return value
		}
	}
	return value
}

// subscripted is an operand with the subscript whose bracket was taken.
func (p *treeParser) subscripted(start int, of scop.Expr) scop.Expr {
	subscript := p.comma()
	p.expect("]")
	ref, ok := of.(*scop.Ref)
	if !ok {
		return &scop.Opaque{Place: p.from(start), Text: "[ ]", Inside: []scop.Expr{of, subscript}}
	}
	return &scop.Ref{Place: p.from(start), Name: ref.Name, Loop: ref.Loop, Selected: ref.Selected + "[]", Subscripts: append(slices.Clip(ref.Subscripts), subscript)}
}

// member is an operand with the member whose operator was taken.
func (p *treeParser) member(start int, of scop.Expr) scop.Expr {
	selector, kind := p.tokens[p.next-1].text+p.peek(0), p.kind()
	if kind != identifier {
		p.fail()
		return of
	}
	p.next++
	ref, ok := of.(*scop.Ref)
	if !ok {
		return &scop.Opaque{Place: p.from(start), Text: selector, Inside: []scop.Expr{of}}
	}
	return &scop.Ref{Place: p.from(start), Name: ref.Name, Loop: ref.Loop, Selected: ref.Selected + selector, Subscripts: ref.Subscripts}
}

func (p *treeParser) arguments() (arguments []scop.Expr) {
	p.expect("(")
	if p.accept(")") {
		return nil
	}
	for !p.failed {
		arguments = append(arguments, p.assignment())
		if !p.accept(",") {
			p.expect(")")
			break
		}
	}
	return arguments
}

// primary reads a name, a number, a string, or an expression in parentheses.
func (p *treeParser) primary() scop.Expr {
	start := p.start()
	if p.accept("(") {
		x := p.comma()
		p.expect(")")
		return &scop.Unary{Place: p.from(start), Operator: scop.Parentheses, X: x}
	}
	kind, text := p.kind(), p.peek(0)
	if p.next < len(p.tokens) {
		p.next++
	}
	switch {
	case p.failed:
	case kind == identifier && !typeWords[text]:
		return &scop.Ref{Place: p.from(start), Name: text, Loop: p.loopAt(start)}
	case kind == number:
		return &scop.Number{Place: p.from(start), Text: text}
	case kind == quoted:
		return p.opaque(p.next - 1)
	}
	p.fail()
	return &scop.Opaque{}
}
