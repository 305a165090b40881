package randomprogram

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Random is the program of a seed: one to four statements, now and then six,
// in up to three loops each.
func Random(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 77)), program: &Program{Seed: seed}}
	g.program.IteratorsOutside = g.one(4)
	g.program.Bare = g.one(3)
	g.program.Long = g.one(10)
	g.arrays()
	g.fancy, g.strides, g.guards = g.one(2), g.one(3), g.one(5)
	g.statements = 1 + g.IntN(4)
	if g.one(8) {
		g.statements += 2
	}
	for g.statements > 0 {
		g.program.Body = append(g.program.Body, g.item(1, nil)...)
	}
	return g.program
}

type generator struct {
	*rand.Rand
	program *Program
	// statements is how many are still to come.
	statements int
	// locals are the variables declared so far that are in scope.
	locals []Array
	// declared counts all locals and copies.
	declared int
	// guards are programs with conditions on data.
	guards bool
	// fancy programs have divisions, remainders and ternaries in subscripts,
	// strides those with steps other than one.
	fancy, strides bool
}

// one is true once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

// among is one of the choices.
func among[T any](g *generator, choices ...T) T { return choices[g.IntN(len(choices))] }

// arrays chooses the arrays of the program, mostly of one type.
func (g *generator) arrays() {
	common := among(g, "double", "double", "double", "float", "int")
	for k, name := range []string{"A", "B", "C", "D"}[:2+g.IntN(3)] {
		a := Array{Name: name, Type: common, Dimensions: 1 + g.IntN(2), Parametric: g.one(2), Global: g.one(5)}
		if g.one(8) {
			a.Dimensions = 3
		}
		if k > 0 && g.one(5) {
			a.Type = among(g, "double", "float", "int")
		}
		g.program.Arrays = append(g.program.Arrays, a)
	}
	for _, name := range []string{"s", "t"} {
		g.program.Arrays = append(g.program.Arrays, Array{Name: name, Type: among(g, "double", "double", "float", "int"), Global: g.one(5)})
	}
}

// block is one item or more, with a scope of its own.
func (g *generator) block(level int, iterators []string) []Node {
	scope := len(g.locals)
	nodes := g.item(level, iterators)
	for g.statements > 0 && g.IntN(5) < 2 {
		nodes = append(nodes, g.item(level, iterators)...)
	}
	g.locals = g.locals[:scope]
	return nodes
}

// item is a loop, a condition, a block, or a statement with what it needs.
func (g *generator) item(level int, iterators []string) []Node {
	depth := len(iterators)
	switch {
	case depth < 3 && g.statements > 0 && g.IntN(10) < []int{9, 6, 4}[depth]:
		return []Node{{Loop: g.loop(level, iterators)}}
	case depth > 0 && level < 6 && g.IntN(10) < 2:
		n := &If{Condition: g.condition(iterators), Then: g.block(level+1, iterators)}
		if g.statements > 0 && g.one(2) {
			n.Else = g.block(level+1, iterators)
		}
		return []Node{{If: n}}
	case level < 6 && g.one(25):
		return []Node{{Block: g.block(level+1, iterators)}, {}}
	case depth > 0 && g.one(12):
		return g.copied(iterators)
	case g.guards && g.one(3):
		return g.guarded(iterators)
	}
	return g.statement(iterators)
}

// copied is a block in which a variable holds an affine value.
func (g *generator) copied(iterators []string) []Node {
	it, other := variable(among(g, iterators...)), variable(among(g, iterators...))
	g.declared++
	c := &Copy{Name: fmt.Sprintf("m%d", g.declared)}
	c.Value = among(g, it.plus(1), it.add(other, 1), variable("N").add(it, -1), g.quotient(it, "/"), g.quotient(it.plus(1), "%"))
	names := append(slices.Clip(iterators), c.Name)
	return []Node{{Block: append([]Node{{Copy: c}}, g.statement(names)...)}}
}

