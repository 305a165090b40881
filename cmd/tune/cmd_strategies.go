package main

import (
	"github.com/spf13/cobra"

	"polytune/report"
)

func newStrategiesCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "strategies [NAME]",
		Short: "List the strategies of the models, in the order in which they are asked",
		Long: `List the strategies by which the models choose loops, tiles and blocks, in the order in
which those of one place are asked: what each does to loops, the axis of the tuner that turns it off
or has it do otherwise, and the built-in benchmarks that take it by default. With a NAME that one alone.
--without NAME leaves one out, and tune explain says why those are not taken that are not.` + exitStatusHelp(),
		Example: "  tune strategies\n  tune strategies sweep\n  tune strategies --json",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return report.WriteStrategies(c.OutOrStdout(), args, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}
