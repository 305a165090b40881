package randomprogram

import (
	"math/rand/v2"
	"slices"
)

// Timed is the program of a seed that is, mostly, a stencil in the canonical form of hexagonal
// tiles: one to three sweeps over a line or a grid in one loop over time, whose elements come from
// those of up to three steps before, by distances that are no mirror images of each other. Steps
// lie in levels that follow each other in a ring, in one level for each step, or in one level that
// the next statement reads. Now and then there is something in the way: a condition, a step of time
// that is not one, a row that is set apart, a statement that reads what its own sweep has just
// written, or distances that grow with the size.
func Timed(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 83)), program: &Program{Seed: seed}}
	g.program.IteratorsOutside, g.program.Bare, g.program.Long = g.one(4), g.one(3), g.one(10)
	s := timed{generator: g, dimensions: among(g, 1, 1, 2), levels: among(g, 1, 1, 2, 3, 3, 4, 0), arrays: []string{"A", "B", "C"}[:1+g.IntN(3)], odd: g.one(6)}
	if s.levels == 1 && len(s.arrays) == 1 {
		s.arrays = []string{"A", "B"}
	}
	kind := among(g, "double", "double", "float")
	for _, name := range s.arrays {
		a := Array{Name: name, Type: kind, Dimensions: s.dimensions, Parametric: s.levels == 1 && g.one(2)}
		if s.levels != 1 {
			a.Dimensions++
		}
		g.program.Arrays = append(g.program.Arrays, a)
	}
	time := s.timeLoop()
	for k := range s.arrays {
		if s.odd && s.dimensions > 1 && g.one(2) {
			time.Body = append(time.Body, s.row(k, time.Iterator))
		}
		time.Body = append(time.Body, s.sweep(k, []string{time.Iterator}))
	}
	g.program.Body = []Node{{Loop: time}}
	return g.program
}

// timed is how a stencil lies in its arrays: in so many levels of each, one for each step where
// that is 0. Odd ones have something that is in the way of tiles, at times.
type timed struct {
	*generator
	dimensions, levels int
	arrays             []string
	odd                bool
}

// farthest is the largest distance in space.
const farthest = 3

// timeLoop is the loop around all sweeps.
func (s timed) timeLoop() *Loop {
	l := s.upwards(nil, among(s.generator, variable("M"), variable("M").plus(-1), variable("M").plus(2), constant(7)))
	l.Start = constant(s.IntN(3))
	if s.odd && s.one(4) {
		l.Step = 2
	}
	return l
}

// sweep is a nest of loops over the elements of an array.
func (s timed) sweep(number int, iterators []string) Node {
	if len(iterators) > s.dimensions {
		return s.update(number, iterators)
	}
	l := s.upwards(iterators, variable("N").plus(-s.IntN(3)))
	l.Start = constant(s.IntN(4))
	if s.one(6) {
		l.Start, l.Step = variable("N").plus(-s.IntN(3)-1), -1
		l.Tests = []Condition{{Operator: ">=", Left: variable(l.Iterator), Right: constant(s.IntN(4))}}
	}
	l.Body = []Node{s.sweep(number, append(slices.Clip(iterators), l.Iterator))}
	return Node{Loop: l}
}

// update is the assignment in a sweep, under a condition now and then.
func (s timed) update(number int, iterators []string) Node {
	a := &Assignment{Target: s.element(number, iterators[0], 0, s.at(iterators, nil)), Operator: "="}
	for range 1 + s.IntN(3) {
		a.Values = append(a.Values, Value{Factor: among(s.generator, "0.25", "-0.3", "0.125", "0.5"), Element: s.source(number, iterators)})
	}
	if s.odd && s.one(4) {
		return Node{If: &If{Condition: s.condition(iterators), Then: []Node{{Assignment: a}}}}
	}
	return Node{Assignment: a}
}

// source is an element of a step before, or of this step's where a sweep in front has written it.
func (s timed) source(number int, iterators []string) *Reference {
	from := s.IntN(len(s.arrays))
	var distances []int
	for range s.dimensions {
		distances = append(distances, s.IntN(2*farthest+1)-farthest)
	}
	back := 0
	switch {
	case s.levels == 1 && from == number && !(s.odd && s.one(3)): // what its own sweep writes
		distances = make([]int, s.dimensions)
	case s.levels == 1:
	case from < number && s.one(2):
	case s.levels == 0:
		back = 1 + s.IntN(3)
	default:
		back = 1 + s.IntN(s.levels-1)
	}
	at := s.at(iterators, distances)
	if s.odd && s.one(6) { // distances that grow with the size
		at[0] = variable("N").add(at[0], -1)
	}
	r := s.element(from, iterators[0], back, at)
	return &r
}

// at are the iterators of space, so far away.
func (s timed) at(iterators []string, distances []int) (at []Integer) {
	for k, it := range iterators[1:] {
		place := variable(it)
		if distances != nil {
			place = place.plus(distances[k])
		}
		at = append(at, place)
	}
	return at
}

// element is one of the level of so many steps before.
func (s timed) element(number int, time string, back int, at []Integer) Reference {
	r := Reference{Array: s.arrays[number]}
	switch level := variable(time).plus(max(s.levels, 4) - 1 - back); {
	case s.levels == 0:
		r.Subscripts = []Integer{level}
	case s.levels > 1:
		r.Subscripts = []Integer{{Terms: []Term{{Factor: 1, Quotient: &Quotient{level, "%", s.levels}}}}}
	}
	r.Subscripts = append(r.Subscripts, at...)
	return r
}

// row sets a row of an array in a loop less than the others are in.
func (s timed) row(number int, time string) Node {
	l := s.upwards([]string{time}, variable("N"))
	at := []Integer{constant(s.IntN(3)), variable(l.Iterator)}
	source := s.element(number, time, 0, []Integer{at[0].plus(1 + s.IntN(2)), at[1].plus(s.IntN(3) - 1)})
	l.Body = []Node{{Assignment: &Assignment{Target: s.element(number, time, 0, at), Operator: "=", Values: []Value{{Factor: "0.5", Element: &source}}}}}
	return Node{Loop: l}
}
