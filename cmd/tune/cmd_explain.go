package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/explain"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/pipeline/variant"
)

// explainOptions are those of tune explain.
type explainOptions struct {
	explain.Options
	json bool
	// tiles is a file for a picture of tiles, "" for none.
	tiles string
}

func newExplainCommand(global *globalOptions) *cobra.Command {
	o := &explainOptions{}
	c := &cobra.Command{
		Use:   "explain TARGET",
		Short: "Say what a variant does, why, and how fast it can be",
		Long: `Say what was done to the loops of a variant and why: how often each runs, which
are tiled, on threads and in SIMD lanes, how much data a tile has and which
cache holds it, how many floating-point operations a class does and how many
bytes it has to move, and which of the two bounds its time on this machine. The
variant is the one that tune transform makes with the same flags, or with --best
the fastest known one, of a file without --param at the size that has results.

Numbers of iterations, instances and elements are those at the values of the
parameters; where counting all would take too long, some are looked at, and the
number stands behind "about". Bytes to move are those of elements whose values
come from outside the class, and of elements that it writes, each once. The bound
is the larger of operations and bytes divided by what tune machine --peaks has
measured. With timings in the database, or with --run, the variant's own rate
stands beside it.

Of a loop that carries dependences it says which ones, between which references of
the source. Where a class does not run in parallel because of them, it says what
would free it: flags such as --reassociate, --expand and -fno-math-errno, and
changes of the source, each of which has been tried with the models or the compiler.

A program with main has parameters whose values only the program knows. With --best
and --run it is run once to see them, unless --param says what they are. Results of
runs with arguments are those of --run-args.` + axesHelp() + exitStatusHelp(),
		Example: "  tune explain --bench 2mm\n  tune explain --bench gemm --size medium --tile 32,32,256 --run\n  tune explain kernel.c --param N=2000 --best --json",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runExplain(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), o, args, settings)
		},
	}
	changeFlags(c.Flags(), &o.Target, &o.Splitting)
	modelFlags(c.Flags(), &o.Model)
	c.Flags().StringVar(&o.Partition, "partition", "smart", "the fusion `partition`, as for tune transform")
	recipeFlags(c, &o.Recipe, "a `file` of scheduling commands to follow instead of the models")
	c.Flags().BoolVar(&o.Best, "best", false, "explain the fastest known variant for this machine, compiler and size")
	c.Flags().StringVar(&o.Size, "size", "large", "problem `size` of a benchmark: mini, small, medium, large, extralarge")
	c.Flags().StringVar(&o.Params, "param", "", "parameter values, `NAME=NUMBER,…`, instead of or on top of a size")
	c.Flags().BoolVar(&o.Run, "run", false, "build the variant and time it")
	c.Flags().BoolVar(&o.Counters, "counters", false, "build the variant, and count by perf stat what the processor does in it: instructions, misses of caches, the share of vectors")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	c.Flags().StringVar(&o.tiles, "tiles", "", "write a picture of tiles in time and space (--hexagon) to a `file`, as SVG: the tiles of both phases, the instances of one and their dependences")
	bindSettings(global, c)
	timedDeviceFlag(global, c)
	return c
}

func runExplain(ctx context.Context, w, stderr io.Writer, o *explainOptions, args []string, settings configs.Settings) error {
	if o.Best && (o.Recipe.IsGiven() || o.Model.Point != "" || o.Model.Tile != "") {
		return usage.Mistake(errors.New("--best takes a stored variant; leave out --recipe, --schedule, --point and --tile"))
	}
	o.Model.ChooseSpace(&o.Target.Space)
	targets, err := o.Target.All(args)
	if err != nil {
		return err
	}
	if o.json {
		if err := oneDocument(targets); err != nil {
			return err
		}
	}
	if !o.Recipe.IsGiven() && o.Partition == variant.DecidingPartition && o.Model.IsDefault() && !o.Best {
		o.Recipe = byhand.OfTarget(targets[0])
	}
	place, err := o.Place(ctx, settings)
	if err != nil {
		return err
	}
	if !o.Recipe.IsGiven() && o.Partition == variant.DecidingPartition && !o.Best {
		if err := variant.ExpandWherePays(ctx, &o.Target, stderr, targets, &o.Model, place.Machine); err != nil {
			return err
		}
	}
	if err := o.Splitting.Apply(ctx, stderr, targets); err != nil {
		return err
	}
	if o.Picture = o.tiles != ""; o.Picture && len(targets) > 1 {
		return usage.Mistake(fmt.Errorf("--tiles is about one region: %w", pipeline.SeveralRegions(targets)))
	}
	for _, t := range targets {
		r, err := o.Explain(ctx, t, place)
		if err == nil && o.Picture {
			err = os.WriteFile(o.tiles, []byte(r.Tiles), 0o644)
		}
		if err != nil {
			return t.Failed(err)
		}
		if o.json {
			return jsondoc.Write(w, r)
		}
		r.Print(w, place)
	}
	return nil
}
