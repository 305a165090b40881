package codegen

import (
	"slices"

	"polytune/loopir"
	"polytune/scop/mark"
)

// withAtomics is a loop whose threads update elements by atomic operations, if its marks say so and
// all updates in the code may be such, else nil. Where one thread runs it, it does without these.
func (e *Env) withAtomics(loop *loopir.For) loopir.Stmt {
	m, is := mark.Of[mark.Atomics](loop.Marks)
	reductions := loop.Threads.Reductions
	if !is || !slices.ContainsFunc(reductions, func(r loopir.Reduction) bool { return r.Elements }) {
		return nil
	}
	updates, reason := updatesBelow(loop.Body, reductions)
	if reason != "" {
		e.Decline(m, reason)
		return nil
	}
	alone := *loop
	alone.Threads, alone.Body = nil, copyOf(loop.Body)
	for k := range reductions {
		reductions[k].Atomic = reductions[k].Elements
	}
	for _, run := range updates {
		run.Atomic = true
	}
	withoutLanes(e, loop.Body)
	if loop.Threads.Several == "" {
		return loop
	}
	several := &loopir.Either{Condition: loop.Threads.Several, Then: loopir.Code{loop}, Else: loopir.Code{&alone}, Short: true}
	loop.Threads.Several = ""
	return several
}

// copyOf is the same code with instances of its own, of the kinds that updatesBelow knows.
func copyOf(code loopir.Code) (same loopir.Code) {
	for _, s := range code {
		switch s := s.(type) {
		case *loopir.Run:
			same = append(same, copied(s))
		case *loopir.For:
			same = append(same, copied(s))
		case *loopir.If:
			same = append(same, copied(s))
		case *loopir.Either:
			same = append(same, copied(s))
		case *loopir.Let:
			same = append(same, copied(s))
		case *loopir.Marked:
			same = append(same, copied(s))
		case *loopir.Block:
			same = append(same, copied(s))
		default:
			same = append(same, s)
		}
	}
	for _, s := range same {
		for _, body := range loopir.Bodies(s) {
			*body = copyOf(*body)
		}
	}
	return same
}

// copied is a node like another one.
func copied[Node any](n *Node) *Node {
	same := *n
	return &same
}

// updatesBelow are the instances in some code that update elements of arrays; the reason says why
// some cannot be atomic operations, "" where all can.
func updatesBelow(code loopir.Code, reductions []loopir.Reduction) (updates []*loopir.Run, reason string) {
	loopir.Walk(code, func(s loopir.Stmt) {
		switch s := s.(type) {
		case *loopir.Run:
			r := s.Statement.Statement.Reduction
			isOne := slices.ContainsFunc(reductions, func(one loopir.Reduction) bool { return one.Elements && r.Under(one.Clause) != nil })
			switch {
			case !isOne:
			case len(r.Starts) == 0:
				reason = "an update is no single operation x += e, x -= e, x *= e, x++ or x-- whose place in the text is known: write it so"
			case s.Accumulator != "":
				reason = "an update is of a variable in the place of the element: leave vectors that add up there out"
			default:
				updates = append(updates, s)
			}
		case *loopir.For, *loopir.If, *loopir.Either, *loopir.Let, *loopir.Marked, *loopir.Private, *loopir.Block, *loopir.Nothing:
		default:
			reason = "the loop keeps elements in registers or in memory of its own: leave register blocks, vectors that add up and copies out"
		}
	})
	return updates, reason
}

// withoutLanes takes the lanes from loops with atomic operations inside.
func withoutLanes(e *Env, code loopir.Code) {
	loopir.Walk(code, func(s loopir.Stmt) {
		loop, is := s.(*loopir.For)
		if !is || loop.Lanes == nil || !slices.ContainsFunc(loopir.Runs(loop.Body), func(run *loopir.Run) bool { return run.Atomic }) {
			return
		}
		if m, is := mark.Of[mark.Vector](loop.Marks); is {
			e.Decline(m, "it has atomic operations, which lanes do not have")
		}
		loop.Lanes = nil
	})
}
