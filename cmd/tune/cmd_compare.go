package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/opendb"
	"polytune/internal/usage"
	"polytune/report"
	"polytune/runner"
	"polytune/session"
	"polytune/store"
)

type compareOptions struct {
	selection report.Selection
	transfer  string
	most      int
	json      bool
}

// thisMachine is the word for the machine that the command runs on.
const thisMachine = "this"

func newCompareCommand(global *globalOptions) *cobra.Command {
	o := &compareOptions{}
	c := &cobra.Command{
		Use:   "compare [DB...]",
		Short: "Compare machines and compilers: the best variant on each, and what it costs on the others",
		Long: `Compare what was found on several machines, or with several compilers: in
databases of each, or in one that tune merge has made. For each kernel and size
there is the best variant of each place, what it costs to run the best of one
place in another, and whether one partition, and one variant, is within 5% of
the best everywhere. Means are geometric.

--transfer gives the order in which to try the variants of a kernel on a
machine, by its name or id, or "this" one, given what was found on others:
variants that came near the best on similar machines first.

Without DB it is the database of the settings.` + exitStatusHelp(),
		Example: "  tune compare node17.db node18.db\n  tune compare merged.db --kernel 2mm --json\n  tune compare results/*.db --transfer this --kernel gemm",
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runCompare(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	selectionFlags(c, &o.selection.Kernel, &o.selection.Size, &o.selection.Machine)
	c.Flags().StringVar(&o.transfer, "transfer", "", "say what to try first on this `machine`: a name, an id, or this")
	c.Flags().IntVar(&o.most, "most", 20, "with --transfer: list at most so many `variants` of a kernel, 0 for all")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	c.Flags().String("db", "", "the `database` to look at when none is named (default $XDG_DATA_HOME/tune/tune.db)")
	global.bind(c, map[string]string{"db": "db"})
	return c
}

func runCompare(ctx context.Context, w io.Writer, o *compareOptions, paths []string, settings configs.Settings) error {
	if o.most < 0 {
		return usage.Mistake(fmt.Errorf("--most is a number of variants, not %d", o.most))
	}
	if len(paths) == 0 {
		paths = []string{settings.DB}
	}
	var databases []*store.Store
	for _, path := range paths {
		db, err := opendb.ToRead(ctx, os.Stderr, path)
		if err != nil {
			return err
		}
		defer db.Close()
		databases = append(databases, db)
	}
	findings, err := report.Gather(ctx, o.selection, settings.Measurement.Indifference, databases...)
	if err != nil {
		return err
	}
	if err := checkFound(findings, o.selection); err != nil {
		return err
	}
	comparison := report.Compare(findings)
	var advice []report.Transfer
	if o.transfer != "" {
		machine, err := o.machine(findings, settings)
		if err != nil {
			return err
		}
		advice = report.TransferTo(machine, findings)
		if !o.json {
			if len(advice) == 0 {
				return fmt.Errorf("no other machine has a result in %s to learn from", strings.Join(findings.Databases, " and "))
			}
			return report.WriteTransfer(w, o.transfer, advice, findings.Places, o.most)
		}
	}
	if o.json {
		return report.ComparisonJSON(w, comparison, o.transfer, advice)
	}
	return report.WriteComparison(w, comparison, session.TerminalWidth(w))
}

// machine is the one that --transfer means.
func (o *compareOptions) machine(f *report.Findings, settings configs.Settings) (runner.Machine, error) {
	if o.transfer == thisMachine {
		return runner.Detect(settings.Machine.Name)
	}
	var names []string
	for _, m := range f.Machines {
		if m.ID == o.transfer || m.Name == o.transfer {
			m.About.ID = m.ID
			return m.About, nil
		}
		names = append(names, m.Title())
	}
	return runner.Machine{}, fmt.Errorf("no machine %q is known in %s; there are %s, and this", o.transfer, strings.Join(f.Databases, " and "), strings.Join(names, ", "))
}
