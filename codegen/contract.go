package codegen

import (
	"fmt"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// unlessEmpty is an outermost loop around statements that use a contracted array, run where some
// instance is inside alone: threads start in each of its iterations, of which there can be 2^31
// without any instance.
func (n *memories) unlessEmpty(node *loopir.For, loop fragment) fragment {
	if len(n.contractions) == 0 || len(n.open) > 0 {
		return loop
	}
	inside, contracted := n.model.Context.ReadSet(n.model.Program.ParametersText()+"{ : false }"), false
	below := statementsIn(node.Body)
	for k := range n.model.Statements {
		s := &n.model.Statements[k]
		if !below[s.Name] {
			continue
		}
		inside = inside.Union(s.Domain.Params())
		for _, access := range s.Statement.Accesses {
			_, is := n.contractions[access.Array]
			contracted = contracted || is
		}
	}
	if !contracted {
		return loop
	}
	condition := loopir.FromISL(isl.NewAstBuild(n.model.Parameters).ExprFromSet(inside.Coalesce()))
	if condition.Kind == isl.AstInt {
		return loop
	}
	n.needs(condition)
	return fragment{code: loopir.Code{&loopir.If{Cond: condition, Then: loop.code}}, declares: loop.declares}
}

// ownMemory are the names in C of memory of which each thread has its own piece: where that of the
// first thread begins, and the bytes of each.
type ownMemory struct{ first, size string }

// anyOwn says whether threads have memory of their own for some array.
func anyOwn(contractions map[string]mark.Local) bool {
	for _, mark := range contractions {
		if mark.Own {
			return true
		}
	}
	return false
}

// memoryOf are the names of the memory that each thread has of an array.
func (n *memories) memoryOf(array string) ownMemory {
	if n.owns == nil {
		n.owns = map[string]ownMemory{}
	}
	m, known := n.owns[array]
	if !known {
		k := len(n.owns)
		m = ownMemory{n.fresh(fmt.Sprintf("tune_own%d", k)), n.fresh(fmt.Sprintf("tune_own_size%d", k))}
		n.owns[array] = m
	}
	return m
}

// isOnStack says whether a thread has an array of its own on its stack: it is small, as private
// arrays are, and its size is known. Compilers see that it shares nothing with other arrays then:
// 64 alignments of 400 characters each, whose rows they cannot tell apart otherwise, take 0.6 of
// the time so on one thread of a virtual AMD Zen 4 (gcc 12).
func (n *memories) isOnStack(e scop.Expansion) bool {
	if !n.contractions[e.Name].Own {
		return false
	}
	return isSmall(n.model.Program.Array(e.Name), n.extents(e))
}

// ownArray gives an array the memory of the thread that runs the code behind it.
func (n *memories) ownArray(e scop.Expansion) *loopir.Alloc {
	a := &loopir.Alloc{Name: e.Name, Type: n.model.Program.Array(e.Name).Type}
	for _, extent := range n.extents(e) {
		a.Extents = append(a.Extents, extent.code)
	}
	if n.isOnStack(e) {
		a.Unused = isOnlyWritten(n.model.Program, e.Name)
		return a
	}
	n.inOwnMemory(a)
	return a
}

// inOwnMemory gives an array the thread's piece of memory.
func (n *memories) inOwnMemory(a *loopir.Alloc) {
	own := n.memoryOf(a.Name)
	a.In, a.First, a.Bytes = loopir.Own, own.first, own.size
	n.thread()
}
