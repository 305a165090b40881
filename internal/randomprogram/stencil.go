package randomprogram

import (
	"math/rand/v2"
	"slices"
)

// Stencil is the program of a seed in which one to three sweeps over a line or
// a grid are repeated along time: each element becomes a sum of its
// neighbours, on a ring now and then. Its tiles need wavefronts and can start
// together more often than those of Random's programs.
func Stencil(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 79)), program: &Program{Seed: seed}}
	g.program.IteratorsOutside, g.program.Bare, g.program.Long = g.one(4), g.one(3), g.one(10)
	dimensions := among(g, 1, 1, 1, 2)
	arrays := []string{"A", "B", "C"}[:1+g.IntN(3)]
	for _, name := range arrays {
		g.program.Arrays = append(g.program.Arrays, Array{Name: name, Type: among(g, "double", "double", "float"), Dimensions: dimensions, Parametric: g.one(2)})
	}
	s := stencil{g, 1 + g.IntN(6)/5, g.one(3)}
	time := g.upwards(nil, among(g, variable("M"), variable("M").plus(-1), constant(6)))
	for k, target := range arrays {
		time.Body = append(time.Body, s.sweep(target, arrays[(k+1)%len(arrays)], dimensions, []string{time.Iterator}))
	}
	g.program.Body = []Node{{Loop: time}}
	return g.program
}

// Sweeps is Stencil's program with each sweep done once: a loop for each dimension, and plain sums
// of elements beside each other.
func Sweeps(seed uint64) *Program {
	p := Stencil(seed)
	p.Body = p.Body[0].Loop.Body
	return p
}

// stencil is how far neighbours are, and whether both ends meet.
type stencil struct {
	*generator
	radius int
	ring   bool
}

// sweep is a nest of loops over the elements of target, each a sum of elements
// of source and, now and then, of target.
func (s stencil) sweep(target, source string, dimensions int, iterators []string) Node {
	if len(iterators) > dimensions {
		return Node{Assignment: s.update(target, source, iterators[1:])}
	}
	n := variable("N")
	l := s.upwards(iterators, n)
	if !s.ring {
		l.Start, l.Tests[0].Right = constant(s.radius), n.plus(-s.radius)
	}
	l.Body = []Node{s.sweep(target, source, dimensions, append(slices.Clip(iterators), l.Iterator))}
	return Node{Loop: l}
}

// update is the assignment in a sweep.
func (s stencil) update(target, source string, iterators []string) *Assignment {
	a := &Assignment{Target: Reference{Array: target}, Operator: "="}
	for _, it := range iterators {
		a.Target.Subscripts = append(a.Target.Subscripts, variable(it))
	}
	for range 2 + s.IntN(2) {
		from := source
		if s.one(25) { // which keeps most tiles from starting together
			from = target
		}
		r := &Reference{Array: from}
		for _, it := range iterators {
			r.Subscripts = append(r.Subscripts, s.neighbour(variable(it)))
		}
		a.Values = append(a.Values, Value{Factor: among(s.generator, "0.25", "-0.3", "0.125"), Element: r})
	}
	return a
}

// neighbour is a place near the iterator's.
func (s stencil) neighbour(it Integer) Integer {
	distance := s.IntN(2*s.radius+1) - s.radius
	if !s.ring || distance == 0 {
		return it.plus(distance)
	}
	n := variable("N")
	end, other := Condition{Operator: "<", Left: it, Right: constant(-distance)}, it.plus(distance).add(n, 1)
	if distance > 0 {
		end, other = Condition{Operator: ">=", Left: it, Right: n.plus(-distance)}, it.plus(distance).add(n, -1)
	}
	return Integer{Terms: []Term{{Factor: 1, Choice: &Choice{Condition: end, Then: other, Else: it.plus(distance)}}}}
}
