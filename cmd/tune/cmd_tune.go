package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/configs"
	"polytune/internal/opendb"
	"polytune/internal/pattern"
	"polytune/internal/usage"
	"polytune/language"
	"polytune/pipeline"
	"polytune/runner"
	"polytune/session"
	"polytune/store"
	"polytune/tuner"
	"polytune/tuner/search"
)

var tuneHelp = `polytune tunes a region of C code between #pragma scop and #pragma endscop: it
tries every legal way to fuse and distribute the statements, finishes each with
a model (tiling, parallel loops, vectorisation), builds and times them on this
machine, checks every result against the original, and remembers the winner.

TARGET is a C file or --bench NAME; see tune list. There may be several files, or
several names with commas between them, also of suites: a table of all comes last. A function without main is
called with data of our own, at the sizes of --param. A program with main, in
the file or in another one that --build-flags names, is run as it is.

Effort quick tries the models' defaults for all partitions. Normal goes on from
the fastest of them, along the axes that matter for the program (those of --point
of tune transform), for a bounded number of candidates, and full until --budget
ends, or without it until many in a row were no better. --strategy says how:

` + strategiesHelp + "\n\n" + severalCompilersHelp + `
--budget is the time of the whole command, whatever it does then: making variants
counts. Several regions share it. Each has its original and first
candidates timed; half of the rest they have alike, and half by the time that
their best variants take, which is the most that can still be won. What one
leaves goes to the others. A few seconds more, for the first candidates and the
last round, are all that it takes beyond.

--transfer other.db first tries, behind the models' own choice, what did well on
the other machines whose results are there, in the order that tune compare
--transfer this would list. With --recipe, so are fillings that databases have of
other sizes, those with the largest gains first. A session goes on where it was as long as these
databases have the same results of the program.` +
	exitStatusHelp("3   finished, but some variant computed something else than the original, or\n      some region of several cannot be tuned", "75  interrupted, or the budget ended before all was done; the same command\n      again resumes. --effort full searches until then, and ends with 0 if its\n      race is over")

