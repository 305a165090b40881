package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/report"
	"polytune/store"
)

func newMergeCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "merge OUT DB...",
		Short: "Unite databases of results",
		Long: `Make the database OUT the union of itself, if it is there, and the other
databases, such as those of several nodes. What two of them have is taken once,
so that their order does not matter, nor how often one is merged. The databases
are only read: they may be copies on a network file system (see tune export), or in
use by a tuner. OUT has to be on a local disk.` + exitStatusHelp(),
		Example: "  tune merge all.db node1.db node2.db\n  tune merge --json all.db results/*.db",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usage.Mistake(errors.New("name the database to merge into, and those to merge; see tune merge --help"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return runMerge(c.Context(), c.OutOrStdout(), args[0], args[1:], asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// mergeReport is the JSON document of tune merge.
type mergeReport struct {
	Database string                      `json:"database"`
	Sources  []store.Merged              `json:"sources"`
	Total    map[string]store.MergedRows `json:"total"`
}

func runMerge(ctx context.Context, w io.Writer, target string, sources []string, asJSON bool) error {
	merged, err := store.Merge(ctx, target, sources...)
	if err != nil {
		return err
	}
	total := map[string]store.MergedRows{}
	for _, m := range merged {
		for kind, rows := range m.Rows {
			sum := total[kind]
			total[kind] = store.MergedRows{Total: sum.Total + rows.Total, New: sum.New + rows.New, Newer: sum.Newer + rows.Newer}
		}
	}
	if asJSON {
		return jsondoc.Write(w, mergeReport{target, merged, total})
	}
	for _, m := range merged {
		if _, err := fmt.Fprintf(w, "%s: %s\n", m.Path, mergedText(m.Rows["trials"])); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "%s: %d trials more, with %d samples, of %d further %s\n",
		target, total["trials"].New, total["samples"].New, total["machines"].New, report.Plural(int(total["machines"].New), "machine"))
	return err
}

// mergedText says "64 trials, 12 new", and how many open ones the source has
// finished.
func mergedText(trials store.MergedRows) string {
	text := fmt.Sprintf("%d trials, %d new", trials.Total, trials.New)
	if trials.Newer > 0 {
		text += fmt.Sprintf(", %d gone further", trials.Newer)
	}
	return text
}
