package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"polytune/isl"
	"polytune/space"
)

type spaceOptions struct {
	target targetOptions
	mode   string
	peel   int
	limit  int
	isl    bool
	json   bool
}

func newSpaceCommand(*globalOptions) *cobra.Command {
	o := &spaceOptions{}
	c := &cobra.Command{
		Use:   "space TARGET",
		Short: "Count and list the legal fusion partitions",
		Long: `Count and list the legal fusion partitions of a program, in lexicographic
order of the class vector: statements with the same number share an outer loop,
and classes run in the order of their numbers.

Mode exact lists every legal partition; mode sc10 leaves out those that hoist a
statement above an earlier one whose consumer precedes it, as the SC'10 paper
counts.` + exitStatusHelp(),
		Example: "  tune space --bench 2mm\n  tune space kernel.c --mode sc10 --json",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return runSpace(c.OutOrStdout(), o, args)
		},
	}
	o.target.flags(c.Flags())
	c.Flags().StringVar(&o.mode, "mode", "exact", "exact or sc10")
	c.Flags().IntVar(&o.peel, "max-peel", space.DefaultMaxPeel, "fused statements may be shifted against each other by less than this many iterations")
	c.Flags().IntVar(&o.limit, "limit", 1000, "list at most this many partitions")
	c.Flags().BoolVar(&o.isl, "isl", false, "print the space as an isl set instead")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

// spaceReport is the JSON document of tune space.
type spaceReport struct {
	Kernel       string             `json:"kernel"`
	Statements   int                `json:"statements"`
	Loops        int                `json:"loops"`
	Refs         int                `json:"refs"`
	Dependences  int                `json:"dependences"`
	Partitions   string             `json:"partitions"`
	Legal        int                `json:"legal"`
	LegalIsExact bool               `json:"-"`
	Mode         string             `json:"mode"`
	Encoding     encodingReport     `json:"encoding"`
	Seconds      map[string]float64 `json:"seconds"`
	Classes      []space.Partition  `json:"classes"`
}

type encodingReport struct {
	Variables   int `json:"variables"`
	Constraints int `json:"constraints"`
}

func runSpace(w io.Writer, o *spaceOptions, args []string) error {
	mode, err := space.ParseMode(o.mode)
	if err != nil {
		return usageError(err)
	}
	if o.limit < 0 || o.peel < 1 {
		return usageError(errors.New("--limit is at least 0, and --max-peel at least 1"))
	}
	t, err := o.target.one(args)
	if err != nil {
		return err
	}
	ctx := isl.NewContext()
	defer ctx.Close()
	start := time.Now()
	graph, err := t.analyze(ctx)
	if err != nil {
		return err
	}
	dependences := time.Since(start).Seconds()
	s, err := space.New(graph, space.Options{Mode: mode, MaxPeel: o.peel})
	if err != nil {
		return err
	}
	if o.isl {
		text, err := s.Text()
		if err == nil {
			fmt.Fprintln(w, text)
		}
		return err
	}
	r, err := listSpace(s, o.limit)
	if err != nil {
		return err
	}
	program := t.region.Program
	r.Kernel, r.Mode = t.name, mode.String()
	r.Statements, r.Loops, r.Refs, r.Dependences = len(program.Statements), program.LoopCount(), program.ReferenceCount(), len(graph.Dependences)
	r.Seconds["dependences"] = dependences
	if o.json {
		return writeJSON(w, r)
	}
	return r.print(w, program.StatementNames())
}

// countBudget bounds the work of counting a space that is too large to list.
const countBudget = 1_000_000

// listSpace lists up to limit partitions, and counts all.
func listSpace(s *space.Space, limit int) (*spaceReport, error) {
	r := &spaceReport{Classes: []space.Partition{}, Seconds: map[string]float64{}, LegalIsExact: true}
	for p, err := range s.All() {
		if err != nil {
			return nil, err
		}
		if len(r.Classes) == limit {
			count, ok, err := s.Count(countBudget)
			if err != nil {
				return nil, err
			}
			r.Legal, r.LegalIsExact = int(count.Int64()), ok && count.IsInt64()
			break
		}
		r.Classes = append(r.Classes, p)
	}
	if r.Legal == 0 {
		r.Legal = len(r.Classes)
	}
	encoding := s.Encoding()
	r.Encoding = encodingReport{encoding.Variables(), encoding.ConstraintCount()}
	r.Partitions = space.Total(encoding.Statements).String()
	r.Seconds["fusibility"], r.Seconds["enumeration"] = s.Seconds()
	return r, nil
}

func (r *spaceReport) print(w io.Writer, names []string) error {
	fmt.Fprintf(w, "%s: %d loops, %d statements, %d references, %d dependences\n", r.Kernel, r.Loops, r.Statements, r.Refs, r.Dependences)
	legal := fmt.Sprint(r.Legal)
	if !r.LegalIsExact {
		legal = fmt.Sprintf("at least %d", max(r.Legal, len(r.Classes)))
	}
	fmt.Fprintf(w, "%s legal of %s partitions (mode %s)\n", legal, r.Partitions, r.Mode)
	for _, p := range r.Classes {
		fmt.Fprintf(w, "  %s  %s\n", p, p.Drawing(names))
	}
	if len(r.Classes) < r.Legal || !r.LegalIsExact {
		fmt.Fprintln(w, "  … (--limit lists more)")
	}
	return nil
}
