package randomc

import (
	"fmt"
	"strings"
)

// statement draws a statement, or some that belong together.
func (g *generator) statement() []*Node {
	g.budget--
	if g.depth < maxDepth && g.depth < 1 && !g.one(3) || g.depth < maxDepth && g.one(3) {
		if g.one(4) {
			return g.idiom()
		}
		return g.loop()
	}
	return drawn(g, []weighted[func() []*Node]{
		{12, g.assignment}, {5, g.number}, {5, g.declaration}, {5, g.change}, {6, g.branch}, {3, g.leaving}, {2, g.counting},
		{2, g.scatter}, {3, g.called}, {2, g.scoped}, {1, g.chained}, {1, g.skipped}, {2, g.swapped}, {2, g.looked}, {4, g.idiom}, {4, g.indexed},
	})()
}

// assignment gives an element another value.
func (g *generator) assignment() []*Node {
	if g.one(4) {
		operator := among(g, "=", "=", "+=", "^=", "=")
		value := g.whole()
		if operator != "=" {
			value = fmt.Sprintf("(%s) & 3", value)
		}
		return []*Node{lineOf("%s %s %s;", g.element("int", 2), operator, value)}
	}
	if g.one(12) {
		return []*Node{lineOf("%s(%s, %s);", g.helper("ADD").name, g.element("double", 1), g.value(1))}
	}
	return []*Node{lineOf("%s %s %s;", g.element("double", 2), among(g, "=", "=", "+=", "-=", "*="), g.value(2))}
}

// number gives a floating variable a value, or declares one.
func (g *generator) number() []*Node {
	list := g.floating(false)
	if len(list) == 0 || g.one(4) {
		value := g.value(1)
		v := g.declare(g.newName(value, numberNames...), among(g, "double", "double", "float"))
		v.assigned = true
		return []*Node{lineOf("%s %s = %s;", v.kind, v.name, value)}
	}
	v := among(g, list...)
	if !v.assigned || g.one(3) {
		value := g.value(2)
		v.assigned = true
		return []*Node{lineOf("%s = %s;", v.name, value)}
	}
	switch g.IntN(4) {
	case 0:
		e := g.element("double", 1)
		return []*Node{lineOf("if (%s > %s)\n    %s = %s;", e, v.name, v.name, e)}
	case 1:
		return []*Node{lineOf("%s = %s + %s;", v.name, v.name, g.value(1))}
	}
	return []*Node{lineOf("%s %s %s;", v.name, among(g, "+=", "-=", "*=", "+="), g.value(1))}
}

// newName is a name that the innermost scope lacks and a text does not mention.
func (g *generator) newName(text string, pool ...string) string {
	for range 10 {
		if name := g.freshName(pool...); !mentions(text, name) {
			return name
		}
	}
	g.labels++
	return fmt.Sprintf("%s%d", pool[0], g.labels)
}

// declaration declares an integer variable with a value.
func (g *generator) declaration() []*Node {
	e := g.integer(2)
	kind := among(g, "int", "int", "int", "long", "short", "unsigned")
	v := g.declare("", kind)
	text := g.set(v, e)
	if g.one(3) {
		size := sizeOf(among(g, "n", "m"))
		text = g.set(v, size)
	}
	v.name = ""
	v.name = g.newName(text, integerNames...)
	qualifier := ""
	if g.one(8) {
		qualifier = "const "
		v.frozen = true
	}
	return []*Node{lineOf("%s%s %s = %s;", qualifier, v.kind, v.name, text)}
}

// change gives an integer variable another value.
func (g *generator) change() []*Node {
	list := g.changeable()
	if len(list) == 0 {
		return g.declaration()
	}
	v := among(g, list...)
	if v.assigned {
		for _, way := range []struct {
			text string
			by   int
		}{{"%s++;", 1}, {"%s--;", -1}, {"%s += 2;", 2}, {"%s -= 3;", -3}, {"++%s;", 1}} {
			if values := v.now.plus(between(way.by, way.by)); g.one(3) && values.within(v.always) {
				v.now = values
				return []*Node{lineOf(way.text, v.name)}
			}
		}
		if g.one(4) {
			text := fmt.Sprintf("if (%[1]s %[2]s %[3]s)\n    %[1]s%[4]s;", v.name, "<", "n", "++")
			if !v.isUnsigned() && g.one(2) {
				text = fmt.Sprintf("if (%[1]s > 0)\n    %[1]s--;", v.name)
			}
			v.now = v.always
			return []*Node{lineOf("%s", text)}
		}
		if v.now.isNatural() && g.one(3) {
			v.now = interval{number(0), v.now.to}
			return []*Node{lineOf("%s %s;", v.name, among(g, "/= 2", ">>= 1", "%= 5", "&= 7", "/= 3"))}
		}
	}
	return []*Node{lineOf("%s = %s;", v.name, g.set(v, g.integer(2)))}
}

