package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/report"
	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

type againOptions struct {
	tune tuneOptions
	// recipes are files, variants ids of variants that the database has.
	recipes, variants []string
	minSpeedup        float64
}

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
	o := &againOptions{}
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
			return runAgain(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	targetFlags(c.Flags(), &o.tune.target)
	privatizeFlag(c.Flags(), &o.tune.target, true)
	reassociateFlag(c.Flags(), &o.tune.target)
	driverFlags(c.Flags(), &o.tune.target.driver)
	runFlags(c.Flags(), &o.tune.target.program)
	checkFlags(c.Flags(), &o.tune.target.program)
	o.tune.measuringFlags(c.Flags())
	c.Flags().Lookup("effort").Usage = "how thoroughly to measure: quick, normal, full"
	c.Flags().Lookup("budget").Usage = "end the rounds after this `time`, such as 10m"
	c.Flags().Lookup("seed").Usage = "seed of the order of measurements"
	c.Flags().StringVar(&o.tune.size, "size", "", "problem `size` of a benchmark (default that which has results)")
	c.Flags().StringVar(&o.tune.params, "param", "", "parameter values, `NAME=NUMBER,…` (default those that have results)")
	c.Flags().StringArrayVar(&o.variants, "variant", nil, "time the variant with this `ID`, too; may be repeated")
	c.Flags().StringArrayVar(&o.recipes, "recipe", nil, "time the variant of the recipe in this `file`, too; may be repeated")
	c.Flags().Float64Var(&o.minSpeedup, "min-speedup", 0, "end with status 4 where the best variant is not so many `times` as fast as the original")
	bindSettings(global, c)
	return c
}

func runAgain(ctx context.Context, w io.Writer, o *againOptions, args []string, settings configs.Settings) (err error) {
	r := tuneRun{options: &o.tune, settings: settings, warnings: &preflight{}}
	if r.effort, err = o.tune.checkFlags(); err != nil {
		return usage.Mistake(err)
	}
	if o.minSpeedup < 0 {
		return usage.Mistake(fmt.Errorf("--min-speedup is a ratio above zero, such as 2, not %v", o.minSpeedup))
	}
	if r.allotted, err = newAllotment(os.Stderr, o.tune.budget, os.Getenv, time.Now()); err != nil {
		return err
	}
	if r.machine, err = runner.Detect(settings.Machine.Name); err != nil {
		return err
	}
	targets, err := o.tune.target.all(args)
	if err != nil {
		return err
	}
	o.tune.target.warnOfMacros(os.Stderr, targets, settings.SelectedToolchain())
	if r.toolchains, err = findToolchains(ctx, settings); err != nil {
		return err
	}
	open := store.OpenExisting
	if len(o.recipes) > 0 {
		open = store.Open
	}
	if r.db, err = openStore(ctx, settings.DB, open); err != nil {
		return err
	}
	defer r.db.Close()
	if err := o.knownSize(ctx, &r, targets); err != nil {
		return err
	}
	if err := o.timeAll(ctx, w, &r, targets); err != nil {
		return err
	}
	return cmp.Or(r.worst, o.judge(r.results))
}

