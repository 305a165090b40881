package codegen

import (
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// notAlone is why threads do not run loops together.
const notAlone = "the code around has threads of its own, or none"

// relays has threads run through loops as in a relay where marks say so (mark.Relay). Where that
// cannot be, one thread runs the loop; and where it is short.
func relays(p *loopir.Program, e *Env) error {
	e.handOn(p.Code)
	return nil
}

// handOn makes relays of the outermost loops of some code that are marked so.
func (e *Env) handOn(code loopir.Code) {
	for _, node := range code {
		switch node := node.(type) {
		case *loopir.Marked:
			m, is := node.Mark.(mark.Relay)
			if !is || node.Spent || !e.relayed(node, m) {
				e.handOn(node.Body)
			}
		default:
			for _, body := range loopir.Bodies(node) {
				e.handOn(*body)
			}
		}
	}
}

// relayed makes a relay, and says whether it could.
func (e *Env) relayed(marked *loopir.Marked, m mark.Relay) bool {
	n := e.nodes
	marked.Spent = true
	loop, code := n.legsOf(marked.Body, m)
	r := &relayLegs{nodes: n, mark: m, variables: map[string]bool{}}
	if loop != nil {
		said := n.said(loop)
		n.serial(&said, "threads run through the loop as in a relay")
		r.variables[loop.Var] = true
	}
	for k, leg := range code {
		r.leg = depend.Leg(k)
		r.unfit = r.unfit || r.leg != depend.BetweenLegs && len(leg) == 0
		r.code(leg, false)
	}
	fits := !r.unfit && r.low != nil
	if n.note(m, fits, "the code has other loops than two legs whose shares stay the same all the time"); !fits {
		return false
	}
	alone := forOneThread(marked.Body)
	e.spendRelays(marked.Body)
	e.spendRelays(alone)
	many := loopir.Operation(isl.OpGe, loopir.Operation(isl.OpSub, r.high, r.low), loopir.Int(m.From-1))
	marked.Body = loopir.Code{&loopir.Either{Condition: n.expression(many).code, Then: loopir.Code{r.relay(loop, code)}, Else: alone}}
	return true
}

// spendRelays declines relays inside of another one.
func (e *Env) spendRelays(code loopir.Code) {
	loopir.Walk(code, func(s loopir.Stmt) {
		if m, is := s.(*loopir.Marked); is && !m.Spent {
			if inner, is := m.Mark.(mark.Relay); is {
				m.Spent = true
				e.Decline(inner, notAlone)
			}
		}
	})
}

// legsOf are the legs in a loop, and what is between; none where the code is not a loop with first
// ones, such, and then second ones in it.
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

// relayLegs is what is known about the legs of a relay.
type relayLegs struct {
	nodes *nodes
	mark  mark.Relay
	// leg is the present one.
	leg depend.Leg
	// variables are those of the loops around the loops whose iterations threads have shares of,
	// which are handed and shared.
	variables      map[string]bool
	handed, shared []*loopir.For
	// low and high are the bounds of the shared loop, nil before they are known.
	low, high *loopir.Expr
	// unfit says that threads cannot run through the loop as it is.
	unfit bool
}

// code looks at code of a leg that is outside of the loops whose iterations threads have shares of;
// inLoop says that it is in a loop of the leg.
func (r *relayLegs) code(code loopir.Code, inLoop bool) {
	for _, node := range code {
		switch node := node.(type) {
		case *loopir.Run:
			r.unfit = r.unfit || r.leg != depend.BetweenLegs
		case *loopir.For:
			r.loop(node, inLoop)
		case *loopir.Marked:
			r.unfit = r.unfit || !inLoop && isDeclaration(node)
			r.code(node.Body, inLoop)
		default:
			for _, body := range loopir.Bodies(node) {
				r.code(*body, inLoop)
			}
		}
	}
}

// isDeclaration says whether a mark has something declared.
func isDeclaration(m *loopir.Marked) bool {
	_, isPrivate := m.Mark.(mark.Private)
	local, is := m.Mark.(mark.Local)
	return isPrivate || is && local.Loop == "" && local.Own
}

func (r *relayLegs) loop(loop *loopir.For, inLoop bool) {
	depth := r.nodes.depths[loop.Var]
	isHanded := r.leg == depend.FirstLeg && depth == r.mark.Handed
	isShared := r.leg == depend.SecondLeg && depth == r.mark.Shared
	switch {
	case !isHanded && !isShared:
		if !loop.Once {
			r.variables[loop.Var] = true
		}
		r.code(loop.Body, inLoop || !loop.Once)
		return
	case loop.Once || !loop.Step.IsInt(1) || !isCanonical(loop.While, loop.Var):
		r.unfit = true
	case isHanded:
		r.handed = append(r.handed, loop)
	default:
		r.share(loop)
	}
}

// share takes a loop of the second leg, which has the same bounds as all others.
func (r *relayLegs) share(loop *loopir.For) {
	n, low, high := r.nodes, loop.From, lastOf(strict(loop.While))
	isOther := r.low != nil && (n.expression(r.low).code != n.expression(low).code || n.expression(r.high).code != n.expression(high).code)
	r.unfit = r.unfit || isOther || loopir.Mentions(low, r.variables) || loopir.Mentions(high, r.variables)
	r.low, r.high, r.shared = low, high, append(r.shared, loop)
}

// relay is the relay's loop. Its loops get the bounds of a thread's share.
func (r *relayLegs) relay(loop *loopir.For, code legs[loopir.Code]) *loopir.Relay {
	n := r.nodes
	n.await()
	s := &loopir.Relay{
		Var: loop.Var, From: loop.From, To: lastOf(strict(loop.While)), Low: r.low, High: r.high,
		First: code[depend.FirstLeg], Between: code[depend.BetweenLegs], Second: code[depend.SecondLeg],
		Size: r.mark.Size, Least: max(1, r.mark.From/2),
	}
	for name, of := range map[*string]string{
		&s.ShareFrom: "tune_from", &s.ShareTo: "tune_to", &s.Begin: "tune_begin", &s.End: "tune_end", &s.Threads: "tune_count",
		&s.Names.Done: "tune_done", &s.Names.Thread: "tune_own", &s.Names.Blocks: "tune_blocks", &s.Names.Step: "tune_step", &s.Names.Start: "tune_start", &s.Names.Stop: "tune_stop",
	} {
		*name = n.fresh(of)
	}
	n.relayBlocks(s)
	n.needs(s.From, s.To, relayThreads(s))
	n.relays[s] = &relay{mark: r.mark, loop: loop, threads: s.Threads, arrays: n.arraysRead(s.First)}
	for _, l := range r.handed {
		haveShare(l, loopir.Operation(isl.OpMax, l.From, loopir.Named(s.Begin)), loopir.Operation(isl.OpMin, lastOf(strict(l.While)), loopir.Named(s.End)))
	}
	for _, l := range r.shared {
		haveShare(l, loopir.Named(s.ShareFrom), loopir.Named(s.ShareTo))
	}
	return s
}

// haveShare gives a loop the bounds of a thread's share.
func haveShare(l *loopir.For, from, to *loopir.Expr) {
	all := *l.InAnyTile()
	l.General, l.Shared, l.From, l.While = &all, true, from, atMost(loopir.Named(l.Var), to)
}

// relay is what is known about a relay while its legs are made.
type relay struct {
	mark mark.Relay
	loop *loopir.For
	// leg is the present one, and inside says that the place is inside of a thread's share, or
	// between legs.
	leg    depend.Leg
	inside bool
	// threads is the name of the number of threads.
	threads string
	// arrays are those that the first leg reads.
	arrays map[string]bool
}

// handing makes the legs of a relay.
func (n *nodes) handing(s *loopir.Relay) fragment {
	n.insideRelay(s, func(leg *loopir.Code) {
		var code loopir.Code
		for c := range *leg {
			code = append(code, n.fragment((*leg)[c:c+1]).beside()...)
		}
		*leg = code
	})
	return of(s)
}

// enter takes a loop, whose iterations a thread may have a share of. leave says that it has been
// made.
func (r *relay) enter(loop *loopir.For) (leave func()) {
	if r == nil || r.inside {
		return func() {}
	}
	r.inside = loop.Shared
	return func() { r.inside = false }
}

// allows says whether a register block is inside of a thread's share, or streams along one.
func (r *relay) allows(b *registerBlock) bool {
	return r == nil || r.inside || b.stream != nil && b.stream.Shared
}