// branch is an if, with or without an else.
func (g *generator) branch() []*Node {
	condition := g.condition(1)
	then := g.inside(g.branchBody)
	if g.one(2) {
		n := block(fmt.Sprintf("if (%s)", condition), then)
		return []*Node{n}
	}
	otherwise := g.inside(g.branchBody)
	first := block(fmt.Sprintf("if (%s)", condition), then)
	return []*Node{group(first, block("else", otherwise))}
}

func (g *generator) branchBody() []*Node {
	nodes := g.simple()
	if g.one(3) && g.budget > 0 {
		nodes = append(nodes, g.statement()...)
	}
	return nodes
}

// simple is a statement without others inside.
func (g *generator) simple() []*Node {
	return drawn(g, []weighted[func() []*Node]{{4, g.assignment}, {2, g.number}, {3, g.change}, {1, g.scatter}, {1, g.counting}})()
}

// leaving is a break or a continue, where the loop around may have one.
func (g *generator) leaving() []*Node {
	if g.depth == 0 || g.noJumps {
		return g.branch()
	}
	word := "break"
	if !g.noContinue && g.one(2) {
		word = "continue"
	}
	if g.one(3) {
		return []*Node{block(fmt.Sprintf("if (%s)", g.condition(1)), append(g.inside(g.simple), lineOf("%s;", word)))}
	}
	return []*Node{lineOf("if (%s)\n    %s;", g.condition(1), word)}
}

// counting uses a variable and steps it at once, where its range allows that.
func (g *generator) counting() []*Node {
	for _, v := range g.changeable() {
		if !v.assigned || v.kind != "int" {
			continue
		}
		up := interval{v.now.from, v.now.to.plus(number(1))}
		if v.now.isNatural() && up.within(v.always) && g.one(2) {
			a := g.arrayFor("double")
			if a.dimensions > 1 || a.form == formGlobal && v.now.to.most() >= globalExtent {
				continue
			}
			at := v.read()
			at.text = v.name + "++"
			text := g.at(a, "double", []integer{at})
			v.now = v.now.plus(between(1, 1))
			return []*Node{lineOf("%s %s %s;", text, among(g, "=", "+="), g.valueWithout(v))}
		}
		// a guarded step, as to append to a list
		a := g.arrayFor("double")
		if a.dimensions > 1 {
			continue
		}
		v.now = interval{number(0), bound{-1, 1, 0}}
		at := v.read()
		at.text = v.name + among(g, "++", "")
		text := g.at(a, "double", []integer{at})
		value := g.valueWithout(v)
		v.now = v.always
		return []*Node{lineOf("if (%s >= 0 && %s < n)\n    %s = %s;", v.name, v.name, text, value)}
	}
	return g.change()
}

// valueWithout is a value that does not read a variable.
func (g *generator) valueWithout(v *variable) string {
	for range 10 {
		if text := g.value(1); !mentions(text, v.name) {
			return text
		}
	}
	return "0.75"
}

// scatter updates elements that data choose.
func (g *generator) scatter() []*Node {
	at := g.fromData()
	kind := among(g, "double", "int")
	a := g.arrayFor(kind)
	if a.dimensions > 1 {
		return g.assignment()
	}
	element := g.at(a, kind, []integer{at})
	if kind == "int" {
		if strings.HasPrefix(element, "*") {
			element = "(" + element + ")"
		}
		return []*Node{lineOf("%s%s;", element, among(g, "++", " += 2", "--", " ^= 1"))}
	}
	return []*Node{lineOf("%s %s %s;", element, among(g, "+=", "-=", "*=", "+="), g.value(1))}
}

