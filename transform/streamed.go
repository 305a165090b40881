package transform

import (
	"fmt"
	"polytune/scop/depend"
	"polytune/transform/facts"
	"slices"

	"polytune/schedule"
	inmemory "polytune/scop/boxes"
)

// StreamedShape is the name of the shape of overlapped tiles that are streamed.
const StreamedShape = "streamed"

// streamedThreads are the model's threads of a block, by the number of dimensions of space: those
// of a plane, of which the first dimension has one after the other.
var streamedThreads = map[int][]int64{2: {128}, 3: {16, 32}}

// streamedShape runs a stencil in overlapped tiles whose planes run one after the other, each step
// some planes behind the step before. Values stay in registers from step to step, and threads give
// each other what they need in two planes of shared memory (AN5D: Matsumura, Zohouri, Wahib, Endo,
// Matsuoka, CGO 2020).
type streamedShape struct{}

func (streamedShape) name() string  { return StreamedShape }
func (streamedShape) makes() string { return "streamed tiles" }

func (streamedShape) emit(m *deviceMapper, class string, f *stencil, sizes []int64) error {
	return m.emitOverlapped(class, f, sizes, streamedThreads[len(f.space)])
}

func (s streamedShape) refusal(p *planner, f *stencil, sizes []int64) error {
	for _, pair := range f.meetings {
		if array := writtenBy(p.graph, pair[:1])[0]; array == writtenBy(p.graph, pair[1:])[0] {
			return noStencil("%s run in one step at one place and write %s, and tiles that are streamed have one value of each place in a step", p.graph.Model.Names(pair[:]), array)
		}
	}
	if len(f.space) < 2 {
		return noStencil("%s has one dimension of space, along which tiles would be streamed, and none for threads", p.graph.Model.Names(f.statements))
	}
	if err := p.overlappedRefusal(s, f, sizes); err != nil {
		return err
	}
	if sizes[0] < f.steps {
		return noStencil("streamed tiles have all statements of an iteration of the loop over time: %d steps at least, and not %d", f.steps, sizes[0])
	}
	if shared := streamedShared(p.graph, f, sizes); shared > inmemory.MostShared {
		return tooMuchShared(p, f, sizes, shared)
	}
	return nil
}

// sizes are those of two steps or more with the least costs of a point and step by streamedCosts
// whose values have registers.
func (s streamedShape) sizes(p *planner, f *stencil) (best []int64) {
	var least float64
	if len(f.space) < 2 || len(f.space) > facts.MaxShared {
		return nil
	}
	repeats, err := repeatsOf(p.graph, f)
	for _, steps := range stencilHeights[1:] {
		if err != nil || repeats.swaps() && steps%f.steps != 0 { // tiles all begin with the same statements
			continue
		}
		for _, widths := range streamedWidths(f, steps) {
			sizes := append([]int64{steps, facts.StreamedLength}, widths...)
			if s.refusal(p, f, sizes) != nil || streamedValues(p.graph, f, sizes) > facts.StreamedRegisters {
				continue
			}
			if costs := streamedCosts(p.graph, f, sizes); best == nil || costs < least {
				best, least = sizes, costs
			}
		}
	}
	return best
}

// streamedWidths are widths of tiles along the dimensions that threads share: each thread has the
// same number of columns.
func streamedWidths(f *stencil, steps int64) [][]int64 {
	all := [][]int64{nil}
	for d, threads := range streamedThreads[len(f.space)] {
		var longer [][]int64
		for _, outside := range all {
			for turns := range int64(4) {
				if n := threads*(turns+1) - 2*besideOwn(f.around[d+1], steps); n > 0 {
					longer = append(longer, append(slices.Clip(outside), n))
				}
			}
		}
		all = longer
	}
	return all
}

// besideOwn is how many columns a tile has besides its own, at either end.
func besideOwn(slope schedule.Slope, steps int64) int64 {
	return slope.Floor(steps-1) + reachOf(slope)
}

// reachOf is how far values are needed for one step.
func reachOf(slope schedule.Slope) int64 { return (slope.Over + slope.Under - 1) / slope.Under }

