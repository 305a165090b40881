package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"polytune/codegen"
	"polytune/internal/usage"
	"polytune/isl"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// modelOptions decide instead of the models.
type modelOptions struct {
	model string
	// coefficientBound is the largest absolute value of a row's coefficients.
	coefficientBound int
	tile             string
	// point is the text of a setting of the models' axes.
	point string
	start startOptions
	// second asks for tiles of tiles, degrees for so many loops without
	// dependences inside the one over wavefronts.
	second  bool
	degrees int
}

// startOptions are about tiles that start together.
type startOptions struct{ diamond, full, none bool }

// choice is what they ask for.
func (o *startOptions) choice() (transform.Diamond, error) {
	switch {
	case o.none && (o.diamond || o.full):
		return transform.DiamondOff, usage.Mistake(errors.New("--no-diamond contradicts --diamond and --full-diamond; leave one of them out"))
	case o.full:
		return transform.DiamondFull, nil
	case o.diamond:
		return transform.DiamondOne, nil
	}
	return transform.DiamondOff, nil
}

// defaultModel is the model of commands that are not told which.
const defaultModel = transform.PlutoPlus

// name is the name of the model. A setting of the axes that does not say it means
// the axis' default, which never changes, so that the setting of a variant in a
// database makes that variant.
func (o *modelOptions) name() string {
	switch {
	case o.model != "":
		return o.model
	case o.point != "":
		return axisModel.String()
	}
	return defaultModel.String()
}

// axisModel is the default of the axis of models.
const axisModel = transform.Pluto

// options are the transformation's options on this machine.
func (o *modelOptions) options(machine runner.Machine) (transform.Options, error) {
	caches, _ := machine.DataCaches()
	cpus := machine.TimingCPUs(0)
	options := transform.Options{CacheBytes: int(caches[0].Share(cpus)), CoefficientBound: o.coefficientBound}
	options.Run.Threads = machine.Cores
	options.Vector = transform.VectorUnit{Bits: machine.Vector.Bits, Registers: machine.Vector.Registers}
	if len(caches) > 1 {
		options.SecondCacheBytes = int(caches[1].Share(cpus))
	}
	if len(caches) > 2 {
		options.ThirdCacheBytes = int(caches[2].Size)
	}
	if o.degrees < 1 {
		return options, usage.Mistake(fmt.Errorf("--degrees is a positive number, not %d", o.degrees))
	}
	options.SecondLevel, options.Degrees = o.second, o.degrees
	var err error
	if options.Model, err = transform.ParseModel(o.name()); err != nil {
		return options, usage.Mistake(err)
	}
	if b := o.coefficientBound; b < 1 || b > transform.MaxCoefficientBound {
		return options, usage.Mistake(fmt.Errorf("--coefficient-bound is from 1 to %d, not %d", transform.MaxCoefficientBound, b))
	}
	if options.Diamond, err = o.start.choice(); err != nil {
		return options, err
	}
	switch o.tile {
	case "":
	case "none":
		options.Tile.None = true
	default:
		for _, word := range strings.Split(o.tile, ",") {
			size, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
			if err != nil || size < 1 {
				return options, usage.Mistake(fmt.Errorf("tile sizes are positive numbers with commas between them, not %q", o.tile))
			}
			options.Tile.Sizes = append(options.Tile.Sizes, size)
		}
	}
	return options, nil
}

// complete adds to the models' options what the target knows.
func (t *target) complete(options *transform.Options) (err error) {
	options.Run.Parameters = t.run.Parameters
	options.Run.Threads = cmp.Or(t.run.Threads, options.Run.Threads)
	options.Space, err = t.spaceOptions()
	return err
}

// chooseSpace makes the space of partitions that of the model: with coefficients
// of both signs loops may be reversed to be fused.
func (o *modelOptions) chooseSpace(space *spaceChoice) {
	if o.name() == transform.PlutoPlus.String() {
		space.signed = true
	}
}

// attemptLimits bound isl's work for one attempt at a variant, so that a
// schedule whose code explodes ends: on the one hand for dependences and
// transformation, and on the other for the proof and the code. The number of
// operations is the same on all machines; processor time is the limit for those on
// large numbers, and far above what the others take: the dearest, swim's pieces, take
// 14 s on an Intel Xeon (2.5 GHz), and 33 s in the hours when its host gives the same
// work 2.5 times the time. Variants must not depend on that.
// The built-in kernels need less than 3,000,000 operations. They are for programs of manyStatements at most: a lattice Boltzmann step with 19 directions
// in 100 statements takes 25,000,000.
var attemptLimits = limits{operations: 12_000_000, time: time.Minute}

// variant is one transformed program.
type variant struct {
	recipe schedule.Recipe
	text   string
	source []byte
	phases phases
	// concurrentStart says that tiles in wavefronts start together.
	concurrentStart bool
	// loops are facts about the loops, by name, whatever the recipe makes of
	// them.
	loops map[string]transform.LoopFacts
	// givenUp says what was given up because no variant came of it: "tiling"; ""
	// for nothing. why is the error that says in which phase and with which
	// statements.
	givenUp string
	why     error
	// notes are what was noted while the code was printed, doubt why the variant has the loops of
	// the source instead of those of the models, "" where it has not.
	notes codegen.Notes
	doubt string
	// explanation says how the models found the recipe.
	explanation transform.Explanation
}

// phases are the durations of making a variant: finding dependences, and which
// variables may be private; choosing splits and the partition, and finding
// hyperplanes and tiles; proving the schedule and printing its code; all else,
// such as reading the program and looking at the loops of the schedule.
type phases struct{ dependences, transform, codegen, other time.Duration }

