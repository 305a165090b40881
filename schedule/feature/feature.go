// Package feature describes schedules in numbers, by which a regression tells
// fast ones from slow ones before they are built: how statements are grouped,
// tiled, run on threads and in vectors, how their references move, and how much
// data a tile has beside the caches. The numbers come from the schedule tree
// and the text of the references alone, so that they cost next to nothing.
//
// # Where to find what
//
//   - why so: docs/decisions/0098-features.md
package feature

import (
	"math"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/mark"
)

// Names are those of the features, in the order of Of. All but the first two
// are means over the statements, of which one with a loop less than the deepest
// counts for a tenth.
var Names = []string{
	"classes", "leaves",
	"tiled", "tile-loops", "tile-volume", "tile-outer", "tile-inner", "second-level",
	"parallel", "parallel-depth", "dynamic", "collapse", "wavefront", "region",
	"vector", "lanes", "ivdep", "stream", "separate",
	"registers", "register-lanes", "unrolled", "packs",
	"unit-stride", "no-stride",
	"bytes", "beyond-1", "beyond-2", "beyond-3",
}

// Surroundings are what a schedule is to run with.
type Surroundings struct {
	// Caches are the bytes that a thread has of each level, innermost first.
	Caches []int64
	// Length is the number of iterations of a loop that nothing bounds.
	Length float64
}

// Of describes a schedule: a number for each of Names.
func Of(tree *schedule.Tree, around Surroundings) []float64 {
	d := &describer{tree: tree, around: around, sums: make([]float64, len(Names)-2)}
	for i := range tree.Program.Statements {
		d.deepest = max(d.deepest, tree.Program.Statements[i].Depth())
	}
	for _, class := range tree.Classes {
		d.node(class, nil)
	}
	features := []float64{float64(len(tree.Classes)), float64(d.leaves)}
	for _, sum := range d.sums {
		features = append(features, sum/max(d.weights, math.SmallestNonzeroFloat64))
	}
	return features
}

// describer sums up what it finds at the leaves of a tree.
type describer struct {
	tree    *schedule.Tree
	around  Surroundings
	deepest int
	leaves  int
	weights float64
	sums    []float64
}

// node describes the statements below a node inside of the given loops.
func (d *describer) node(n *schedule.Node, outside []*schedule.Loop) {
	chain := slices.Concat(outside, n.Loops)
	if len(n.Parts) > 0 {
		for _, part := range n.Parts {
			d.node(part, chain)
		}
		return
	}
	d.leaves++
	for _, s := range n.Statements {
		weight := math.Pow(0.1, float64(d.deepest-d.tree.Program.Statements[s].Depth()))
		d.weights += weight
		for k, value := range d.statement(s, chain) {
			d.sums[k] += weight * value
		}
	}
}

// statement has the features of one statement in its loops.
func (d *describer) statement(s int, chain []*schedule.Loop) []float64 {
	return slices.Concat(d.tiles(s, chain), threads(chain), vectors(s, chain), d.strides(s, chain), d.data(s, chain))
}

// tiles are whether loops are tiled, how many, and the logarithms of the sizes:
// of the product, of the outermost and of the innermost.
func (d *describer) tiles(s int, chain []*schedule.Loop) []float64 {
	var sizes []float64
	second := 0.0
	for _, l := range chain {
		if isTile(l) && len(l.Terms) == 1 && !l.Terms[0].Rows[s].IsConstant() {
			sizes = append(sizes, math.Log2(float64(max(l.Terms[0].Size, 1))))
		}
		second = max(second, flag(isTile(l) && l.Level > 1))
	}
	if len(sizes) == 0 {
		return []float64{0, 0, 0, 0, 0, second}
	}
	volume := 0.0
	for _, size := range sizes {
		volume += size
	}
	return []float64{1, float64(len(sizes)), volume, sizes[0], sizes[len(sizes)-1], second}
}

