package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"polytune/configs"
	"polytune/runner"
	"polytune/schedule"
	"polytune/space"
	"polytune/store"
	"polytune/transform"
)

type checkOptions struct {
	target    targetOptions
	model     modelOptions
	partition string
	recipe    string
	sizes     string
	params    string
	seed      uint64
	json      bool
}

func newCheckCommand(global *globalOptions) *cobra.Command {
	o := &checkOptions{}
	c := &cobra.Command{
		Use:   "check TARGET",
		Short: "Build variants and compare them with the original bit for bit",
		Long: `Build variants and compare what they compute with the original bit for bit, at
one or more sizes, without timing. Both are compiled so that rounding does not
depend on the shape of the loops.` + axesHelp() + exitStatusHelp("3   some variant is not ok"),
		Example: "  tune check --bench 2mm --partition max,smart,none,random:3 --sizes mini,small\n  tune check --bench gemm --partition none --point \"tile=wide vector=off\"\n  tune check kernel.c --param N=7,M=13\n  tune check prog.c --build-flags \"-I include helpers.c -DN=50 -lm\" --run-args 3",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runCheck(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	o.target.flags(c.Flags())
	o.target.space.flags(c.Flags())
	o.target.driver.flags(c.Flags())
	o.target.program.runFlag(c.Flags())
	o.model.flags(c.Flags())
	c.Flags().StringVar(&o.partition, "partition", "smart", "the fusion partitions, with commas between them: class vectors such as 0-1-1-2, drawings such as {S0} {S1 S2} {S3}, max, smart, none, random:N; with one vector for each loop level, 0-0-1-1/0-1-0-0, they say what is fused inside")
	c.Flags().StringVar(&o.recipe, "recipe", "", "a `file` of scheduling commands to check instead")
	c.Flags().StringVar(&o.sizes, "sizes", "", "benchmark `sizes`, with commas between them (default mini)")
	c.Flags().StringVar(&o.params, "param", "", "parameter values, `NAME=NUMBER,…`, instead of or on top of a size (default small ones)")
	c.Flags().Uint64Var(&o.seed, "seed", 1, "seed of the random partitions")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document, a list where the file has several regions")
	bindCompilerSettings(global, c)
	return c
}

// checkReport is the JSON document of tune check.
type checkReport struct {
	Kernel string        `json:"kernel"`
	Checks []checkResult `json:"checks"`
	OK     int           `json:"ok"`
	Failed int           `json:"failed"`
}

type checkResult struct {
	Partition space.Partition `json:"partition"`
	// Nest is the structure at all levels when more than one was asked for.
	Nest   string         `json:"nest,omitempty"`
	Recipe string         `json:"recipe"`
	Sizes  map[string]int `json:"sizes"`
	Status store.Status   `json:"status"`
	Detail string         `json:"detail,omitempty"`
}

func runCheck(ctx context.Context, w io.Writer, o *checkOptions, args []string, settings configs.Settings) error {
	targets, err := o.target.all(args)
	if err != nil {
		return err
	}
	var documents []any
	failed := 0
	for _, t := range targets {
		report, err := o.check(ctx, t, settings)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		failed += report.Failed
		if !o.json {
			report.print(w, t)
		}
		documents = append(documents, report)
	}
	if o.json {
		if err := writeDocuments(w, documents); err != nil {
			return err
		}
	}
	if failed > 0 {
		return &quietError{exitIncomplete}
	}
	return nil
}

// check checks one region.
func (o *checkOptions) check(ctx context.Context, t *target, settings configs.Settings) (*checkReport, error) {
	if err := t.checkRunnable(); err != nil {
		return nil, err
	}
	values, err := o.parameterValues(t)
	if err != nil {
		return nil, err
	}
	if !t.isProgram {
		if err := t.warnOverruns(os.Stderr, values); err != nil {
			return nil, err
		}
	}
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return nil, err
	}
	candidates, err := o.candidates(ctx, t, machine)
	if err != nil {
		return nil, err
	}
	checks, err := newChecks(ctx, o, t, settings, machine, values)
	if err != nil {
		return nil, err
	}
	defer checks.builder.Close()
	return checks.run(ctx, candidates)
}

// parameterValues are the sizes to check at: without a word of the user, small
// ones that are no multiple of a tile's size.
func (o *checkOptions) parameterValues(t *target) ([]map[string]int, error) {
	if t.isProgram {
		return []map[string]int{{}}, t.noSizeFlags(o.sizes, o.params)
	}
	names := []string{""}
	switch {
	case o.params == "" && o.sizes == "" && t.benchmark == nil:
		return t.checkSizes()
	case o.sizes != "":
		names = strings.Split(o.sizes, ",")
	case t.benchmark != nil:
		names = []string{"mini"}
	}
	var all []map[string]int
	for _, name := range names {
		values, err := t.sizes(name, o.params)
		if err != nil {
			return nil, err
		}
		all = append(all, values)
	}
	return all, nil
}

// candidate is what is to be checked: a partition, of one level or more, with
// the transformation's options, or a recipe.
type candidate struct {
	nest    space.Nest
	options transform.Options
	recipe  schedule.Recipe
}

func (o *checkOptions) candidates(ctx context.Context, t *target, machine runner.Machine) ([]candidate, error) {
	if o.recipe != "" {
		if err := o.model.withoutPoint(); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(o.recipe)
		if err != nil {
			return nil, fmt.Errorf("cannot read the recipe: %w", err)
		}
		recipe, err := schedule.Parse(t.region.Program, string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.recipe, err)
		}
		return []candidate{{nest: space.Nest{recipePartition(recipe, len(t.region.Program.Statements))}, recipe: recipe}}, nil
	}
	nests, err := t.choose(ctx, o.partition, o.seed)
	if err != nil {
		return nil, err
	}
	candidates := make([]candidate, len(nests))
	for i, n := range nests {
		options, err := o.model.optionsFor(ctx, t, n.Partition(), machine)
		if err != nil {
			return nil, err
		}
		candidates[i] = candidate{nest: n, options: options}
	}
	return candidates, nil
}

