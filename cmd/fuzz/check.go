package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform"
)

// Where a program can fail.
const (
	stageFrontend    = "frontend"
	stageDependences = "dependences"
	stageSplit       = "split"
	stageSpace       = "space"
	stageTransform   = "transform"
	stageSchedule    = "schedule"
	stageCompile     = "compile"
	stageResult      = "result"
	stageCrash       = "crash"
	stageNothing     = ""
)

// maxOperations and variantTime bound isl's work for one variant.
const (
	maxOperations = 4_000_000
	variantTime   = 8 * time.Second
)

// variantsTime is the time after which a program gets no more variants.
const variantsTime = 20 * time.Second

// runSizes are those at which variants are run: none, few and negative
// iterations, and the multiples of the tile sizes, one less and one more.
var runSizes = []randomprogram.Size{
	{N: 0, M: 0}, {N: 1, M: 0}, {N: 0, M: 1}, {N: 1, M: 1}, {N: 2, M: 3}, {N: 3, M: 2}, {N: 4, M: 4}, {N: -2, M: 5}, {N: 5, M: -3},
	{N: 6, M: 7}, {N: 9, M: 6}, {N: 3, M: 14}, {N: 12, M: 13}, {N: 17, M: 22}, {N: 33, M: 31},
}

// deviceShare is which part of a program's variants runs on devices, too.
const deviceShare = 7

// ranksShare is which part of a program's variants runs on ranks.
const ranksShare = 4

// hexagonShare is which part of a program's variants has hexagons, if it is a stencil.
const hexagonShare = 15

// cacheBytes is the size of the cache that the default tiles are made for.
const cacheBytes = 32 << 10

// grain is the work from which on nests have several threads, which all sizes but the smallest
// have.
const grain = 8

// choices are what each structure is transformed with. Most tiles are so small
// that full and partial ones occur at small sizes.
var choices = []transform.Options{
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{None: true}},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{2, 3}}},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{4, 5, 7}}},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{4, 1, 2}}},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{3, 2}}, Off: []string{"wavefront", "separate"}},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{2, 4}}, Off: []string{"vector"}},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{5}}, Off: []string{"parallel"}},
	{CacheBytes: cacheBytes, Grain: grain},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{3}}, Diamond: transform.DiamondOne},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{2}}, Diamond: transform.DiamondFull, Off: []string{"separate"}},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{2}}, Degrees: 2, SecondLevel: true},
	{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{None: true}, Original: true},
}

// report is what became of one program.
type report struct {
	// Stage is where the program failed; stageNothing when it did not.
	Stage   string `json:",omitempty"`
	Message string `json:",omitempty"`
	// Recipe is that of the variant that failed, "" where nobody knows it.
	Recipe string `json:",omitempty"`
	counts
	// Private is how many variables the program got for single iterations, Expanded how many arrays
	// with elements for all, and Placed how many temporaries are in elements of arrays.
	Private, Expanded, Placed int
	// Reductions is how many different accumulators and operators the program
	// has that were free to be updated in any order.
	Reductions int
	// Evaluated is 1 where Layer I of the program was evaluated beside its C.
	Evaluated int
	// Slow is how many variants were given up because isl would take too
	// long for their code.
	Slow int
	// TooSlow says that the whole program was given up.
	TooSlow bool `json:",omitempty"`
}

// failed is a failure at a stage.
type failed struct {
	stage string
	err   error
	// recipe is that of the variant that failed, "" where nobody knows it.
	recipe string
}

func (f failed) Error() string { return f.stage + ": " + f.err.Error() }
func (f failed) Unwrap() error { return f.err }

// subject is a program on its way through the stages.
type subject struct {
	program *randomprogram.Program
	layout  randomprogram.Layout
	// source is the file, prelude what stands in it before the function.
	source, prelude string
	// target is the program on its way through the pipeline; its statements may have been split.
	target *pipeline.Target
	// reassociates says that its reductions may be done in any order.
	reassociates bool
	// patience is the time that isl has for one question.
	patience time.Duration
	// commands chooses further commands.
	commands *rand.Rand
}

// check takes a program through all stages, in at most limit variants besides that of a recipe, ""
// for none.
func check(p *randomprogram.Program, recipe string, limit int) report {
	return reported(func(r *report) error { return checkAll(p, recipe, limit, r) })
}

// reported is what became of a program by a check.
func reported(by func(*report) error) (r report) {
	err := by(&r)
	var f failed
	switch {
	case err == nil:
	case isl.IsLimit(err):
		r.TooSlow = true
	case errors.As(err, &f):
		r.Stage, r.Message, r.Recipe = f.stage, f.err.Error(), f.recipe
	}
	return r
}