// guarded is an if on an element, of one assignment or two.
func (g *generator) guarded(iterators []string) []Node {
	g.statements--
	element, _ := g.reference(iterators, false)
	n := &Guarded{Element: element, Then: []Assignment{*g.assignment(iterators)}}
	if g.one(3) {
		n.Then = append(n.Then, *g.assignment(iterators))
	}
	if g.one(2) {
		n.Else = []Assignment{*g.assignment(iterators)}
	}
	return []Node{{Guarded: n}}
}

// loop is one that may count down, have a stride, several tests, or a test
// with != or a factor.
func (g *generator) loop(level int, iterators []string) *Loop {
	l := &Loop{Iterator: []string{"i", "j", "k"}[len(iterators)], Step: 1}
	self := variable(l.Iterator)
	lower, upper := g.lower(iterators), g.upper(iterators)
	if g.strides && g.one(2) {
		l.Step = 2 + g.IntN(2)
	}
	switch kind := g.IntN(12); {
	case kind < 2:
		l.Step *= -1
		l.Start, l.Tests = upper.plus(-1), []Condition{{Operator: among(g, ">=", ">"), Left: self, Right: lower}}
	case kind == 2:
		l.Start, l.Tests = lower, []Condition{
			{Operator: "<", Left: self, Right: upper}, {Operator: "<=", Left: self, Right: g.upper(iterators)}}
	case kind == 3 && l.Step == 1:
		l.Start, l.Tests = lower, []Condition{{Operator: "!=", Left: self, Right: upper}}
	case kind == 4:
		l.Start, l.Tests = lower, []Condition{{Operator: "<", Left: constant(0).add(self, 2), Right: upper}}
	case kind == 5:
		l.Start, l.Tests = lower, []Condition{{Operator: "<", Left: self, Right: g.extreme(upper, g.upper(iterators))}}
	case kind == 6 && g.fancy:
		l.Start, l.Tests = lower, []Condition{{Operator: "<=", Left: self, Right: g.quotient(upper, "/")}}
	default:
		l.Start, l.Tests = lower, []Condition{{Operator: among(g, "<", "<", "<="), Left: self, Right: upper}}
	}
	l.Body = g.block(level+1, append(slices.Clip(iterators), l.Iterator))
	return l
}

func (g *generator) lower(iterators []string) Integer {
	if len(iterators) > 0 && g.one(4) {
		return variable(among(g, iterators...)).plus(g.IntN(2))
	}
	if g.one(12) {
		return g.extreme(g.upper(iterators).plus(-5), constant(0))
	}
	return constant(g.IntN(3))
}

func (g *generator) upper(iterators []string) Integer {
	if len(iterators) > 0 && g.one(4) {
		it := variable(among(g, iterators...))
		return among(g, it, it.plus(1), it.plus(2), variable("N").add(it, -1), variable("M").plus(1).add(it, -1))
	}
	n, m := variable("N"), variable("M")
	return among(g, n, n, n, m, m, n.plus(-1), m.plus(1), m.plus(-2), constant(3), constant(7))
}

// extreme is MIN or MAX of two values.
func (g *generator) extreme(a, b Integer) Integer {
	return Integer{Terms: []Term{{Factor: 1, Choice: &Choice{Macro: among(g, "MIN", "MAX"), Then: a, Else: b}}}}
}

func (g *generator) quotient(dividend Integer, operator string) Integer {
	return Integer{Terms: []Term{{Factor: 1, Quotient: &Quotient{dividend, operator, 2 + g.IntN(2)}}}}
}

func (g *generator) condition(iterators []string) Condition {
	switch g.IntN(7) {
	case 0:
		return Condition{Operator: among(g, "&&", "||"), Parts: []Condition{g.condition(iterators), g.condition(iterators)}}
	case 1:
		return Condition{Operator: "!", Parts: []Condition{g.condition(iterators)}}
	}
	it, other := variable(among(g, iterators...)), variable(among(g, iterators...))
	n, m := variable("N"), variable("M")
	comparison := func(left Integer, operator string, right Integer) Condition {
		return Condition{Operator: operator, Left: left, Right: right}
	}
	return among(g,
		comparison(it, among(g, "<", "<=", ">", ">="), g.upper(nil)), comparison(it, "!=", constant(g.IntN(4))),
		comparison(it.add(other, 1), "<=", n), comparison(it, "==", other), comparison(it, ">", other),
		comparison(g.quotient(it, "%"), "==", constant(g.IntN(2))), comparison(g.quotient(it.add(other, 1), "%"), "!=", constant(1)),
		comparison(n, ">", constant(5)), comparison(n, ">=", m), comparison(it, "==", constant(2)),
		comparison(constant(0).add(it, 2), "<", m.add(other, 1)), comparison(it, ">=", n.plus(-2)))
}