// checks compares candidates with the original.
type checks struct {
	target   *target
	builder  *runner.Builder
	requests []runner.RunRequest
	// references are the original's dumps, one for each request.
	references []string
	jobs       int
}

func newChecks(ctx context.Context, o *checkOptions, t *target, settings configs.Settings, machine runner.Machine, values []map[string]int) (*checks, error) {
	toolchain, err := runner.FindToolchain(ctx, runner.ToolchainSpec(settings.SelectedToolchain()))
	if err != nil {
		return nil, err
	}
	subject, err := o.target.subject(t)
	if err != nil {
		return nil, err
	}
	jobs := settings.Jobs
	if jobs == 0 {
		jobs = machine.Cores
	}
	builder, err := runner.NewBuilder(runner.BuilderOptions{
		Subject: subject, Toolchain: toolchain, Jobs: jobs, Limit: settings.Limits.Build(),
	})
	if err != nil {
		return nil, err
	}
	c := &checks{target: t, builder: builder, jobs: jobs}
	for _, v := range values {
		c.requests = append(c.requests, runner.RunRequest{Params: v, Scalars: t.scalars(), Threads: machine.Cores,
			Limit: settings.Limits.Run(0), Memory: settings.Limits.Memory()})
	}
	if err := c.original(ctx); err != nil {
		builder.Close()
		return nil, err
	}
	return c, nil
}

// original builds the original and keeps what it computes at each size.
func (c *checks) original(ctx context.Context) error {
	binary, err := c.builder.Build(ctx, runner.Job{Source: string(c.target.file.Source), Check: true})
	if err != nil {
		return fmt.Errorf("the original does not build: %w", err)
	}
	for i, request := range c.requests {
		path := filepath.Join(c.builder.Work(), fmt.Sprintf("original-%d.dump", i))
		if err := runner.DumpReference(ctx, binary, request, path); err != nil {
			return fmt.Errorf("the original at %s: %w", c.target.sizeText(request.Params), err)
		}
		c.references = append(c.references, path)
	}
	return nil
}

