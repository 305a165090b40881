package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/exit"
	"polytune/internal/jsondoc"
	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/pipeline/check"
	"polytune/pipeline/variant"
	"polytune/runner"
)

// checkOptions are those of tune check.
type checkOptions struct {
	check.Options
	json bool
}

func newCheckCommand(global *globalOptions) *cobra.Command {
	o := &checkOptions{}
	c := &cobra.Command{
		Use:   "check TARGET",
		Short: "Build variants and compare them with the original bit for bit",
		Long: `Build variants and compare what they compute with the original bit for bit, at
one or more sizes, without timing. Both are compiled so that rounding does not
depend on the shape of the loops.` + axesHelp() + exitStatusHelp("3   some variant is not ok, or some region of several cannot be checked"),
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
	changeFlags(c.Flags(), &o.Target, &o.Splitting)
	modelFlags(c.Flags(), &o.Model)
	c.Flags().StringVar(&o.Partition, "partition", "smart", "the fusion partitions, with commas between them: class vectors such as 0-1-1-2, drawings such as {S0} {S1 S2} {S3}, max, smart, typed, hybrid, none, random:N; with one vector for each loop level, 0-0-1-1/0-1-0-0, they say what is fused inside")
	recipeFlags(c, &o.Recipe, "a `file` of scheduling commands to check instead")
	deviceFlag(c.Flags(), "the `devices` that kernels run on, with commas between them")
	c.Flags().StringVar(&o.Sizes, "sizes", "", "benchmark `sizes`, with commas between them (default mini)")
	repeatedFlag(c.Flags(), &o.Params, "param", "", "parameter values, `NAME=NUMBER,…`, instead of or on top of a size (default small ones); may be repeated for further sizes")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the random partitions")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document, a list where the file has several regions")
	bindCompilerSettings(global, c)
	global.bind(c, map[string]string{"device": "device"})
	return c
}

func runCheck(ctx context.Context, w io.Writer, o *checkOptions, args []string, settings configs.Settings) error {
	o.Model.ChooseSpace(&o.Target.Space)
	unanswered := exit.Unanswered{Stderr: os.Stderr}
	o.Target.Refused = unanswered.Add
	targets, err := o.Target.All(args)
	if err != nil {
		return err
	}
	if !o.Recipe.IsGiven() && o.Partition == variant.DecidingPartition && o.Model.IsDefault() {
		o.Recipe = byhand.OfTarget(targets[0])
	}
	o.Target.WarnOfMacros(os.Stderr, targets, settings.SelectedToolchain())
	if !o.Recipe.IsGiven() && o.Partition == variant.DecidingPartition {
		machine, err := runner.Detect(settings.Machine.Name)
		if err != nil {
			return err
		}
		if err := variant.ExpandWherePays(ctx, &o.Target, os.Stderr, targets, &o.Model, machine); err != nil {
			return err
		}
	}
	if err := o.Splitting.Apply(ctx, os.Stderr, targets); err != nil {
		return err
	}
	var documents []any
	failed := 0
	for _, t := range targets {
		report, err := o.Check(ctx, t, settings)
		if err != nil {
			if err = t.Failed(err); unanswered.Goes(ctx, t.Name, err, len(targets)) {
				continue
			}
			return err
		}
		failed += report.Failed
		if !o.json {
			print(report, w, t)
		}
		documents = append(documents, report)
	}
	answered := len(documents)
	for _, region := range unanswered.Each {
		documents = append(documents, &check.Report{Kernel: region.Name, Checks: []check.Result{}, Refused: region.Why.Error()})
	}
	if o.json {
		if err := jsondoc.WriteAll(w, documents); err != nil {
			return err
		}
	}
	if failed > 0 {
		return &exit.Quiet{Status: exit.Incomplete}
	}
	return unanswered.Outcome(answered)
}

func print(r *check.Report, w io.Writer, t *pipeline.Target) {
	for _, c := range r.Checks {
		fmt.Fprintf(w, "%-14s %s  %s%s\n", c.Status, cmp.Or(c.Nest, c.Partition.String()), t.SizeText(c.Sizes), ranksText(&c)+toleranceText(&c))
		if c.Detail != "" {
			fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(c.Detail, "\n", "\n  "))
		}
	}
	fmt.Fprintf(w, "%s: %d ok, %d failed\n", r.Kernel, r.OK, r.Failed)
}

// toleranceText says that floating-point numbers were not compared bit for bit.
func toleranceText(c *check.Result) string {
	if c.Tolerance == 0 {
		return ""
	}
	return fmt.Sprintf("  (within %g)", c.Tolerance)
}

// ranksText says on how many ranks a program ran.
func ranksText(c *check.Result) string {
	if c.Ranks == 0 {
		return ""
	}
	return fmt.Sprintf("  on %d ranks", c.Ranks)
}
