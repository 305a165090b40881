package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"polytune/configs"
	"polytune/internal/shellwords"
	"polytune/internal/usage"
	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
	"polytune/tuner/search"
)

type tuneOptions struct {
	target    targetOptions
	splitting splitting
	size      string
	// sizeGiven is the size on the command line, if any.
	sizeGiven string
	params    string
	effort    string
	strategy  string
	// transfer are databases of other machines, whose best candidates are tried first.
	transfer []string
	budget   time.Duration
	seed     uint64
	dryRun   bool
	strict   bool
	json     bool
}

var tuneHelp = `polytune tunes a region of C code between #pragma scop and #pragma endscop: it
tries every legal way to fuse and distribute the statements, finishes each with
a model (tiling, parallel loops, vectorisation), builds and times them on this
machine, checks every result against the original, and remembers the winner.

TARGET is a C file or --bench NAME; see tune list. A function without main is
called with data of our own, at the sizes of --param. A program with main, in
the file or in another one that --build-flags names, is run as it is.

Effort quick tries the models' defaults for all partitions. Normal goes on from
the fastest of them, along the axes that matter for the program (those of --point
of tune transform), for a bounded number of candidates, and full until --budget
ends, or without it until many in a row were no better. --strategy says how:

` + strategiesHelp + "\n\n" + severalCompilersHelp + `
--budget is the time of the whole command, whatever it does then: making variants
counts. Several regions of a file share it. Each has its original and first
candidates timed; half of the rest they have alike, and half by the time that
their best variants take, which is the most that can still be won. What one
leaves goes to the others. A few seconds more, for the first candidates and the
last round, are all that it takes beyond.

--transfer other.db first tries, behind the models' own choice, what did well on
the other machines whose results are there, in the order that tune compare
--transfer this would list. A session goes on where it was as long as these
databases have the same results of the program.` +
	exitStatusHelp("3   finished, but some variant computed something else than the original", "75  interrupted, or the budget ended before all was done; the same command\n      again resumes. --effort full searches until then, and ends with 0 if its\n      race is over")