// run checks all candidates, several at a time, each distinct one once.
func (c *checks) run(ctx context.Context, candidates []candidate) (*checkReport, error) {
	results := make([][]checkResult, len(candidates))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.jobs)
	for i, candidate := range candidates {
		if first := c.firstLike(candidates, i); first < i {
			continue
		}
		group.Go(func() error {
			if ctx.Err() == nil {
				results[i] = c.check(ctx, candidate, i)
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	report := &checkReport{Kernel: c.target.name, Checks: []checkResult{}}
	for i := range candidates {
		report.Checks = append(report.Checks, results[c.firstLike(candidates, i)]...)
	}
	for _, r := range report.Checks {
		if r.Status == store.OK {
			report.OK++
		} else {
			report.Failed++
		}
	}
	return report, nil
}

// nestText is the structure at all levels, "" when there is one.
func nestText(n space.Nest) string {
	if len(n) == 1 {
		return ""
	}
	return n.String()
}

// firstLike is the first candidate with the partition of candidate i.
func (c *checks) firstLike(candidates []candidate, i int) int {
	return slices.IndexFunc(candidates, func(o candidate) bool { return o.nest.Compare(candidates[i].nest) == 0 })
}

// check builds one candidate and compares it at every size.
func (c *checks) check(ctx context.Context, candidate candidate, number int) []checkResult {
	var v variant
	var err error
	if candidate.recipe != nil {
		v, err = c.target.replay(ctx, candidate.recipe)
	} else {
		v, err = c.target.variant(ctx, candidate.nest, candidate.options)
	}
	if err != nil {
		status := store.CodegenFailed
		if isIllegal(err) {
			status = store.Illegal
		}
		return c.all(candidate, v, status, err)
	}
	binary, err := c.builder.Build(ctx, runner.Job{Source: string(v.source), Check: true})
	if err != nil {
		return c.all(candidate, v, store.CompileFailed, err)
	}
	defer c.builder.Discard(binary)
	results := c.all(candidate, v, store.OK, nil)
	for k, request := range c.requests {
		path := filepath.Join(c.builder.Work(), fmt.Sprintf("variant-%d-%d.dump", number, k))
		results[k].Status, results[k].Detail = c.compare(ctx, binary, request, path, c.references[k])
		results[k].Detail = cmp.Or(results[k].Detail, v.note())
	}
	return results
}

// all is one result of the status for every size.
func (c *checks) all(candidate candidate, v variant, status store.Status, err error) []checkResult {
	results := make([]checkResult, len(c.requests))
	for k, request := range c.requests {
		results[k] = checkResult{Partition: candidate.nest.Partition(), Nest: nestText(candidate.nest), Recipe: v.text, Sizes: request.Params, Status: status}
		if err != nil {
			results[k].Detail = err.Error()
		}
	}
	return results
}

// compare runs a binary at one size and compares its data with the reference.
func (c *checks) compare(ctx context.Context, binary runner.Binary, request runner.RunRequest, path, reference string) (store.Status, string) {
	defer os.Remove(path)
	err := runner.Dump(ctx, binary, request, path)
	if err == nil {
		err = runner.Compare(reference, path)
	}
	var mismatch *runner.Mismatch
	var executions *runner.ExecutionsError
	var failure *runner.RunError
	switch {
	case err == nil:
		return store.OK, ""
	case errors.As(err, &mismatch), errors.As(err, &executions):
		return store.WrongResult, err.Error()
	case errors.As(err, &failure) && failure.Kind == runner.Timeout:
		return store.Timeout, err.Error()
	case errors.As(err, &failure) && failure.Kind == runner.OutOfBounds:
		return store.WrongResult, err.Error()
	}
	return store.Crashed, err.Error()
}

func (r *checkReport) print(w io.Writer, t *target) {
	for _, c := range r.Checks {
		fmt.Fprintf(w, "%-14s %s  %s\n", c.Status, cmp.Or(c.Nest, c.Partition.String()), t.sizeText(c.Sizes))
		if c.Detail != "" {
			fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(c.Detail, "\n", "\n  "))
		}
	}
	fmt.Fprintf(w, "%s: %d ok, %d failed\n", r.Kernel, r.OK, r.Failed)
}

// sizeText names the size of a checked run.
func (t *target) sizeText(values map[string]int) string {
	if t.isProgram {
		return t.runSize()
	}
	return parametersText(values)
}

// parametersText prints N=7 M=13, in alphabetical order.
func parametersText(values map[string]int) string {
	words := make([]string, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		words = append(words, fmt.Sprintf("%s=%d", name, values[name]))
	}
	return strings.Join(words, " ")
}
