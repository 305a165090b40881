package randomprogram

import (
	"math/rand/v2"
	"slices"
)

// WithPlaces is the program of a seed that is about scalars which are assigned to an element in the
// end, and could have had their values there all the time, mostly: what is in the element before
// may be needed meanwhile, or the element may be another iteration's too.
func WithPlaces(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 79)), program: &Program{Seed: seed}}
	g.arrays()
	g.program.Arrays = append(g.program.Arrays, Array{Name: "P", Type: "double", Dimensions: 1 + g.IntN(2)},
		Array{Name: "w", Type: among(g, "double", "double", "double", "float"), Temporary: !g.one(6)})
	for range 1 + g.IntN(2) {
		g.program.Body = append(g.program.Body, g.nestOfPlaces(nil)...)
	}
	return g.program
}

// nestOfPlaces is a sum in one loop or two that begins with an element or without, and is assigned
// to one.
func (g *generator) nestOfPlaces(iterators []string) []Node {
	if len(iterators) < g.program.Array("P").Dimensions {
		l := g.upwards(iterators, g.upper(iterators))
		l.Body = g.nestOfPlaces(append(slices.Clip(iterators), l.Iterator))
		if g.one(3) {
			l.Body = append(l.Body, Node{Assignment: g.assignment(append(slices.Clip(iterators), l.Iterator))})
		}
		return []Node{{Loop: l}}
	}
	sum, own := Reference{Array: "w"}, g.place(iterators)
	start := &Assignment{Target: sum, Operator: "=", Values: []Value{{Element: &own}}}
	if g.one(3) {
		start.Values = g.values(iterators, false, false)
	}
	l := g.upwards(iterators, g.upper(iterators))
	inside := append(slices.Clip(iterators), l.Iterator)
	l.Body = []Node{{Assignment: &Assignment{Target: sum, Operator: among(g, "+=", "-="), Values: g.values(inside, false, true)}}}
	if g.one(2) {
		other := g.place(inside)
		l.Body[0].Assignment.Values = []Value{{Factor: factor(g, false, true), Element: &other}}
	}
	end := &Assignment{Target: own, Operator: "=", Values: []Value{{Element: &sum}}}
	if g.one(4) {
		end.Target = g.place(iterators)
	}
	if g.one(3) {
		end.Values = append(end.Values, g.values(iterators, false, true)...)
	}
	last := Node{Assignment: end}
	if g.one(8) {
		last = Node{If: &If{Condition: g.condition(iterators), Then: []Node{last}}}
	}
	return []Node{{Assignment: start}, {Loop: l}, last}
}

// place is an element of P, of the iteration's own mostly.
func (g *generator) place(iterators []string) Reference {
	r := Reference{Array: "P"}
	outer := iterators[:g.program.Array("P").Dimensions]
	for k := range outer {
		it := variable(iterators[k])
		if g.one(3) {
			it = variable(among(g, iterators...))
		}
		if g.one(4) {
			it = it.plus(g.IntN(3) - 1)
		}
		r.Subscripts = append(r.Subscripts, it)
	}
	return r
}
