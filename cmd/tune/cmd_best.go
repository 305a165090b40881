package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/report"
	"polytune/runner"
	"polytune/space"
	"polytune/store"
	"polytune/tuner"
)

// bestOptions choose a stored result; tune best and tune emit share them.
type bestOptions struct {
	target  targetOptions
	size    string
	params  string
	machine string
	json    bool
	// any asks for the first of the list, whether or not it is known to be faster.
	any bool
	// allMachines asks for the results of every machine.
	allMachines bool
}

func (o *bestOptions) flags(c *cobra.Command, global *globalOptions) {
	targetFlags(c.Flags(), &o.target)
	privatizeFlag(c.Flags(), &o.target, true)
	reassociateFlag(c.Flags(), &o.target)
	c.Flags().StringVar(&o.size, "size", "", "only results for this problem `size`")
	c.Flags().StringVar(&o.params, "param", "", "only results for these parameter values, `NAME=NUMBER,…`")
	c.Flags().BoolVar(&o.any, "any", false, "take the first variant, be it not known to be faster than the original")
	c.Flags().StringVar(&o.machine, "machine", "", "the `machine` meant, by id or name; by default this one")
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	global.bind(c, map[string]string{"db": "db"})
}

const bestHelp = `Show the best known variant of a kernel for this machine, or another one that
the database knows. It is the original where no variant is known to be faster:
then a line says which is the first, and how many more rounds would tell. --any
takes that one. Of several sizes and compilers, each has a line, the fastest
compiler first. Times of different sessions compare only as far as the machine was
in the same state: tune --cc gcc,clang times compilers in one session.`