// subscript is an affine expression of the iterators, most often one of them
// and a small constant.
func (g *generator) subscript(iterators []string) Integer {
	c := g.IntN(4)
	n, m := variable("N"), variable("M")
	if len(iterators) == 0 || g.one(14) {
		return among(g, constant(c), n.plus(c), m.plus(-c))
	}
	it, other := variable(among(g, iterators...)), variable(among(g, iterators...))
	if g.fancy && g.one(5) {
		return g.piecewise(it, other)
	}
	switch g.IntN(16) {
	case 0:
		return it.add(other, 1).plus(c)
	case 1:
		return it.add(other, -1).plus(c)
	case 2:
		return among(g, n, m).add(it, -1).plus(-c)
	case 3:
		return constant(c).add(it, 2)
	case 4:
		return constant(-c).add(it, -1).add(other, among(g, 2, -2))
	case 5, 6, 7, 8, 9:
		return it
	}
	return it.plus(c - 1)
}

// piecewise is a subscript with a division, a remainder or cases.
func (g *generator) piecewise(it, other Integer) Integer {
	n := variable("N")
	first := Condition{Operator: "==", Left: it, Right: constant(0)}
	last := Condition{Operator: ">=", Left: it, Right: n.plus(-1)}
	choice := func(c Condition, yes, no Integer) Integer {
		return Integer{Terms: []Term{{Factor: 1, Choice: &Choice{Condition: c, Then: yes, Else: no}}}}
	}
	return among(g,
		g.quotient(it, "%"), g.quotient(it.plus(1), "%"), g.quotient(it, "/"), g.quotient(it.add(other, 1), "/"),
		g.quotient(it.add(other, -1), "%"), choice(first, n.plus(-1), it.plus(-1)), choice(last, constant(0), it.plus(1)),
		choice(Condition{Operator: "<", Left: it, Right: other}, it, other), g.extreme(it, other), g.extreme(it.plus(-2), constant(0)))
}

// reference is an element of an array; of integer arrays only, if asked.
func (g *generator) reference(iterators []string, integers bool) (Reference, bool) {
	var suitable []Array
	for _, a := range g.program.Arrays {
		if a.Dimensions > 0 && (!integers || a.Type == "int") {
			suitable = append(suitable, a)
		}
	}
	if len(suitable) == 0 {
		return Reference{}, false
	}
	a := among(g, suitable...)
	r := Reference{Array: a.Name}
	for range a.Dimensions {
		r.Subscripts = append(r.Subscripts, g.subscript(iterators))
	}
	g.mask(&r, iterators)
	return r, true
}

// mask makes a subscript, now and then, depend on data.
func (g *generator) mask(r *Reference, iterators []string) {
	k := slices.IndexFunc(g.program.Arrays, func(a Array) bool { return a.Type == "int" && a.Dimensions == 1 })
	if k < 0 || !g.one(15) {
		return
	}
	index := Reference{g.program.Arrays[k].Name, []Integer{g.subscript(iterators)}}
	r.Subscripts[g.IntN(len(r.Subscripts))] = Integer{Terms: []Term{{Factor: 1, Masked: &index}}}
}

// scalar is a scalar of the function or, to be read, a local one.
func (g *generator) scalar(integers, local bool) (Reference, bool) {
	var suitable []string
	for _, a := range g.program.Arrays {
		if a.Dimensions == 0 && (!integers || a.Type == "int") {
			suitable = append(suitable, a.Name)
		}
	}
	for _, a := range g.locals {
		if local && (!integers || a.Type == "int") {
			suitable = append(suitable, a.Name)
		}
	}
	if len(suitable) == 0 {
		return Reference{}, false
	}
	return Reference{Array: among(g, suitable...)}, true
}

