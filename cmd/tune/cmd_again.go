package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/opendb"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/runner"
	"polytune/session"
	"polytune/store"
)

const againHelp = `Time the best known variant, the original and the runner-up anew, without a search:
in interleaved rounds, as tune does in the end, and once more compared with the
original before. Where nothing is known to be faster than the original, the two
variants are timed that looked the fastest. Further variants are named by --variant,
with the id that tune and tune report show, and by --recipe.

The result is a new measurement each time, which is kept beside the earlier ones.
Where a variant has several, its newest one with an interval counts: for tune best,
tune emit and tune cc. So this replaces a result that was timed while other programs
used the processors.

A program with main is timed as a whole, too, from its start to its end: as it is
written, and with the best variants of all regions in place. With --json its document
is the last of the list.

With --min-speedup 2 the exit status is 4 where the best variant of a region has less
than twice the speed of the original (the median), for continuous integration.`

func newAgainCommand(global *globalOptions) *cobra.Command {
	o := &session.Again{}
	c := &cobra.Command{
		Use:   "again TARGET",
		Short: "Time the best known variant and the original anew, without a search",
		Long: againHelp + exitStatusHelp("3   finished, but some variant computed something else than the original",
			"4   finished, but some speed-up is below --min-speedup", "75  interrupted; the same command again begins anew"),
		Example: "  tune again --bench 2mm\n  tune again kernel.c --min-speedup 2\n  tune again kernel.c --param N=2000 --recipe mine.recipe --json",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			o.Tune.Command = repeating(c)
			o.Tune.Next = func(t *pipeline.Target, isOriginal bool) []string { return nextCommands(c, t, isOriginal) }
			return runAgain(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	targetFlags(c.Flags(), &o.Tune.Target)
	ranksFlags(c.Flags(), &o.Tune.Target.Ranks)
	privatizeFlag(c.Flags(), &o.Tune.Target, true)
	reassociateFlag(c.Flags(), &o.Tune.Target)
	driverFlags(c.Flags(), &o.Tune.Target.Driver)
	runFlags(c.Flags(), &o.Tune.Target.Program)
	checkFlags(c.Flags(), &o.Tune.Target.Program)
	measuringFlags(&o.Tune, c.Flags())
	timedDeviceFlags(&o.Tune.Device, global, c)
	c.Flags().Lookup("effort").Usage = "how thoroughly to measure: quick, normal, full"
	c.Flags().Lookup("budget").Usage = "end the rounds after this `time`, such as 10m"
	c.Flags().Lookup("seed").Usage = "seed of the order of measurements"
	c.Flags().StringVar(&o.Tune.Size, "size", "", "problem `size` of a benchmark (default that which has results)")
	c.Flags().StringVar(&o.Tune.Params, "param", "", "parameter values, `NAME=NUMBER,…` (default those that have results)")
	repeatedFlag(c.Flags(), &o.Variants, "variant", "", "time the variant with this `ID`, too; may be repeated")
	repeatedFlag(c.Flags(), &o.Recipes, "recipe", "", "time the variant of the recipe in this `file`, too; may be repeated")
	c.Flags().Float64Var(&o.MinSpeedup, "min-speedup", 0, "end with status 4 where the best variant is not so many `times` as fast as the original")
	bindSettings(global, c)
	return c
}

func runAgain(ctx context.Context, w io.Writer, o *session.Again, args []string, settings configs.Settings) (err error) {
	r := session.Run{Options: &o.Tune, Settings: settings, Warnings: &session.Preflight{}}
	if r.Effort, err = o.Tune.CheckFlags(); err != nil {
		return usage.Mistake(err)
	}
	if o.MinSpeedup < 0 {
		return usage.Mistake(fmt.Errorf("--min-speedup is a ratio above zero, such as 2, not %v", o.MinSpeedup))
	}
	if r.Allotted, err = session.NewAllotment(os.Stderr, o.Tune.Budget, os.Getenv, time.Now()); err != nil {
		return err
	}
	if r.Machine, err = runner.Detect(settings.Machine.Name); err != nil {
		return err
	}
	targets, err := o.Tune.Target.All(args)
	if err != nil {
		return err
	}
	o.Tune.Target.WarnOfMacros(os.Stderr, targets, settings.SelectedToolchain())
	if r.Toolchains, err = session.FindToolchains(ctx, &o.Tune.Target, settings); err != nil {
		return err
	}
	open := store.OpenExisting
	if len(o.Recipes) > 0 {
		open = store.Open
	}
	if r.DB, err = opendb.Open(ctx, os.Stderr, settings.DB, open); err != nil {
		return err
	}
	defer r.DB.Close()
	if err := o.KnownSize(ctx, &r, targets); err != nil {
		return err
	}
	if err := o.TimeAll(ctx, w, &r, targets); err != nil {
		return err
	}
	return cmp.Or(r.Worst, o.Judge(r.Results))
}
