package transform

import (
	"fmt"

	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
)

// Loops says whose loops a variant has.
type Loops int

const (
	// LoopsModel are those that the models find.
	LoopsModel Loops = iota
	// LoopsSource are those of the source: none is moved, skewed, tiled or shared by statements
	// that share none in the source. The outermost one that may has several threads, from so much
	// work on, and the innermost ones are marked as vector loops where that costs nothing.
	LoopsSource
)

// loopKinds are the values of the axis "loops", by their numbers.
var loopKinds = []string{"model", "source"}

// LoopsAxis is the name of the axis of whose loops a variant has, and PlainSetting the setting of
// the plain variant: the loops of the source, with threads and vectors.
const (
	LoopsAxis    = "loops"
	PlainSetting = LoopsAxis + "=source"
)

// plainOptions are the options of a variant with the loops of the source, without what would change
// their order.
func plainOptions(options Options) Options {
	options.Tile = Tiling{None: true}
	options = options.WithOff(wavefrontAxis, phasesAxis, contractAxis, delayAxis)
	options.Original = true
	options.Interleave = 1
	return options
}

// explainPlain is Explain for the loops of the source.
func explainPlain(g *depend.Graph, nest space.Nest, options Options) (schedule.Recipe, error) {
	p := newPlanner(g, plainOptions(options))
	classes := nest.Partition().Classes()
	p.begin(classes)
	for k, statements := range classes {
		plan := &nodePlan{name: className(k), statements: statements}
		if err := p.original(plan, map[int][][]int64{}, facts.DependencesOf(p.graph, statements), 0, 0); err != nil {
			return nil, fmt.Errorf("the loops of the source for class %s of %s: %w", plan.name, p.graph.Model.Names(statements), err)
		}
		if err := p.decide(plan, !p.options.Uses(parallelAxis)); err != nil {
			return nil, fmt.Errorf("the loops of the source for class %s of %s: %w", plan.name, p.graph.Model.Names(statements), err)
		}
	}
	return p.recipe, nil
}