func newTuneCommand(global *globalOptions) *cobra.Command {
	o := &tuneOptions{}
	c := &cobra.Command{
		Use:     "tune TARGET",
		Short:   "Autotune the loop nests of C programs for this machine",
		Long:    tuneHelp,
		Example: "  tune --bench 2mm\n  tune kernel.c --param N=2000 --budget 8h\n  tune prog.c --build-flags \"-I include helpers.c -DN=2000 -lm\" --run-args 10",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkTuneArgs(o, args); err != nil {
				return err
			}
			if c.Flags().Changed("size") {
				o.sizeGiven = o.size
			}
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runTune(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	o.flags(global, c)
	return c
}

// flags adds the flags of tune, those that stand for settings with them.
func (o *tuneOptions) flags(global *globalOptions, c *cobra.Command) {
	targetFlags(c.Flags(), &o.target)
	privatizeFlag(c.Flags(), &o.target, true)
	expandFlag(c.Flags(), &o.target)
	inplaceFlag(c.Flags(), &o.target)
	untileFlag(c.Flags(), &o.target)
	reassociateFlag(c.Flags(), &o.target)
	spaceFlags(c.Flags(), &o.target.space)
	splittingFlags(c.Flags(), &o.splitting)
	driverFlags(c.Flags(), &o.target.driver)
	runFlags(c.Flags(), &o.target.program)
	checkFlags(c.Flags(), &o.target.program)
	o.measuringFlags(c.Flags())
	c.Flags().StringVar(&o.size, "size", defaultSize, "problem `size` of a benchmark: mini, small, medium, large, extralarge")
	c.Flags().StringVar(&o.params, "param", "", "parameter values, `NAME=NUMBER,…`, instead of or on top of a size")
	c.Flags().StringVar(&o.strategy, "strategy", "", fmt.Sprintf("how to search: %s (default %s)", strings.Join(search.Names(), ", "), defaultStrategiesText()))
	c.Flags().StringSliceVar(&o.transfer, "transfer", nil, "`databases` of other machines: what did well there is tried first")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "say how many variants would be tried and about how long that takes, and stop")
	c.Flags().String("publish", "", "a `file`, also on a network file system, that gets a copy of the database every few minutes and at the end")
	global.bind(c, map[string]string{"publish": "publish.file"})
	bindSettings(global, c)
	c.Flags().Lookup("cc").Usage = "the `compiler`: an entry of the settings' toolchains, a name on PATH, or a path; several, as in gcc,clang, are an axis of the search"
}

// defaultSize is the size of a benchmark where nobody says another.
const defaultSize = "large"

// measuringFlags are those that say how long and how to time.
func (o *tuneOptions) measuringFlags(set *pflag.FlagSet) {
	set.StringVar(&o.effort, "effort", "normal", "how thoroughly to search and to measure: quick, normal, full")
	set.DurationVar(&o.budget, "budget", 0, "stop after this `time`, such as 8h, for all regions together; the same command again goes on")
	set.Uint64Var(&o.seed, "seed", 1, "seed of the search and of the order of measurements")
	set.BoolVar(&o.strict, "strict", false, "time nothing while something disturbs timings on this machine; see tune machine")
	set.BoolVar(&o.json, "json", false, "print one JSON document instead of the table, a list where the file has several regions")
}

// checkTuneArgs says where to begin to someone who types a bare "tune".
func checkTuneArgs(o *tuneOptions, args []string) error {
	if len(args) == 0 && o.target.bench == "" {
		return usage.Mistake(errors.New("name a C file, or a benchmark with --bench; see tune --help"))
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

func runTune(ctx context.Context, w io.Writer, o *tuneOptions, args []string, settings configs.Settings) (err error) {
	r := tuneRun{options: o, settings: settings, warnings: &preflight{}}
	if r.effort, err = o.checkFlags(); err != nil {
		return usage.Mistake(err)
	}
	if r.allotted, err = newAllotment(os.Stderr, o.budget, os.Getenv, time.Now()); err != nil {
		return err
	}
	if r.machine, err = runner.Detect(settings.Machine.Name); err != nil {
		return err
	}
	within, stop := r.allotted.within(ctx, leastPreparing)
	defer stop()
	targets, err := o.targets(within, args, r.machine, settings)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		return r.budgetEnded(os.Stderr, nil, 0)
	}
	if err != nil {
		return err
	}
	if r.toolchains, err = findToolchains(ctx, settings); err != nil {
		return err
	}
	if r.db, err = openStore(ctx, settings.DB, store.Open); err != nil {
		return err
	}
	defer r.db.Close()
	if !o.dryRun {
		published, failed := publish(ctx, os.Stderr, r.db.Path(), settings.Publish)
		if failed != nil {
			return failed
		}
		defer func() { err = published.end(ctx, err) }()
	}
	return r.tune(ctx, w, targets)
}

// checkFlags refuses what the flags must not be.
func (o *tuneOptions) checkFlags() (tuner.Effort, error) {
	effort, err := tuner.ParseEffort(o.effort)
	if err != nil {
		return "", err
	}
	if err := o.checkStrategy(effort); err != nil {
		return "", err
	}
	if o.budget < 0 {
		return "", fmt.Errorf("--budget is a time above zero, such as 8h, not %v", o.budget)
	}
	return effort, nil
}

// targets are the regions, as they are tuned on the machine.
func (o *tuneOptions) targets(ctx context.Context, args []string, machine runner.Machine, settings configs.Settings) ([]*target, error) {
	targets, err := o.target.all(args)
	if err != nil {
		return nil, err
	}
	o.target.warnOfMacros(os.Stderr, targets, settings.SelectedToolchain())
	if err := o.setRuns(targets, len(machine.TimingCPUs(settings.Threads))); err != nil {
		return nil, err
	}
	if err := o.target.expandWherePays(ctx, os.Stderr, targets, &sessionModel, machine); err != nil {
		return nil, err
	}
	return targets, o.splitting.apply(ctx, os.Stderr, targets)
}

// request is what the tuner is asked to do for one region, without what is
// the same for all. ctx ends the work on it, session that of its search.
func (o *tuneOptions) request(ctx, session context.Context, db *store.Store, p *probe, machine runner.Machine, effort tuner.Effort, settings configs.Settings) (tuner.Request, error) {
	t := p.target
	request, checkedTarget, err := o.measuring(ctx, db, t, machine, p.compilers)
	if err != nil {
		return tuner.Request{}, err
	}
	partitions, legal, err := p.sessionPartitions(ctx)
	if err != nil {
		return tuner.Request{}, err
	}
	if request.Original, err = t.original(); err != nil {
		return tuner.Request{}, err
	}
	request.Candidates = p.withCompilers(p.firstCandidates(partitions), effort)
	request.Generator = &generator{t, p.machine, seenBy(machine, p.compilers), checkedTarget}
	request.Legal, request.Effort, request.Aside = legal, effort, []string{plainSetting}
	if request.Candidates, err = o.transferred(ctx, os.Stderr, p, request, settings.Measurement.Indifference); err != nil {
		return tuner.Request{}, err
	}
	if effort == tuner.Quick || p.tooHard != nil {
		return request, nil
	}
	request.Plan = o.searchPlan(effort, settings, machine)
	request.Space, err = p.newSearchSpace(session, partitions, settings.JobsOn(machine.Cores))
	return request, err
}

// measuring is a request that says how a region is built, run and compared, and not yet
// which variants of it. The second target is the one that is compared, nil where that is
// the one that is timed.
func (o *tuneOptions) measuring(ctx context.Context, db *store.Store, t *target, machine runner.Machine, compilers []runner.Toolchain) (tuner.Request, *target, error) {
	size, params, checks, err := o.sizes(t)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	subject, err := o.target.subject(t)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	checkedTarget, checked, err := o.target.checked(t)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	kernel, err := t.hash(&o.target)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	id, err := kernel.in(ctx, db)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	revision, err := o.revision()
	return tuner.Request{
		Kernel: t.name, KernelID: id, Region: t.regionHash(o.target.reassociate), Source: t.file.Source, Reference: t.reference(), Subject: subject, Checked: checked,
		Size: size, Params: params, Scalars: t.scalars(), Checks: checks,
		Machine: machine, Toolchain: compilers[0], Compilers: compilers[1:], Revision: revision,
		Reassociated: t.isReordered(t.whole), Reordered: t.reordered(t.whole), Terms: t.terms(t.whole), Seed: o.seed,
		Command: shellwords.Line(os.Args), Folder: workingFolder(), Version: thisVersion().String(),
	}, checkedTarget, err
}

// revision is the version of what makes variants: this program, and the flags that decide
// what it makes of a candidate.
func (o *tuneOptions) revision() (string, error) {
	revision, err := toolRevision()
	if err != nil {
		return "", err
	}
	if !o.target.privatize {
		revision += " without private copies"
	}
	if o.target.expand.given {
		revision += fmt.Sprintf(" with %d bytes for expanded arrays", o.target.expand.bytes)
	}
	if !o.target.untile {
		revision += " with the source's loops over tiles"
	}
	if o.target.inplace.given {
		revision += fmt.Sprintf(" with temporaries in place: %v", o.target.inplace.on)
	}
	return revision, nil
}

// sizes are the name and the values of the size to tune for, and the values at
// which variants are compared with the original. A program has one size, with
// no values.
func (o *tuneOptions) sizes(t *target) (name string, params map[string]int, checks []map[string]int, err error) {
	if t.isProgram {
		return t.runSize(), nil, []map[string]int{nil}, t.noSizeFlags(o.sizeGiven, o.params)
	}
	if params, err = t.sizes(o.size, o.params); err != nil {
		return "", nil, nil, err
	}
	if err := t.warnOverruns(os.Stderr, []map[string]int{params}); err != nil {
		return "", nil, nil, err
	}
	name = o.size
	if t.benchmark == nil || o.params != "" {
		name = parametersText(params)
	}
	checks, err = t.checkSizes()
	return name, params, checks, err
}

// setRuns says for which run the models choose sizes: the one that is timed. What a
// program's parameters are then only the program knows.
func (o *tuneOptions) setRuns(targets []*target, threads int) (err error) {
	for _, t := range targets {
		t.run.Threads = threads
		if t.isProgram {
			continue
		}
		if t.run.Parameters, err = t.sizes(o.size, o.params); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// terminalWidth is the width of w, 0 when it is not a terminal.
func terminalWidth(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}
