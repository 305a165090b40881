package transform

import (
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// OverlappedShape is the name of the shape of overlapped tiles.
const OverlappedShape = "overlapped"

// overlappedThreads are the model's threads of a block, by the number of dimensions of space.
var overlappedThreads = map[int][]int64{1: {128}, 2: {8, 32}, 3: {2, 4, 32}}

// overlappedShape runs a stencil in overlapped tiles: one kernel for several steps, whose blocks
// compute what they need of each other again, in shared memory, and one for each step that is left
// in the end.
type overlappedShape struct{}

func (overlappedShape) name() string  { return OverlappedShape }
func (overlappedShape) makes() string { return "overlapped tiles" }

func (overlappedShape) emit(m *deviceMapper, class string, f *stencil, sizes []int64) error {
	return m.emitOverlapped(class, f, sizes, nil)
}

// emitOverlapped gives a class overlapped tiles, with copies in shared memory, or, with numbers of
// threads for the other dimensions of space, streamed along the first one.
func (m *deviceMapper) emitOverlapped(class string, f *stencil, sizes, streamed []int64) error {
	repeats, err := repeatsOf(m.graph, f)
	if err != nil {
		return err
	}
	var tiles, points, left []string
	loops := []string{class + ".1"}
	for d := range f.space {
		loops = append(loops, fmt.Sprintf("%s.%d", class, d+2))
		tiles = append(tiles, fmt.Sprintf("%sp0.%d%s", class, d+2, command.OverlappedSuffix))
		points, left = append(points, fmt.Sprintf("%sp0.%d", class, d+2)), append(left, fmt.Sprintf("%sp1.%d", class, d+2))
	}
	tiling := command.Overlapped{Loops: loops, Sizes: sizes, Slopes: f.around, Rest: repeats.rest, Keeping: repeats.keeping, Swapping: swapped(m.graph, f, repeats)}
	threads := overlappedThreads[len(f.space)]
	if streamed != nil {
		tiling.Streaming, points, threads = loops[1], points[1:], streamed
	}
	time, err := timeFromZero(m.graph, f)
	if err != nil {
		return err
	}
	m.emit(command.Band{Node: class, Rows: schedule.Affine(append([]map[int]schedule.Row{time}, f.space...))})
	m.emit(tiling)
	m.emit(command.Block{Loops: tiles})
	m.emit(command.Thread{Loops: points, Sizes: threads})
	m.emit(command.Barrier{Of: class + "p0.1"})
	if streamed == nil {
		for _, array := range writtenBy(m.graph, f.statements) {
			m.emit(m.tileCopy(f, array, tiles[len(tiles)-1]))
		}
	}
	var blocks []string
	for _, loop := range left {
		blocks = append(blocks, loop+"t")
	}
	m.emit(command.Tile{Loops: left, Sizes: deviceTiles[len(left)]})
	m.emit(command.Block{Loops: blocks})
	m.emit(command.Thread{Loops: left, Sizes: deviceThreads[len(left)]})
	return nil
}

// timeFromZero are a stencil's rows of time less the first value, where it is a number: the first
// time tile begins there, and has all its steps.
func timeFromZero(g *depend.Graph, f *stencil) (map[int]schedule.Row, error) {
	first, known := int64(0), false
	for _, s := range f.statements {
		least, is, err := g.Model.Statements[s].Domain.Apply(g.Time(s, f.time[s])).Least()
		if err != nil {
			return nil, err
		}
		if is && (!known || least < first) {
			first, known = least, true
		}
	}
	rows := map[int]schedule.Row{}
	for s, row := range f.time {
		row.Constant -= first
		rows[s] = row
	}
	return rows, nil
}

// writtenBy are the arrays that some statements write, in the order of their names.
func writtenBy(g *depend.Graph, statements []int) (arrays []string) {
	for _, s := range statements {
		for _, access := range g.Model.Program.Statements[s].Accesses {
			if access.Write && !slices.Contains(arrays, access.Array) {
				arrays = append(arrays, access.Array)
			}
		}
	}
	slices.Sort(arrays)
	return arrays
}

func (s overlappedShape) refusal(p *planner, f *stencil, sizes []int64) error {
	if err := p.overlappedRefusal(s, f, sizes); err != nil {
		return err
	}
	if shared := overlappedShared(p.graph, f, sizes); shared > room(&p.options) {
		return tooMuchShared(p, f, sizes, shared)
	}
	return nil
}

// overlappedRefusal says why a stencil has no overlapped tiles of some sizes, whatever memory they
// need.
func (p *planner) overlappedRefusal(shape stencilShape, f *stencil, sizes []int64) error {
	repeats, err := repeatsOf(p.graph, f)
	switch {
	case err != nil:
		return err
	case len(f.space) > facts.MaxShared:
		return noStencil("%s has %d dimensions of space, and a grid of blocks has %d", p.graph.Model.Names(f.statements), len(f.space), facts.MaxShared)
	case f.turned:
		return noStencil("some of %s run backwards through space, and the elements of a tile lie at both ends of an array: they are no box in shared memory", p.graph.Model.Names(f.statements))
	case !sharesTiles(&p.options):
		return noStencil("overlapped tiles have what they write in shared memory, which is not to be used")
	case sizes == nil:
		return noneFit(p, shape, f)
	}
	for _, array := range writtenBy(p.graph, f.statements) {
		if isChosen(p.graph, f.statements, array) {
			return noStencil("data decide which elements of %s some of %s touch, and overlapped tiles have all that they touch of what they write", array, p.graph.Model.Names(f.statements))
		}
	}
	if repeats.swaps() {
		return nil
	}
	for _, period := range repeats.periods {
		if sizes[0]%period == 0 {
			return noStencil("after %d steps %s writes the elements that other tiles load, which have values of every step in %d: take a number of steps that is no multiple of %d",
				sizes[0], p.graph.Model.Names(f.statements), period, period)
		}
	}
	return nil
}

// repeats are the numbers of steps after which statements of a stencil write their elements again,
// each once; how many steps have to follow the last time tile such that they write what no tile has
// stored; and of how many steps, at most, values are read: tiles store those of as many last ones.
type repeats struct {
	periods       []int64
	rest, keeping int64
}

// swaps says whether tiles store to second grids: elements that are written again before the values
// of all arrays are, as those of one grid are in each step, are loaded and stored by tiles of the
// same launch, whatever its number of steps.
func (r repeats) swaps() bool { return r.keeping > 1 || slices.Contains(r.periods, 1) }

// repeatsOf are those of a stencil, which are found once.
func repeatsOf(g *depend.Graph, f *stencil) (repeats, error) {
	if f.repeats == nil {
		r, err := findRepeats(g, f)
		f.repeats, f.noRepeats = &r, err
	}
	return *f.repeats, f.noRepeats
}

func findRepeats(g *depend.Graph, f *stencil) (r repeats, err error) {
	again, reaches := map[int]int64{}, map[[2]int]int64{}
	for _, d := range facts.Within(g.Dependences, f.statements) {
		steps, err := leastSteps(f, d)
		if err != nil {
			return r, err
		}
		access := g.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess]
		switch {
		case d.Kind == depend.WAW && (again[d.Source] == 0 || steps < again[d.Source]):
			again[d.Source] = steps
		case d.Kind == depend.RAW && len(g.Model.Program.Array(access.Array).Extents) == 0:
			return r, noStencil("%s writes %s, which is no array that tiles have a part of", g.Model.Names([]int{d.Source}), access.Array)
		case d.Kind == depend.RAW:
			key := [2]int{d.Target, d.TargetAccess}
			if reaches[key] == 0 || steps < reaches[key] {
				reaches[key] = steps
			}
		}
	}
	r.rest, r.keeping = 1, 1
	for _, steps := range reaches {
		r.keeping = max(r.keeping, steps)
	}
	for _, s := range f.statements {
		switch {
		case again[s] == 0:
			return r, noStencil("%s writes other elements at each step, and overlapped tiles store values of their last steps alone", g.Model.Names([]int{s}))
		case again[s] > 1 && again[s] < r.keeping || r.keeping > 1 && again[s] > r.keeping:
			return r, noStencil("%s writes its elements again after %d steps, and values are read of %d steps before: the last steps of a tile have not one value of each element", g.Model.Names([]int{s}), again[s], r.keeping)
		}
		r.periods, r.rest = append(r.periods, again[s]), max(r.rest, again[s]-1)
	}
	slices.Sort(r.periods)
	r.periods = slices.Compact(r.periods)
	return r, nil
}

