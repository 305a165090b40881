package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/opendb"
	"polytune/internal/usage"
)

func newExportCommand(global *globalOptions) *cobra.Command {
	c := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a consistent copy of the database of results",
		Long: `Write a copy of the database to FILE, which may be on a network file system, while
tuners go on writing to the database. At FILE there is always a whole copy, the
former one or the new one. The copy is for reading, with any command that has
--db where that is a local disk, or with sqlite3; and tune merge takes it in
elsewhere.` + exitStatusHelp(),
		Example: "  tune export ~/results/node17.db\n  tune export --db /tmp/tune.db $SLURM_SUBMIT_DIR/results.db",
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
			return runExport(c.Context(), settings, args[0])
		},
	}
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	global.bind(c, map[string]string{"db": "db"})
	return c
}

func runExport(ctx context.Context, settings configs.Settings, path string) (err error) {
	db, err := opendb.ToRead(ctx, os.Stderr, settings.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Export(ctx, path)
}
