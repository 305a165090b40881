package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"polytune/benchmarks"
	"polytune/internal/jsondoc"
	"polytune/pipeline"
	"polytune/report"
	"polytune/scop"
)

type listOptions struct {
	json bool
}

func newListCommand(*globalOptions) *cobra.Command {
	o := &listOptions{}
	c := &cobra.Command{
		Use:     "list [WORD]",
		Short:   "List the built-in benchmarks",
		Long:    "List the built-in benchmarks with their sizes and the memory their arrays take;\nwith a WORD only those whose names contain it." + exitStatusHelp(),
		Example: "  tune list\n  tune list stencil --json",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return runList(c.OutOrStdout(), o, strings.Join(args, ""))
		},
	}
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

// listEntry is one benchmark in the JSON list.
type listEntry struct {
	Name       string                    `json:"name"`
	Title      string                    `json:"title"`
	Statements int                       `json:"statements"`
	Arrays     int                       `json:"arrays"`
	Sizes      map[string]map[string]int `json:"sizes"`
	Memory     map[string]int64          `json:"memory"`
}

func runList(w io.Writer, o *listOptions, word string) error {
	chosen := slices.DeleteFunc(benchmarks.All(), func(b benchmarks.Benchmark) bool {
		return !strings.Contains(b.Name, word) && !strings.Contains(b.Title, word)
	})
	if len(chosen) == 0 {
		return fmt.Errorf("no benchmark has %q in its name or title; tune list shows all", word)
	}
	entries := make([]listEntry, len(chosen))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k, b := range chosen {
		group.Go(func() (err error) {
			entries[k], err = listed(b)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if o.json {
		return jsondoc.Write(w, entries)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "BENCHMARK\tSTATEMENTS\tARRAYS\t"+strings.ToUpper(strings.Join(benchmarks.SizeNames, "\t"))+"\tWHAT IT COMPUTES")
	for _, e := range entries {
		fmt.Fprintf(table, "%s\t%d\t%d", e.Name, e.Statements, e.Arrays)
		for _, size := range benchmarks.SizeNames {
			fmt.Fprintf(table, "\t%s", report.Bytes(e.Memory[size]))
		}
		fmt.Fprintf(table, "\t%s\n", e.Title)
	}
	return table.Flush()
}

// listed finds out what a benchmark's entry says, from its source.
func listed(b benchmarks.Benchmark) (listEntry, error) {
	o := pipeline.Options{Bench: b.Name, Notes: os.Stderr}
	t, err := o.One(nil)
	if err != nil {
		return listEntry{}, err
	}
	program := t.Unit.Program
	entry := listEntry{Name: b.Name, Title: b.Title, Statements: len(program.Statements), Sizes: b.Sizes, Memory: map[string]int64{}}
	for _, a := range program.Function.Arguments {
		if a.Role == scop.Pointer {
			entry.Arrays++
		}
	}
	for size, values := range b.Sizes {
		if entry.Memory[size], err = program.Function.Bytes(program, values); err != nil {
			return listEntry{}, fmt.Errorf("%s: %w", b.Name, err)
		}
	}
	return entry, nil
}