// newSubject prints the program and reads it with the front end.
func newSubject(p *randomprogram.Program) (s *subject, err error) {
	s = &subject{program: p, layout: randomprogram.NewLayout(p, runSizes), patience: variantTime, commands: draw(p.Seed, streamCommands)}
	s.prelude = p.Prelude(s.layout)
	s.source = s.prelude + p.Source(s.layout)
	targets, err := new(pipeline.Options).Regions(&pipeline.Target{Name: "random"}, "random.c", []byte(s.source))
	if err != nil {
		return nil, failed{stage: stageFrontend, err: err}
	}
	s.target = targets[0]
	return s, nil
}

func checkAll(p *randomprogram.Program, recipe string, limit int, r *report) error {
	s, err := prepared(p, r)
	if err != nil {
		return err
	}
	sources, err := s.repeated(recipe)
	if err != nil {
		return err
	}
	structures, err := s.structures(limit)
	if err != nil {
		return err
	}
	more, err := s.variants(structures, draw(p.Seed, streamOptions), limit, r)
	if err != nil {
		return err
	}
	pieces, err := s.splitVariants(limit, r)
	if err != nil {
		return err
	}
	opened, err := s.openVariants(draw(p.Seed, streamOpen), (limit+openShare-1)/openShare, r)
	if err != nil {
		return err
	}
	if err := s.compareResults(slices.Concat(sources, more, pieces, opened)); err != nil {
		return err
	}
	if err := s.onRanks(max(1, limit/ranksShare), r); err != nil {
		return err
	}
	if r.Kernels, err = s.onDevices(structures, limit/deviceShare); err != nil || len(structures) == 0 {
		return err
	}
	return s.hexagons(structures[0], limit/hexagonShare, r)
}