func newBestCommand(global *globalOptions) *cobra.Command {
	o := &bestOptions{}
	c := &cobra.Command{
		Use:     "best TARGET",
		Short:   "Show the best known variant for this machine",
		Long:    bestHelp + exitStatusHelp(),
		Example: "  tune best --bench 2mm\n  tune best kernel.c --machine node17 --json",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runBest(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	o.flags(c, global)
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document, for the first of several sizes and its fastest compiler")
	return c
}

// bestReport is the JSON document of tune best.
type bestReport struct {
	Kernel    string `json:"kernel"`
	Size      string `json:"size"`
	Machine   string `json:"machine"`
	Toolchain string `json:"toolchain"`
	// Compiler and Flags are what the variant was timed with.
	Compiler string   `json:"compiler"`
	Flags    []string `json:"flags"`
	// Environment is what the timed programs found in theirs about threads, and Busy which
	// other programs used the processors meanwhile, "" for none.
	Environment []string    `json:"environment"`
	Busy        string      `json:"busy"`
	Best        bestVariant `json:"best"`
	// First is the first of the variants where the original is the best because none is
	// known to be faster, and Further how many more rounds would tell; 0 where no
	// sensible number would.
	First   *bestVariant `json:"first"`
	Further *int         `json:"further_rounds"`
}

type bestVariant struct {
	Variant   string          `json:"variant"`
	Partition space.Partition `json:"partition"`
	Recipe    string          `json:"recipe"`
	Seconds   report.Interval `json:"seconds"`
	Speedup   report.Interval `json:"speedup"`
}

func runBest(ctx context.Context, w io.Writer, o *bestOptions, args []string, settings configs.Settings) error {
	targets, err := o.target.all(args)
	if err != nil {
		return err
	}
	o.target.warnOfMacros(os.Stderr, targets, settings.SelectedToolchain())
	if o.json {
		if err := oneDocument(targets); err != nil {
			return err
		}
	}
	known, err := o.find(ctx, targets, settings)
	if err != nil {
		return err
	}
	if o.json {
		report, err := known[0].report()
		if err != nil {
			return err
		}
		return writeJSON(w, report)
	}
	for _, k := range known {
		for _, b := range k.results {
			if err := printBest(w, b, k.origins[b.Trial]); err != nil {
				return err
			}
			if err := k.printRun(w, b); err != nil {
				return err
			}
			if c := k.contenders[b.Trial]; c != nil {
				fmt.Fprintf(w, "  %s; tune again times it anew, --any takes it\n", c.text())
			}
		}
	}
	return nil
}

// printBest says what a result is, and how the compiler was called that has built it.
func printBest(w io.Writer, b store.Best, p store.Provenance) error {
	from, err := originOf(p)
	if err != nil {
		return err
	}
	partition, err := tuner.ParsePartition(b.Variant.Partition)
	if err != nil {
		return err
	}
	over := from.baselineText()
	if over != "" {
		over = " over the original" + over
	}
	_, err = fmt.Fprintf(w, "%s %s on %s with %s: %s %s, %s, %s%s\n  built by %s %s\n", b.KernelName, b.Size, b.MachineName, b.ToolchainName,
		b.Variant.ID, report.VariantPartition(b.Variant.ID, partition), report.Seconds(b.Summary.Seconds.Median), report.Speedup(b.Summary.Speedup, b.Summary.Certainty), over,
		from.toolchain.Resolved, strings.Join(from.toolchain.Flags, " "))
	return err
}

// printRun says how a result was run, in a line to type, and what is to be said against it.
func (k *knownResults) printRun(w io.Writer, b store.Best) error {
	from, err := originOf(k.origins[b.Trial])
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  run with %s: %s\n", from.threadsText(k.target.usesThreads(b.Variant)), from.command("./program"))
	if busy := from.busyText(); busy != "" {
		fmt.Fprintf(w, "  %s\n", busy)
	}
	return nil
}

// knownResults are the stored results of one region, the fastest first; there
// is at least one.
type knownResults struct {
	target  *target
	results []store.Best
	// origins say by their trials where they come from.
	origins map[string]store.Provenance
	// contenders are, by the trials of originals, those who may be faster.
	contenders map[string]*contender
}

// noteSessions says where the fastest compiler of a size was not timed together with
// another one: what the machine did otherwise in between may have decided.
func (k *knownResults) noteSessions(w io.Writer) {
	type place struct{ size, machine string }
	fastest := map[place]store.Best{}
	for _, b := range k.results {
		at := place{b.Size, b.Machine}
		first, later := fastest[at]
		if !later {
			fastest[at] = b
			continue
		}
		if k.origins[b.Trial].Session == k.origins[first.Trial].Session {
			continue
		}
		fmt.Fprintf(w, "%s %s: note: %s with %s and %s with %s are times of different sessions, which compare only as far as %s was in the same state; "+
			"tune with both in --cc times them together\n", b.KernelName, b.Size,
			report.Seconds(first.Summary.Seconds.Median), first.ToolchainName, report.Seconds(b.Summary.Seconds.Median), b.ToolchainName, b.MachineName)
	}
}

// report is the document about the first of the results. The database has neither
// the partition nor the recipe of the original.
func (k *knownResults) report() (bestReport, error) {
	b := k.results[0]
	best, err := k.variant(b)
	if err != nil {
		return bestReport{}, err
	}
	from, err := originOf(k.origins[b.Trial])
	if err != nil {
		return bestReport{}, err
	}
	r := bestReport{Kernel: b.KernelName, Size: b.Size, Machine: b.MachineName, Toolchain: b.ToolchainName,
		Compiler: from.toolchain.Resolved, Flags: from.toolchain.Flags, Environment: from.environment, Busy: from.busy, Best: best}
	if c := k.contenders[b.Trial]; c != nil {
		first, err := k.variant(c.Best)
		r.First, r.Further = &first, &c.further
		return r, err
	}
	return r, nil
}

// variant is what a document says of a result.
func (k *knownResults) variant(b store.Best) (bestVariant, error) {
	best := bestVariant{Variant: b.Variant.ID, Recipe: b.Variant.Recipe,
		Seconds: report.IntervalOf(b.Summary.Seconds, b.Summary.Certainty), Speedup: report.IntervalOf(b.Summary.Speedup, b.Summary.Certainty)}
	var err error
	if store.IsOriginal(b.Variant.ID) {
		var original tuner.Original
		original, err = k.target.original()
		best.Partition, best.Recipe = original.Partition, original.Recipe
	} else {
		best.Partition, err = tuner.ParsePartition(b.Variant.Partition)
	}
	return best, err
}

// find looks up the results of all targets.
func (o *bestOptions) find(ctx context.Context, targets []*target, settings configs.Settings) ([]knownResults, error) {
	machine := o.machine
	if machine == "" && !o.allMachines {
		detected, err := runner.Detect(settings.Machine.Name)
		if err != nil {
			return nil, err
		}
		machine = detected.ID
	}
	db, err := openToRead(ctx, settings.DB)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	known := make([]knownResults, len(targets))
	for i, t := range targets {
		size, err := o.sizeOf(t)
		if err != nil {
			return nil, err
		}
		kernel, err := t.hash(&o.target)
		if err != nil {
			return nil, err
		}
		id, err := kernel.in(ctx, db)
		if err != nil {
			return nil, err
		}
		results, err := db.Best(ctx, store.BestQuery{KernelID: id, Size: size, Machine: machine, Any: o.any})
		if err != nil {
			return nil, err
		}
		if len(results) == 0 {
			return nil, fmt.Errorf("%s has no result for this source, size and machine in %s; tune it first", t.name, db.Path())
		}
		known[i] = knownResults{t, results, map[string]store.Provenance{}, map[string]*contender{}}
		for _, b := range results {
			if known[i].origins[b.Trial], err = db.Provenance(ctx, b.Trial); err != nil {
				return nil, err
			}
			if known[i].contenders[b.Trial], err = contenderOf(ctx, db, b, settings.Measurement.Indifference); err != nil {
				return nil, err
			}
		}
		known[i].noteSessions(os.Stderr)
	}
	return known, nil
}

// sizeOf is the size that the flags ask for, "" for any.
func (o *bestOptions) sizeOf(t *target) (string, error) {
	if o.params == "" {
		return o.size, nil
	}
	params, err := t.sizes(o.size, o.params)
	return parametersText(params), err
}
