// Package randomalgorithm makes random algorithms in the language of package algorithm. They are
// right: all reads are inside of domains, no integer overflows where C does not say what becomes of
// it, and no floating-point value that is no number becomes an integer.
package randomalgorithm

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/algorithm"
)

// Name is that of all functions.
const Name = "drawn"

// Sizes are the names of their sizes.
var Sizes = []string{"N", "M"}

// side is the range of a subscript: from low to size + high - 1.
type side struct {
	low  int
	size string
	high int
}

// isFull says whether there is a subscript for sizes of at least 1.
func (s side) isFull() bool { return 1+s.high > s.low }

// last is the greatest subscript.
func (s side) last() string { return plus(s.size, s.high-1) }

// value is one that expressions can read.
type value struct {
	name  string
	of    algorithm.Type
	sides []side
	// domain is that of a value whose domain is no box, which is read by the same iterators alone.
	domain string
	// isInput says that it is an input.
	isInput bool
}

// generator draws an algorithm.
type generator struct {
	*rand.Rand
	f      *algorithm.Function
	values []*value
	// sides and domain are those of the computation that is drawn.
	sides  []side
	domain string
	names  int
}

// iterators are the names of those of a computation.
var iterators = []string{"i", "j", "k"}

// New is the algorithm of a seed.
func New(seed uint64) *algorithm.Function {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 44)), f: algorithm.New(Name, Sizes...)}
	for range 1 + g.IntN(3) {
		g.input()
	}
	g.numbers()
	for range 1 + g.IntN(4) {
		g.step()
	}
	g.result()
	return g.f
}

// one is true once in so many times.
func (g *generator) one(in int) bool { return g.IntN(in) == 0 }

func among[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) name(kind string) string {
	g.names++
	return fmt.Sprintf("%s%d", kind, g.names)
}

// types are those of values, the ones of numbers in practice more often.
var types = []algorithm.Type{
	algorithm.Float32, algorithm.Float64, algorithm.Float32, algorithm.Float64, algorithm.Float64, algorithm.Int32, algorithm.Int32, algorithm.Uint8,
	algorithm.Int8, algorithm.Int16, algorithm.Uint16, algorithm.Uint32, algorithm.Int64, algorithm.Uint64, algorithm.Bool,
}

func isFloating(t algorithm.Type) bool { return t == algorithm.Float32 || t == algorithm.Float64 }

func (g *generator) input() {
	v := &value{name: g.name("a"), of: among(g, types...), isInput: true}
	extents := make([]any, 1+g.IntN(2))
	for k := range extents {
		s := side{0, among(g, Sizes...), g.IntN(4)}
		v.sides = append(v.sides, s)
		extents[k] = plus(s.size, s.high)
	}
	g.f.Input(v.name, v.of, extents...)
	g.values = append(g.values, v)
}

// numbers declares a number of the caller's and a constant.
func (g *generator) numbers() {
	if g.one(3) {
		v := &value{name: g.name("x"), of: among(g, algorithm.Float32, algorithm.Float64, algorithm.Int32), isInput: true}
		g.f.Input(v.name, v.of)
		g.values = append(g.values, v)
	}
	if g.one(3) {
		v := &value{name: g.name("g"), of: algorithm.Float64, isInput: true}
		g.f.Constant(v.name, v.of, among(g, "0.25", "3.5", "N * 0.5"))
		g.values = append(g.values, v)
	}
}

// step declares a computation, two that share loops, or an update.
func (g *generator) step() {
	var own []*value
	for _, v := range g.values {
		if !v.isInput {
			own = append(own, v)
		}
	}
	switch {
	case len(own) > 0 && g.one(3):
		g.update(among(g, own...))
	case g.one(6):
		g.together()
	default:
		g.computation()
	}
}

// computation declares one.
func (g *generator) computation() *value {
	v := &value{name: g.name("s"), of: among(g, types...)}
	g.box(among(g, 0, 1, 1, 1, 2, 2, 2, 2, 3))
	if g.one(3) {
		v.domain = g.narrow()
	}
	v.sides = g.sides
	g.f.Computation(v.name+g.head(), v.of, g.domain, g.stored(v.of))
	g.values = append(g.values, v)
	return v
}

