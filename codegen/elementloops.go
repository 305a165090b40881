package codegen

import (
	"polytune/isl"
	"polytune/loopir"
)

// overElements are loops over elements of an array.
type overElements struct {
	// each is what is done with one, at the coordinates of its tiles and its subscripts.
	each func(arguments []*loopir.Expr) loopir.Stmt
	// lanes says that loops over elements behind each other run in lanes.
	lanes bool
}

// overElements makes loops over the elements that a relation gives in the present iterations of the
// loops around. So many coordinates in front of the subscripts have one value there.
func (n *copies) overElements(elements *isl.Map, single int, o overElements) loopir.Code {
	context, now := n.model.Context, elements.Range().Coalesce()
	const call = "copy"
	known := n.model.Parameters.Intersect(context.ReadSet(n.visible() + " -> { : " + n.conditionsAround() + " }"))
	count := now.Dim(isl.DimSet)
	schedule := context.Lexicographic(now.SetTupleName(call).ToUnionSet(), call, freshNames("i", count, n.taken), single)
	tree := isl.NewAstBuild(known).SetIterators(freshNames("tune_i", count, n.taken)).NodeFromSchedule(schedule)
	t := &translation{env: n.env, call: func(call *isl.AstExpr) (loopir.Code, error) {
		return loopir.Code{&loopir.Run{At: loopir.FromISL(call).Args[1:]}}, nil
	}}
	code, err := t.code(tree, nil)
	if err != nil {
		n.fail(err)
	}
	return n.elementNest(o, code)
}

// elementNest makes the loops over elements of loops whose instances are these.
func (n *copies) elementNest(o overElements, code loopir.Code) loopir.Code {
	all := loopir.Code{}
	for _, node := range code {
		switch node := node.(type) {
		case *loopir.If:
			n.needs(node.Cond)
			node.Then, node.Else, node.Whole = n.elementNest(o, node.Then), n.elementNest(o, node.Else), len(node.Else) > 0
			all = append(all, node)
		case *loopir.For:
			all = append(all, n.elementLoop(o, node)...)
		case *loopir.Run:
			all = append(all, o.each(node.At))
		}
	}
	return all
}

// elementLoop is a loop over elements, in lanes where they lie behind each other and may be.
func (n *copies) elementLoop(o overElements, loop *loopir.For) loopir.Code {
	body := n.elementNest(o, loop.Body)
	if loop.Once {
		return n.constant(loop.Var, loop.From, fragment{code: body}).code
	}
	made := n.loopOver(loop.Var, loop.From, loop.While, loop.Step, body)
	if o.lanes && isCanonical(loop.While, loop.Var) && isAlongRow(loop) {
		made.Lanes = &loopir.Lanes{}
	}
	return loopir.Code{made}
}

// isAlongRow says whether a loop is over the last subscript, and has no other inside.
func isAlongRow(loop *loopir.For) bool {
	run, is := loop.Body.Only().(*loopir.Run)
	return is && run.At[len(run.At)-1].Name == loop.Var
}
