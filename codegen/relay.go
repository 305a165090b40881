package codegen

import (
	"slices"

	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// relay is what is known about a loop that threads run through as in a relay (mark.Relay) while its legs are printed.
type relay struct {
	mark mark.Relay
	// leg is the one that is being printed, and inside says that its loop is whose iterations threads have shares of, or what one thread does between legs.
	leg    depend.Leg
	inside bool
	// variables are those of the loops around that loop.
	variables map[string]bool
	// low and high are the bounds of the shared loop, nil before they are known.
	low, high *loopir.Expr
	// from and to are the names of the bounds of a thread's share of the shared loop, begin and end of the one that is handed on.
	from, to, begin, end string
	// threads is the name of the number of threads.
	threads string
	// arrays are those that the first leg reads.
	arrays map[string]bool
	// unfit says that threads cannot run through the loop as it is.
	unfit bool
}

// notAlone is why threads do not run loops together.
const notAlone = "the code around has threads of its own, or none"

// relayed prints a loop through which threads run as in a relay. Where that cannot be, one thread runs it.
func (n *nodes) relayed(node loopir.Code, s scope, m mark.Relay) fragment {
	if n.relay != nil || n.single {
		n.note(m, false, notAlone)
		return n.fragment(node, s)
	}
	r := &relay{mark: m, variables: map[string]bool{}}
	for name, of := range map[*string]string{&r.from: "tune_from", &r.to: "tune_to", &r.begin: "tune_begin", &r.end: "tune_end", &r.threads: "tune_count"} {
		*name = n.fresh(of)
	}
	n.relay = r
	f := n.legs(node, s)
	n.relay = nil
	fits := !r.unfit && r.low != nil && len(f.declares) == 0
	if n.note(m, fits, "the code has other loops than two legs whose shares stay the same all the time"); !fits {
		return n.fragment(node, s)
	}
	many := loopir.Operation(isl.OpGe, loopir.Operation(isl.OpSub, r.high, r.low), loopir.Int(m.From-1))
	return n.orAlone(f, n.expression(many).code, node, s)
}

// orAlone is the code of several threads under a condition, with that of one thread besides.
func (n *nodes) orAlone(several fragment, condition string, node loopir.Code, s scope) fragment {
	alone := n.fragment(forOneThread(node), s)
	return fragment{code: loopir.Code{&loopir.Either{Condition: condition, Then: several.code, Else: alone.code}}, declares: union(several.declares, alone.declares)}
}

// legs prints the loop of a relay for several threads.
func (n *nodes) legs(code loopir.Code, s scope) fragment {
	r := n.relay
	node, nodes := n.legsOf(code, r.mark)
	if len(nodes[depend.FirstLeg]) == 0 || len(nodes[depend.SecondLeg]) == 0 {
		r.unfit = true
		return fragment{}
	}
	defer n.know(loopFacts(node))()
	variable := node.Var
	defer n.enter(openLoop{variable: variable, loop: node})()
	r.variables[variable] = true
	said := n.take(&s, node)
	n.serial(&said, "threads run through the loop as in a relay")
	r.arrays = n.arraysRead(nodes[depend.FirstLeg])
	var all fragment
	var made legs[loopir.Code]
	for k := range made {
		r.leg, r.inside = depend.Leg(k), depend.Leg(k) == depend.BetweenLegs
		for c := range nodes[k] {
			f := n.fragment(nodes[k][c:c+1], s)
			made[k], all.declares = append(made[k], f.beside()...), union(all.declares, f.declares)
		}
		r.inside = false
	}
	all.code = n.handing(n.headerOf(node), made)
	return all
}

// legsOf are the legs in a loop, and what is between; none where the code is not a loop with first ones, such, and then second ones in it.
func (n *copies) legsOf(code loopir.Code, m mark.Relay) (loop *loopir.For, found legs[loopir.Code]) {
	loop, is := code.Only().(*loopir.For)
	marks := marked(n.schedule, m)
	if !is || loop.Once || len(marks) != 1 || !isCanonical(loop.While, loop.Var) || !loop.Step.IsInt(1) {
		return loop, found
	}
	of, err := depend.LegsOf(marks[0])
	if err != nil {
		return loop, found
	}
	present := depend.FirstLeg
	for k, child := range loop.Body {
		own := map[depend.Leg]bool{}
		for name := range statementsIn(loop.Body[k : k+1]) {
			own[of[name]] = true
		}
		for leg := range own {
			if len(own) > 1 || leg < present {
				return loop, legs[loopir.Code]{}
			}
			found[leg], present = append(found[leg], child), leg
		}
	}
	return loop, found
}

// legs has something of each leg.
type legs[T any] [depend.SecondLeg + 1]T

// limits are the bounds of the thread's share of a loop from first to last, where it is the one of the present leg that threads have shares of.
func (r *relay) limits(n *place, depth int, first, last *loopir.Expr) (*loopir.Expr, *loopir.Expr) {
	switch {
	case r == nil || r.inside || !r.isShared(depth):
		return first, last
	case r.leg == depend.FirstLeg:
		return loopir.Operation(isl.OpMax, first, loopir.Named(r.begin)), loopir.Operation(isl.OpMin, last, loopir.Named(r.end))
	}
	low, high := n.expression(first).code, n.expression(last).code
	isOther := r.low != nil && (n.expression(r.low).code != low || n.expression(r.high).code != high)
	r.unfit = r.unfit || isOther || r.varies(low) || r.varies(high)
	r.low, r.high = first, last
	return loopir.Named(r.from), loopir.Named(r.to)
}

// shares gives a register block the bounds of the thread's share of its stream, and says whether the block is inside of a share then.
func (r *relay) shares(n *place, b *registerBlock) bool {
	if r == nil || r.inside {
		return true
	}
	if b.stream == nil || !r.isShared(n.depthOfLoop(b.stream)) {
		return false
	}
	b.first, b.last = r.limits(n, n.depthOfLoop(b.stream), b.first, b.last)
	return true
}

// isShared says whether threads have shares of the loop of the present leg at that depth.
func (r *relay) isShared(depth int) bool {
	return r.leg == depend.FirstLeg && depth == r.mark.Handed || r.leg == depend.SecondLeg && depth == r.mark.Shared
}

// varies says whether a bound has variables of loops around it.
func (r *relay) varies(bound string) bool {
	return slices.ContainsFunc(ctext.Words(bound), func(word string) bool { return r.variables[word] })
}

// shareOf gives a loop the bounds of the thread's share of it, where it has one.
func (h *loopHeader) shareOf(n *place) {
	r := n.relay
	if r == nil || !isCanonical(h.condition, h.variable) {
		return
	}
	last := lastOf(h.condition)
	start, end := r.limits(n, h.depth, h.start, last)
	if end != last {
		h.start, h.condition = start, loopir.Operation(isl.OpLe, h.condition.Args[0], end)
	}
}

// enter takes a loop inside a leg, whose iterations a thread may have a share of. leave says that it has been printed.
func (r *relay) enter(h loopHeader) (leave func()) {
	if r == nil || r.inside {
		return func() {}
	}
	r.variables[h.variable] = true
	r.inside = r.isShared(h.depth)
	r.unfit = r.unfit || r.inside && !(h.step.IsInt(1) && isCanonical(h.condition, h.variable))
	return func() { r.inside = false }
}

// run takes what a thread does.
func (r *relay) run() {
	if r != nil && !r.inside {
		r.unfit = true
	}
}

// handing is a relay's loop, with its legs; none where there are others.
func (n *place) handing(h loopHeader, code legs[loopir.Code]) loopir.Code {
	r := n.relay
	if r.unfit || r.low == nil {
		return nil
	}
	n.await()
	s := &loopir.Relay{
		Var: h.variable, From: h.start, To: lastOf(h.condition), Low: r.low, High: r.high,
		First: code[depend.FirstLeg], Between: code[depend.BetweenLegs], Second: code[depend.SecondLeg],
		ShareFrom: r.from, ShareTo: r.to, Begin: r.begin, End: r.end, Size: r.mark.Size, Threads: r.threads, Least: max(1, r.mark.From/2),
	}
	for name, of := range map[*string]string{&s.Names.Done: "tune_done", &s.Names.Thread: "tune_own", &s.Names.Blocks: "tune_blocks", &s.Names.Step: "tune_step", &s.Names.Start: "tune_start", &s.Names.Stop: "tune_stop"} {
		*name = n.fresh(of)
	}
	n.relayBlocks(s)
	n.relays[s] = r
	n.needs(s.From, s.To, relayThreads(s))
	return loopir.Code{s}
}
