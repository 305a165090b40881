package pipeline

import (
	"context"
	"sync"

	"polytune/isl"
	"polytune/pipeline/limit"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/split"
)

// Workplace is an isl context that the computations for a region use one after the other, with the
// models and the dependence graphs of the programs that they have looked at: each is made once.
// What else a computation makes is freed at its end. One that finds it in use, or closed, has a
// workplace of its own, and so has each where there is none, nil.
type Workplace struct {
	use    sync.Mutex
	closed bool
	// context is nil until it is needed, and after a computation that failed: what was made by then
	// may be void.
	context *isl.Context
	models  map[*scop.Program]*scop.Model
	graphs  map[cutProgram]*depend.Graph
	// programs are what recipes have made of the region's program, which needs no context.
	programs sync.Map
}

// cutProgram is a program and what it has been cut to, the same one where it has not.
type cutProgram struct{ whole, pieces *scop.Program }

// changed is a target with the program that a change has made before, nil where none has.
func (w *Workplace) changed(c change) *Target {
	if w == nil {
		return nil
	}
	known, _ := w.programs.Load(c)
	t, _ := known.(*Target)
	return t
}

// note keeps what a change has made.
func (w *Workplace) note(c change, t *Target) {
	if w != nil {
		w.programs.Store(c, t)
	}
}

// Close frees all that is there.
func (w *Workplace) Close() {
	if w == nil {
		return
	}
	w.use.Lock()
	defer w.use.Unlock()
	w.closed = true
	w.clear()
}

// clear frees the context and what was made in it.
func (w *Workplace) clear() {
	if w.context != nil {
		w.context.Close()
	}
	w.context, w.models, w.graphs = nil, nil, nil
}

// enter is this workplace, if it is free, and otherwise another one. leave is to be called with the
// error of the computation.
func (w *Workplace) enter() (at *Workplace, leave func(error)) {
	if w != nil && w.use.TryLock() {
		if !w.closed {
			return w, func(err error) {
				defer w.use.Unlock()
				if err != nil || w.context.Err() != nil || w.context.Aborted() != nil {
					w.clear()
				}
			}
		}
		w.use.Unlock()
	}
	own := &Workplace{}
	return own, func(error) { own.clear() }
}

// within runs a computation on what make makes, at the limits. next lets them begin anew.
func within[T any](ctx context.Context, w *Workplace, l limit.Limits, a *limit.Share, make func(*Workplace) (T, error), f func(made T, next func()) error) (err error) {
	at, leave := w.enter()
	defer func() { leave(err) }()
	if at.context == nil {
		at.context = isl.NewContext()
		at.models, at.graphs = map[*scop.Program]*scop.Model{}, map[cutProgram]*depend.Graph{}
	}
	next, end := limit.On(ctx, at.context, l, a)
	defer end()
	made, err := make(at)
	if err != nil {
		return err
	}
	defer at.context.Release(at.context.Mark())
	return f(made, next)
}

// model is the model of a program.
func (w *Workplace) model(p *scop.Program) (*scop.Model, error) {
	if known := w.models[p]; known != nil {
		return known, nil
	}
	model, err := p.Model(w.context)
	if err == nil {
		w.models[p] = model
	}
	return model, err
}

// graph is the dependence graph of what a program has been cut to.
func (w *Workplace) graph(p cutProgram) (*depend.Graph, error) {
	if known := w.graphs[p]; known != nil {
		return known, nil
	}
	graph, err := w.analyze(p)
	if err == nil {
		w.graphs[p] = graph
	}
	return graph, err
}

// analyze makes the dependence graph.
func (w *Workplace) analyze(p cutProgram) (*depend.Graph, error) {
	if p.pieces.Origin != nil {
		p.whole = p.pieces
	}
	if p.pieces != p.whole {
		graph, err := w.graph(cutProgram{p.whole, p.whole})
		if err != nil {
			return nil, err
		}
		return split.Graph(graph, p.pieces)
	}
	model, err := w.model(p.whole)
	if err != nil {
		return nil, err
	}
	return depend.Analyze(model)
}
