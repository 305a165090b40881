package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/internal/exit"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/space"
)

type spaceOptions struct {
	target pipeline.Options
	limit  int
	after  string
	sample int
	seed   uint64
	levels int
	isl    bool
	dot    bool
	time   bool
	json   bool
	// bothModes says that a table counts in both modes, as the user named none.
	bothModes bool
	// several says that there are several targets: one that the cuts leave no
	// partition of does not keep the others from being described.
	several bool
	// problems are the messages about targets without a partition.
	problems []string
	// stderr takes what is to be known besides the results.
	stderr io.Writer
}

func newSpaceCommand(*globalOptions) *cobra.Command {
	o := &spaceOptions{}
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
			o.bothModes = !c.Flags().Changed("mode")
			if err := refuseTogether(c.Flags(), exclusiveSpaceFlags); err != nil {
				return err
			}
			o.stderr = c.ErrOrStderr()
			return runSpace(c.OutOrStdout(), o, args)
		},
	}
	targetFlags(c.Flags(), &o.target)
	privatizeFlag(c.Flags(), &o.target, false)
	spaceFlags(c.Flags(), &o.target.Space)
	c.Flags().IntVar(&o.limit, "limit", 1000, "list at most this many partitions")
	c.Flags().StringVar(&o.after, "after", "", "list what comes after this class `vector`: goes on where a listing stopped")
	c.Flags().IntVar(&o.sample, "sample", 0, "instead of the first partitions, this many random ones of the whole space")
	c.Flags().Uint64Var(&o.seed, "seed", 1, "seed of the random partitions")
	c.Flags().IntVar(&o.levels, "levels", 1, "list partitions at this many loop levels, as far as there are loops, each inside the classes of the one outside")
	c.Flags().BoolVar(&o.isl, "isl", false, "print the space as an isl set instead")
	c.Flags().BoolVar(&o.dot, "dot", false, "print the order of the statements for Graphviz instead, without what follows from other arrows")
	c.Flags().BoolVar(&o.time, "time", false, "print how long it took, and how much work it was")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document, a list for several targets")
	return c
}

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

// runSpace describes one target, or counts several in a table.
func runSpace(w io.Writer, o *spaceOptions, args []string) error {
	switch {
	case o.limit < 0 || o.sample < 0 || o.levels < 1:
		return usage.Mistake(errors.New("--limit and --sample are at least 0, --levels is at least 1"))
	case o.sample > space.MostSampled:
		return usage.Mistake(fmt.Errorf("--sample is at most %d", space.MostSampled))
	}
	targets, err := o.target.Several(args)
	if err != nil {
		return err
	}
	if o.several = len(targets) > 1; o.several {
		return o.describeAll(w, targets)
	}
	return o.inSpace(targets[0], func(s *analyzedSpace) error { return o.describe(w, s) })
}

// describe prints one space.
func (o *spaceOptions) describe(w io.Writer, s *analyzedSpace) error {
	switch {
	case o.isl:
		text, err := s.space.Text()
		if err == nil {
			fmt.Fprintln(w, text)
		}
		return err
	case o.dot:
		return printSpaceDot(w, s)
	}
	if o.levels > 1 {
		return o.describeLevels(w, s)
	}
	r, err := o.report(s)
	if err != nil {
		return err
	}
	if o.json {
		return jsondoc.Write(w, r)
	}
	r.print(w, s.space.Names(), o.time)
	return nil
}

// describeAll prints a table or a list of documents.
func (o *spaceOptions) describeAll(w io.Writer, targets []*pipeline.Target) error {
	if o.isl || o.dot || o.after != "" || o.levels > 1 {
		return usage.Mistake(errors.New("--isl, --dot, --after and --levels are about one target"))
	}
	describe := o.printTable
	if o.json {
		describe = o.writeReports
	}
	if err := describe(w, targets); err != nil {
		return err
	}
	if len(o.problems) > 0 {
		fmt.Fprintf(o.stderr, "tune: %s\n", strings.Join(o.problems, "\ntune: "))
		return &exit.Quiet{Status: exit.Incomplete}
	}
	return nil
}

// noteEmpty remembers why a target has no partition, if it has none; other
// modes may have the same reason.
func (o *spaceOptions) noteEmpty(r *spaceReport) {
	if problem := r.Kernel + ": " + r.Empty; r.Empty != "" && !slices.Contains(o.problems, problem) {
		o.problems = append(o.problems, problem)
	}
}

// writeReports writes a list of documents.
func (o *spaceOptions) writeReports(w io.Writer, targets []*pipeline.Target) error {
	var documents []any
	for _, t := range targets {
		err := o.inSpace(t, func(s *analyzedSpace) error {
			r, err := o.report(s)
			if err == nil {
				o.noteEmpty(r)
				documents = append(documents, r)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return jsondoc.WriteAll(w, documents)
}

// analyzedSpace is the space of a target and what was needed to find it.
type analyzedSpace struct {
	target *pipeline.Target
	// mode is that of the space; dependences counts those of the program,
	// which took so many seconds to find.
	mode        space.Mode
	dependences int
	seconds     float64
	space       *space.Space
	// levels is the space of several levels, of which space is the outermost.
	levels *space.Levels
	// empty says why there is no space; nil when there is one.
	empty *space.EmptyError
}

// inSpace analyzes a target and calls use with its space, which lives as long
// as the call.
func (o *spaceOptions) inSpace(t *pipeline.Target, use func(*analyzedSpace) error) error {
	ctx, _, end := limit.Context(context.Background(), limit.Space.Of(t.Source), nil)
	defer end()
	start := time.Now()
	graph, err := t.Analyze(ctx)
	if err != nil {
		return err
	}
	s := &analyzedSpace{target: t, dependences: len(graph.Dependences), seconds: time.Since(start).Seconds()}
	options, err := t.SpaceOptions()
	if err != nil {
		return err
	}
	s.mode = options.Mode
	s.levels, err = space.NewLevels(graph, options, o.depth(t))
	if o.several && errors.As(err, &s.empty) {
		return use(s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	s.space = s.levels.Single()
	return use(s)
}

// depth is the number of levels for a target. Below its deepest loops there is
// nothing to share.
func (o *spaceOptions) depth(t *pipeline.Target) int {
	deepest := max(t.Deepest(), 1)
	if o.levels > deepest {
		fmt.Fprintf(o.stderr, "tune: warning: %s: no statement is in more loops than %d, so that --levels %d is taken as %d\n", t.Name, t.Deepest(), o.levels, deepest)
	}
	return min(o.levels, deepest)
}
