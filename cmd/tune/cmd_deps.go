package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"polytune/internal/jsondoc"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/scop/depend"
)

type depsOptions struct {
	target pipeline.Options
	dot    bool
	json   bool
}

func newDepsCommand(*globalOptions) *cobra.Command {
	o := &depsOptions{}
	c := &cobra.Command{
		Use:   "deps TARGET",
		Short: "Show the dependences between statements",
		Long: `Show the dependences between statements: read after write (RAW), write after
read (WAR) and write after write (WAW), one for each pair of references and
loop depth, as relations between instances in isl's notation.` + exitStatusHelp(),
		Example: "  tune deps --bench 2mm\n  tune deps kernel.c --dot | dot -Tsvg > deps.svg",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return runDeps(c.OutOrStdout(), o, args)
		},
	}
	targetFlags(c.Flags(), &o.target)
	privatizeFlag(c.Flags(), &o.target, false)
	c.Flags().BoolVar(&o.dot, "dot", false, "print a graph for Graphviz")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

// dependencesReport is the JSON document.
type dependencesReport struct {
	Kernel      string             `json:"kernel"`
	Dependences []dependenceReport `json:"dependences"`
}

// dependenceReport is one dependence in the JSON list.
type dependenceReport struct {
	Kind     string `json:"kind"`
	Source   string `json:"source"`
	Target   string `json:"target"`
	Array    string `json:"array"`
	Depth    int    `json:"depth"`
	Relation string `json:"relation"`
}

func runDeps(w io.Writer, o *depsOptions, args []string) error {
	t, err := o.target.One(args)
	if err != nil {
		return err
	}
	ctx, _, end := limit.Context(context.Background(), limit.Space.Of(t.Source), nil)
	defer end()
	graph, err := t.Analyze(ctx)
	if err != nil {
		return err
	}
	list := []dependenceReport{}
	for _, d := range graph.Dependences {
		list = append(list, reportOf(graph, d))
	}
	switch {
	case o.json:
		return jsondoc.Write(w, dependencesReport{t.Name, list})
	case o.dot:
		return printDot(w, t, graph)
	}
	for _, d := range list {
		fmt.Fprintf(w, "%s %s -> %s on %s at depth %d: %s\n", d.Kind, d.Source, d.Target, d.Array, d.Depth, d.Relation)
	}
	return nil
}

func reportOf(g *depend.Graph, d *depend.Dependence) dependenceReport {
	source, target := &g.Model.Statements[d.Source], &g.Model.Statements[d.Target]
	return dependenceReport{
		Kind: d.Kind.String(), Source: source.Name, Target: target.Name,
		Array: source.Statement.Accesses[d.SourceAccess].Array, Depth: d.Depth, Relation: d.Relation.String(),
	}
}

// printDot draws statements as boxes with their text, and one arrow for all
// dependences of one kind on one array between two statements.
func printDot(w io.Writer, t *pipeline.Target, g *depend.Graph) error {
	fmt.Fprintf(w, "digraph %q {\n  node [shape=box, fontname=monospace];\n", t.Name)
	for _, s := range g.Model.Statements {
		fmt.Fprintf(w, "  %s [label=%q];\n", s.Name, s.Name+": "+s.Source)
	}
	drawn := map[string]bool{}
	for _, d := range g.Dependences {
		r := reportOf(g, d)
		arrow := fmt.Sprintf("  %s -> %s [label=%q];\n", r.Source, r.Target, r.Kind+" "+r.Array)
		if !drawn[arrow] {
			fmt.Fprint(w, arrow)
			drawn[arrow] = true
		}
	}
	_, err := fmt.Fprintln(w, "}")
	return err
}
