package randomprogram

import (
	"math/rand/v2"
	"slices"
)

// extrema are the functions that Source calls for the operators "min" and
// "max".
var extrema = map[string]string{
	"min": "static int smaller(int a, int b) { return a < b ? a : b; }\n",
	"max": "static int larger(int a, int b) { return a > b ? a : b; }\n",
}

// calls are the names of these functions.
var calls = map[string]string{"min": "smaller", "max": "larger"}

// WithReductions is the program of a seed that is about sums, products, minima
// and maxima of integers: their results do not depend on the order of updates,
// so that they can be compared bit for bit whatever it is. Arithmetic wraps.
func WithReductions(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 79)), program: &Program{Seed: seed, Reassociate: true}}
	g.program.IteratorsOutside = g.one(4)
	g.arrays()
	for k := range g.program.Arrays {
		g.program.Arrays[k].Type = "int"
		g.program.Arrays[k].Dimensions = min(g.program.Arrays[k].Dimensions, 2)
	}
	for range 1 + g.IntN(2) {
		g.program.Body = append(g.program.Body, g.nestOfUpdates(nil)...)
	}
	return g.program
}

// nestOfUpdates is a loop with updates and other assignments, in up to three
// loops, or some of them at the level of the iterators.
func (g *generator) nestOfUpdates(iterators []string) []Node {
	l := g.upwards(iterators, g.upper(iterators))
	inside := append(slices.Clip(iterators), l.Iterator)
	if len(inside) < 3 && !g.one(len(inside)+1) {
		l.Body = g.nestOfUpdates(inside)
	} else {
		l.Body = []Node{{Assignment: g.reduction(inside)}}
	}
	if g.one(4) {
		l.Body = append(l.Body, Node{Assignment: g.reduction(inside)})
	}
	nodes := []Node{{Loop: l}}
	if g.one(4) {
		nodes = append([]Node{{Assignment: g.assignment(iterators)}}, nodes...)
	}
	if g.one(4) {
		nodes = append(nodes, Node{Assignment: g.assignment(iterators)})
	}
	return nodes
}

// reduction is an assignment that updates a scalar, or an element whose
// subscripts are those of few loops.
func (g *generator) reduction(iterators []string) *Assignment {
	target, _ := g.reference(iterators, true)
	for k := range target.Subscripts {
		switch g.IntN(4) {
		case 0:
			target.Subscripts[k] = constant(g.IntN(3))
		case 1, 2:
			target.Subscripts[k] = variable(among(g, iterators...)).plus(g.IntN(2))
		}
	}
	if g.one(3) {
		target, _ = g.scalar(true, false)
	}
	a := &Assignment{Target: target, Operator: among(g, "+=", "+=", "-=", "*=", "min", "max")}
	a.Values = g.values(iterators, true, true)
	return a
}
