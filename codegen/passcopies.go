package codegen

import (
	"cmp"
	"slices"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// layouts finds where arrays of whose tiles the code inside uses copies are to be in memory where
// these lie behind each other, as marks say. The copies bring the elements there, and back.
func layouts(p *loopir.Program, e *Env) error {
	e.nodes.copier((*copier).laidOut).code(p.Code)
	return nil
}

// copyArrays has code use copies of arrays' elements where marks say so, and ask for what comes
// later in these or in the arrays. Register blocks see none
// that are made inside of them: their general code gets these when it is made.
func copyArrays(p *loopir.Program, e *Env) error {
	n := e.nodes.copier((*copier).copied)
	loopir.Walk(p.Code, func(s loopir.Stmt) {
		if marked, is := s.(*loopir.Marked); is {
			n.places[marked.Mark.String()]++
		}
	})
	n.code(p.Code)
	return nil
}

// copier changes code below marks of copied arrays, of layouts, or of what is asked for, that is not inside of register
// blocks. Instances get the subscripts that they have in the copies around.
type copier struct {
	*copies
	// change is what a mark's code becomes. It changes what is inside.
	change func(*copier, *loopir.Marked) loopir.Stmt
	// outside is the register block inside the next loop, or nil; inBlock says that the code is
	// one's.
	outside *placedBlock
	inBlock bool
	// lanes are the accumulators of the vector loop around, or nil.
	lanes *lanes
	// places are in how many places of all code there is that of a mark, by their texts; none in a
	// part of the code. What one execution runs may be in several of them.
	places map[string]int
	// allocations are the memory that is made around for copies, innermost last.
	allocations []*allocation
}

func (n *copies) copier(change func(*copier, *loopir.Marked) loopir.Stmt) *copier {
	return &copier{copies: n, change: change, places: map[string]int{}}
}

// code changes some code.
func (n *copier) code(code loopir.Code) {
	for k, s := range code {
		switch s := s.(type) {
		case *loopir.For:
			n.loop(s)
		case *loopir.Run:
			code[k] = n.inCopies(s)
		case *loopir.Marked:
			code[k] = n.marked(s)
		case *loopir.Copies:
			n.around(s)
		default:
			n.within(s)
		}
	}
}

// within changes the code inside of a statement.
func (n *copier) within(s loopir.Stmt) {
	n.inside(s, func(body *loopir.Code) { n.code(*body) })
}

// loop changes the body of a loop, which may be a register block.
func (n *copier) loop(loop *loopir.For) {
	block, before := n.outside, n.lanes
	n.outside, n.lanes = nil, cmp.Or(n.lanes, n.lanesIn(loop))
	n.inside(loop, func(body *loopir.Code) {
		if block != nil {
			n.block(*body, *block)
		} else {
			n.code(*body)
		}
	})
	n.lanes = before
}

func (n *copier) marked(m *loopir.Marked) loopir.Stmt {
	if block := blockMark(m); block != nil {
		n.block(m.Body, *block)
		return m
	}
	switch m.Mark.(type) {
	case mark.Layout, mark.Local, mark.Prefetch, mark.Allocate:
		if !m.Spent && !n.inBlock {
			return n.change(n, m)
		}
	}
	n.code(m.Body)
	return m
}

// block changes code of a register block that is outside of its stream; what is inside has only
// the subscripts of copies around.
func (n *copier) block(code loopir.Code, block placedBlock) {
	if n.streamsOf(code, block) > 1 {
		n.outside = &block
		n.code(code)
		n.outside = nil
		return
	}
	before := n.inBlock
	n.inBlock = true
	n.code(code)
	n.inBlock = before
}

// withCopies is a copy of the code of a register block as it is outside of full blocks.
func (n *copies) withCopies(code loopir.Code) loopir.Code {
	general := copyOf(code)
	n.copier((*copier).laidOut).code(general)
	n.copier((*copier).copied).code(general)
	return general
}

// lanesIn are the accumulators of a vector loop, in whose body no array is copied; nil for other
// loops.
func (n *copies) lanesIn(loop *loopir.For) *lanes {
	said, header := n.said(loop), n.headerOf(loop)
	if loop.Once || len(said.clauses) == 0 || !said.isOfVectors() || said.independent || !isCanonical(header.condition, header.variable) {
		return nil
	}
	if declaresAny(header.body, said.clauses) {
		return nil
	}
	l, _ := n.lanesOf(header, said.clauses)
	return l
}

// inCopies is an instance with the subscripts that elements have in the copies around.
func (n *copies) inCopies(run *loopir.Run) *loopir.Run {
	if len(n.copyings) == 0 {
		return run
	}
	own := *run
	own.Values = n.uses(run, same)
	for k, use := range run.Statement.Uses {
		if side := n.copiedSide(run.Statement.Statement, use); side != nil {
			own.Values[k] = n.inSide(run.At[use.Loop], side, func() *loopir.Expr { return run.Tiles[side.Tiles[run.Statement.Name]] })
		}
	}
	return &own
}

// copiedSide is the dimension of a copied array whose subscript is that use of an iterator; nil
// for all other uses.
func (n *copies) copiedSide(s *scop.Statement, use scop.Use) *mark.LocalSide {
	for _, c := range n.copyings {
		if side := sideAt(s, c.Array, c.array.InTexts(), c.Sides, use); side != nil {
			return side
		}
	}
	return nil
}

// around changes what uses copies. A layout has those inside be its tiles. Its elements are brought
// there when the code inside has been changed, since nothing reads them before.
func (n *copier) around(s *loopir.Copies) {
	l := n.laid[s]
	if l != nil {
		n.layouts[l.whole.Array] = l
	}
	n.within(s)
	if l != nil {
		delete(n.layouts, l.whole.Array)
		s.In, s.Out = n.layoutLoops(l, l.elements.all, false), n.layoutLoops(l, l.elements.written, true)
		n.putOnHeap(l.whole)
	}
}

// namesIn says whether statements in some code call something by a name.
func namesIn(code loopir.Code, name string) bool {
	return slices.ContainsFunc(loopir.Runs(code), func(run *loopir.Run) bool {
		return slices.Contains(ctext.Words(run.Statement.Statement.Source), name)
	})
}