// isTile says whether a loop runs over tiles for caches.
func isTile(l *schedule.Loop) bool { return l.Level > 0 && !l.Block }

// threads are how the outermost parallel loop is run, and how deep it is.
func threads(chain []*schedule.Loop) []float64 {
	wavefront, region := 0.0, 0.0
	for _, l := range chain {
		wavefront = max(wavefront, flag(len(l.Terms) > 1))
		region = max(region, flag(l.StartsThreads()))
	}
	place := slices.IndexFunc(chain, func(l *schedule.Loop) bool { return l.IsParallel() })
	if place < 0 {
		return []float64{0, float64(len(chain)), 0, 0, wavefront, region}
	}
	l := chain[place]
	return []float64{1, float64(place), flag(mark.Has[mark.Dynamic](l.Marks)), flag(mark.Has[mark.Collapse](l.Marks)), wavefront, region}
}

// vectors are what is said of lanes and registers.
func vectors(s int, chain []*schedule.Loop) []float64 {
	v := make([]float64, 9)
	for _, l := range chain {
		v[0] = max(v[0], flag(l.IsVector()))
		simdlen, _ := mark.Of[mark.Simdlen](l.Marks)
		v[1] = max(v[1], math.Log2(float64(simdlen.Lanes+1)))
		v[2] = max(v[2], flag(mark.Has[mark.Ivdep](l.Marks)))
		v[3] = max(v[3], flag(mark.Has[mark.Stream](l.Marks)))
		v[4] = max(v[4], flag(len(schedule.Requested[command.Separate](l)) > 0))
		if block, is := command.BlockAt(l); is {
			v[5] = 1
			v[6] = max(v[6], math.Log2(float64(block.Lanes+1)))
			v[7] = max(v[7], float64(len(block.Sizes)))
		}
		for _, p := range schedule.Requested[command.Pack](l) {
			v[8] += flag(p.Statement == s)
		}
	}
	return v
}

// strides are the parts of the references that move by one element, and not at
// all, with the innermost loop.
func (d *describer) strides(s int, chain []*schedule.Loop) []float64 {
	references := referencesOf(&d.tree.Program.Statements[s])
	if len(references) == 0 || len(chain) == 0 || len(chain[len(chain)-1].Terms) == 0 {
		return []float64{0, 0}
	}
	inner := chain[len(chain)-1].Terms[0].Rows[s].Iterators
	unit, none := 0.0, 0.0
	for _, r := range references {
		switch stride := r.stride(inner); {
		case stride == 0:
			none++
		case stride == 1:
			unit++
		}
	}
	count := float64(len(references))
	return []float64{unit / count, none / count}
}

// data are the logarithms of the bytes of a tile, and of how many times these
// are what each of three levels of caches holds, where that is more than once.
func (d *describer) data(s int, chain []*schedule.Loop) []float64 {
	statement := &d.tree.Program.Statements[s]
	lengths := make([]float64, statement.Depth())
	for k := range lengths {
		lengths[k] = d.around.Length
	}
	for _, l := range chain {
		if !isTile(l) || len(l.Terms) != 1 {
			continue
		}
		for k, c := range l.Terms[0].Rows[s].Iterators {
			if c != 0 && k < len(lengths) {
				lengths[k] = min(lengths[k], math.Ceil(float64(l.Terms[0].Size)/math.Abs(float64(c))))
			}
		}
	}
	bytes := 1.0
	for array, elements := range boxes(referencesOf(statement), lengths) {
		if declared := d.tree.Program.Array(array); declared != nil {
			bytes += elements * float64(declared.Size)
		}
	}
	list := []float64{math.Log2(bytes)}
	for level := range 3 {
		beyond := 0.0
		if level < len(d.around.Caches) && d.around.Caches[level] > 0 {
			beyond = max(math.Log2(bytes/float64(d.around.Caches[level])), 0)
		}
		list = append(list, beyond)
	}
	return list
}

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
