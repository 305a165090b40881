package codegen

import (
	"polytune/loopir"
	"polytune/scop/depend"
)

// inside visits the codes inside of a statement, with what is known there. Of two codes for one
// thing the one for all other cases comes first.
func (n *place) inside(s loopir.Stmt, visit func(*loopir.Code)) {
	switch s := s.(type) {
	case *loopir.For:
		defer n.know(loopFacts(s))()
		defer n.enter(openLoop{variable: s.Var, loop: s.InAnyTile()})()
		defer n.relay.enter(s)()
		visit(&s.Body)
	case *loopir.If:
		n.insideChoice(s, visit)
	case *loopir.Relay:
		n.insideRelay(s, visit)
	case *loopir.Copies:
		n.insideCopies(s, visit)
	case *loopir.Packed:
		visit(&s.Body)
	default:
		for _, body := range loopir.Bodies(s) {
			visit(body)
		}
	}
}

func (n *place) insideChoice(s *loopir.If, visit func(*loopir.Code)) {
	if s.Whole {
		visit(&s.Else)
		visit(&s.Then)
		return
	}
	isKnown := s.Cond.IsInt(1)
	defer n.enter(openLoop{choice: s, assumed: isKnown})()
	if isKnown {
		visit(&s.Then)
		return
	}
	forget := n.know(factsOf(s.Cond))
	visit(&s.Then)
	forget()
	defer n.know(opposite(s.Cond))()
	visit(&s.Else)
}

// insideRelay visits the legs of a relay.
func (n *place) insideRelay(s *loopir.Relay, visit func(*loopir.Code)) {
	r := n.relays[s]
	n.relay = r
	defer n.know(loopFacts(r.loop))()
	defer n.enter(openLoop{variable: s.Var, loop: r.loop.InAnyTile()})()
	for k, leg := range []*loopir.Code{&s.First, &s.Between, &s.Second} {
		r.leg, r.inside = depend.Leg(k), depend.Leg(k) == depend.BetweenLegs
		visit(leg)
	}
	n.relay = nil
}

// insideCopies visits what uses copies, and not what makes them.
func (n *place) insideCopies(s *loopir.Copies, visit func(*loopir.Code)) {
	if s.Alias == nil {
		visit(&s.Body)
		return
	}
	n.aliases = append(n.aliases, aliased{s.Alias.Array, len(n.packings)})
	visit(&s.Body)
	n.aliases = n.aliases[:len(n.aliases)-1]
}
