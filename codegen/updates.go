package codegen

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// Innermost loops that run in order may update an element that stays the same, such as a sum in an array:
//
//	for (long c1 = 0; c1 < n; c1++)
//	  s[c0] += a[c0][c1];
//
// A variable takes its place. Compilers cannot do that where a pointer to s might be one to a: each iteration then waits until what the last one
// stored can be loaded again, twice as long as for the addition. The dependences say that arrays are apart, as everything else
// relies on.

// updating prints such a loop; ok is false where there is no element that a variable can take the place of.
func (n *nodes) updating(header loopHeader, s scope) (f fragment, ok bool) {
	if n.lanes != nil || n.outside != nil || !n.hasStatementsOnly(header.body) {
		return f, false
	}
	clauses := n.updatesOf(statementsBelow(header.body))
	if len(clauses) == 0 {
		return f, false
	}
	state := n.full.state()
	n.lanes = n.newLanes(clauses)
	body := n.fragment(header.body, s)
	l := n.lanes
	n.lanes = nil
	if !declaresAny(body, clauses) {
		if f, ok = n.inVariables(n.around(header, body), l, clauses, header); ok {
			return f, true
		}
	}
	n.full.restore(state)
	return fragment{}, false
}

// hasStatementsOnly says whether there are no loops but those of constant lengths, which compilers unroll, and no marks but those of private
// variables, in the body of a loop.
func (n *place) hasStatementsOnly(node *isl.AstNode) bool {
	switch node.Type() {
	case isl.AstUser:
		return true
	case isl.AstFor:
		return isConstant(node) && n.hasStatementsOnly(node.ForBody())
	case isl.AstMark:
		_, isPrivate := n.marks.OfCode(node).(mark.Private)
		return isPrivate && n.hasStatementsOnly(node.MarkNode())
	case isl.AstBlock:
		return !slices.ContainsFunc(node.BlockChildren(), func(child *isl.AstNode) bool { return !n.hasStatementsOnly(child) })
	}
	return false
}

// isConstant says whether a loop has a constant number of iterations, at least one.
func isConstant(node *isl.AstNode) bool {
	if degenerate, err := node.ForIsDegenerate(); err != nil || degenerate {
		return degenerate
	}
	start, condition := loopir.FromISL(node.ForInit()), strict(loopir.FromISL(node.ForCond()))
	return start.Kind == isl.AstInt && condition.Is(isl.OpLt) && condition.Args[1].Kind == isl.AstInt && start.Value < condition.Args[1].Value
}

// updatesOf are the arrays with subscripts that some statements access as accumulators alone.
func (n *statements) updatesOf(names map[string]bool) (clauses []scop.Clause) {
	others := map[string]bool{}
	for k := range n.model.Program.Statements {
		s := &n.model.Program.Statements[k]
		if !names[s.Name] {
			continue
		}
		for a, access := range s.Accesses {
			if !s.Reduction.Is(a) || s.WritesPerhaps() {
				others[access.Array] = true
			} else if c := s.Reduction.Clause(); !n.isScalar(c) && !slices.ContainsFunc(clauses, func(d scop.Clause) bool { return d.Array == c.Array }) {
				clauses = append(clauses, c)
			}
		}
	}
	return slices.DeleteFunc(clauses, func(c scop.Clause) bool { return others[c.Array] })
}
