package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/internal/usage"
	"polytune/pipeline/spaces"
	"polytune/session"
)

func newSpaceCommand(*globalOptions) *cobra.Command {
	o := &spaces.Options{}
	c := &cobra.Command{
		Use:   "space TARGET...",
		Short: "Count and list the legal fusion partitions",
		Long: `Count and list the legal fusion partitions of a program, in lexicographic
order of the class vector: statements with the same number share an outer loop,
and classes run in the order of their numbers.

Mode exact lists every legal partition; mode sc10 leaves out those that hoist a
statement above an earlier one whose consumer precedes it, as the SC'10 paper
counts.

Statements can be kept together, apart or in order; the partitions left are the
legal ones that satisfy all such cuts.

With --levels N the statements of a class are partitioned again inside the loop
that they share, and so on: 0-0-1/0-1-0 has S0 and S1 share one loop and run one
after the other inside it.

Several files, or several benchmarks (--bench 2mm,3mm, or the name of a suite),
are counted in a table with the columns of that paper's Figure 6. A program of
which the cuts leave no partition has 0 there, and the others are counted.` + exitStatusHelp("3   some of several programs have no legal partition"),
		Example: `  tune space --bench 2mm
  tune space kernel.c --mode sc10 --json
  tune space --bench 3mm --together S0,S1 --before S1,S3
  tune space --bench sc10
  tune space --bench 3mm --dot | dot -Tsvg > space.svg`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			o.BothModes = !c.Flags().Changed("mode")
			if !c.Flags().Changed("limit") && !o.JSON && session.TerminalWidth(c.OutOrStdout()) > 0 {
				o.Limit = onTerminal
			}
			if err := refuseTogether(c.Flags(), exclusiveSpaceFlags); err != nil {
				return err
			}
			o.Stderr = c.ErrOrStderr()
			return o.Print(c.OutOrStdout(), args)
		},
	}
	targetFlags(c.Flags(), &o.Target)
	privatizeFlag(c.Flags(), &o.Target, false)
	expandFlag(c.Flags(), &o.Target)
	reassociateFlag(c.Flags(), &o.Target)
	spaceFlags(c.Flags(), &o.Target.Space)
	c.Flags().IntVar(&o.Limit, "limit", 1000, "list at most this many partitions; on a terminal 20 where none is given")
	c.Flags().StringVar(&o.After, "after", "", "list what comes after this class `vector`: goes on where a listing stopped")
	c.Flags().IntVar(&o.Sample, "sample", 0, "instead of the first partitions, this many random ones of the whole space")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the random partitions")
	c.Flags().IntVar(&o.Levels, "levels", 1, "list partitions at this many loop levels, as far as there are loops, each inside the classes of the one outside")
	c.Flags().BoolVar(&o.ISL, "isl", false, "print the space as an isl set instead")
	c.Flags().BoolVar(&o.Dot, "dot", false, "print the order of the statements for Graphviz instead, without what follows from other arrows")
	c.Flags().BoolVar(&o.Time, "time", false, "print how long it took, and how much work it was")
	c.Flags().BoolVar(&o.JSON, "json", false, "print one JSON document, a list for several targets")
	return c
}

// onTerminal is how many partitions a terminal shows where nobody asks for another number.
const onTerminal = 20

// exclusiveSpaceFlags are flags of tune space of which one at most makes
// sense.
var exclusiveSpaceFlags = [][]string{
	{"isl", "dot", "json"},
	{"isl", "dot", "levels", "sample"},
	{"isl", "dot", "after", "sample"},
}

// refuseTogether is an error when the user gave two flags of one group.
func refuseTogether(flags *pflag.FlagSet, groups [][]string) error {
	for _, group := range groups {
		given := slices.DeleteFunc(slices.Clone(group), func(name string) bool { return !flags.Changed(name) })
		if len(given) > 1 {
			return usage.Mistake(fmt.Errorf("--%s and --%s do not go together; leave one out", given[0], given[1]))
		}
	}
	return nil
}
