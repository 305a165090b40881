package codegen

import (
	"polytune/isl"
	"polytune/loopir"
)

// factsOf are affine expressions that are not negative where a conjunction of
// comparisons holds; comparisons of other expressions say nothing.
func factsOf(e *loopir.Expr) []linear {
	if e.Is(isl.OpAnd) || e.Is(isl.OpAndThen) {
		var all []linear
		for _, argument := range e.Args {
			all = append(all, factsOf(argument)...)
		}
		return all
	}
	switch {
	case e.Is(isl.OpLe):
		return factsBetween(e.Args[0], e.Args[1], 0)
	case e.Is(isl.OpLt):
		return factsBetween(e.Args[0], e.Args[1], 1)
	case e.Is(isl.OpGe):
		return factsBetween(e.Args[1], e.Args[0], 0)
	case e.Is(isl.OpGt):
		return factsBetween(e.Args[1], e.Args[0], 1)
	case e.Is(isl.OpEq):
		return append(factsBetween(e.Args[0], e.Args[1], 0), factsBetween(e.Args[1], e.Args[0], 0)...)
	}
	return nil
}

// factsBetween say that one expression is no larger than another one less a margin:
// each operand of a maximum than each of a minimum.
func factsBetween(smaller, larger *loopir.Expr, margin int64) []linear {
	var facts []linear
	for _, low := range operandsOf(smaller, isl.OpMax) {
		for _, high := range operandsOf(larger, isl.OpMin) {
			t := &fullTile{opaque: map[string]*loopir.Expr{}}
			fact := t.linearOf(high).plus(t.linearOf(low), -1).plus(linear{"": 1}, -margin)
			if len(t.opaque) == 0 {
				facts = append(facts, fact)
			}
		}
	}
	return facts
}

// opposite are the facts where a condition does not hold: none for a
// conjunction.
func opposite(e *loopir.Expr) []linear {
	if no := negated(e); no != nil {
		return factsOf(no)
	}
	return nil
}

// negated is the condition that holds where a comparison does not; nil for others.
func negated(e *loopir.Expr) *loopir.Expr {
	operators := map[isl.AstOpType]isl.AstOpType{isl.OpLe: isl.OpGt, isl.OpLt: isl.OpGe, isl.OpGe: isl.OpLt, isl.OpGt: isl.OpLe}
	if operator, ok := operators[e.Op]; ok && e.Kind == isl.AstOp {
		return loopir.Operation(operator, e.Args...)
	}
	return nil
}

// loopFacts are those about the variable of a loop inside it.
func loopFacts(node *loopir.For) []linear {
	node = node.InAnyTile()
	variable := loopir.Named(node.Var)
	if node.Once {
		return factsOf(loopir.Operation(isl.OpEq, variable, node.From))
	}
	return append(factsBetween(node.From, variable, 0), factsOf(node.While)...)
}

// know adds facts that hold in what is printed until the function that it returns
// is called.
func (n *place) know(facts []linear) (forget func()) {
	before := n.facts
	n.facts = append(before[:len(before):len(before)], facts...)
	return func() { n.facts = before }
}
