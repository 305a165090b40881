package codegen

import (
	"maps"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
)

// What compilers are told of a vector loop, that its iterations are independent, gcc takes for more where the lanes lie apart: with
//
//	for (long c1 = c0 + 1; c1 < c0 + n; c1++)
//	  #pragma omp simd
//	  for (long c2 = 0; c2 < m; c2++)
//	    v[c2][c1 - c0] = f(v[c2][c1 - c0 - 1], v[c2][c1 - c0 + 1]);
//
// gcc 12 at -O3 unrolls the outer loop into the inner one, which is right, makes groups of the elements of a row that it finds there, and moves
// what one part of the body reads in front of what another one writes, as nothing is to depend on anything else. Without a pragma it proves what it does.

// mixesRows says whether a loop's body writes elements of an array that lie apart along the loop, and reads others of the same array, or writes others of the same rows.
func (n *statements) mixesRows(header loopHeader) bool {
	var written, read []accessed
	for _, call := range callsIn(header.body) {
		s := n.model.Statement(call.Args[0].Name)
		if s == nil || len(call.Args) <= s.Depth() {
			continue
		}
		for k, access := range s.Statement.Accesses {
			at := n.accessedIn(s, k, call)
			if access.Write && at.isApartAlong(header.variable) {
				written = append(written, at)
			}
			if access.Read {
				read = append(read, at)
			}
		}
	}
	return slices.ContainsFunc(written, func(w accessed) bool {
		isOther := func(o accessed) bool { return o.array == w.array && !o.isSame(w) }
		return slices.ContainsFunc(read, isOther) || w.isInOtherRows(header.variable) && slices.ContainsFunc(written, isOther)
	})
}

// callsIn are the instances of statements in a syntax tree.
func callsIn(node *isl.AstNode) (calls []*loopir.Expr) {
	switch node.Type() {
	case isl.AstUser:
		return []*loopir.Expr{loopir.FromISL(node.UserExpr())}
	case isl.AstFor:
		return callsIn(node.ForBody())
	case isl.AstMark:
		return callsIn(node.MarkNode())
	case isl.AstIf:
		calls = callsIn(node.IfThen())
		if otherwise := node.IfElse(); otherwise != nil {
			calls = append(calls, callsIn(otherwise)...)
		}
	case isl.AstBlock:
		for _, child := range node.BlockChildren() {
			calls = append(calls, callsIn(child)...)
		}
	}
	return calls
}

// accessed is an element of an array in the generated code; subscripts are nil where they are not affine.
type accessed struct {
	array      string
	subscripts []linear
}

// accessedIn is what an access of an instance leads to.
func (n *statements) accessedIn(s *scop.StatementModel, access int, call *loopir.Expr) accessed {
	subscripts, err := n.subscriptsOf(s, access, call, &fullTile{opaque: map[string]*loopir.Expr{}})
	if err != nil {
		subscripts = nil
	}
	return accessed{s.Statement.Accesses[access].Array, subscripts}
}

// subscriptsOf are the subscripts of an access of an instance over the variables of the code; nil where they are not affine
// ones of the statement's iterators.
func (n *statements) subscriptsOf(s *scop.StatementModel, access int, call *loopir.Expr, tile *fullTile) ([]linear, error) {
	rows, err := scop.Subscripts(s.Accesses[access])
	if err != nil || rows == nil {
		return nil, err
	}
	arguments := call.Args[len(call.Args)-s.Depth():]
	list := []linear{}
	for _, row := range rows {
		l := linear{}.plus(linear{"": 1}, row.Constant)
		for k, c := range row.Iterators {
			l = l.plus(tile.linearOf(arguments[k]), c)
		}
		for p, c := range row.Parameters {
			l = l.plus(linear{n.model.Program.Parameters[p]: 1}, c)
		}
		list = append(list, l)
	}
	return list, nil
}

// isApartAlong says whether the elements of consecutive iterations of a loop are others that do not lie behind each other.
func (a accessed) isApartAlong(variable string) bool {
	if len(a.subscripts) == 0 {
		return false
	}
	step := a.subscripts[len(a.subscripts)-1][variable]
	return step < -1 || step > 1 || a.isInOtherRows(variable)
}

// isInOtherRows says whether the elements of consecutive iterations are in rows of their own.
func (a accessed) isInOtherRows(variable string) bool {
	return slices.ContainsFunc(a.subscripts[:len(a.subscripts)-1], func(l linear) bool { return l[variable] != 0 })
}

// isSame says whether two accesses are known to lead to the same element.
func (a accessed) isSame(b accessed) bool {
	return a.subscripts != nil && slices.EqualFunc(a.subscripts, b.subscripts, maps.Equal[linear, linear])
}
