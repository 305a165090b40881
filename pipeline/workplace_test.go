package pipeline

import (
	"errors"
	"testing"

	"polytune/isl"
	"polytune/pipeline/limit"
	"polytune/scop"
	"polytune/scop/depend"
)

// together is a benchmark whose computations share a place.
func together(t *testing.T, name string) *Target {
	t.Helper()
	target, err := (&Options{Bench: name, Together: true, Privatize: true}).One(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(target.Place.Close)
	return target
}

// graphOf is the graph that a computation of the target gets, after which it ends with err.
func graphOf(t *testing.T, target *Target, err error) (got *depend.Graph) {
	t.Helper()
	if is := target.WithGraph(t.Context(), func(g *depend.Graph) error { got = g; return err }); is != err {
		t.Fatalf("got %v, want %v", is, err)
	}
	return got
}

// Computations for a region get the same graph, each program its own; after one that failed all is
// made anew.
func TestWorkplace(t *testing.T) {
	target := together(t, "polybench/durbin")
	first := graphOf(t, target, nil)
	if graphOf(t, target, nil) != first {
		t.Error("the graph was analysed again")
	}
	expanded, err := target.Expanded(scop.Room{Bytes: 1 << 30, Sums: true})
	if err != nil || len(expanded.Whole.Expansions) == 0 {
		t.Fatalf("nothing was expanded: %v", err)
	}
	if other := graphOf(t, expanded, nil); other.Model.Program != expanded.Whole {
		t.Error("the expanded program has the graph of another one")
	}
	if graphOf(t, target, nil) != first {
		t.Error("a graph was analysed again behind that of another program")
	}
	failure := errors.New("failure")
	if graphOf(t, target, failure) != first || graphOf(t, target, nil) == first {
		t.Error("a place is to be cleared after a failure, and only then")
	}
}

// A computation within another one, and one after the end, have places of their own.
func TestWorkplaceInUse(t *testing.T) {
	target := together(t, "polybench/gemm")
	var inner *depend.Graph
	err := target.WithGraph(t.Context(), func(outer *depend.Graph) error {
		if inner = graphOf(t, target, nil); inner == outer || inner.Model.Context == outer.Model.Context {
			t.Error("a context was used twice at a time")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	last := graphOf(t, target, nil)
	target.Place.Close()
	if graphOf(t, target, nil) == last {
		t.Error("a closed place was used")
	}
}

// A place in which isl was stopped works for what comes behind, whatever the computation makes of
// it.
func TestWorkplaceStopped(t *testing.T) {
	target := together(t, "polybench/2mm")
	last := graphOf(t, target, nil)
	for name, l := range map[string]limit.Limits{"operations": {Operations: 1}, "time": {Time: 1}} {
		err := target.WithGraphWithin(t.Context(), l, func(g *depend.Graph, _ func()) error {
			for g.Model.Context.Err() == nil {
				g.Pairs()[0].Relation.Subtract(g.Pairs()[1].Relation)
			}
			return nil
		})
		if err != nil && !isl.IsLimit(err) {
			t.Errorf("%s: %v", name, err)
		}
		next := graphOf(t, target, nil)
		if next == last {
			t.Errorf("%s: a place in which isl was stopped was used again", name)
		}
		last = next
	}
}