// box draws the sides of a domain.
func (g *generator) box(dimensions int) {
	g.sides, g.domain = nil, ""
	for k := range dimensions {
		s := side{among(g, 0, 0, 0, 1, 2, -1), among(g, Sizes...), among(g, 0, 0, 0, -1, -2, 1)}
		g.sides = append(g.sides, s)
		g.and(fmt.Sprintf("%d <= %s < %s", s.low, iterators[k], plus(s.size, s.high)))
	}
}

func (g *generator) and(condition string) {
	if g.domain != "" {
		g.domain += " and "
	}
	g.domain += condition
}

// narrow gives the domain another condition, or takes that of another value, and is the domain then.
func (g *generator) narrow() string {
	if len(g.sides) == 0 {
		return ""
	}
	for _, other := range g.values {
		if other.domain != "" && g.one(2) {
			g.sides, g.domain = other.sides, other.domain
			return g.domain
		}
	}
	last := iterators[g.IntN(len(g.sides))]
	conditions := []string{fmt.Sprintf("%s mod %d = %d", last, 2+g.IntN(2), g.IntN(2)), fmt.Sprintf("(%s < 2 or %s > 4)", last, last)}
	if len(g.sides) > 1 {
		conditions = append(conditions, fmt.Sprintf("j <= i + %d", g.IntN(3)), fmt.Sprintf("i + j < M + %d", g.IntN(3)), fmt.Sprintf("j >= i - %d", g.IntN(2)))
	}
	g.and(among(g, conditions...))
	return g.domain
}

func (g *generator) head() string {
	if len(g.sides) == 0 {
		return ""
	}
	text := ""
	for k := range g.sides {
		text += ", " + iterators[k]
	}
	return "[" + text[2:] + "]"
}

// update declares further values of one.
func (g *generator) update(v *value) {
	if v.domain != "" || slices.ContainsFunc(v.sides, func(s side) bool { return !s.isFull() }) || len(v.sides) == 0 && v.of == algorithm.Bool {
		g.computation()
		return
	}
	switch {
	case len(v.sides) == 0 || len(v.sides) < 3 && g.one(2):
		g.sum(v)
	case g.one(3):
		g.reversed(v)
	case g.one(2):
		g.scattered(v)
	default:
		g.recurrence(v)
	}
}

// within draws a box inside that of a value.
func (g *generator) within(v *value) {
	g.sides, g.domain = nil, ""
	for k, s := range v.sides {
		s.low, s.high = s.low+g.IntN(2), s.high-g.IntN(2)
		g.sides = append(g.sides, s)
		g.and(fmt.Sprintf("%d <= %s < %s", s.low, iterators[k], plus(s.size, s.high)))
	}
}

// more declares an update with a value that is added to what is there, and perhaps a condition.
func (g *generator) more(v *value, head, there string) {
	g.f.Update(v.name+head, g.domain, g.wrapped(v.of, there+" "+among(g, "+", "-", "+")+" "+g.product(v.of)))
	if g.one(3) {
		name, count := v.name, 0
		for _, d := range g.f.Description().Declarations {
			if d.Kind == algorithm.KindUpdate && d.Name == name {
				count++
			}
		}
		g.f.Where(fmt.Sprintf("%s_%d", name, count), g.condition(1))
	}
}

// sum is over one more iterator.
func (g *generator) sum(v *value) {
	g.within(v)
	head := ""
	for k := range v.sides {
		head += iterators[k] + ", "
	}
	s := side{0, among(g, Sizes...), 0}
	k := iterators[len(v.sides)]
	g.sides = append(g.sides, s)
	g.and(fmt.Sprintf("0 <= %s < %s", k, s.size))
	there := v.name
	if len(v.sides) > 0 {
		there += "(" + head[:len(head)-2] + ")"
	}
	g.more(v, "["+head+k+"]", there)
}

// reversed writes the elements from the other end.
func (g *generator) reversed(v *value) {
	g.within(v)
	g.sides[0] = v.sides[0]
	element := v.name + "(" + fmt.Sprintf("%s - i", plus(v.sides[0].size, v.sides[0].high-1+v.sides[0].low))
	for k := range v.sides[1:] {
		element += ", " + iterators[k+1]
	}
	element += ")"
	g.domain = ""
	for k, s := range g.sides {
		g.and(fmt.Sprintf("%d <= %s < %s", s.low, iterators[k], plus(s.size, s.high)))
	}
	g.more(v, g.head()+": "+element, element)
}

