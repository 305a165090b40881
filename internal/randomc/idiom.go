package randomc

import "fmt"

// idiom is something that people write with loops that data end, and with pointers.
func (g *generator) idiom() []*Node {
	return drawn(g, []weighted[func() []*Node]{
		{4, g.consumed}, {3, g.searched}, {3, g.untilData}, {3, g.chosenCase}, {2, g.halved}, {2, g.bisected}, {3, g.walked}, {2, g.rowWalk}, {2, g.dataBounds}, {2, g.exchanged}, {1, g.appended}, {2, g.packed}, {1, g.wrapped},
		{4, g.indexed}, {2, g.flattened}, {2, g.iterated}, {2, g.copied}, {2, g.rowsWalked}, {2, g.pointed}, {2, g.left},
	})()
}

// counter is a variable for what is counted: one that is there, or a new one with the value of an
// expression.
func (g *generator) counter(e integer) (v *variable, nodes []*Node) {
	if list := g.visible(func(v *variable) bool { return v.kind == "int" && !v.frozen }); len(list) > 0 && !g.one(3) {
		v = among(g, list...)
		if v.assigned && v.now.isNatural() && g.one(2) {
			return v, nil
		}
		return v, []*Node{lineOf("%s = %s;", v.name, g.set(v, e))}
	}
	name := g.newName(e.text, integerNames...)
	v = g.declare(name, "int")
	return v, []*Node{lineOf("int %s = %s;", v.name, g.set(v, e))}
}

// natural is an expression that is not negative and at most n + m or so.
func (g *generator) natural() integer {
	for range 6 {
		if e := g.integer(1).signed(); e.isNatural() && e.within(wide) {
			return e
		}
	}
	return sizeOf("n")
}

// consumed counts a variable down to nothing.
func (g *generator) consumed() []*Node {
	v, nodes := g.counter(g.natural())
	top := v.now.to
	by := 1 + g.IntN(3)
	body := g.inStepped(v, interval{number(0), top}, g.assignment)
	step := fmt.Sprintf("%s -= %d;", v.name, by)
	if by == 1 {
		step = v.name + "--;"
	}
	v.assigned, v.now = true, between(0, by-1)
	if g.one(2) {
		return append(nodes, block(fmt.Sprintf("while (%s >= %d)", v.name, by), append([]*Node{lineOf("%s", step)}, body...)))
	}
	return append(nodes, block(fmt.Sprintf("while (%s > %d)", v.name, by-1), append(body, lineOf("%s", step))))
}

// searched looks for an element and breaks.
func (g *generator) searched() []*Node {
	v, nodes := g.iterator()
	g.forget()
	body := g.inLoop(v, interval{number(0), bound{-1, 1, 0}}, func() []*Node {
		test := fmt.Sprintf("%s > %d", g.element("int", 1), 20+g.IntN(60))
		found := []*Node{lineOf("break;")}
		if g.one(3) {
			found = append(g.simple(), found...)
		}
		nodes := []*Node{block(fmt.Sprintf("if (%s)", test), found)}
		if g.one(3) {
			nodes = append(nodes, g.simple()...)
		}
		return nodes
	})
	nodes = append(nodes, block(fmt.Sprintf("for (%[1]s = 0; %[1]s < n; %[1]s++)", v.name), body))
	v.assigned, v.now = true, interval{number(0), bound{n: 1}}
	return append(nodes, g.use(v)...)
}

// use reads a variable, mostly.
func (g *generator) use(v *variable) []*Node {
	if g.one(4) {
		return nil
	}
	a := g.arrayFor("double")
	if a.dimensions == 1 && v.now.isNatural() && (a.form != formGlobal || v.now.to.most() < globalExtent) {
		return []*Node{lineOf("%s += %s;", g.at(a, "double", []integer{v.read()}), g.value(1))}
	}
	return []*Node{lineOf("%s += %s;", g.element("double", 1), v.name)}
}

