package transform

import (
	"polytune/schedule"
	"polytune/scop"
	"polytune/space/variant"
)

// Sharing says how threads get the iterations of a parallel loop.
type Sharing int

// The ways to share iterations.
const (
	// ShareModel is one by one where iterations differ in their work, else
	// equally many.
	ShareModel Sharing = iota
	// ShareStatic is equally many for each thread, always the same ones: what one
	// thread has touched first it touches again.
	ShareStatic
	// ShareDynamic is one by one, as threads are done with the last.
	ShareDynamic
)

// sharings are the values of the axis "schedule", by their numbers.
var sharings = []string{"model", "static", "dynamic"}

// Marking says what the compiler is told of a vector loop.
type Marking int

// What the compiler is told.
const (
	// MarkSimd is that the loop is to run in lanes.
	MarkSimd Marking = iota
	// MarkIvdep is that the loop carries no dependence.
	MarkIvdep
	// MarkNone is nothing; the loop is innermost all the same.
	MarkNone
)

// markings are the values of the axis "mark", by their numbers.
var markings = []string{"simd", "ivdep", "none"}

// lanesAsked are the values of the axis "lanes": the first leaves their number to the compiler.
var lanesAsked = []string{"compiler", "x4", "x8", "x16"}

// lanesOf is the number of lanes that a value of the axis asks for, 0 for none.
func lanesOf(value variant.Value) int64 {
	return []int64{0, 4, 8, 16}[max(0, indexOf(lanesAsked, value))]
}

// hintAxes are the axes of what compilers and threads are told of loops.
func hintAxes() []variant.Axis {
	return []variant.Axis{
		{Name: scheduleAxis, About: "how threads get the iterations of parallel loops with others inside: equally many (static), one by one (dynamic), or as their work differs",
			Values: variant.Words(sharings...), Default: variant.Word(sharings[0]), When: variant.Is(parallelAxis, variant.On)},
		{Name: collapseAxis, About: "whether threads share the iterations of a parallel loop and of the next one together, where that carries nothing either",
			Values: variant.Switch(), Default: variant.Off, When: variant.Is(parallelAxis, variant.On)},
		{Name: markAxis, About: "what the compiler is told of vector loops: to use lanes (simd), that nothing depends (ivdep), or nothing",
			Values: variant.Words(markings...), Default: variant.Word(markings[0]), When: variant.Is(vectorAxis, variant.On)},
		{Name: lanesAxis, About: "how many lanes the compiler is asked for in vector loops",
			Values: variant.Words(lanesAsked...), Default: variant.Word(lanesAsked[0]), When: variant.Is(markAxis, variant.Word(markings[MarkSimd]))},
		{Name: storesAxis, About: "whether vector loops store past the caches, where they can (stream), nowhere (plain), or where the model thinks that it pays",
			Values: variant.Words(storings...), Default: variant.Word(storings[0]), When: variant.Is(vectorAxis, variant.On)},
		overlappings.axis(overlapAxis, "how many rows of a stencil run beside each other in vectors that overlap at the ends of rows",
			variant.Is(markAxis, variant.Word(markings[MarkSimd]))),
	}
}

// emitVector runs a loop in lanes, as far as the compiler is to be told so. Lanes
// that have accumulators of their own it cannot find without.
func (p *planner) emitVector(loop string, lanes []scop.Clause) {
	if p.options.Marking == MarkNone && len(lanes) == 0 {
		return
	}
	p.emit(schedule.Vectorize{Loop: loop, Reductions: lanes})
	switch {
	case len(lanes) > 0:
	case p.options.Marking == MarkIvdep:
		p.emit(schedule.Ivdep{Loop: loop})
	case p.options.Lanes > 0:
		p.emit(schedule.Simdlen{Loop: loop, Lanes: p.options.Lanes})
	}
}

// emitCollapse has threads share the iterations of parallel loop k and of the next one together,
// if that is asked for and the next one, which does not go innermost, carries nothing.
func (p *planner) emitCollapse(band *bandPlan, k int, names []string, inner int) {
	next := k + 1
	if !p.options.Collapse || next >= len(names) || next == inner && names[next] == band.loops[next] ||
		!band.coincident[next] || len(band.reductions[k]) > 0 || len(band.reductions[next]) > 0 {
		return
	}
	p.emit(schedule.Collapse{Outer: names[k], Inner: names[next]})
}

// emitSharing says how threads get the iterations of a parallel loop with others inside,
// which differ in their work or not.
func (p *planner) emitSharing(loop string, uneven bool) {
	if p.options.Sharing == ShareDynamic || p.options.Sharing == ShareModel && uneven {
		p.emit(schedule.Dynamic{Loop: loop})
	}
}