// scattered writes elements that data choose.
func (g *generator) scattered(v *value) {
	key := g.keys()
	if key == "" || len(v.sides) != 1 {
		g.recurrence(v)
		return
	}
	s := v.sides[0]
	element := fmt.Sprintf("%s(clamp(%s, %d, %s))", v.name, key, s.low, s.last())
	g.more(v, g.head()+": "+element, element)
}

// keys draws a box over which an input of integers is read, and is the value that is read; "" for
// none.
func (g *generator) keys() string {
	for _, v := range g.values {
		if v.isInput && !isFloating(v.of) && v.of != algorithm.Uint32 && v.of != algorithm.Uint64 && len(v.sides) == 1 {
			g.sides = []side{v.sides[0]}
			g.domain = fmt.Sprintf("0 <= i < %s", plus(v.sides[0].size, v.sides[0].high))
			return fmt.Sprintf("int32(%s(i)) %% 16", v.name)
		}
	}
	return ""
}

// recurrence adds what came before along one dimension.
func (g *generator) recurrence(v *value) {
	g.within(v)
	g.sides[0].low = v.sides[0].low + 1
	g.domain = ""
	there, before := "", ""
	for k, s := range g.sides {
		g.and(fmt.Sprintf("%d <= %s < %s", s.low, iterators[k], plus(s.size, s.high)))
		there += ", " + iterators[k]
		before += ", " + iterators[k]
		if k == 0 {
			before = ", i - 1"
		}
	}
	there, before = v.name+"("+there[2:]+")", v.name+"("+before[2:]+")"
	half := among(g, there, before) + " / 2"
	g.more(v, g.head(), half)
}

// together declares two computations that are done one after the other in each step of a loop.
func (g *generator) together() {
	a, b := &value{name: g.name("t"), of: algorithm.Float64}, &value{name: g.name("t"), of: algorithm.Float64}
	g.sides = []side{{0, "M", 0}, {0, "N", 0}}
	g.domain = "0 <= i < M and 0 <= j < N"
	a.sides, b.sides = g.sides, g.sides
	g.f.Computation(a.name+"[i, j]", a.of, g.domain, fmt.Sprintf("select(i > 0, %s(i - 1, %s), %s)", b.name, among(g, "j", "max(j - 1, 0)", "min(j + 1, N - 1)"), g.sums(1)))
	g.f.Computation(b.name+"[i, j]", b.of, g.domain, fmt.Sprintf("%s(i, %s) * 0.5 + %s", a.name, among(g, "j", "max(j - 1, 0)", "N - 1 - j"), g.sums(1)))
	g.f.Together("i", a.name, b.name)
	g.values = append(g.values, a, b)
}

// result declares the outputs: the last value, and some of the others.
func (g *generator) result() {
	last := g.values[len(g.values)-1]
	if last.isInput || slices.ContainsFunc(last.sides, func(s side) bool { return s.low < 0 }) {
		last = g.lastOne()
	}
	for _, v := range g.values {
		negative := slices.ContainsFunc(v.sides, func(s side) bool { return s.low < 0 })
		if v.isInput || negative || v != last && g.one(2) {
			continue
		}
		extents := make([]any, len(v.sides))
		for k, s := range v.sides {
			extents[k] = plus(s.size, max(s.high, 0))
		}
		g.f.Output(v.name, extents...)
	}
}

// lastOne declares a computation that the caller gets, of every three one in the place of an input.
func (g *generator) lastOne() *value {
	v := &value{name: g.name("s"), of: among(g, types...)}
	g.box(2)
	g.domain = ""
	extents := make([]any, len(g.sides))
	for k := range g.sides {
		s := &g.sides[k]
		s.low = max(s.low, 0)
		extents[k] = plus(s.size, max(s.high, 0))
		g.and(fmt.Sprintf("%d <= %s < %s", s.low, iterators[k], plus(s.size, s.high)))
	}
	v.sides = g.sides
	if !g.one(3) {
		g.f.Computation(v.name+g.head(), v.of, g.domain, g.stored(v.of))
		g.values = append(g.values, v)
		return v
	}
	image := g.name("a")
	g.f.Input(image, v.of, extents...)
	g.f.Computation(v.name+g.head(), v.of, g.domain, g.wrapped(v.of, image+"(i, j) - "+g.product(v.of)))
	g.f.InPlace(image, v.name)
	return v
}

// plus is a name with a number added to it.
func plus(name string, number int) string {
	switch {
	case number > 0:
		return fmt.Sprintf("%s + %d", name, number)
	case number < 0:
		return fmt.Sprintf("%s - %d", name, -number)
	}
	return name
}
