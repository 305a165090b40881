package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/isl"
	"polytune/runner"
	"polytune/schedule"
	"polytune/space"
	"polytune/store"
)

type checkOptions struct {
	target    targetOptions
	model     modelOptions
	splitting splitting
	partition string
	recipe    string
	sizes     string
	params    []string
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
		Example: "  tune check --bench 2mm --partition max,smart,none,random:3 --sizes mini,small\n  tune check --bench gemm --partition none --point \"tile=wide vector=off\"\n  tune check kernel.c --param N=7,M=13 --param N=0,M=1\n  tune check prog.c --build-flags \"-I include helpers.c -DN=50 -lm\" --run-args 3",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runCheck(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	targetFlags(c.Flags(), &o.target)
	privatizeFlag(c.Flags(), &o.target, true)
	expandFlag(c.Flags(), &o.target)
	inplaceFlag(c.Flags(), &o.target)
	untileFlag(c.Flags(), &o.target)
	reassociateFlag(c.Flags(), &o.target)
	spaceFlags(c.Flags(), &o.target.space)
	driverFlags(c.Flags(), &o.target.driver)
	runFlags(c.Flags(), &o.target.program)
	modelFlags(c.Flags(), &o.model)
	splittingFlags(c.Flags(), &o.splitting)
	c.Flags().StringVar(&o.partition, "partition", "smart", "the fusion partitions, with commas between them: class vectors such as 0-1-1-2, drawings such as {S0} {S1 S2} {S3}, max, smart, none, random:N; with one vector for each loop level, 0-0-1-1/0-1-0-0, they say what is fused inside")
	c.Flags().StringVar(&o.recipe, "recipe", "", "a `file` of scheduling commands to check instead")
	c.Flags().StringVar(&o.sizes, "sizes", "", "benchmark `sizes`, with commas between them (default mini)")
	c.Flags().StringArrayVar(&o.params, "param", nil, "parameter values, `NAME=NUMBER,…`, instead of or on top of a size (default small ones); may be repeated for further sizes")
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
	// Tolerance is the largest relative difference of doubles that counts as
	// equal; nothing where bits were compared.
	Tolerance float64 `json:"tolerance,omitempty"`
	Detail    string  `json:"detail,omitempty"`
}

func runCheck(ctx context.Context, w io.Writer, o *checkOptions, args []string, settings configs.Settings) error {
	o.model.chooseSpace(&o.target.space)
	targets, err := o.target.all(args)
	if err != nil {
		return err
	}
	o.target.warnOfMacros(os.Stderr, targets, settings.SelectedToolchain())
	if o.recipe == "" && o.partition == decidingPartition {
		machine, err := runner.Detect(settings.Machine.Name)
		if err != nil {
			return err
		}
		if err := o.target.expandWherePays(ctx, os.Stderr, targets, &o.model, machine); err != nil {
			return err
		}
	}
	if err := o.splitting.apply(ctx, os.Stderr, targets); err != nil {
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
		return []map[string]int{{}}, t.noSizeFlags(o.sizes, strings.Join(o.params, ","))
	}
	names, params := []string{""}, o.params
	switch {
	case len(o.params) == 0 && o.sizes == "" && t.benchmark == nil:
		return t.checkSizes()
	case o.sizes != "":
		names = strings.Split(o.sizes, ",")
	case t.benchmark != nil:
		names = []string{"mini"}
	}
	if len(params) == 0 {
		params = []string{""}
	}
	var all []map[string]int
	for _, name := range names {
		for _, list := range params {
			values, err := t.sizes(name, list)
			if err != nil {
				return nil, err
			}
			all = append(all, values)
		}
	}
	return all, nil
}

// candidate is what is to be checked: a partition, of one level or more, with
// the transformation's options, or a recipe.
type candidate struct {
	point
	recipe schedule.Recipe
	// tooHard is why isl needs too long to choose: the candidate has the loops of the source then.
	tooHard error
}

// candidates are those that are to be checked: where isl needs too long to choose them, there is one.
func (o *checkOptions) candidates(ctx context.Context, t *target, machine runner.Machine) ([]candidate, error) {
	before := *t
	list, err := o.chosen(ctx, t, machine)
	if !isl.IsLimit(err) || ctx.Err() != nil {
		return list, err
	}
	*t = before
	return []candidate{{point: point{target: t, nest: space.Nest{make(space.Partition, len(t.source.Statements))}}, tooHard: err}}, nil
}

// chosen are the candidates of the recipe, or those that the models choose.
func (o *checkOptions) chosen(ctx context.Context, t *target, machine runner.Machine) ([]candidate, error) {
	if o.recipe != "" {
		if err := o.model.withoutPoint(); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(o.recipe)
		if err != nil {
			return nil, fmt.Errorf("cannot read the recipe: %w", err)
		}
		at, recipe, err := t.readRecipe(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.recipe, err)
		}
		*t = *at
		return []candidate{{point: point{target: t, nest: space.Nest{recipePartition(recipe, len(t.region.Program.Statements))}}, recipe: recipe}}, nil
	}
	nests, err := t.choose(ctx, o.partition, o.seed)
	if err != nil {
		return nil, err
	}
	candidates := make([]candidate, len(nests))
	for i, n := range nests {
		if candidates[i].point, err = o.model.pointOf(ctx, t, n, machine); err != nil {
			return nil, err
		}
		if o.partition == decidingPartition {
			if err := candidates[i].point.refine(ctx); err != nil {
				return nil, err
			}
		}
	}
	return candidates, nil
}

func (r *checkReport) print(w io.Writer, t *target) {
	for _, c := range r.Checks {
		fmt.Fprintf(w, "%-14s %s  %s%s\n", c.Status, cmp.Or(c.Nest, c.Partition.String()), t.sizeText(c.Sizes), c.toleranceText())
		if c.Detail != "" {
			fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(c.Detail, "\n", "\n  "))
		}
	}
	fmt.Fprintf(w, "%s: %d ok, %d failed\n", r.Kernel, r.OK, r.Failed)
}

// toleranceText says that floating-point numbers were not compared bit for bit.
func (c *checkResult) toleranceText() string {
	if c.Tolerance == 0 {
		return ""
	}
	return fmt.Sprintf("  (within %g)", c.Tolerance)
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
