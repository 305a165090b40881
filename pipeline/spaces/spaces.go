// Package spaces counts and lists the legal partitions of regions, for people and as documents.
package spaces

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"polytune/internal/exit"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/space"
)

// Options say of which targets the legal partitions are counted and listed, and how.
type Options struct {
	Target pipeline.Options
	// Limit is how many partitions are listed at most, After the class vector behind which the
	// listing begins, and Sample how many random ones there are in the place of the first.
	Limit  int
	After  string
	Sample int
	Seed   uint64
	// Levels is the number of loop levels.
	Levels int
	// ISL, Dot and JSON ask for a set, a drawing or a document, Time for how long it took.
	ISL, Dot, Time, JSON bool
	// BothModes says that a table counts in both modes, as the user named none.
	BothModes bool
	// Stderr takes what is to be known besides the results.
	Stderr io.Writer
	// several says that there are several targets: one that the cuts leave no
	// partition of does not keep the others from being described.
	several bool
	// problems are the messages about targets without a partition.
	problems []string
}

// Print describes one target, or counts several in a table.
func (o *Options) Print(w io.Writer, args []string) error {
	switch {
	case o.Limit < 0 || o.Sample < 0 || o.Levels < 1:
		return usage.Mistake(errors.New("--limit and --sample are at least 0, --levels is at least 1"))
	case o.Sample > space.MostSampled:
		return usage.Mistake(fmt.Errorf("--sample is at most %d", space.MostSampled))
	}
	targets, err := o.Target.Several(args)
	if err != nil {
		return err
	}
	if o.several = len(targets) > 1; o.several {
		return o.describeAll(w, targets)
	}
	return o.inSpace(targets[0], func(s *analyzedSpace) error { return o.describe(w, s) })
}

// describe prints one space.
func (o *Options) describe(w io.Writer, s *analyzedSpace) error {
	switch {
	case o.ISL:
		text, err := s.space.Text()
		if err == nil {
			fmt.Fprintln(w, text)
		}
		return err
	case o.Dot:
		return printDot(w, s)
	}
	if o.Levels > 1 {
		return o.describeLevels(w, s)
	}
	r, err := o.report(s)
	if err != nil {
		return err
	}
	if o.JSON {
		return jsondoc.Write(w, r)
	}
	r.print(w, s.space.Names(), o.Time)
	return nil
}

// describeAll prints a table or a list of documents.
func (o *Options) describeAll(w io.Writer, targets []*pipeline.Target) error {
	if o.ISL || o.Dot || o.After != "" || o.Levels > 1 {
		return usage.Mistake(errors.New("--isl, --dot, --after and --levels are about one target"))
	}
	describe := o.printTable
	if o.JSON {
		describe = o.writeReports
	}
	if err := describe(w, targets); err != nil {
		return err
	}
	if len(o.problems) > 0 {
		fmt.Fprintf(o.Stderr, "tune: %s\n", strings.Join(o.problems, "\ntune: "))
		return &exit.Quiet{Status: exit.Incomplete}
	}
	return nil
}

// noteEmpty remembers why a target has no partition, if it has none; other
// modes may have the same reason.
func (o *Options) noteEmpty(r *Report) {
	if problem := r.Kernel + ": " + r.Empty; r.Empty != "" && !slices.Contains(o.problems, problem) {
		o.problems = append(o.problems, problem)
	}
}

// writeReports writes a list of documents.
func (o *Options) writeReports(w io.Writer, targets []*pipeline.Target) error {
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
func (o *Options) inSpace(t *pipeline.Target, use func(*analyzedSpace) error) error {
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
		return t.Failed(err)
	}
	s.space = s.levels.Single()
	return use(s)
}

// depth is the number of levels for a target. Below its deepest loops there is
// nothing to share.
func (o *Options) depth(t *pipeline.Target) int {
	deepest := max(t.Deepest(), 1)
	if o.Levels > deepest {
		fmt.Fprintf(o.Stderr, "tune: warning: %s: no statement is in more loops than %d, so that --levels %d is taken as %d\n", t.Name, t.Deepest(), o.Levels, deepest)
	}
	return min(o.Levels, deepest)
}
