package pipeline

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/pipeline/limit"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/split"
	"polytune/space"
	"polytune/transform"
)

// Complete adds to the models' options what the target knows.
func (t *Target) Complete(options *transform.Options) (err error) {
	options.Run.Parameters = t.Run.Parameters
	options.Run.Threads = cmp.Or(t.Run.Threads, options.Run.Threads)
	options.Space, err = t.SpaceOptions()
	return err
}

// WithGraph runs f on the target's dependence graph in an isl context of its
// own. It ends when ctx does, or at the limits of an attempt.
func (t *Target) WithGraph(ctx context.Context, f func(*depend.Graph) error) error {
	return t.WithGraphInPhases(ctx, func(g *depend.Graph, _ func()) error { return f(g) })
}

// WithGraphInPhases is WithGraph for an f that calls next where a phase begins
// that has the limits to itself.
func (t *Target) WithGraphInPhases(ctx context.Context, f func(g *depend.Graph, next func()) error) error {
	return t.WithGraphWithin(ctx, limit.Attempt, f)
}

// WithGraphWithin is WithGraphInPhases with other limits than those of an attempt.
func (t *Target) WithGraphWithin(ctx context.Context, l limit.Limits, f func(g *depend.Graph, next func()) error) error {
	made := func(w *Workplace) (*depend.Graph, error) {
		g, err := w.graph(cutProgram{t.Whole, t.Unit.Program})
		if err != nil {
			return nil, &PhaseError{"dependences", err}
		}
		return g, nil
	}
	return within(ctx, t.Place, l.Of(t.Unit.Program), t.Share, made, func(g *depend.Graph, next func()) error {
		if err := f(g, next); err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		return nil
	})
}

// Choose resolves the --partition list.
func (t *Target) Choose(ctx context.Context, list string, seed uint64) (chosen []space.Nest, err error) {
	lap := Watch()
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		lap(&t.Spent.Dependences)
		type question struct {
			list  string
			seed  uint64
			space *SpaceChoice
		}
		chosen, err = scop.Known(g.Model, question{t.Named(list), seed, t.Partitions}, func() ([]space.Nest, error) {
			s, err := t.Space(g)
			if err != nil {
				return nil, err
			}
			return transform.ChooseNests(s, g, t.Named(list), seed)
		})
		chosen = slices.Clone(chosen)
		lap(&t.Spent.Transform)
		return err
	})
	return chosen, err
}

// Named is a list of partitions in which smart is what is smart for what the target's code is
// made for.
func (t *Target) Named(list string) string {
	if !t.IsOnDevice() {
		return list
	}
	words := strings.Split(list, ",")
	for k, word := range words {
		if strings.TrimSpace(word) == "smart" {
			words[k] = "smart-on-device"
		}
	}
	return strings.Join(words, ",")
}

// Analyze makes the dependence graph of the target's program in ctx.
func (t *Target) Analyze(ctx *isl.Context) (*depend.Graph, error) {
	whole := t.Whole
	if t.Unit.Program.Origin != nil {
		whole = t.Unit.Program
	}
	model, err := whole.Model(ctx)
	if err != nil {
		return nil, err
	}
	graph, err := depend.Analyze(model)
	if err != nil || t.Unit.Program == whole {
		return graph, err
	}
	return split.Graph(graph, t.Unit.Program)
}

// SpaceOptions are those of the target's space of partitions.
func (t *Target) SpaceOptions() (space.Options, error) {
	return t.Partitions.options(t.Unit.Program.StatementNames())
}

// Space is the target's space of partitions.
func (t *Target) Space(g *depend.Graph) (*space.Space, error) {
	options, err := t.SpaceOptions()
	if err != nil {
		return nil, err
	}
	return space.New(g, options)
}

// Deepest is the largest number of loops around a statement.
func (t *Target) Deepest() int {
	deepest := 0
	for _, s := range t.Unit.Program.Statements {
		deepest = max(deepest, s.Depth())
	}
	return deepest
}