// untilData is a while or a do that data end.
func (g *generator) untilData() []*Node {
	v, nodes := g.counter(g.natural())
	top := v.now.to
	g.forget()
	v.now = interval{number(0), top}
	if g.one(2) {
		// down, as long as an element is small
		at := g.dataAt(v.read())
		nodes = append(nodes, lineOf("while (%[1]s > 0 && %[2]s < %[3]d)\n    %[1]s--;", v.name, at, 30+g.IntN(50)))
		v.assigned, v.now = true, interval{number(0), top}
		return append(nodes, g.use(v)...)
	}
	values := interval{number(0), greatest(top, bound{0, 1, 0})}
	v.now = values
	at := g.dataAt(v.read())
	body := g.inStepped(v, values, g.assignment)
	next := values
	next.to = next.to.plus(number(1))
	v.now = next
	body = append(body, lineOf("%s++;", v.name))
	nodes = append(nodes, &Node{Head: "do {", Body: body, Tail: fmt.Sprintf("} while (%s < n && %s > %d);", v.name, at, 20+g.IntN(40))})
	v.assigned, v.now = true, next
	return append(nodes, g.use(v)...)
}

// dataAt is an integer of the data at a place.
func (g *generator) dataAt(at integer) string {
	for _, a := range g.arrays {
		if a.name == "c" && (a.form != formGlobal || at.to.most() < globalExtent) {
			return g.at(a, "int", []integer{at})
		}
	}
	return "3"
}

// chosenCase is a switch over data or over a value that is known.
func (g *generator) chosenCase() []*Node {
	what := g.element("int", 1) + " & 3"
	if g.one(3) {
		what = g.integer(1).text
	}
	kept := g.noJumps
	g.noJumps = true
	var nodes []*Node
	for k := range 2 + g.IntN(2) {
		inside := g.inside(g.simple)
		if !g.one(4) {
			inside = append(inside, lineOf("break;"))
		}
		nodes = append(nodes, &Node{Head: fmt.Sprintf("case %d: {", k), Body: inside, Tail: "}"})
	}
	if g.one(2) {
		nodes = append(nodes, &Node{Head: "default: {", Body: g.inside(g.simple), Tail: "}"})
	}
	g.noJumps = kept
	return []*Node{block(fmt.Sprintf("switch (%s)", what), nodes)}
}

// halved divides a variable until it is small.
func (g *generator) halved() []*Node {
	v, nodes := g.counter(g.natural())
	top := v.now.to
	text := among(g, "while (%[1]s > 1)\n    %[1]s /= 2;", "while (%[1]s > 2) {\n    %[1]s >>= 1;\n}", "for (; %[1]s > 1; %[1]s /= 2)\n    ;")
	nodes = append(nodes, lineOf(text, v.name))
	v.assigned, v.now = true, interval{number(0), top}
	return append(nodes, g.use(v)...)
}

// bisected looks for a place by bisection.
func (g *generator) bisected() []*Node {
	lo := g.declare(g.freshName("lo", "first", "left"), "int")
	hi := g.declare(g.freshName("hi", "last", "right"), "int")
	lo.assigned, hi.assigned = true, true
	lo.now, hi.now = interval{number(0), bound{n: 1}}, interval{number(0), bound{n: 1}}
	mid := integer{text: "mid", interval: interval{number(0), bound{-1, 1, 0}}, atom: true}
	nodes := []*Node{
		lineOf("int %s = 0, %s = n;", lo.name, hi.name),
		block(fmt.Sprintf("while (%s < %s)", lo.name, hi.name), []*Node{
			lineOf("int mid = (%s + %s) / 2;", lo.name, hi.name),
			lineOf("if (%s < %d)\n    %s = mid + 1;\nelse\n    %s = mid;", g.dataAt(mid), 50, lo.name, hi.name),
		}),
	}
	return append(nodes, g.use(lo)...)
}