// timeAll times the regions and, of a program with main, the whole of it.
func (o *againOptions) timeAll(ctx context.Context, w io.Writer, r *tuneRun, targets []*target) error {
	for i, t := range targets {
		if i > 0 && !o.tune.json {
			fmt.Fprintln(w)
		}
		request, err := o.request(ctx, r, t)
		if err == nil {
			err = r.told(ctx, w, &regionRun{target: t, request: &request}, false)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	if targets[0].isProgram {
		whole := wholeProgram{again: o, run: r, targets: targets, regions: slices.Clone(r.results)}
		if err := whole.time(ctx, w); err != nil {
			return fmt.Errorf("%s: the whole program: %w", targets[0].path, err)
		}
		r.results = whole.regions
	}
	if o.tune.json {
		return writeDocuments(w, r.documents)
	}
	return nil
}

// judge ends with a status of its own where a region is not so much faster as wanted.
func (o *againOptions) judge(results []tuner.Result) error {
	var slow []string
	for _, r := range results {
		if s := r.Best.Speedup; s.Median < o.minSpeedup {
			slow = append(slow, fmt.Sprintf("%s: %s is below the %sx of --min-speedup", r.Kernel, report.Speedup(s, r.Best.Certainty), report.Times(o.minSpeedup)))
		}
	}
	if len(slow) == 0 {
		return nil
	}
	return &statusError{exitTooSlow, errors.New(strings.Join(slow, "\n"))}
}

// knownSize completes the flags: without --size and --param the size is the one that the
// regions have results for.
func (o *againOptions) knownSize(ctx context.Context, r *tuneRun, targets []*target) error {
	isBenchmark, program := targets[0].benchmark != nil, &o.tune.target.program
	if program.runText != "" || o.tune.size != "" || o.tune.params != "" {
		if o.tune.sizeGiven = o.tune.size; isBenchmark {
			o.tune.size = cmp.Or(o.tune.size, defaultSize)
		}
		return nil
	}
	var sizes []string
	for _, t := range targets {
		id, err := o.kernelID(ctx, r.db, t)
		if err != nil {
			return err
		}
		known, err := r.db.Best(ctx, store.BestQuery{KernelID: id, Machine: r.machine.ID})
		if err != nil {
			return err
		}
		for _, b := range known {
			if !slices.Contains(sizes, b.Size) {
				sizes = append(sizes, b.Size)
			}
		}
	}
	switch {
	case len(sizes) > 1:
		return usage.Mistake(fmt.Errorf("there are results for the sizes %s; choose one with --size, --param or --run-args", strings.Join(sizes, "; ")))
	case len(sizes) == 1 && targets[0].isProgram:
		program.takeRun(targets, sizes[0])
	case len(sizes) == 1 && strings.Contains(sizes[0], "="):
		o.tune.params = strings.ReplaceAll(sizes[0], " ", ",")
	case len(sizes) == 1:
		o.tune.size = sizes[0]
	case isBenchmark:
		o.tune.size = defaultSize
	}
	return nil
}

// kernelID is the identity of a region in the database.
func (o *againOptions) kernelID(ctx context.Context, db *store.Store, t *target) (string, error) {
	kernel, err := t.hash(&o.tune.target)
	if err != nil {
		return "", err
	}
	return kernel.in(ctx, db)
}

// request is what the tuner is asked to measure of a region.
func (o *againOptions) request(ctx context.Context, r *tuneRun, t *target) (tuner.Request, error) {
	if err := t.checkRunnable(); err != nil {
		return tuner.Request{}, err
	}
	request, checked, err := o.tune.measuring(ctx, r.db, t, r.machine, r.toolchains)
	if err != nil {
		return tuner.Request{}, err
	}
	if request.Original, err = t.original(); err != nil {
		return tuner.Request{}, err
	}
	again := &replayer{generator: generator{target: t, checked: checked}, variants: map[string]store.Variant{}}
	for i, toolchain := range r.toolchains {
		known, err := o.leading(ctx, r, request, toolchain)
		if err != nil {
			return tuner.Request{}, err
		}
		compiler := ""
		if i > 0 {
			compiler = toolchain.Name
			request.Candidates = append(request.Candidates, tuner.Candidate{Axis: tuner.CompilerSetting(compiler, "")})
		}
		for _, v := range known {
			request.Candidates = again.add(request.Candidates, v, compiler)
		}
	}
	named, err := o.named(ctx, r.db, t, request.KernelID)
	for _, v := range named {
		request.Candidates = again.add(request.Candidates, v, "")
	}
	if err == nil && len(again.variants) == 0 {
		err = fmt.Errorf("no variant was timed for this source, size and machine, as far as %s knows; tune it first, or name a variant by --recipe", r.db.Path())
	}
	request.Generator = again
	return r.anew(request), err
}

// anew makes a request one that no earlier session answers.
func (r *tuneRun) anew(request tuner.Request) tuner.Request {
	request.Replay, request.Effort = true, r.effort
	request.Settings, request.Store, request.Strict = r.settings, r.db, r.options.strict
	request.Revision += " again at " + time.Now().UTC().Format(time.RFC3339Nano)
	return request
}

// againVariants is how many of the known variants are timed again: the best and the runner-up.
const againVariants = 2

// leading are the best variant for a compiler and the ones behind it, whether or not these
// are known to be faster than the original. Where the compiler has no result, as after it
// was replaced, those of others count.
func (o *againOptions) leading(ctx context.Context, r *tuneRun, request tuner.Request, toolchain runner.Toolchain) ([]store.Variant, error) {
	where := store.LeadingQuery{KernelID: request.KernelID, Size: request.Size, Machine: r.machine.ID, Toolchain: toolchain.ID}
	best, err := r.db.Best(ctx, store.BestQuery{KernelID: where.KernelID, Size: where.Size, Machine: where.Machine, Toolchain: where.Toolchain})
	if err != nil {
		return nil, err
	}
	first, err := r.db.Leading(ctx, where)
	if err == nil && len(first) == 0 {
		where.Toolchain = ""
		first, err = r.db.Leading(ctx, where)
	}
	var list []store.Variant
	for _, b := range slices.Concat(best, first) {
		b.Variant.ID, _ = store.SplitVariant(b.Variant.ID)
		if len(list) < againVariants && b.Variant.ID != store.Original && !slices.Contains(list, b.Variant) {
			list = append(list, b.Variant)
		}
	}
	return list, err
}

// named are the variants of --variant and --recipe.
func (o *againOptions) named(ctx context.Context, db *store.Store, t *target, kernel string) ([]store.Variant, error) {
	var list []store.Variant
	for _, id := range o.variants {
		id, _ := store.SplitVariant(id)
		v, found, err := db.FindVariant(ctx, kernel, id)
		switch {
		case err != nil:
			return nil, err
		case !found:
			return nil, fmt.Errorf("--variant: %s knows no variant %s of this source", db.Path(), id)
		case id != store.Original:
			list = append(list, v)
		}
	}
	for _, path := range o.recipes {
		v, err := t.recipeVariant(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, v)
	}
	return list, nil
}

// recipeVariant is the variant of a recipe in a file.
func (t *target) recipeVariant(ctx context.Context, path string) (store.Variant, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return store.Variant{}, fmt.Errorf("cannot read the recipe: %w", err)
	}
	at, recipe, err := t.readRecipe(string(text))
	if err != nil {
		return store.Variant{}, err
	}
	v, err := at.replay(ctx, recipe)
	if err != nil {
		return store.Variant{}, err
	}
	partition := recipePartition(recipe, len(at.region.Program.Statements))
	return store.Variant{ID: tuner.VariantID(partition, v.text), Partition: tuner.PartitionText(partition), Recipe: v.text}, nil
}

// replayer makes the code of variants from their recipes.
type replayer struct {
	generator
	// variants are those of the candidates, by what the candidates say beside the compiler.
	variants map[string]store.Variant
}

// add adds a variant to candidates, built by a further compiler of the session or, for "",
// by its own, unless it is among them.
func (r *replayer) add(list []tuner.Candidate, v store.Variant, compiler string) []tuner.Candidate {
	setting := "variant=" + v.ID
	r.variants[setting] = v
	if compiler != "" {
		setting = tuner.CompilerSetting(compiler, setting)
	}
	if slices.ContainsFunc(list, func(c tuner.Candidate) bool { return c.Axis == setting }) {
		return list
	}
	partition, err := tuner.ParsePartition(v.Partition)
	if err != nil {
		return list
	}
	return append(list, tuner.Candidate{Partition: partition, Axis: setting})
}

// Generate follows the recipe of the candidate's variant, proof included.
func (r *replayer) Generate(ctx context.Context, c tuner.Candidate) (tuner.Generated, error) {
	_, setting := tuner.SplitCompiler(c.Axis)
	v := r.variants[setting]
	source, err := r.target.emit(ctx, store.Best{Variant: v})
	switch {
	case isIllegal(err):
		return tuner.Generated{}, &tuner.IllegalError{Recipe: v.Recipe, Err: err}
	case err != nil:
		return tuner.Generated{}, &tuner.CodegenError{Recipe: v.Recipe, Err: err}
	}
	return r.withCheck(ctx, tuner.Generated{Recipe: v.Recipe, Source: source})
}
