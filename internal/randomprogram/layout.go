package randomprogram

import "fmt"

// Layout is where the elements of a program's arrays lie: subscripts are
// shifted so that they are never negative, and extents are as large as they
// need to be at the sizes the program is run at.
type Layout struct {
	// Sizes are those at which the program can be run.
	Sizes []Size
	// Shifts are added to the subscripts of an array, per dimension.
	Shifts map[string][]int
	// Extents are the extents of the arrays in C.
	Extents map[string][]string
	// Elements is the largest number of elements of each array.
	Elements map[string]int
}

// maxSteps bounds the iterations and instances of a program at one size.
const maxSteps = 60_000

// extent is the range of one subscript at each size.
type extent struct{ low, high []int }

// NewLayout runs the program at all the sizes and lays out its arrays for
// those at which it is defined.
func NewLayout(p *Program, sizes []Size) Layout {
	l := Layout{Shifts: map[string][]int{}, Extents: map[string][]string{}, Elements: map[string]int{}}
	ranges := map[string][]extent{}
	for _, size := range sizes {
		at := map[string][][2]int{}
		if p.execute(size, maxSteps, true, func(i *Instance) { widen(at, i.Touches) }) != nil {
			continue
		}
		l.Sizes = append(l.Sizes, size)
		for _, a := range p.Arrays {
			ranges[a.Name] = appendRange(ranges[a.Name], at[a.Name], a.Dimensions)
		}
	}
	for _, a := range p.Arrays {
		l.place(a, ranges[a.Name])
	}
	return l
}

// widen makes the ranges hold the elements.
func widen(ranges map[string][][2]int, touches []Touch) {
	for _, t := range touches {
		r := ranges[t.Array]
		if r == nil {
			for _, x := range t.Element {
				r = append(r, [2]int{x, x})
			}
			ranges[t.Array] = r
		}
		for k, x := range t.Element {
			r[k] = [2]int{min(r[k][0], x), max(r[k][1], x)}
		}
	}
}

// appendRange notes the ranges at one more size; nil says that the array is
// not touched there.
func appendRange(all []extent, at [][2]int, dimensions int) []extent {
	if all == nil {
		all = make([]extent, dimensions)
	}
	for k := range all {
		low, high := 0, -1
		if at != nil {
			low, high = at[k][0], at[k][1]
		}
		all[k].low, all[k].high = append(all[k].low, low), append(all[k].high, high)
	}
	return all
}

func (l *Layout) place(a Array, ranges []extent) {
	shifts, extents := make([]int, a.Dimensions), make([]string, a.Dimensions)
	elements := 1
	for k, r := range ranges {
		needed := 1
		for s := range r.low {
			shifts[k] = max(shifts[k], -r.low[s])
		}
		for s := range r.high {
			needed = max(needed, r.high[s]+shifts[k]+1)
		}
		extents[k] = fmt.Sprint(needed)
		if a.Parametric && !a.Global {
			extents[k], needed = l.parametric(r, shifts[k])
		}
		elements *= needed
	}
	l.Shifts[a.Name], l.Extents[a.Name], l.Elements[a.Name] = shifts, extents, elements
}

// parametric is an extent that depends on a parameter: the parameter itself
// where that will do.
func (l *Layout) parametric(r extent, shift int) (text string, largest int) {
	largest = 1
	constantOf := func(value func(Size) int, least int) int {
		c := 0
		for s, size := range l.Sizes {
			c = max(c, max(least, r.high[s]+shift+1)-value(size))
		}
		return c
	}
	n, m := func(s Size) int { return s.N }, func(s Size) int { return s.M }
	name, value := "N", n
	if constantOf(m, 1) < constantOf(n, 1) {
		name, value = "M", m
	}
	more := constantOf(value, 1)
	text = fmt.Sprintf("%s + %d", name, more)
	if more == 1 && constantOf(value, 0) == 0 {
		more, text = 0, name
	}
	for _, size := range l.Sizes {
		largest = max(largest, value(size)+more)
	}
	return text, largest
}
