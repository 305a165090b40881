package codegen

import "polytune/isl"

// factsOf are affine expressions that are not negative where a conjunction of
// comparisons holds; comparisons of other expressions say nothing.
func factsOf(e *expression) []linear {
	if e.is(isl.OpAnd) || e.is(isl.OpAndThen) {
		var all []linear
		for _, argument := range e.arguments {
			all = append(all, factsOf(argument)...)
		}
		return all
	}
	switch {
	case e.is(isl.OpLe):
		return factsBetween(e.arguments[0], e.arguments[1], 0)
	case e.is(isl.OpLt):
		return factsBetween(e.arguments[0], e.arguments[1], 1)
	case e.is(isl.OpGe):
		return factsBetween(e.arguments[1], e.arguments[0], 0)
	case e.is(isl.OpGt):
		return factsBetween(e.arguments[1], e.arguments[0], 1)
	case e.is(isl.OpEq):
		return append(factsBetween(e.arguments[0], e.arguments[1], 0), factsBetween(e.arguments[1], e.arguments[0], 0)...)
	}
	return nil
}

// factsBetween say that one expression is no larger than another one less a margin:
// each operand of a maximum than each of a minimum.
func factsBetween(smaller, larger *expression, margin int64) []linear {
	var facts []linear
	for _, low := range operandsOf(smaller, isl.OpMax) {
		for _, high := range operandsOf(larger, isl.OpMin) {
			t := &fullTile{opaque: map[string]*expression{}}
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
func opposite(e *expression) []linear {
	if no := negated(e); no != nil {
		return factsOf(no)
	}
	return nil
}

// negated is the condition that holds where a comparison does not; nil for others.
func negated(e *expression) *expression {
	operators := map[isl.AstOpType]isl.AstOpType{isl.OpLe: isl.OpGt, isl.OpLt: isl.OpGe, isl.OpGe: isl.OpLt, isl.OpGt: isl.OpLe}
	if operator, ok := operators[e.operator]; ok && e.kind == isl.AstOp {
		return operation(operator, e.arguments...)
	}
	return nil
}

// loopFacts are those about the variable of a loop inside it.
func loopFacts(node *isl.AstNode) []linear {
	variable := named(node.ForIterator().ID())
	start := expressionOf(node.ForInit())
	if degenerate, err := node.ForIsDegenerate(); err != nil || degenerate {
		return factsOf(operation(isl.OpEq, variable, start))
	}
	return append(factsBetween(start, variable, 0), factsOf(expressionOf(node.ForCond()))...)
}

// know adds facts that hold in what is printed until the function that it returns
// is called.
func (n *nodes) know(facts []linear) (forget func()) {
	before := n.facts
	n.facts = append(before[:len(before):len(before)], facts...)
	return func() { n.facts = before }
}