// called calls a function that changes what its pointers lead to.
func (g *generator) called() []*Node {
	a := g.arrayFor("double")
	if a.element != "double" || a.form == formStructs {
		return g.assignment()
	}
	switch g.IntN(5) {
	case 3:
		if g.one(2) {
			return g.firstFound()
		}
		if a.dimensions == 1 && a.form != formMember {
			a.used = true
			a.extents[0] = greatest(a.extents[0], bound{n: 1})
			return []*Node{lineOf("%s(%s, %s, %s);", g.helper("scale").name, among(g, "n", "n / 2"), a.name, among(g, "0.5", "1", "2"))}
		}
	case 0:
		for _, v := range g.changeable() {
			if v.kind == "int" && v.assigned && v.now.within(wide) {
				v.now = v.always
				return []*Node{lineOf("%s(&%s, n);", g.helper("advance").name, v.name)}
			}
		}
	case 1:
		if a.dimensions == 1 && a.form != formMember {
			a.used = true
			a.extents[0] = greatest(a.extents[0], number(8))
			return []*Node{lineOf("%s(%s, %s, %s);", g.helper("fill").name, among(g, "5", "8", "n > 3 ? 3 : n"), a.name, g.value(1))}
		}
	case 2:
		if s := g.floating(false); len(s) > 0 && a.dimensions == 1 && a.form != formMember {
			a.used = true
			a.extents[0] = greatest(a.extents[0], number(8))
			v := among(g, s...)
			v.assigned = true
			return []*Node{lineOf("%s = %s(%s, %s);", v.name, g.helper("total").name, among(g, "5", "8"), a.name)}
		}
	}
	return []*Node{lineOf("%s(&%s, %s);", g.helper("bump").name, g.elementOf(a, "double", 1), g.value(1))}
}

// firstFound calls a function that returns as soon as it has found something.
func (g *generator) firstFound() []*Node {
	for _, a := range g.arrays {
		if a.element == "int" && a.dimensions == 1 {
			a.used = true
			a.extents[0] = greatest(a.extents[0], bound{n: 1})
			v, nodes := g.counter(constant(0))
			v.assigned, v.now = true, interval{number(0), bound{n: 1}}
			nodes = append(nodes, lineOf("%s = %s(n, %s, %d);", v.name, g.helper("first_of").name, a.name, 20+g.IntN(80)))
			return append(nodes, g.use(v)...)
		}
	}
	return g.assignment()
}

// scoped is a block with variables of its own.
func (g *generator) scoped() []*Node {
	return []*Node{block("", g.inside(func() []*Node {
		nodes := g.declaration()
		nodes = append(nodes, g.simple()...)
		return append(nodes, g.simple()...)
	}))}
}

// chained are several assignments in one statement.
func (g *generator) chained() []*Node {
	if g.one(2) {
		return []*Node{lineOf("%s = %s = %s;", g.element("double", 1), g.element("double", 1), g.value(1))}
	}
	return []*Node{lineOf("%s = %s, %s += %s;", g.element("double", 1), g.value(1), g.element("double", 1), g.value(0))}
}

// skipped is what a goto jumps over.
func (g *generator) skipped() []*Node {
	if !g.jumps {
		return g.branch()
	}
	g.labels++
	label := fmt.Sprintf("skip%d", g.labels)
	jump := lineOf("if (%s)\n    goto %s;", g.condition(1), label)
	inside := g.inside(func() []*Node { return append(g.simple(), g.simple()...) })
	return []*Node{group(jump, block("", inside), lineOf("%s:;", label))}
}

// swapped lets two elements or variables change places.
func (g *generator) swapped() []*Node {
	if s := g.floating(true); len(s) > 1 && g.one(2) && s[0].kind == s[1].kind {
		return []*Node{lineOf("%s(%s, %s, %s);", g.helper("SWAP").name, s[0].kind, s[0].name, s[1].name)}
	}
	x, y := g.element("double", 1), g.element("double", 1)
	name := g.newName(x+" "+y, numberNames...)
	return []*Node{block("", []*Node{lineOf("double %s = %s;", name, x), lineOf("%s = %s;", x, y), lineOf("%s = %s;", y, name)})}
}