// swapped are the arrays of a stencil that have second grids.
func swapped(g *depend.Graph, f *stencil, r repeats) []string {
	if !r.swaps() {
		return nil
	}
	return writtenBy(g, f.statements)
}

// leastSteps is the least number of steps between the instances of a dependence, as far as
// MostPeriod.
func leastSteps(f *stencil, d *depend.Dependence) (steps int64, err error) {
	cone, err := d.Cone()
	for err == nil && steps < facts.MostPeriod && cone.Contains(d.Distance(f.time[d.Source], f.time[d.Target], 1, -steps-1)) {
		steps++
	}
	return steps, err
}

// sizes are those of two steps or more with the least costs of a point and step by overlappedCosts:
// with one step nothing is computed again, and nothing is saved.
func (s overlappedShape) sizes(p *planner, f *stencil) (best []int64) {
	var least float64
	if _, ok := overlappedThreads[len(f.space)]; !ok {
		return nil
	}
	repeats, err := repeatsOf(p.graph, f)
	for _, steps := range stencilHeights[1:] {
		if err != nil || repeats.swaps() && steps%f.steps != 0 { // tiles all begin with the same statements
			continue
		}
		for _, widths := range overlappedWidths(f, steps) {
			sizes := append([]int64{steps}, widths...)
			if s.refusal(p, f, sizes) != nil {
				continue
			}
			if costs := overlappedCosts(p.graph, f, sizes); best == nil || costs < least {
				best, least = sizes, costs
			}
		}
	}
	return best
}

