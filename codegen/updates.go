package codegen

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// Innermost loops that run in order may update an element that stays the same, such as a sum in an
// array:
//
//	for (long c1 = 0; c1 < n; c1++)
//	  s[c0] += a[c0][c1];
//
// A variable takes its place. Compilers cannot do that where a pointer to s might be one to a: each
// iteration then waits until what the last one stored can be loaded again, twice as long as for the
// addition. The dependences say that arrays are apart, as everything else relies on.

// updating is such a loop; ok is false where there is no element that a variable can take the place
// of.
func (n *nodes) updating(header loopHeader) (f fragment, ok bool) {
	if n.lanes != nil {
		return f, false
	}
	l, clauses := n.updates(header)
	if l == nil {
		return f, false
	}
	return n.inVariables(n.addingIn(l, header), l, clauses, header), true
}

// sumsIn are the variables of a loop that runs in order; nil for others.
func (n *copies) sumsIn(loop *loopir.For) *lanes {
	header := n.headerOf(loop)
	isInOrder := n.said(loop).on == loopir.Sequential || !isCanonical(header.condition, header.variable)
	if loop.Once || !isInOrder {
		return nil
	}
	l, _ := n.updates(header)
	return l
}

// updates are the variables that can take the place of elements in such a loop, and for which
// arrays; nil for none.
func (n *copies) updates(header loopHeader) (l *lanes, clauses []scop.Clause) {
	if !hasStatementsOnly(header.body) {
		return nil, nil
	}
	clauses = n.updatesOf(statementsIn(header.body))
	if len(clauses) == 0 || declaresAny(header.body, clauses) {
		return nil, nil
	}
	l, _ = n.lanesOf(header, clauses)
	return l, clauses
}

// hasStatementsOnly says whether there are no loops but those of constant lengths, which compilers
// unroll, and no marks but those of private variables, in the body of a loop.
func hasStatementsOnly(code loopir.Code) bool {
	isOther := func(node loopir.Stmt) bool {
		switch node := node.(type) {
		case *loopir.Run:
			return false
		case *loopir.For:
			return !isConstant(node) || !hasStatementsOnly(node.Body)
		case *loopir.Marked:
			_, isPrivate := node.Mark.(mark.Private)
			return !isPrivate || !hasStatementsOnly(node.Body)
		}
		return true
	}
	return !slices.ContainsFunc(code, isOther)
}

// isConstant says whether a loop has a constant number of iterations, at least one.
func isConstant(loop *loopir.For) bool {
	start, condition := loop.From, strict(loop.While)
	return loop.Once || start.Kind == isl.AstInt && condition.Is(isl.OpLt) && condition.Args[1].Kind == isl.AstInt && start.Value < condition.Args[1].Value
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
			} else if c := s.Reduction.At(a).Clause(); !n.isScalar(c) && !slices.ContainsFunc(clauses, func(d scop.Clause) bool { return d.Array == c.Array }) {
				clauses = append(clauses, c)
			}
		}
	}
	return slices.DeleteFunc(clauses, func(c scop.Clause) bool { return others[c.Array] })
}