func newTuneCommand(global *globalOptions) *cobra.Command {
	o := &session.Options{}
	c := &cobra.Command{
		Use:     "tune TARGET...",
		Short:   "Autotune the loop nests of C programs for this machine",
		Long:    tuneHelp,
		Example: "  tune --bench 2mm\n  tune kernel.c --param N=2000 --budget 8h\n  tune prog.c --build-flags \"-I include helpers.c -DN=2000 -lm\" --run-args 10",
		Args:    maximumArgs(math.MaxInt),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkTuneArgs(o, args); err != nil {
				return err
			}
			if c.Flags().Changed("size") {
				o.SizeGiven = o.Size
			}
			settings, err := global.settings()
			if err != nil {
				return err
			}
			o.Command = repeating(c)
			o.Next = func(t *pipeline.Target, isOriginal bool) []string { return nextCommands(c, t, isOriginal) }
			return runTune(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	tuneFlags(o, global, c)
	return c
}

// tuneFlags adds the flags of tune, those that stand for settings with them.
func tuneFlags(o *session.Options, global *globalOptions, c *cobra.Command) {
	changeFlags(c.Flags(), &o.Target, &o.Splitting)
	checkFlags(c.Flags(), &o.Target.Program)
	measuringFlags(o, c.Flags())
	timedDeviceFlags(&o.Device, global, c)
	c.Flags().StringVar(&o.Size, "size", session.DefaultSize, "problem `size` of a benchmark: mini, small, medium, large, extralarge")
	c.Flags().StringVar(&o.Params, "param", "", "parameter values, `NAME=NUMBER,…`, instead of or on top of a size")
	c.Flags().StringVar(&o.Strategy, "strategy", "", fmt.Sprintf("how to search: %s (default %s)", strings.Join(search.Names(), ", "), defaultStrategiesText()))
	c.Flags().StringSliceVar(&o.Transfer, "transfer", nil, "`databases` of other machines: what did well there is tried first")
	c.Flags().Var(filesFlag{files: &o.Recipes}, recipeFlag, "a `file` of scheduling commands that is raced, each filling of its holes; may be repeated")
	c.Flags().Var(filesFlag{&o.Recipes, true}, scheduleFlag, scheduleHelp+" that is raced; may be repeated")
	c.Flags().BoolVar(&o.OnlyRecipes, "only-recipes", false, "race the recipes and the original, without the models' candidates")
	c.Flags().StringVar(&o.Point, "point", "", "what holes of the recipes are: `hole.1=32`")
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "say how many variants would be tried and about how long that takes, and stop")
	c.Flags().String("publish", "", "a `file`, also on a network file system, that gets a copy of the database every few minutes and at the end")
	global.bind(c, map[string]string{"publish": "publish.file"})
	bindSettings(global, c)
	c.Flags().Lookup("cc").Usage = "the `compiler`: an entry of the settings' toolchains, a name on PATH, or a path; several, as in gcc,clang, are an axis of the search"
}

// measuringFlags are those that say how long and how to time.
func measuringFlags(o *session.Options, set *pflag.FlagSet) {
	set.StringVar(&o.Effort, "effort", "normal", "how thoroughly to search and to measure: quick, normal, full")
	set.DurationVar(&o.Budget, "budget", 0, "stop after this `time`, such as 8h, for all regions together; the same command again goes on")
	set.Uint64Var(&o.Seed, "seed", 1, "seed of the search and of the order of measurements")
	set.BoolVar(&o.Strict, "strict", false, "time nothing while something that can be helped disturbs timings on this machine; see tune machine")
	set.BoolVar(&o.Verbose, "verbose", false, "print what the timings are worth, too: claims, noise, disturbed rounds, processors")
	set.BoolVar(&o.JSON, "json", false, "print one JSON document instead of the table, a list where the file has several regions")
}

// aParameter is what somebody has forgotten --param in front of.
var aParameter = pattern.New(`^\w+=\d+(,\w+=\d+)*$`)

// checkTuneArgs says where to begin to someone who types a bare "tune".
func checkTuneArgs(o *session.Options, args []string) error {
	if len(args) == 0 && o.Target.Bench == "" {
		return usage.Mistake(errors.New("name a C file, or a benchmark with --bench; see tune --help"))
	}
	for _, path := range args {
		info, err := os.Stat(path)
		switch {
		case err == nil && info.IsDir() && !language.IsProgram(path):
			return usage.Mistake(fmt.Errorf("%s is a folder; tune scan %[1]s lists the loop nests of its files, which are tuned by name", path))
		case err != nil && aParameter.MatchString(path):
			return usage.Mistake(fmt.Errorf("values of parameters stand behind a flag: --param %s", path))
		}
	}
	return nil
}

// bindSettings adds the flags that stand for settings.
func bindSettings(global *globalOptions, c *cobra.Command) {
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	c.Flags().Int("threads", 0, "OpenMP threads of the measured programs (default one for each core)")
	global.bind(c, map[string]string{"db": "db", "threads": "threads"})
	bindCompilerSettings(global, c)
}

// bindCompilerSettings adds the flags that say how programs are built.
func bindCompilerSettings(global *globalOptions, c *cobra.Command) {
	c.Flags().String("cc", "", "the `compiler`: an entry of the settings' toolchains, a name on PATH, or a path")
	c.Flags().Int("jobs", 0, "compilers that run at the same time (default one for each core)")
	global.bind(c, map[string]string{"cc": "toolchain", "jobs": "jobs"})
}

func runTune(ctx context.Context, w io.Writer, o *session.Options, args []string, settings configs.Settings) (err error) {
	r := session.Run{Options: o, Settings: settings, Warnings: &session.Preflight{}}
	if r.Effort, err = o.CheckFlags(); err != nil {
		return usage.Mistake(err)
	}
	if r.Allotted, err = session.NewAllotment(os.Stderr, o.Budget, os.Getenv, time.Now()); err != nil {
		return err
	}
	if r.Machine, err = runner.Detect(settings.Machine.Name); err != nil {
		return err
	}
	within, stop := r.Allotted.Within(ctx, session.LeastPreparing)
	defer stop()
	r.Unanswered.Stderr = os.Stderr
	o.Target.Refused = r.Unanswered.Add
	targets, err := o.Targets(within, args, r.Machine, settings, func(name string, err error) error {
		if within.Err() == nil && r.Unanswered.Goes(ctx, name, err, 2) {
			return nil
		}
		return err
	})
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		return r.BudgetEnded(os.Stderr, nil, 0)
	}
	if err != nil {
		return err
	}
	if r.Toolchains, err = session.FindToolchains(ctx, &o.Target, settings); err != nil {
		return err
	}
	if r.DB, err = opendb.Open(ctx, os.Stderr, settings.DB, store.Open); err != nil {
		return err
	}
	defer r.DB.Close()
	if !o.DryRun {
		published, failed := session.Publish(ctx, os.Stderr, r.DB.Path(), settings.Publish)
		if failed != nil {
			return failed
		}
		defer func() { err = published.End(ctx, err) }()
	}
	return r.Tune(ctx, w, targets)
}

// strategiesHelp says what the strategies do.
const strategiesHelp = `  climb       local search from the fastest points of different partitions
  evolution   the fastest points crossed with each other and changed
  exhaustive  all points in order, for small spaces
  halving     more and more tile sizes for fewer and fewer partitions
  random      points drawn from all
  surrogate   first what a regression on features of the schedules finds fast`

// defaultStrategiesText is "climb for normal effort, surrogate for full".
func defaultStrategiesText() string {
	return fmt.Sprintf("%s for normal effort, %s for full", session.DefaultStrategies[tuner.Normal], session.DefaultStrategies[tuner.Full])
}

// severalCompilersHelp says what --cc gcc,clang means.
const severalCompilersHelp = `--cc gcc,clang makes the compiler an axis. The first one's original is the baseline;
each of the others builds the original, too, and those variants that are fastest
with the first (with --effort full all that the session begins with), and the search
goes on with all of them. A variant of another compiler has its name behind an @.
`