// overlappedWidths are widths of tiles along all dimensions: along the last one, whose neighbours
// lie side by side, whole warps have the points of the first step.
func overlappedWidths(f *stencil, steps int64) [][]int64 {
	all := [][]int64{nil}
	for d, slope := range f.around {
		again := 2 * slope.Floor(steps-1)
		var longer [][]int64
		for _, outside := range all {
			for _, n := range stencilWidths {
				if d == len(f.around)-1 {
					if n%facts.Warp != 0 || n <= again {
						continue
					}
					n -= again
				}
				longer = append(longer, append(slices.Clip(outside), n))
			}
		}
		all = longer
	}
	return all
}

// overlappedCosts are the bytes of global memory for each point and step of a tile, and the
// accesses to shared memory as so many.
func overlappedCosts(g *depend.Graph, f *stencil, sizes []int64) float64 {
	points, loaded, computed := 1.0, 1.0, 0.0
	for d, slope := range f.around {
		points, loaded = points*float64(sizes[d+1]), loaded*float64(sizes[d+1]+2*slope.Floor(sizes[0]))
	}
	for before := range sizes[0] {
		step := 1.0
		for d, slope := range f.around {
			step *= float64(sizes[d+1] + 2*slope.Floor(before))
		}
		computed += step
	}
	bytes, accesses := overlappedAccesses(g, f)
	return (bytes*(points+loaded) + bytes*accesses*computed/facts.SharedSpeed) / (points * float64(sizes[0]))
}

// overlappedAccesses are the bytes of the elements of a stencil's statements, and the number of
// accesses of one of them, on average.
func overlappedAccesses(g *depend.Graph, f *stencil) (bytes, accesses float64) {
	for _, t := range f.touches {
		bytes, accesses = max(bytes, float64(g.Model.Program.Array(t.array).Size)), accesses+1
	}
	return bytes, accesses / float64(len(f.statements))
}

// overlappedShared is the number of bytes of a tile's boxes of the arrays that it writes: a box has on
// each side what its statements compute again and one step more, whichever side they read.
func overlappedShared(g *depend.Graph, f *stencil, sizes []int64) int64 {
	hulls := map[int][]span{}
	for _, s := range f.statements {
		for d, slope := range f.around {
			again := slope.Floor(sizes[0] - 1)
			hulls[s] = append(hulls[s], span{-again, sizes[d+1] - 1 + again})
		}
		hulls[s] = append(hulls[s], span{0, (sizes[0] - 1) / f.steps})
	}
	written := writtenBy(g, f.statements)
	own := *f
	own.touches = nil
	for _, t := range f.touches {
		if slices.Contains(written, t.array) {
			own.touches = append(own.touches, t.reaching(f, sizes[0]))
		}
	}
	_, shared := boxesOf(g, &own, hulls, 0)
	return shared
}

// reaching is a touch that reaches to both sides as far as dependences do in the last of so many steps.
func (t touch) reaching(f *stencil, steps int64) touch {
	t.places = slices.Clone(t.places)
	for d := range t.places {
		place := &t.places[d]
		if place.follows >= 0 && int(place.follows) < len(f.around) {
			slope := f.around[place.follows]
			reach := slope.Floor(steps) - slope.Floor(steps-1)
			place.first, place.last = min(place.first, -reach), max(place.last, reach)
		}
	}
	return t
}
