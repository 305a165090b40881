package device

import (
	"errors"
	"fmt"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// isl leaves out a loop that runs once. Blocks that stay have iterations by their values, so that one
// of them runs what is inside: it needs the loop.

// leftOut is the first mark of a loop of blocks that stay that stands above some code, and whose loop
// isl has left out: it is outside of the loop at hand, at a depth, which is -1 for no loop. Nil stands
// for none.
func (c context) leftOut(depth int) *loopir.Marked {
	for _, s := range c.marks {
		if _, is := s.Mark.(mark.Block); is && c.inResident && s.Depth >= 0 && (depth < 0 || s.Depth < depth) {
			return s
		}
	}
	return nil
}

// once is the code of a loop of blocks that isl has left out, around other code.
func (m *mapper) once(s *loopir.Marked, body loopir.Stmt, c context) (loopir.Code, error) {
	said := s.Mark.(mark.Block)
	executions := m.valuesAround(s, loopir.Runs(loopir.Code{body}))
	if executions == nil {
		return nil, fmt.Errorf("isl has left out the loop %s of blocks", said.Loop)
	}
	known := c.values[:min(len(c.values), s.Depth)]
	values, err := m.allValues(executions, "what is in "+said.Loop, known)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("isl has left out the loop %s of blocks", said.Loop), err)
	}
	l := &loopir.For{Var: m.env.VariableAt(s.Depth), From: values[s.Depth], Once: true}
	shareByBlocks(l, said)
	m.env.Honour(said)
	inner := c
	inner.marks, inner.goesOn = nil, nil
	for _, other := range c.marks {
		if other != s {
			inner.marks = append(inner.marks, other)
		}
	}
	inner.values = append(values[:s.Depth:s.Depth], loopir.Named(l.Var))
	l.Body, err = m.statement(body, inner)
	return loopir.Code{l}, err
}

// valuesAround are the values of the loops around what a mark says, and of the loop itself, for the
// statements of some instances; nil where nobody knows them.
func (m *mapper) valuesAround(s *loopir.Marked, runs []*loopir.Run) (all *isl.Set) {
	names := map[string]bool{}
	for _, r := range runs {
		names[r.Statement.Name] = true
	}
	marked := m.env.Schedule()
	var visit func(node *isl.ScheduleNode)
	visit = func(node *isl.ScheduleNode) {
		for _, child := range node.Children() {
			visit(child)
		}
		if marked.Marks.Of(node) != s.Mark {
			return
		}
		inside := boxes.LoopBelow(node).Children()[0]
		for _, times := range inside.PrefixScheduleUnionMap().IntersectDomain(inside.Domain()).Maps() {
			if !names[times.TupleName(isl.DimIn)] || times.Dim(isl.DimOut) != s.Depth+1 {
				continue
			}
			if own := times.Range(); all == nil {
				all = own
			} else {
				all = all.Union(own)
			}
		}
	}
	visit(marked.Tree.Root())
	return all
}