// prepared is a program whose dependences are right, with temporaries in elements, expanded or
// private, as its seed says.
func prepared(p *randomprogram.Program, r *report) (*subject, error) {
	s, err := newSubject(p)
	if err != nil {
		return nil, err
	}
	err = s.within(func(g *depend.Graph) error {
		if err := s.compareDependences(g); err != nil {
			return failed{stage: stageDependences, err: err}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	evaluated, err := s.compareLayer()
	if err != nil {
		return nil, err
	}
	if evaluated {
		r.Evaluated = 1
	}
	s.target.Inplace = draw(p.Seed, streamPlace).IntN(leaveTemporaries) > 0
	s.target.Privatize = draw(p.Seed, streamPrivate).IntN(leaveTemporaries) > 0
	s.reassociates = p.Reassociate
	if p.Seed%2 == 0 {
		r.Expanded, err = s.expand()
	} else {
		err = s.change(scop.Room{})
	}
	whole := s.target.Whole
	r.Placed, r.Private = len(whole.Placements), s.privates()
	if p.Reassociate {
		r.Reductions = len(whole.Reductions())
	}
	return s, err
}

// within runs f on the program's dependences in a context of its own.
func (s *subject) within(f func(*depend.Graph) error) error {
	limits := limit.Limits{Operations: maxOperations, Time: s.patience}
	err := s.target.WithGraphWithin(context.Background(), limits, func(g *depend.Graph, _ func()) error { return f(g) })
	if wrong := new(pipeline.PhaseError); errors.As(err, &wrong) {
		return failed{stage: wrong.Phase, err: wrong.Err}
	}
	return err
}

// place puts the program's temporaries into elements of arrays, and counts them.
func (s *subject) place() (count int, err error) {
	s.target.Inplace = true
	err = s.change(s.target.Whole.Room)
	return len(s.target.Whole.Placements), err
}

// privatize gives the program's temporaries private copies, and counts them.
func (s *subject) privatize() (count int, err error) {
	s.target.Privatize = true
	err = s.change(s.target.Whole.Room)
	return s.privates(), err
}

// privates counts the variables that were given private copies.
func (s *subject) privates() int {
	return len(s.target.Whole.Privates()) - len(s.target.Written.Privates())
}

// expand gives the program's temporaries elements for all iterations, and counts the arrays, of
// which every other one has no dimension for the outermost loop; every other program leaves
// variables of single iterations alone, and every third one has elements for the outermost loop
// alone. The limit on their memory is not large enough for all of runSizes, so that both versions
// of the code run.
func (s *subject) expand() (count int, err error) {
	room := scop.Room{Bytes: 2000, Sums: s.program.Seed%2 == 0, Outermost: s.program.Seed%3 == 0, Sharing: scop.Sharing{}}
	if err := s.change(room); err != nil {
		return 0, err
	}
	for k, e := range s.target.Whole.Expansions {
		if k%2 == 0 && len(e.Extents) > 1 {
			room.Sharing[e.Name] = 1
		}
	}
	return len(s.target.Whole.Expansions), s.change(room)
}

// change makes the program that is transformed of the one that was read.
func (s *subject) change(room scop.Room) error {
	if err := s.target.Change(room, s.reassociates); err != nil {
		return failed{stage: stageDependences, err: err}
	}
	return nil
}

// variants are the transformed programs, each once, at most limit: in each
// round every structure with another one of the choices, or in every other round
// with options that chance chooses.
func (s *subject) variants(structures []structure, random *rand.Rand, limit int, r *report) ([]string, error) {
	var sources []string
	start, seen := time.Now(), map[string]bool{}
	for round := range 2 * len(choices) {
		for k, structure := range structures {
			options := choices[(k+round/2)%len(choices)]
			if (k+round)%2 == 1 {
				var err error
				if options, err = drawOptions(random); err != nil {
					return nil, err
				}
			}
			if r.Variants+r.Slow >= limit || time.Since(start) > variantsTime {
				return sources, nil
			}
			source, counted, err := s.variant(structure, options, random, seen)
			switch {
			case isl.IsLimit(err):
				r.Slow++
			case err != nil:
				return nil, err
			case source != "":
				sources = append(sources, source)
				r.add(counted)
			}
		}
	}
	return sources, nil
}

// variant is one transformed program, or "" when its recipe has been seen. Two of nine have
// register blocks that chance chooses, and one each a region of threads, blocks that statements
// share and a team, phases, statements that are shifted and parts that are fused, copies of
// elements, or copies side by side, if it can. Arrays are contracted, and some innermost loops
// store past the caches, where that is legal; and one of three has further commands, whatever
// chance chooses.
func (s *subject) variant(from structure, options transform.Options, random *rand.Rand, seen map[string]bool) (source string, counted counts, err error) {
	program := s.target.Unit.Program
	options.Space = from.options
	err = s.within(func(g *depend.Graph) error {
		recipe, err := transform.TransformNest(g, from.nest, options)
		if err != nil {
			return s.failedVariant(stageTransform, from, options, "", err)
		}
		switch random.IntN(9) {
		case 0, 1:
			recipe = withRegisters(g, recipe, random)
		case 2:
			recipe = withRegion(g, recipe, random)
		case 3:
			recipe = withStrips(g, recipe, random)
		case 4:
			recipe = withPhases(g, recipe, random)
		case 5:
			recipe = withFused(g, recipe, random)
		case 6:
			recipe = withCopies(g, recipe, random)
		case 7:
			recipe = withLayouts(g, recipe, random)
		}
		recipe = withCommands(g, withStreams(g, withContracts(g, recipe, random), random), s.commands)
		text := recipe.Text(program)
		if seen[text] {
			return nil
		}
		seen[text] = true
		if again, err := command.Parse(program, text); err != nil || again.Text(program) != text {
			return s.failedVariant(stageSchedule, from, options, text, fmt.Errorf("the recipe reads back as another: %v\n%s", err, text))
		}
		code, err := s.target.On.Print(g, recipe, s.target.Unit)
		if err != nil {
			return s.failedVariant(stageSchedule, from, options, text, fmt.Errorf("%w\n%s", err, text))
		}
		source = strings.TrimPrefix(string(code.Text), s.prelude)
		counted = one(program, from, options, recipe)
		return nil
	})
	return source, counted, err
}

func (s *subject) failedVariant(stage string, from structure, options transform.Options, recipe string, err error) error {
	if isl.IsLimit(err) {
		return err
	}
	return failed{stage, fmt.Errorf("structure %s, options %+v: %w", from, options, err), recipe}
}

// smallSizes are those of the program's sizes at which its instances are few
// enough to be compared one by one.
func (s *subject) smallSizes() []randomprogram.Size {
	candidates := []randomprogram.Size{{N: 0, M: 0}, {N: 1, M: 0}, {N: 2, M: 3}, {N: 5, M: -3}, {N: 3, M: 2}, {N: 4, M: 4}, {N: 6, M: 7}}
	return slices.DeleteFunc(candidates, func(size randomprogram.Size) bool { return !slices.Contains(s.layout.Sizes, size) })
}