// columnsOf is how many columns a tile has, and how many each thread.
func columnsOf(f *stencil, sizes []int64) (columns, turns int64) {
	columns, turns = 1, 1
	for d, threads := range streamedThreads[len(f.space)] {
		count := sizes[d+2] + 2*besideOwn(f.around[d+1], sizes[0])
		columns, turns = columns*count, turns*((count+threads-1)/threads)
	}
	return columns, turns
}

// besides is how many columns a point needs values of besides its own, at most.
func besides(g *depend.Graph, f *stencil) int64 {
	_, accesses := overlappedAccesses(g, f)
	all := int64(1)
	for range f.space[1:] {
		all *= 3
	}
	return min(int64(accesses+0.5), all) - 1
}

// versions is how many values a place has in a step, on average: in the steps of an iteration of the
// loop over time each array has one for each step that writes it.
func versions(g *depend.Graph, f *stencil) float64 {
	written := map[string]bool{}
	for _, s := range f.statements {
		written[fmt.Sprint(writtenBy(g, []int{s}), f.inIteration(s))] = true
	}
	return float64(len(written)) / float64(f.steps)
}

// inIteration is the number of a statement's step in its iteration of the loop over time.
func (f *stencil) inIteration(s int) int64 { return (f.time[s].Constant%f.steps + f.steps) % f.steps }

// exchanged is of how many arrays a step has values that others give it, at most.
func exchanged(g *depend.Graph, f *stencil) (most int64) {
	for _, s := range f.statements {
		read := map[string]bool{}
		for _, other := range f.statements {
			if f.inIteration(other) != f.inIteration(s) {
				continue
			}
			for _, access := range g.Model.Program.Statements[other].Accesses {
				if access.Read && !access.Write && slices.Contains(writtenBy(g, f.statements), access.Array) {
					read[access.Array] = true
				}
			}
		}
		most = max(most, int64(len(read)))
	}
	return most
}

// streamedValues is how many registers of 32 bits the values of a thread take, at most.
func streamedValues(g *depend.Graph, f *stencil, sizes []int64) int64 {
	bytes, accesses := overlappedAccesses(g, f)
	_, turns := columnsOf(f, sizes)
	planes := 2*reachOf(f.around[0]) + 1
	values := int64(versions(g, f)*float64(sizes[0]) + 0.5)
	return turns * values * max(planes, int64(accesses+0.5)) * ((int64(bytes) + 3) / 4)
}

// streamedShared is the number of bytes of two planes of each array that threads give each other
// values of, at most.
func streamedShared(g *depend.Graph, f *stencil, sizes []int64) int64 {
	bytes, _ := overlappedAccesses(g, f)
	places := int64(bytes) * 2 * exchanged(g, f)
	for d, threads := range streamedThreads[len(f.space)] {
		reach := reachOf(f.around[d+1])
		count := sizes[d+2] + 2*besideOwn(f.around[d+1], sizes[0])
		places *= (count+threads-1)/threads*threads + 2*reach
	}
	return places
}

// streamedCosts are the bytes of global memory for each point and step of a tile, and what threads
// give each other in shared memory as so many. Threads take part in each step whether they have an
// instance in it or not.
func streamedCosts(g *depend.Graph, f *stencil, sizes []int64) float64 {
	bytes, _ := overlappedAccesses(g, f)
	columns, _ := columnsOf(f, sizes)
	points := 1.0
	for _, width := range sizes[1:] {
		points *= float64(width)
	}
	arrays := 1.0 // of which all elements are loaded, and stored
	if repeats, err := repeatsOf(g, f); err == nil && repeats.swaps() {
		arrays = float64(len(writtenBy(g, f.statements)))
	}
	planes := float64(sizes[1] + reachOf(f.around[0])*(sizes[0]+1))
	shared := planes * float64(columns) * float64(sizes[0]) * float64(1+besides(g, f))
	return bytes * (arrays*(points+planes*float64(columns)) + shared/facts.SharedSpeed) / (points * float64(sizes[0]))
}
