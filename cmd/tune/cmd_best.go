package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/handout"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
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
		if err := k.Print(w); err != nil {
			return err
		}
	}
	return nil
}
