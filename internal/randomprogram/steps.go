package randomprogram

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// WithSteps is the program of a seed that is about values of integer variables in steps: clamps,
// branches, counters, values of loops behind them, break and continue, and names of constants.
func WithSteps(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 80)), program: &Program{Seed: seed}}
	g.program.Bare, g.program.Long, g.program.Named = g.one(3), g.one(10), g.one(2)
	g.arrays()
	g.strides = true
	for range 1 + g.IntN(2) {
		g.statements += 1 + g.IntN(2)
		g.program.Body = append(g.program.Body, among(g, g.clamped, g.counted, g.leaving)(nil)...)
	}
	return g.program
}

// around puts items into a loop or two, until there are iterators for them.
func (g *generator) around(iterators []string, least int, inside func([]string) []Node) []Node {
	if len(iterators) >= least {
		return inside(iterators)
	}
	l := g.upwards(iterators, g.upper(iterators))
	if g.one(3) {
		l.Step = 2 + g.IntN(2)
	}
	l.Body = g.around(append(slices.Clip(iterators), l.Iterator), least, inside)
	return []Node{{Loop: l}}
}

// newName is a name for a variable.
func (g *generator) newName() string {
	g.declared++
	return fmt.Sprintf("m%d", g.declared)
}

// clamped is a variable that gets a value, and another one under conditions.
func (g *generator) clamped(iterators []string) []Node {
	return g.around(iterators, 1+g.IntN(2), func(iterators []string) []Node {
		it, other := variable(among(g, iterators...)), variable(among(g, iterators...))
		name := g.newName()
		self := variable(name)
		names := append(slices.Clip(iterators), name)
		nodes := []Node{{Copy: &Copy{Name: name, Value: among(g, it.plus(-1), it.plus(2), it.add(other, 1), constant(g.IntN(3)))}}}
		for range 1 + g.IntN(3) {
			nodes = append(nodes, g.change(iterators, self)...)
			if g.one(2) {
				nodes = append(nodes, Node{Assignment: g.assignment(names)})
			}
		}
		return []Node{{Block: append(nodes, Node{Assignment: g.assignment(append(names, name, name))})}}
	})
}

// change gives a variable another value, under a condition mostly.
func (g *generator) change(iterators []string, self Integer) []Node {
	it := variable(among(g, iterators...))
	name := self.Terms[0].Variable
	set := func(operator string, value Integer) Node { return Node{Set: &Set{name, operator, value}} }
	compared := func(operator string, right Integer) Condition {
		return Condition{Operator: operator, Left: self, Right: right}
	}
	switch g.IntN(6) {
	case 0:
		return []Node{set(among(g, "+=", "-="), among(g, constant(1+g.IntN(3)), it))}
	case 1:
		return []Node{set("=", among(g, it, self.plus(1), constant(2)))}
	case 2:
		return []Node{{If: &If{Condition: compared("<", constant(0)), Then: []Node{set("=", among(g, constant(0), variable("N").plus(-1)))}}}}
	case 3:
		return []Node{{If: &If{Condition: compared(">=", variable("N")), Then: []Node{set("-=", variable("N"))}}}}
	}
	return []Node{{If: &If{Condition: g.condition(iterators), Then: []Node{set(among(g, "=", "+="), it.plus(g.IntN(2)))}, Else: []Node{set("=", constant(g.IntN(4)))}}}}
}

// counted is a variable that counts iterations, in the loop's header or in its body.
func (g *generator) counted(iterators []string) []Node {
	return g.around(iterators, g.IntN(2), func(iterators []string) []Node {
		name, by := g.newName(), 1+g.IntN(3)
		l := g.upwards(iterators, among(g, variable("N"), variable("M").plus(1), constant(4)))
		if g.one(3) {
			l.Step = 2 + g.IntN(2)
		}
		inside := append(slices.Clip(iterators), l.Iterator)
		names := append(slices.Clip(inside), name, name)
		step := Node{Set: &Set{name, "+=", constant(by)}}
		l.Body = []Node{{Assignment: g.assignment(names)}}
		switch g.IntN(3) {
		case 0:
			l.Also = []Set{*step.Set}
		case 1:
			l.Body = append(l.Body, step)
		default:
			l.Body = append([]Node{step}, l.Body...)
		}
		if len(inside) < 3 && g.one(3) {
			inner := g.upwards(inside, constant(3))
			inner.Body = []Node{{Assignment: g.assignment(append(names, inner.Iterator))}}
			inner.Also = []Set{{name, "+=", constant(1)}}
			l.Body = append(l.Body, Node{Loop: inner})
		}
		behind := []Node{{Assignment: g.assignment(append(slices.Clip(iterators), name, name))}}
		if g.one(4) {
			l.Tests = append(l.Tests, Condition{Operator: among(g, "<", "<="), Left: variable(name), Right: among(g, variable("N").plus(3), variable("M").add(variable(l.Iterator), -1))})
			behind = nil
		}
		start := Node{Copy: &Copy{Name: name, Value: among(g, constant(0), constant(2), variable("M"))}}
		return []Node{{Block: append([]Node{start, {Loop: l}}, behind...)}}
	})
}

// leaving is a loop with break or continue under conditions of its iterators, or one statement that
// depends on data.
func (g *generator) leaving(iterators []string) []Node {
	return g.around(iterators, 1+g.IntN(2), func(iterators []string) []Node {
		nodes := []Node{{Assignment: g.assignment(iterators)}}
		for range 1 + g.IntN(2) {
			exit := Node{Exit: &Exit{g.one(2)}}
			inside := []Node{exit}
			if g.one(3) {
				inside = []Node{{Assignment: g.assignment(iterators)}, {If: &If{Condition: g.condition(iterators), Then: []Node{exit}}}}
			}
			nodes = append(nodes, Node{If: &If{Condition: g.condition(iterators), Then: inside}}, Node{Assignment: g.assignment(iterators)})
		}
		if g.one(3) {
			opaque := g.guarded(iterators)
			opaque[0].Guarded.Style = among(g, "for", "switch", "do")
			nodes = append(nodes, opaque...)
		}
		return nodes
	})
}
