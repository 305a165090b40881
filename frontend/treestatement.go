package frontend

import "polytune/scop"

// statement reads a statement: an expression's, or Opaque. It is nil for an empty one.
func (p *treeParser) statement() scop.Expr {
	defer p.inside()()
	first := p.next
	switch {
	case p.accept("{"):
		var inside []scop.Expr
		for !p.failed && !p.accept("}") {
			inside = append(inside, p.statement())
		}
		return p.opaque(first, inside...)
	case p.accept("if"):
		inside := []scop.Expr{p.condition(), p.statement()}
		if p.accept("else") {
			inside = append(inside, p.statement())
		}
		return p.opaque(first, inside...)
	case p.accept("switch"):
		return p.opaque(first, p.condition(), p.statement())
	case p.accept("case", "default"):
		return p.opaque(first, p.labeled()...)
	case p.accept("while"):
		return p.opaque(first, p.condition(), p.statement())
	case p.accept("do"):
		body := p.statement()
		p.expect("while")
		condition := p.condition()
		p.expect(";")
		return p.opaque(first, body, condition)
	case p.accept("for"):
		return p.opaque(first, p.loop()...)
	case p.accept("break", "continue"):
		p.expect(";")
		return p.opaque(first)
	case p.accept(";"):
		return nil
	case p.isTypeAt(0):
		return p.opaque(first, p.declaration()...)
	}
	value := p.comma()
	p.expect(";")
	return value
}

// condition is an expression in parentheses.
func (p *treeParser) condition() scop.Expr {
	p.expect("(")
	value := p.comma()
	p.expect(")")
	return value
}

// labeled reads what follows case or default: one value, or the first and the last one, and the
// statement. A label may stand for no statement.
func (p *treeParser) labeled() (inside []scop.Expr) {
	for !p.failed && !p.accept(":") {
		inside = append(inside, p.binary(0))
		p.accept("...")
	}
	if p.peek(0) == "}" {
		return inside
	}
	return append(inside, p.statement())
}

// loop reads what follows for.
func (p *treeParser) loop() []scop.Expr {
	p.expect("(")
	var inside []scop.Expr
	if p.isTypeAt(0) {
		inside = p.declaration()
	} else {
		inside = append(inside, p.until(";"))
	}
	inside = append(inside, p.until(";"), p.until(")"))
	return append(inside, p.statement())
}

// until is an expression that ends there, or nil where it is left out.
func (p *treeParser) until(end string) scop.Expr {
	if p.accept(end) {
		return nil
	}
	value := p.comma()
	p.expect(end)
	return value
}

// declaration reads one, and gives the extents and values in it.
func (p *treeParser) declaration() (inside []scop.Expr) {
	p.typeName()
	for !p.failed {
		for p.accept("*", "const", "restrict", "__restrict") {
			continue
		}
		if p.kind() != identifier {
			p.fail()
			break
		}
		p.next++
		for p.accept("[") {
			inside = append(inside, p.until("]"))
		}
		if p.accept("=") {
			inside = append(inside, p.initial())
		}
		if !p.accept(",") {
			p.expect(";")
			break
		}
	}
	return inside
}

// initial is a first value, or a list of such.
func (p *treeParser) initial() scop.Expr {
	first := p.next
	if !p.accept("{") {
		return p.assignment()
	}
	var inside []scop.Expr
	for !p.failed && !p.accept("}") {
		inside = append(inside, p.initial())
		if !p.accept(",") && p.peek(0) != "}" {
			p.fail()
		}
	}
	return p.opaque(first, inside...)
}

// typeName takes the words of a type, and the asterisks between them in a cast.
func (p *treeParser) typeName() {
	for tagged := false; p.isTypeAt(0) || tagged && p.kind() == identifier; {
		tagged = p.peek(0) == "struct" || p.peek(0) == "union" || p.peek(0) == "enum"
		p.next++
	}
}
