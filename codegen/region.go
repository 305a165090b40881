package codegen

import (
	"polytune/internal/ctext"
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

// region prints the loops of a region with one parallel loop inside. Where isl has
// made several of it, or none, it is printed as if there were no region. Where a
// condition says when there are several threads, the loops are there twice.
func (n *nodes) region(node loopir.Code, s scope, m mark.Region) fragment {
	if n.team != nil {
		n.note(m, false, "the code around is a region already, or has no threads")
		return n.fragment(node, s)
	}
	team := &region{variables: map[string]bool{}}
	n.team = team
	f := n.fragment(node, s)
	n.team = nil
	fits := !team.unfit && team.loops == 1
	if n.note(m, fits, "the code has not one parallel loop there whose iterations stay the same all the time"); !fits {
		return n.fragment(node, s)
	}
	if n.crew.isBetween() {
		f.code = append(f.code, &loopir.Barrier{})
		return f
	}
	f.code = loopir.Code{&loopir.Team{Body: f.code}}
	if team.threads == "" {
		return f
	}
	return n.orAlone(f, team.threads, node, s)
}

// enter takes a loop on the way to the parallel one, and parallel ones themselves, and
// says how the region's threads share the loop, nil where they do not.
func (r *region) enter(said loopMarks, header loopHeader, bounds ...text) *loopir.Threads {
	switch {
	case r == nil || r.inside:
		return nil
	case !said.isOfThreads():
		r.variables[header.variable] = true
		return nil
	}
	r.loops++
	r.inside, r.threads = true, header.threads
	for _, bound := range bounds {
		for _, word := range ctext.Words(bound.code) {
			r.unfit = r.unfit || r.variables[word]
		}
	}
	return &loopir.Threads{InTeam: true, NoWait: true, Schedule: loopir.Static}
}

// leave says that a loop which threads share so has been made.
func (r *region) leave(shares *loopir.Threads) {
	if r != nil && shares != nil && shares.NoWait {
		r.inside = false
	}
}

// run takes a statement.
func (r *region) run() {
	if r != nil && !r.inside {
		r.unfit = true
	}
}
