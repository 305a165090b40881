package codegen

import (
	"slices"

	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop/mark"
)

// account notes, when all passes are done, which loops of the code have the threads and lanes that
// their marks ask for, and declines the marks of the schedule tree's loops that no code has, where
// nobody has said why.
func (e *Env) account(p *loopir.Program) {
	loopir.Walk(p.Code, func(s loopir.Stmt) {
		if loop, is := s.(*loopir.For); is {
			e.honourIn(loop)
		}
	})
	if e.nodes.tree == nil {
		return
	}
	e.nodes.tree.Walk(func(n *schedule.Node) bool {
		for place := range n.Loops {
			e.declineRest(n, place)
		}
		return true
	})
}

// honourIn notes the marks that a loop of the code has.
func (e *Env) honourIn(loop *loopir.For) {
	for _, m := range loop.Marks {
		if isDone(loop, m) {
			e.Honour(m)
		}
	}
}

// isDone says whether a loop of the code is what a mark about threads and lanes asks for.
func isDone(loop *loopir.For, m mark.Mark) bool {
	switch m := m.(type) {
	case mark.Parallel:
		return loop.Threads != nil
	case mark.Atomics:
		return loop.Threads != nil && slices.ContainsFunc(loop.Threads.Reductions, func(r loopir.Reduction) bool { return r.Atomic })
	case mark.Dynamic:
		return loop.Threads != nil && loop.Threads.Schedule == loopir.Dynamic
	case mark.Vector:
		return loop.Lanes != nil && (loop.Threads == nil || !loop.Lanes.Independent)
	case mark.Ivdep:
		return loop.Lanes != nil && loop.Threads == nil && loop.Lanes.Independent
	case mark.Simdlen:
		return loop.Lanes != nil && loop.Lanes.Count == m.Lanes
	}
	return false
}

// isGone is why there is nothing of a loop that the code does not have.
const isGone = "the code has no loop of its own for it: it runs once, or its iterations stand in other loops"

// declineRest declines the marks of a node's loop that no code has. What they say beside the claim
// of threads or lanes matters only where that is there; a reason that the code was made with counts
// before these.
func (e *Env) declineRest(n *schedule.Node, place int) {
	l := n.Loops[place]
	hasThreads := e.honours.Has(claimOf[mark.Parallel](l))
	hasLanes := e.honours.Has(claimOf[mark.Vector](l))
	for _, m := range e.nodes.tree.Asked(n, place) {
		switch m.(type) {
		case mark.Parallel:
			e.declineUnlessHonoured(m, whyNoThreads(l))
		case mark.Vector:
			e.declineUnlessHonoured(m, whyNoLanes(l))
		case mark.Registers:
			e.declineUnlessHonoured(m, whyNoBlocks(l))
		case mark.Tile, mark.Unroll, mark.Wait, mark.Prefetch, mark.Allocate:
			e.declineUnlessHonoured(m, isGone)
		case mark.Collapse:
			e.declineUnlessHonoured(m, "no threads share the loop outside, or they add up in it")
		case mark.Dynamic:
			if hasThreads {
				e.declineUnlessHonoured(m, whyNotDynamic(l))
			}
		case mark.Atomics:
			if hasThreads {
				e.declineUnlessHonoured(m, "the code of its threads has no loop of its own that adds up in an array")
			}
		case mark.Ivdep, mark.Simdlen, mark.Strips:
			if hasLanes {
				e.declineUnlessHonoured(m, "the code has vectors of its own there, and leaves nothing about them to the compiler")
			}
		}
	}
}

func (e *Env) declineUnlessHonoured(m mark.Mark, reason string) {
	if !e.honours.Has(m) {
		e.Decline(m, reason)
	}
}

// claimOf is a loop's mark of a kind, with the loop's name.
func claimOf[M mark.Mark](l *schedule.Loop) (claim M) {
	claim, _ = mark.Of[M](l.Marks.On(l.Name))
	return claim
}

// whyNoThreads is why a loop has none for which the code has no other reason. Lanes that add up
// leave no place for them in the schedule (schedule.Tree.Schedule).
func whyNoThreads(l *schedule.Loop) string {
	if l.IsVector() && len(l.Reductions()) > 0 {
		return "its lanes add up in accumulators, and threads would need others: tile the loop, and have threads share the tiles"
	}
	return isGone
}

// whyNoLanes is why a loop has none for which the code has no other reason.
func whyNoLanes(l *schedule.Loop) string {
	switch {
	case l.Unrolled:
		return "the code has no register block there whose vectors it would have"
	case l.IsParallel() && mark.Has[mark.Ivdep](l.Marks):
		return "threads share its iterations, of which ivdep says nothing: leave ivdep out, or tile the loop and have threads share the tiles"
	}
	return isGone
}

// whyNoBlocks is why no register blocks are in the code for which that has no other reason.
func whyNoBlocks(l *schedule.Loop) string {
	if l.IsDivided() {
		return "no block has a stretch of one statement alone that could run apart from the others"
	}
	return isGone
}

// whyNotDynamic is why threads do not get the iterations of a loop one by one.
func whyNotDynamic(l *schedule.Loop) string {
	switch {
	case l.IsVector():
		return "threads share whole vectors of its iterations: tile the loop, and have threads share the tiles"
	case len(l.Reductions()) > 0:
		return "threads that add up in accumulators of their own share the iterations once"
	}
	return "the threads start outside of the loop, and each has the same iterations all the time"
}