// walked goes through an array by a pointer.
func (g *generator) walked() []*Node {
	var a *array
	for _, candidate := range g.arrays {
		if candidate.isFloating() && candidate.dimensions == 1 && candidate.form != formMember && candidate.form != formStructs && g.one(2) {
			a = candidate
		}
	}
	if a == nil {
		return g.assignment()
	}
	a.used = true
	a.extents[0] = greatest(a.extents[0], bound{n: 1})
	g.labels++
	p := fmt.Sprintf("p%d", g.labels)
	size := among(g, "n", "n", "n / 2")
	from := among(g, a.name, fmt.Sprintf("&%s[0]", a.name))
	switch g.IntN(4) {
	case 0:
		return []*Node{group(lineOf("%s *%s = %s;", a.element, p, from), block(fmt.Sprintf("for (int e = 0; e < %s; e++)", size), []*Node{lineOf("*%s++ %s %s;", p, among(g, "=", "+=", "*="), among(g, "0.5", "e", "1"))}))}
	case 1:
		return []*Node{lineOf("for (%[1]s *%[2]s = %[3]s; %[2]s < %[3]s + %[4]s; %[2]s++)\n    *%[2]s += 1;", a.element, p, a.name, size)}
	case 2:
		return []*Node{group(lineOf("%s *%s = %s, *%send = %s + %s;", a.element, p, from, p, a.name, size), block(fmt.Sprintf("while (%s < %send)", p, p), []*Node{lineOf("*%s *= 0.5;", p), lineOf("%s++;", p)}))}
	}
	return []*Node{block("", []*Node{lineOf("%s *%s = %s;", a.element, p, from), lineOf("double got = 0;"), block(fmt.Sprintf("for (int e = 0; e < %s; e++)", size), []*Node{lineOf("got += %s[e] * %s;", p, among(g, "2", "0.5"))}), lineOf("%s[0] = got;", p)})}
}

// rowWalk has a pointer to a row of an array.
func (g *generator) rowWalk() []*Node {
	for _, a := range g.arrays {
		if a.dimensions != 2 || a.isFlat() || !a.isFloating() || a.form == formGlobal {
			continue
		}
		row := g.subscript(a, 0, 1)
		at := interval{number(0), bound{-1, 0, 1}}
		g.at(a, "double", []integer{row, {text: "e", interval: at}})
		a.extents[1] = greatest(a.extents[1], number(1))
		g.labels++
		p := fmt.Sprintf("r%d", g.labels)
		qualifier := ""
		body := lineOf("%s[e] %s %s;", p, among(g, "=", "+=", "*="), among(g, "0.5", "e", "2"))
		if s := g.floating(true); len(s) > 0 && g.one(2) {
			qualifier = "const "
			body = lineOf("%s += %s[e];", s[0].name, p)
		}
		return []*Node{block("", []*Node{lineOf("%s%s *%s = %s[%s];", qualifier, a.element, p, a.name, row.text), block("for (int e = 0; e < m; e++)", []*Node{body})})}
	}
	return g.assignment()
}

// dataBounds is a loop between bounds that data have.
func (g *generator) dataBounds() []*Node {
	from, to := g.fromData(), g.fromData()
	g.forget()
	var node *Node
	body := g.inside(func() []*Node {
		v := g.declare(g.newName(from.text+" "+to.text, iteratorNames...), "int")
		node = block(fmt.Sprintf("for (int %[1]s = %[2]s; %[1]s < (%[3]s); %[1]s++)", v.name, from.text, to.text), nil)
		return g.inLoop(v, interval{number(0), to.to}, g.body)
	})
	node.Body = body
	return []*Node{node}
}

// exchanged lets pointers to data change places in a loop over steps, at the region's outermost
// level.
func (g *generator) exchanged() []*Node {
	if g.depth > 0 || !g.swaps {
		return g.untilData()
	}
	steps := among(g, "3", "n / 2", "4")
	inner := among(g, "i", "j")
	return []*Node{group(lineOf("double *u = now, *un = next, *spare;"), block(fmt.Sprintf("for (int t = 0; t < %s; t++)", steps), []*Node{
		block(fmt.Sprintf("for (int %[1]s = 1; %[1]s < n - 1; %[1]s++)", inner), []*Node{lineOf("un[%[1]s] = (u[%[1]s - 1] + u[%[1]s] + u[%[1]s + 1]) * 0.25;", inner)}),
		lineOf("spare = u;"), lineOf("u = un;"), lineOf("un = spare;"),
	}))}
}

