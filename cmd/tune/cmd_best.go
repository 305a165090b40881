package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/handout"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/report"
	"polytune/store"
	"polytune/tuner"
)

// bestOptions are those of tune best.
type bestOptions struct {
	handout.Options
	json bool
}

// bestFlags adds the flags that choose a stored result; tune best and tune emit share them.
func bestFlags(o *handout.Options, c *cobra.Command, global *globalOptions) {
	timingFlag(c.Flags(), &o.Device)
	targetFlags(c.Flags(), &o.Target)
	privatizeFlag(c.Flags(), &o.Target, true)
	reassociateFlag(c.Flags(), &o.Target)
	c.Flags().StringVar(&o.Size, "size", "", "only results for this problem `size`")
	c.Flags().StringVar(&o.Params, "param", "", "only results for these parameter values, `NAME=NUMBER,…`")
	c.Flags().BoolVar(&o.Any, "any", false, "take the first variant, be it not known to be faster than the original")
	c.Flags().StringVar(&o.Machine, "machine", "", "the `machine` meant, by id or name; by default this one")
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
	bestFlags(&o.Options, c, global)
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document, for the first of several sizes and its fastest compiler")
	return c
}

func runBest(ctx context.Context, w io.Writer, o *bestOptions, args []string, settings configs.Settings) error {
	if err := o.Device.Check(&o.Target); err != nil {
		return usage.Mistake(err)
	}
	targets, err := o.Target.All(args)
	if err != nil {
		return err
	}
	o.Target.WarnOfMacros(os.Stderr, targets, settings.SelectedToolchain())
	if o.json {
		if err := oneDocument(targets); err != nil {
			return err
		}
	}
	known, err := o.Find(ctx, targets, settings)
	if err != nil {
		return err
	}
	if o.json {
		report, err := known[0].Report()
		if err != nil {
			return err
		}
		return jsondoc.Write(w, report)
	}
	for _, k := range known {
		for _, b := range k.Results {
			if err := printBest(w, b, k.Origins[b.Trial]); err != nil {
				return err
			}
			if err := printRun(&k, w, b); err != nil {
				return err
			}
			if c := k.Contenders[b.Trial]; c != nil {
				fmt.Fprintf(w, "  %s; tune again times it anew, --any takes it\n", c.Text())
			}
		}
	}
	return nil
}

// printBest says what a result is, and how the compiler was called that has built it.
func printBest(w io.Writer, b store.Best, p store.Provenance) error {
	from, err := handout.OriginOf(p)
	if err != nil {
		return err
	}
	partition, err := tuner.ParsePartition(b.Variant.Partition)
	if err != nil {
		return err
	}
	over := from.BaselineText()
	if over != "" {
		over = " over the original" + over
	}
	on := b.On.Text()
	if on != "" {
		on = ", " + on
	}
	_, err = fmt.Fprintf(w, "%s %s on %s with %s%s: %s %s, %s, %s%s\n  built by %s %s\n", b.KernelName, b.Size, b.MachineName, b.ToolchainName, on,
		b.Variant.ID, report.VariantPartition(b.Variant.ID, partition), report.Seconds(b.Summary.Seconds.Median), report.Speedup(b.Summary.Speedup, b.Summary.Certainty), over,
		from.Toolchain.Resolved, strings.Join(from.Toolchain.Flags, " "))
	return err
}

// printRun says how a result was run, in a line to type, and what is to be said against it.
func printRun(k *handout.Known, w io.Writer, b store.Best) error {
	from, err := handout.OriginOf(k.Origins[b.Trial])
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  run with %s: %s\n", from.ThreadsText(handout.UsesThreads(k.Target, b.Variant)), from.Command("./program"))
	if busy := from.BusyText(); busy != "" {
		fmt.Fprintf(w, "  %s\n", busy)
	}
	return nil
}
