package randomprogram

import (
	"math/rand/v2"
	"slices"
)

// WithTemporaries is the program of a seed that is about variables whose
// contents mostly nobody looks at in the end: scalars and an array that iterations
// write and read, mostly, but not always, in this order.
func WithTemporaries(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 78)), program: &Program{Seed: seed}}
	g.program.IteratorsOutside = g.one(4)
	g.arrays()
	for k := range g.program.Arrays {
		a := &g.program.Arrays[k]
		a.Temporary = a.Dimensions == 0 && !a.Global
	}
	outlives := g.one(3)
	g.program.Arrays = append(g.program.Arrays, Array{Name: "T", Type: "double", Dimensions: 1, Temporary: !outlives, Global: outlives && g.one(2)})
	g.fancy = g.one(4)
	for range 1 + g.IntN(2) {
		g.program.Body = append(g.program.Body, g.nestOfSums(nil)...)
	}
	return g.program
}

// nestOfSums is a sum in one loop or two, whose value is then used.
func (g *generator) nestOfSums(iterators []string) []Node {
	if len(iterators) == 0 || len(iterators) == 1 && g.one(3) {
		l := g.upwards(iterators, g.upper(iterators))
		l.Body = g.nestOfSums(append(slices.Clip(iterators), l.Iterator))
		return []Node{{Loop: l}}
	}
	if g.one(3) {
		return g.sumsOfArray(iterators)
	}
	sum, _ := g.scalar(false, false)
	integers := g.program.Array(sum.Array).Type == "int"
	start := []Node{{Assignment: &Assignment{Target: sum, Operator: "=", Values: g.values(iterators, integers, false)}}}
	if g.one(5) {
		start = []Node{{If: &If{Condition: g.condition(iterators), Then: start}}}
	}
	l := g.upwards(iterators, g.upper(iterators))
	inside := append(slices.Clip(iterators), l.Iterator)
	l.Body = []Node{{Assignment: &Assignment{Target: sum, Operator: "+=", Values: g.values(inside, integers, true)}}}
	return slices.Concat(start, []Node{{Loop: l}, g.use(iterators, sum)})
}

// sumsOfArray are a loop that writes elements and one that uses some of them.
func (g *generator) sumsOfArray(iterators []string) []Node {
	extent := 2 + g.IntN(3)
	write, read := g.upwards(iterators, constant(extent)), g.upwards(iterators, constant(extent-g.IntN(2)))
	self := variable(write.Iterator)
	inside := append(slices.Clip(iterators), write.Iterator)
	write.Body = []Node{{Assignment: &Assignment{Target: Reference{"T", []Integer{self}}, Operator: "=", Values: g.values(inside, false, false)}}}
	other := among(g, self, constant(extent-1).add(self, -1), self, self.plus(1))
	read.Body = []Node{g.use(inside, Reference{"T", []Integer{other}})}
	return []Node{{Loop: write}, {Loop: read}}
}

// upwards is a loop from 0 to an upper bound, without a body.
func (g *generator) upwards(iterators []string, upper Integer) *Loop {
	l := &Loop{Iterator: []string{"i", "j", "k"}[len(iterators)], Step: 1}
	l.Tests = []Condition{{Operator: "<", Left: variable(l.Iterator), Right: upper}}
	return l
}

// use is an assignment that reads the element.
func (g *generator) use(iterators []string, element Reference) Node {
	target, _ := g.reference(iterators, false)
	integers := g.program.Array(target.Array).Type == "int"
	a := &Assignment{Target: target, Operator: among(g, "=", "+="), Values: g.values(iterators, integers, true)}
	if !integers || g.program.Array(element.Array).Type == "int" {
		a.Values = append(a.Values, Value{Factor: factor(g, integers, true), Element: &element})
	}
	return Node{Assignment: a}
}