// iterated is a computation that goes on until its value is large, or for too long.
func (g *generator) iterated() []*Node {
	start, what := g.value(1), g.element("double", 1)
	end := among(g, "z < 4 && e < 9", "e < 7 && z * z < 20")
	body := []*Node{lineOf("z = z * z + %s;", among(g, "0.25", "0.5")), lineOf("e++;")}
	if g.one(2) {
		body = append([]*Node{lineOf("if (z < -3)\n    break;")}, body...)
	}
	return []*Node{block("", []*Node{lineOf("double z = %s;", start), lineOf("int e = 0;"), block(fmt.Sprintf("while (%s)", end), body), lineOf("%s = %s;", what, among(g, "z", "e", "z + e"))})}
}

// left is a goto out of two loops.
func (g *generator) left() []*Node {
	if !g.jumps {
		return g.searched()
	}
	g.labels++
	label := fmt.Sprintf("out%d", g.labels)
	e := integer{text: "e", interval: interval{number(0), bound{-1, 1, 0}}, atom: true}
	inner := []*Node{lineOf("if (%s + f > %d)\n    goto %s;", g.dataAt(e), 60+g.IntN(60), label), lineOf("%s += f;", g.element("double", 1))}
	return []*Node{group(block("for (int e = 0; e < n; e++)", []*Node{block("for (int f = 0; f < 3; f++)", inner)}), lineOf("%s:;", label))}
}

// appended keeps what a condition on data selects.
func (g *generator) appended() []*Node {
	v, nodes := g.counter(constant(0))
	if len(nodes) == 0 {
		nodes = []*Node{lineOf("%s = 0;", v.name)}
	}
	var a *array
	for _, candidate := range g.arrays {
		if candidate.isFloating() && candidate.dimensions == 1 {
			a = candidate
		}
	}
	g.forget()
	v.now = interval{number(0), bound{-1, 1, 0}}
	at := v.read()
	at.text += "++"
	element := g.at(a, "double", []integer{at})
	e := integer{text: "e", interval: interval{number(0), bound{-1, 1, 0}}, atom: true}
	nodes = append(nodes, block("for (int e = 0; e < n; e++)", []*Node{lineOf("if (%s & 1)\n    %s = e;", g.dataAt(e), element)}))
	v.assigned, v.now = true, interval{number(0), bound{n: 1}}
	return append(nodes, g.use(v)...)
}

// packed steps a variable in all iterations of nested loops.
func (g *generator) packed() []*Node {
	var a *array
	for _, candidate := range g.arrays {
		if candidate.isFloating() && candidate.dimensions == 1 && candidate.form != formGlobal {
			a = candidate
		}
	}
	v, nodes := g.counter(constant(0))
	if a == nil || len(nodes) == 0 {
		return append(nodes, g.assignment()...)
	}
	g.forget()
	v.now = interval{number(0), bound{-1, 3, 0}}
	at := v.read()
	kept := v.now
	inner := 1 + g.IntN(3)
	body := []*Node{lineOf("%s += %s;", g.at(a, "double", []integer{at}), among(g, "f", "e", "0.5")), lineOf("%s++;", v.name)}
	v.always = v.always.join(kept)
	v.now, v.assigned = interval{number(0), bound{0, 3, 0}}, true
	v.always = v.always.join(v.now)
	return append(nodes, block("for (int e = 0; e < n; e++)", []*Node{block(fmt.Sprintf("for (int f = 0; f < %d; f++)", inner), body)}))
}

// wrapped has arithmetic that wraps around, where C defines it.
func (g *generator) wrapped() []*Node {
	var node *Node
	e := g.integer(1)
	body := g.inside(func() []*Node {
		v := g.declare(g.newName(e.text, integerNames...), "unsigned char")
		v.now, v.assigned = between(0, 255), true
		node = block("", []*Node{lineOf("unsigned char %s = (unsigned char)(%s);", v.name, e.text), lineOf("%s += 250;", v.name)})
		return g.use(v)
	})
	node.Body = append(node.Body, body...)
	return []*Node{node}
}

// looked reads a table by a subscript that is no affine form.
func (g *generator) looked() []*Node {
	a, b := g.natural(), g.natural()
	table := g.arrayFor("double")
	if table.dimensions > 1 {
		return g.assignment()
	}
	at := integer{text: fmt.Sprintf("%s * %s %% 16", a.bracketed(), b.bracketed()), interval: between(0, 15)}
	return []*Node{lineOf("%s += %s;", g.element("double", 1), g.at(table, "double", []integer{at}))}
}
