package codegen

import (
	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/mark"
)

// region is where threads run loops around a parallel one, each its own iterations
// of that.
type region struct {
	// variables are those of the loops around the parallel one.
	variables map[string]bool
	// loops counts the parallel loops so far, inside says that one is being printed.
	loops  int
	inside bool
	// threads is the condition under which there are several threads, or "".
	threads string
	// unfit says that the parallel loop's iterations depend on the loops around it, so
	// that threads would not have the same all the time, or that statements are
	// outside of it.
	unfit bool
}

// sharedFor is the pragma of the parallel loop of a region.
const sharedFor = "omp for schedule(static) nowait"

// region prints the loops of a region with one parallel loop inside. Where isl has
// made several of it, or none, it is printed as if there were no region. Where a
// condition says when there are several threads, the loops are there twice.
func (n *nodes) region(node *isl.AstNode, s scope, m mark.Region) fragment {
	if n.openMP(ofThreads) != OpenMP[ofThreads] || n.team != nil {
		n.note(m, false, "the code around is a region already, or has no threads")
		return n.fragment(node, s)
	}
	state := n.full.state()
	team := &region{variables: map[string]bool{}}
	n.team = team
	f := n.fragment(node, s)
	n.team = nil
	fits := !team.unfit && team.loops == 1
	if n.note(m, fits, "the code has not one parallel loop there whose iterations stay the same all the time"); !fits {
		n.full.restore(state)
		return n.fragment(node, s)
	}
	if n.crew.isBetween() {
		f.code = append(f.code, &loopir.Barrier{})
		return f
	}
	f.code = hinted("omp parallel", loopir.Code{&loopir.Block{Body: f.code}})
	if team.threads == "" {
		return f
	}
	n.full.restore(state)
	return n.orAlone(f, team.threads, node, s)
}

// enter takes a loop on the way to the parallel one, and parallel ones themselves, and
// returns the pragma of the loop.
func (r *region) enter(pragma string, header loopHeader, bounds ...text) string {
	switch {
	case r == nil || r.inside:
		return pragma
	case pragma != OpenMP[ofThreads]:
		r.variables[header.variable] = true
		return pragma
	}
	r.loops++
	r.inside, r.threads = true, header.threads
	for _, bound := range bounds {
		for _, word := range ctext.Words(bound.code) {
			r.unfit = r.unfit || r.variables[word]
		}
	}
	return sharedFor
}

// leave says that a loop with that pragma has been printed.
func (r *region) leave(pragma string) {
	if r != nil && pragma == sharedFor {
		r.inside = false
	}
}

// run takes a statement.
func (r *region) run() {
	if r != nil && !r.inside {
		r.unfit = true
	}
}
