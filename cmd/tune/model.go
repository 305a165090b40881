package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"polytune/codegen"
	"polytune/isl"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// modelOptions are the flags that decide instead of the models.
type modelOptions struct {
	model string
	tile  string
}

func (o *modelOptions) flags(set *pflag.FlagSet) {
	set.StringVar(&o.model, "model", "pluto", "the scheduling `model`: pluto, the tiling hyperplane method with non-negative coefficients")
	set.StringVar(&o.tile, "tile", "", "tile `sizes`, outermost first, such as 32,32,256; none leaves loops untiled; by default the cache decides")
}

// defaultCacheBytes is the cache that tiles are made for where the system
// does not tell its own.
const defaultCacheBytes = 32 << 10

// options are the transformation's options on this machine.
func (o *modelOptions) options(machine runner.Machine) (transform.Options, error) {
	options := transform.Options{CacheBytes: defaultCacheBytes}
	if cache, ok := machine.DataCache(1); ok {
		options.CacheBytes = int(cache.Size)
	}
	if o.model != "pluto" {
		return options, usageError(fmt.Errorf("there is no model %q; there is pluto", o.model))
	}
	switch o.tile {
	case "":
	case "none":
		options.Tile.None = true
	default:
		for _, word := range strings.Split(o.tile, ",") {
			size, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
			if err != nil || size < 1 {
				return options, usageError(fmt.Errorf("tile sizes are positive numbers with commas between them, not %q", o.tile))
			}
			options.Tile.Sizes = append(options.Tile.Sizes, size)
		}
	}
	return options, nil
}

// maxOperations bounds isl's work for one variant, so that a schedule whose
// code explodes fails like any other variant. It is no bound on time: an
// operation on large numbers takes longer. The built-in kernels need less than
// 3,000,000.
const maxOperations = 12_000_000

// variant is one transformed program.
type variant struct {
	recipe schedule.Recipe
	text   string
	source []byte
	phases phases
}

// phases are the durations of making a variant.
type phases struct{ dependences, transform, codegen time.Duration }

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
// own.
func (t *target) withGraph(f func(*depend.Graph) error) error {
	ctx := isl.NewContext()
	defer ctx.Close()
	ctx.SetMaxOperations(maxOperations)
	graph, err := t.analyze(ctx)
	if err != nil {
		return &phaseError{"dependences", err}
	}
	return f(graph)
}

// variant transforms the target by the models.
func (t *target) variant(partition space.Partition, options transform.Options) (v variant, err error) {
	lap := watch()
	err = t.withGraph(func(g *depend.Graph) error {
		lap(&v.phases.dependences)
		if v.recipe, err = transform.Transform(g, partition, options); err != nil {
			return &phaseError{"transformation", err}
		}
		lap(&v.phases.transform)
		defer lap(&v.phases.codegen)
		return t.finish(&v, g)
	})
	return v, err
}

// replay transforms the target by a recipe.
func (t *target) replay(recipe schedule.Recipe) (v variant, err error) {
	v.recipe = recipe
	lap := watch()
	err = t.withGraph(func(g *depend.Graph) error {
		lap(&v.phases.dependences)
		defer lap(&v.phases.codegen)
		return t.finish(&v, g)
	})
	return v, err
}

// finish proves the variant's recipe and prints its program.
func (t *target) finish(v *variant, g *depend.Graph) (err error) {
	v.text = v.recipe.Text(g.Model.Program)
	if v.source, err = codegen.Program(g, v.recipe, t.file, t.region); err != nil {
		return &phaseError{"schedule", err}
	}
	return nil
}

// choose resolves the --partition list.
func (t *target) choose(list string, seed uint64) (chosen []space.Partition, err error) {
	err = t.withGraph(func(g *depend.Graph) error {
		s, err := space.New(g, space.Options{})
		if err != nil {
			return err
		}
		chosen, err = transform.Choose(s, g, list, seed)
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
