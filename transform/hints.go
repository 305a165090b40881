package transform

import (
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space/variant"
	"polytune/transform/facts"
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

// Collapsing says whether threads share the iterations of two loops together.
type Collapsing int

// Whether they do.
const (
	// CollapseModel is where the tiles of the outer loop may be too few for them.
	CollapseModel Collapsing = iota
	// CollapseOn is wherever the next loop carries nothing either.
	CollapseOn
	// CollapseOff is nowhere.
	CollapseOff
)

// collapsings are the values of the axis "collapse", by their numbers.
var collapsings = []string{"model", "on", "off"}

// Marking says what the compiler is told of a vector loop.
type Marking int

// What the compiler is told.
const (
	// MarkModel is the first or the second of the following, as the model has it.
	MarkModel Marking = iota
	// MarkSimd is that the loop is to run in lanes.
	MarkSimd
	// MarkIvdep is that the loop carries no dependence.
	MarkIvdep
	// MarkNone is nothing; the loop is innermost all the same.
	MarkNone
)

// markings are the values of the axis "mark", by their numbers.
var markings = []string{"model", "simd", "ivdep", "none"}

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
		{Name: collapseAxis, About: "whether threads share the iterations of a parallel loop and of the next one together, where that carries nothing either (on), nowhere (off), or where tiles may be too few for them",
			Values: variant.Words(collapsings...), Default: variant.Word(collapsings[0]), When: variant.Is(parallelAxis, variant.On)},
		{Name: SumsAxis, About: "how threads add up in arrays of which data decide which elements are updated: in copies, or in the array by atomic operations",
			Values: variant.Words(addings...), Default: variant.Word(addings[0]), When: variant.Is(parallelAxis, variant.On)},
		{Name: markAxis, About: "what the compiler is told of vector loops: to use lanes (simd), that nothing depends (ivdep), nothing, or one of the first two as the model has it",
			Values: variant.Words(markings...), Default: variant.Word(markings[0]), When: variant.Is(vectorAxis, variant.On)},
		{Name: lanesAxis, About: "how many lanes the compiler is asked for in vector loops",
			Values: variant.Words(lanesAsked...), Default: variant.Word(lanesAsked[0]), When: laned()},
		{Name: storesAxis, About: "whether vector loops store past the caches, where they can (stream), nowhere (plain), or where the model thinks that it pays",
			Values: variant.Words(storings...), Default: variant.Word(storings[0]), When: variant.Is(vectorAxis, variant.On)},
		overlappings.axis(overlapAxis, "how many rows of a stencil run beside each other in vectors that overlap at the ends of rows",
			laned()),
	}
}

// laned is the condition that loops are to run in lanes.
func laned() variant.Condition {
	return variant.Not(variant.Is(markAxis, variant.Word(markings[MarkIvdep]), variant.Word(markings[MarkNone])))
}

// emitVector runs a loop of some statements in lanes, as far as the compiler is to be told so.
// Lanes that have accumulators of their own it cannot find without.
func (p *planner) emitVector(loop string, lanes []scop.Clause, statements []int) {
	if p.options.Marking == MarkNone && len(lanes) == 0 {
		return
	}
	p.emit(command.Vectorize{Loop: loop, Reductions: lanes})
	if len(lanes) > 0 {
		return
	}
	judges := p.options.Marking == MarkIvdep || p.options.Marking == MarkModel && !p.isParallel(loop) && arePeeled(p.graph, statements)
	switch {
	case p.options.Lanes > 0:
		p.emit(command.Simdlen{Loop: loop, Lanes: p.options.Lanes})
	case judges:
		p.emit(command.Ivdep{Loop: loop})
	}
}

// isParallel says whether threads share the iterations of a loop.
func (p *planner) isParallel(loop string) bool {
	return slices.ContainsFunc(p.recipe, func(c schedule.Command) bool {
		parallel, ok := c.(command.Parallel)
		return ok && parallel.Loop == loop
	})
}

// arePeeled says whether gcc, where it has to use lanes, would run iterations one by one until what
// statements write is aligned: it knows the places of arrays of the file, and does not ask what
// that costs then. Rows of 88 floats behind a halo of 4, an acoustic wave's, take 1.6 of the time
// so (AMD Zen 4, gcc 12). What has conditions or calls in its text, of which it may make no vectors
// by itself, stays in lanes.
func arePeeled(g *depend.Graph, statements []int) bool {
	program := g.Model.Program
	isElsewhere := func(a scop.Access) bool {
		array := program.Array(a.Array)
		return len(array.Extents) > 0 && (array.Argument || slices.Contains(array.Extents, "") || array.Local && !facts.IsPrivate(g, array))
	}
	return !slices.ContainsFunc(statements, func(s int) bool {
		statement := g.Model.Statements[s].Statement
		return scop.Has(statement.Value, mayBranch) || slices.ContainsFunc(statement.Accesses, isElsewhere)
	})
}

// shareMore has threads share the tiles of two loops together where those of the outer one may be
// too few for them: of two pictures, or of as many features as one tile has, a single thread has
// all. The file does not always tell how many there are; of four loops or more the outermost may be
// that over a batch.
func (p *planner) shareMore(d *decision, tiles []string, sizes []int64) error {
	k := d.band.OutermostParallel(tileCounts(d.lengths, sizes), -1)
	if k < 0 || p.options.Collapse != CollapseModel {
		return nil
	}
	lengths, err := p.lengthsOfRun(d.band)
	if err != nil {
		return err
	}
	threads := int64(p.options.Run.Threads)
	if lengths[k] == facts.Unlimited && len(sizes) > 3 || lengths[k] != facts.Unlimited && isUnfair(0, lengths[k], sizes[k], threads) {
		p.emitCollapse(d.band, k, tiles, -1)
	}
	return nil
}

// emitCollapse has threads share the iterations of parallel loop k and of the next one together,
// if the next one, which does not go innermost, carries nothing.
func (p *planner) emitCollapse(band *facts.Band, k int, names []string, inner int) {
	next := k + 1
	if next >= len(names) || next == inner && names[next] == band.Loops[next] ||
		!band.Coincident[next] || len(band.Reductions[k]) > 0 || len(band.Reductions[next]) > 0 {
		return
	}
	p.emit(command.Collapse{Outer: names[k], Inner: names[next]})
}

// emitSharing says how threads get the iterations of a parallel loop with others inside,
// which differ in their work or not.
func (p *planner) emitSharing(loop string, uneven bool) {
	if p.options.Sharing == ShareDynamic || p.options.Sharing == ShareModel && uneven {
		p.emit(command.Dynamic{Loop: loop})
	}
}

// mayCall says whether an expression is a function or a macro, which may have one or a condition
// inside, or more than an expression.
func mayCall(e scop.Expr) bool {
	switch e := e.(type) {
	case *scop.Call, *scop.Opaque:
		return true
	case *scop.Unary:
		return strings.HasSuffix(e.Operator, "of") || strings.HasPrefix(e.Operator, "_")
	}
	return false
}

// mayBranch says whether an expression is a condition, or may have one inside.
func mayBranch(e scop.Expr) bool {
	_, chooses := e.(*scop.Select)
	return chooses || mayCall(e)
}