// statement is an assignment, before it now and then a temporary that it
// reads.
func (g *generator) statement(iterators []string) []Node {
	g.statements--
	if len(iterators) > 0 && g.one(8) {
		return g.temporary(iterators)
	}
	return []Node{{Assignment: g.assignment(iterators)}}
}

// assignment is one to an element or a scalar.
func (g *generator) assignment(iterators []string) *Assignment {
	target, _ := g.reference(iterators, false)
	if g.one(9) {
		target, _ = g.scalar(false, false)
	}
	a := &Assignment{Target: target, Operator: among(g, "=", "=", "=", "+=", "-=")}
	a.Values = g.values(iterators, g.program.Array(target.Array).Type == "int", a.Operator != "=")
	return a
}

// temporary is a scalar that is written and read in each iteration: one
// declared there or one of the function.
func (g *generator) temporary(iterators []string) []Node {
	kind := among(g, "double", "double", "float", "int")
	first := &Assignment{Operator: "="}
	if g.one(2) {
		first.Target, _ = g.scalar(false, false)
		kind = g.program.Array(first.Target.Array).Type
	} else {
		g.declared++
		first.Declare, first.Target.Array = kind, fmt.Sprintf("local%d", g.declared)
	}
	first.Values = g.values(iterators, kind == "int", false)
	if first.Declare == "int" && !slices.ContainsFunc(first.Values, func(v Value) bool { return v.Element != nil }) {
		first.Declare, kind = "double", "double" // an affine copy is no statement
	}
	target, _ := g.reference(iterators, false)
	second := &Assignment{Target: target, Operator: among(g, "=", "+=")}
	integers := g.program.Array(target.Array).Type == "int"
	second.Values = g.values(iterators, integers, second.Operator != "=")
	if kind == "int" || !integers {
		second.Values = append(second.Values, Value{Factor: factor(g, integers, false), Element: &Reference{Array: first.Target.Array}})
	}
	if first.Declare != "" {
		g.locals = append(g.locals, Array{Name: first.Target.Array, Type: kind})
	}
	return []Node{{Assignment: first}, {Assignment: second}}
}

// factor is one that keeps values small; smaller for sums that grow.
func factor(g *generator, integers, grows bool) string {
	switch {
	case integers:
		return among(g, "1", "2", "3", "-1")
	case grows:
		return among(g, "0.001", "-0.002", "0.003")
	}
	return among(g, "0.5", "0.25", "-0.3", "0.125")
}

// values are the terms of a right-hand side.
func (g *generator) values(iterators []string, integers, grows bool) []Value {
	var terms []Value
	for range 1 + g.IntN(3) {
		if v, ok := g.element(iterators, integers); ok {
			v.Factor = factor(g, integers, grows)
			terms = append(terms, v)
		}
	}
	if s, ok := g.scalar(integers, true); ok && g.one(7) {
		terms = append(terms, Value{Factor: factor(g, integers, grows), Element: &s})
	}
	if len(iterators) > 0 && (g.one(5) || len(terms) == 0) {
		it := variable(among(g, iterators...))
		value := among(g, it, it.plus(3), variable("N").add(it, -1), g.quotient(it, "%"), g.quotient(it, "/"))
		terms = append(terms, Value{Factor: factor(g, integers, grows), Integer: &value})
	}
	if len(terms) == 0 || g.one(10) {
		terms = append(terms, Value{Factor: among(g, "1", "2", "3")})
	}
	return terms
}

// element is a term that reads an element, or one of two.
func (g *generator) element(iterators []string, integers bool) (Value, bool) {
	r, ok := g.reference(iterators, integers)
	v := Value{Element: &r}
	if ok && !integers && g.one(8) {
		v.Function = "fabs"
	}
	if ok && len(iterators) > 0 && g.one(10) {
		c := g.condition(iterators)
		other, _ := g.reference(iterators, integers)
		v.Condition, v.Otherwise = &c, &other
	}
	return v, ok
}
