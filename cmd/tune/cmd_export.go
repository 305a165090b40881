package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/opendb"
	"polytune/internal/outfile"
	"polytune/internal/usage"
	"polytune/report"
	"polytune/report/export"
)

type exportOptions struct {
	format    string
	selection report.Selection
}

func newExportCommand(global *globalOptions) *cobra.Command {
	o := &exportOptions{}
	c := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a consistent copy of the database of results, or its trials for others",
		Long: `Write a copy of the database to FILE, which may be on a network file system, while
tuners go on writing to the database. At FILE there is always a whole copy, the
former one or the new one. The copy is for reading, with any command that has
--db where that is a local disk, or with sqlite3; and tune merge takes it in
elsewhere.

--format writes its trials instead: t4 is the interchange format of the
autotuning community, as Kernel Tuner and autotuning_methodology have it, for one
kernel, size and machine; csv is the table of tune report; jsonl has a line of JSON
for each trial, with its samples and the same columns everywhere, as tables of
Parquet and data frames want it. FILE may be - for standard output then.` + exitStatusHelp(),
		Example: "  tune export ~/results/node17.db\n  tune export --db /tmp/tune.db $SLURM_SUBMIT_DIR/results.db\n  tune export --format t4 --kernel 2mm 2mm.json\n  tune export --format jsonl trials.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage.Mistake(errors.New("name the file to export to; see tune export --help"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runExport(c.Context(), c.OutOrStdout(), o, settings, args[0])
		},
	}
	c.Flags().StringVar(&o.format, "format", export.SQLite, "sqlite, t4, csv or jsonl")
	completeFlag(c, "format", func() []string { return export.Formats })
	selectionFlags(c, &o.selection.Kernel, &o.selection.Size, &o.selection.Machine)
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	global.bind(c, map[string]string{"db": "db"})
	return c
}

func runExport(ctx context.Context, w io.Writer, o *exportOptions, settings configs.Settings, path string) (err error) {
	switch {
	case !slices.Contains(export.Formats, o.format):
		return usage.Mistake(fmt.Errorf("there is no format %q; choose %s", o.format, strings.Join(export.Formats, ", ")))
	case o.format == export.SQLite && !o.selection.All():
		return usage.Mistake(errors.New("a copy of the database has all of it; --kernel, --size and --machine are for the other formats"))
	}
	db, err := opendb.ToRead(ctx, os.Stderr, settings.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if o.format == export.SQLite {
		return db.Export(ctx, path)
	}
	return outfile.Stream(w, path, func(out io.Writer) error { return export.Write(ctx, out, o.format, o.selection, db) })
}
