package main

import (
	"github.com/spf13/cobra"

	"polytune/internal/jsondoc"
	"polytune/session/machine"
)

func newMachineCommand(global *globalOptions) *cobra.Command {
	var o machine.Options
	asJSON := false
	c := &cobra.Command{
		Use:   "machine",
		Short: "Show this machine, its compilers and devices, and what would disturb timings",
		Long: `Show what this machine is, which compilers and which devices for kernels it has, and what
would disturb timings, with what to do about it; how long a cache line just now takes
from one processor to another and back, the clock's frequency, and whether the machine
tells how much energy programs take. --peaks measures how many
operations a second programs get out of the processor, and how many bytes out
of each cache and the memory, with 1, 2, 4, … threads, and keeps that in the
database.` + exitStatusHelp(),
		Example: "  tune machine\n  tune machine --json\n  tune machine --peaks --cc clang",
		Args:    maximumArgs(0),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			r, err := machine.Describe(c.Context(), c.ErrOrStderr(), o, settings)
			switch {
			case err != nil:
				return err
			case asJSON:
				return jsondoc.Write(c.OutOrStdout(), r)
			}
			r.Print(c.OutOrStdout())
			return nil
		},
	}
	c.Flags().BoolVar(&o.Peaks, "peaks", false, "measure, with the chosen compiler, what the machine can do at most; it takes a second or two for each number of threads")
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	c.Flags().Int("threads", 0, "for --peaks: the most threads (default one for each core)")
	c.Flags().String("cc", "", "for --peaks: the `compiler`: an entry of the settings' toolchains, a name on PATH, or a path")
	global.bind(c, map[string]string{"db": "db", "threads": "threads", "cc": "toolchain"})
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}