// add adds the durations of more work on the same variant.
func (p *phases) add(more phases) {
	p.dependences += more.dependences
	p.transform += more.transform
	p.codegen += more.codegen
	p.other += more.other
}

// total is the sum of the durations.
func (p phases) total() time.Duration { return p.dependences + p.transform + p.codegen + p.other }

// watch returns a function that adds the time since the last call, at first
// since that of watch, to a phase.
func watch() (lap func(phase *time.Duration)) {
	last := time.Now()
	return func(phase *time.Duration) {
		now := time.Now()
		*phase += now.Sub(last)
		last = now
	}
}

// phaseError says in which phase a variant failed.
type phaseError struct {
	phase string
	err   error
}

func (e *phaseError) Error() string { return e.phase + ": " + e.err.Error() }
func (e *phaseError) Unwrap() error { return e.err }

// isIllegal says whether the error is a proof that the variant is not legal.
func isIllegal(err error) bool { return errors.As(err, new(*depend.Violation)) }

// withGraph runs f on the target's dependence graph in an isl context of its
// own. It ends when ctx does, or at the limits of an attempt.
func (t *target) withGraph(ctx context.Context, f func(*depend.Graph) error) error {
	return t.withGraphInPhases(ctx, func(g *depend.Graph, _ func()) error { return f(g) })
}

// withGraphInPhases is withGraph for an f that calls next where a phase begins
// that has the limits to itself.
func (t *target) withGraphInPhases(ctx context.Context, f func(g *depend.Graph, next func()) error) error {
	return t.withGraphWithin(ctx, attemptLimits, f)
}

// withGraphWithin is withGraphInPhases with other limits than those of an attempt.
func (t *target) withGraphWithin(ctx context.Context, l limits, f func(g *depend.Graph, next func()) error) error {
	c, next, end := limitedContext(ctx, l.of(t.region.Program), t.share)
	defer end()
	graph, err := t.analyze(c)
	if err != nil {
		return &phaseError{"dependences", err}
	}
	if err := f(graph, next); err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	return nil
}

// attempt transforms the target with just these options.
func (t *target) attempt(ctx context.Context, nest space.Nest, options transform.Options) (v variant, err error) {
	lap := watch()
	err = t.withGraphInPhases(ctx, func(g *depend.Graph, next func()) error {
		lap(&v.phases.dependences)
		if v.recipe, v.explanation, err = transform.Explain(g, nest, options); err != nil {
			return &phaseError{"transformation", err}
		}
		lap(&v.phases.transform)
		next()
		return t.finish(&v, g)
	})
	return v, err
}

// replay transforms the target by a recipe. With large factors in its rows there is less time.
func (t *target) replay(ctx context.Context, recipe schedule.Recipe) (v variant, err error) {
	v.recipe = recipe
	lap := watch()
	l, program := attemptLimits, t.region.Program
	if recipe.LargeFactors(program, nil) != nil {
		l = factorLimits
	}
	err = t.withGraphWithin(ctx, l, func(g *depend.Graph, _ func()) error {
		lap(&v.phases.dependences)
		return t.finish(&v, g)
	})
	if isl.IsLimit(err) && ctx.Err() == nil {
		err = cmp.Or(recipe.LargeFactors(program, err), err)
	}
	return v, err
}

// finish proves the variant's recipe and prints its program.
func (t *target) finish(v *variant, g *depend.Graph) (err error) {
	lap := watch()
	v.text = v.recipe.Text(g.Model.Program)
	tree, err := v.recipe.Replay(g.Model.Program)
	if err != nil {
		return &phaseError{"schedule", err}
	}
	together, err := v.recipe.ReplayTogether(g.Model.Program)
	if err != nil {
		return &phaseError{"schedule", err}
	}
	if v.concurrentStart, err = transform.ConcurrentStart(g, together); err != nil {
		return &phaseError{"schedule", err}
	}
	if v.loops, err = transform.FactsOf(g, together); err != nil {
		return &phaseError{"schedule", err}
	}
	if v.recipe.Distributes() {
		apart, err := transform.FactsOf(g, tree)
		if err != nil {
			return &phaseError{"schedule", err}
		}
		maps.Copy(apart, v.loops)
		v.loops = apart
	}
	lap(&v.phases.other)
	defer lap(&v.phases.codegen)
	v.source, v.notes, err = codegen.ProgramWithNotes(g, v.recipe, t.file.Unit(t.region))
	return ofCode(err)
}

// ofCode is an error of codegen.Program, which proves a schedule before it prints its code;
// nil for nil.
func ofCode(err error) error {
	switch {
	case err == nil:
		return nil
	case isIllegal(err):
		return &phaseError{"schedule", err}
	}
	return &phaseError{"code", err}
}

// choose resolves the --partition list.
func (t *target) choose(ctx context.Context, list string, seed uint64) (chosen []space.Nest, err error) {
	lap := watch()
	err = t.withGraph(ctx, func(g *depend.Graph) error {
		lap(&t.spent.dependences)
		s, err := t.space(g)
		if err != nil {
			return err
		}
		chosen, err = transform.ChooseNests(s, g, list, seed)
		lap(&t.spent.transform)
		return err
	})
	return chosen, err
}

// recipePartition is the class vector that a recipe begins with: a recipe
// without the command "classes" has all statements in one class.
func recipePartition(recipe schedule.Recipe, statements int) space.Partition {
	partition := make(space.Partition, statements)
	for _, command := range recipe {
		classes, ok := command.(schedule.Classes)
		if !ok {
			continue
		}
		for number, group := range classes.Groups {
			for _, statement := range group {
				partition[statement] = number
			}
		}
	}
	return partition
}
