package transform

import (
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/space"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// Options are what a user or the tuner may decide instead of the models.
type Options struct {
	// Model is the family of hyperplanes that the model chooses from.
	Model hyperplane.Model
	// CoefficientBound is b of section 3.3 of the Pluto+ paper, the largest
	// absolute value of a coefficient; zero means DefaultCoefficientBound. The
	// model Pluto has bounds of its own.
	CoefficientBound int
	// Off are the names of those of Axes whose values are on and off that are off.
	Off []string
	// Tile says how permutable bands are tiled.
	Tile Tiling
	// CacheBytes is the size of the cache that a tile's data should fit in,
	// normally what a thread has of the first level's.
	CacheBytes int
	// SecondCacheBytes is the size of the next cache, of which a tile with a long
	// vector loop takes half; zero
	// means that nobody knows: sixteen times CacheBytes is taken for it.
	SecondCacheBytes int
	// ThirdCacheBytes is the size of a third cache, which threads share, of which the
	// copy of an operand that they share takes half; zero means that there is none.
	ThirdCacheBytes int
	// Run is the run that sizes are to fit.
	Run Run
	// Vector is what the target has for vectors; its zero value is none.
	Vector VectorUnit
	// Registers is the size of register blocks; by default the model decides.
	Registers RegisterShape
	// Lanes is the number of lanes that the compiler is asked for in vector loops, 0 for none.
	Lanes int64
	// Interleave is how many chains of dependences run beside each other.
	Interleave Interleave
	// Collapse says where threads share the iterations of two loops together.
	Collapse Collapsing
	// Sharing is how threads get iterations, Adding how they add up in arrays, Marking what the
	// compiler is told of vector loops.
	Sharing Sharing
	Adding  Adding
	Marking Marking
	// Stores says which vector loops store past the caches.
	Stores Stores
	// Overlap is how many rows run beside each other where their vectors overlap.
	Overlap Overlap
	// Grain is the number of instances from which on a nest that the parameters bound has several
	// threads; zero means the model's.
	Grain int64
	// Degrees is the number of loops inside the loop over wavefronts that
	// carry no dependence then: waves run over one loop more. Zero means one.
	Degrees int
	// Diamond says along how many dimensions the tiles of a wave start together
	// where that can be.
	Diamond Diamond
	// SecondLevel makes tiles of tiles, eight along each loop, as Pluto does.
	SecondLevel bool
	// Fusion says which statements share a loop inside those that their class
	// shares.
	Fusion Fusion
	// Order chooses the innermost loop of a band.
	Order Order
	// Original keeps the order of the source inside the loop that a class
	// shares, untiled: what is left when a search for more takes too long.
	Original bool
	// Loops says whether the loops are those of the models or of the source.
	Loops Loops
	// Skip are the names of strategies that are not asked.
	Skip []string
	// Space describes the space that the partition comes from: its rows are
	// taken for loops for which the model finds no hyperplane, or none in which
	// the statements meet.
	Space space.Options
	// Stencil says how classes that are stencils run.
	Stencil Stencil
	// Device is what code for a device is made for, nil for processors.
	Device *Device
	// Without are the memories of a device in which kernels have no copies.
	Without []mark.Memory
	// Ranks says how loops are shared out over ranks, where they are.
	Ranks RankChoice
	// Unpadded has rows in a device's shared memory as long as they are, whatever banks they begin in.
	Unpadded bool
}

// Uses says whether what an axis with the values on and off is about is done.
func (o *Options) Uses(axis string) bool { return !slices.Contains(o.Off, axis) }

// WithOff are the options with more of these axes off.
func (o Options) WithOff(axes ...string) Options {
	o.Off = append(slices.Clip(o.Off), axes...)
	return o
}

// Tiling is the choice of tile sizes.
type Tiling struct {
	// None leaves all bands untiled.
	None bool
	// Sizes are the sizes of a band's loops, outermost first, the last one
	// repeated as needed. Empty means the cache model decides.
	Sizes []int64
	// Scale multiplies the model's sizes; zero means one.
	Scale float64
	// VectorScale multiplies, further, the size of the loop that is sunk;
	// zero
	// means one.
	VectorScale float64
	// Height is the size along the outermost loop of tiles in wavefronts without register
	// blocks; zero means that the model decides.
	Height int64
}

// Transform returns the recipe that gives the program the fusion structure of
// the partition and each class its model-driven transformation. The recipe is
// legal by construction; callers prove it all the same, with Recipe.Prove.
func Transform(g *depend.Graph, partition space.Partition, options Options) (schedule.Recipe, error) {
	return TransformNest(g, space.Nest{partition}, options)
}

// TransformNest is Transform for a structure of several levels: statements of one class
// of level k share their k outermost loops, and the classes that a class of
// level k-1 is split into run one after the other inside its k-1 loops. What
// is inside the loops of the innermost level is left to the model. It is an
// error when there are no rows for a loop that statements are to share, which
// is not so for nests of the space that options.Space describes.
func TransformNest(g *depend.Graph, nest space.Nest, options Options) (schedule.Recipe, error) {
	recipe, _, err := Explain(g, nest, options)
	return recipe, err
}

// Explain is TransformNest that also says how the rows were found; it says so
// after an error too, as far as it came.
func Explain(g *depend.Graph, nest space.Nest, options Options) (schedule.Recipe, Explanation, error) {
	var recipe schedule.Recipe
	var explanation Explanation
	err := g.Model.Context.Sound(func() (err error) {
		if options.Loops == LoopsSource {
			recipe, err = explainPlain(g, nest, options)
			return err
		}
		recipe, explanation, err = explain(g, nest, options)
		return err
	})
	return recipe, explanation, err
}

func explain(g *depend.Graph, nest space.Nest, options Options) (schedule.Recipe, Explanation, error) {
	p := newPlanner(g, options)
	classes := nest.Partition().Classes()
	p.begin(classes)
	var shaped shapeReport
	for k, statements := range classes {
		plan := &nodePlan{name: className(k), statements: statements}
		if done, err := p.hexagonal(plan, &shaped); done || err != nil {
			if err != nil {
				return nil, p.explanation, err
			}
			continue
		}
		if err := p.planClass(plan, nest.Inside(statements)); err != nil {
			return nil, p.explanation, fmt.Errorf("class %s of %s: %w", plan.name, p.graph.Model.Names(statements), err)
		}
	}
	return p.recipe, p.explanation, shaped.check(options.Stencil.shape())
}

// class finds the loops of one class.
func (p *planner) class(plan *nodePlan, inside space.Nest) error {
	start := setting{found: map[int][][]int64{}, active: facts.DependencesOf(p.graph, plan.statements)}
	if len(inside) == 0 && len(plan.statements) > 1 {
		if taken, err := p.choose(AtClass, plan.name, View{node: plan, start: start}); taken != nil || err != nil {
			return err
		}
	}
	shared, err := p.isShared(plan.statements, inside)
	if err != nil {
		return err
	}
	if shared {
		return p.rest(plan, start)
	}
	ok, err := p.loops(plan, inside, start)
	if err == nil && !ok {
		err = p.notPossible(plan.statements, inside)
	}
	return err
}

// isShared says whether no loop has to be found for a class to share: it is one
// statement, or keeps the original order, in which one loop is around all.
func (p *planner) isShared(statements []int, inside space.Nest) (bool, error) {
	model := p.graph.Model
	switch {
	case len(statements) == 1:
		return true, nil
	case !p.options.Original || len(inside) > 0 || model.Statements[statements[0]].Depth() == 0 ||
		len(scop.ByPosition(model.Program.Statements, statements, 0)) > 1:
		return false, nil
	}
	return p.meet(facts.SourceLoop(p.graph, statements, 0))
}
