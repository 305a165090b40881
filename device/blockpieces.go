package device

import (
	"errors"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// isl makes several pieces of a loop of blocks, of which some run once and have no loop. What has one
// value of the schedule's loop is one block's, which runs it in the order of the pieces: the loops of
// all pieces begin at one value, and each has its own iterations.

// leftOut is the first mark above a statement of a loop of blocks that is by values and that isl has
// left out, so that no loop inside is it; nil stands for none.
func (m *mapper) leftOut(of loopir.Stmt, c context) *loopir.Marked {
	for _, s := range c.marks {
		said, is := s.Mark.(mark.Block)
		if is && s.Depth >= 0 && m.isByValue(said, c) && !m.hasLoopAt(loopir.Code{of}, s.Depth) {
			return s
		}
	}
	return nil
}

// hasLoopAt says whether some code has a loop at a depth of the schedule.
func (m *mapper) hasLoopAt(code loopir.Code, depth int) (has bool) {
	loopir.Walk(code, func(s loopir.Stmt) {
		if l, is := s.(*loopir.For); is {
			at, known := m.env.DepthOf(l.Var)
			has = has || known && at == depth
		}
	})
	return has
}

// isByValue says whether blocks have the iterations of a loop by their values: those that stay, and
// those of several pieces.
func (m *mapper) isByValue(said mark.Block, c context) bool {
	return c.inResident || m.inPieces[said.Loop]
}

// inLeftOut is a statement in a loop of blocks that isl has left out around it, if it is in one. Where
// only a choice says which value that is, its parts are.
func (m *mapper) inLeftOut(of loopir.Stmt, c context) (code loopir.Code, is bool, err error) {
	s := m.leftOut(of, c)
	if s == nil {
		return nil, false, nil
	}
	said := s.Mark.(mark.Block)
	value, err := m.onceValue(s, of, c)
	if err != nil {
		_, isChoice := of.(*loopir.If)
		return nil, !isChoice, errors.Join(fmt.Errorf("isl has left out the loop %s of blocks", said.Loop), err)
	}
	l := &loopir.For{Var: m.env.VariableAt(s.Depth), From: value, Once: true}
	shareByBlocks(l, said)
	m.env.Honour(said)
	m.loopOf[l] = said.Loop
	inner := c
	inner.marks, inner.goesOn, inner.values = nil, nil, m.valuesIn(l, s.Depth, c)
	for _, other := range c.marks {
		if other != s {
			inner.marks = append(inner.marks, other)
		}
	}
	l.Body, err = m.statement(of, inner)
	return loopir.Code{l}, true, err
}

// onceValue is the value of a loop of blocks that isl has left out around a statement: that of an
// instance, or the one that the loops around say whose values are known.
func (m *mapper) onceValue(s *loopir.Marked, body loopir.Stmt, c context) (*loopir.Expr, error) {
	said := s.Mark.(mark.Block)
	if run, is := body.(*loopir.Run); is {
		if value, err := m.valueOf(said.Loop, run); err == nil {
			return value, nil
		}
	}
	executions := m.valuesAround(s, loopir.Runs(loopir.Code{body}))
	if executions == nil {
		return nil, errors.New("nothing in it has its values")
	}
	var known []*loopir.Expr
	for d := s.Depth - 1; d >= 0; d-- {
		if d < len(c.values) && c.values[d] != nil {
			known = append([]*loopir.Expr{c.values[d]}, known...)
		} else {
			executions = executions.ProjectOut(isl.DimSet, d, 1)
		}
	}
	values, err := m.allValues(executions.Coalesce(), "what is in "+said.Loop, known)
	if err != nil {
		return nil, err
	}
	return values[len(known)], nil
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

// pieces counts those of a loop of blocks: all of them, and those with several iterations.
type pieceCount struct{ all, several int }

// findPieces finds the loops of blocks in some code of which isl has made several pieces. Block 0 runs
// all pieces where each has one iteration.
func (m *mapper) findPieces(code loopir.Code) {
	counts := map[string]*pieceCount{}
	count := func(s *loopir.Marked, isSeveral bool) {
		said := s.Mark.(mark.Block)
		if counts[said.Loop] == nil {
			counts[said.Loop] = &pieceCount{}
		}
		if counts[said.Loop].all++; isSeveral {
			counts[said.Loop].several++
		}
	}
	var visit func(code loopir.Code, waiting []*loopir.Marked)
	visit = func(code loopir.Code, waiting []*loopir.Marked) {
		for _, s := range code {
			inside := waiting
			switch s := s.(type) {
			case *loopir.Marked:
				if _, is := s.Mark.(mark.Block); is {
					inside = append(slices.Clip(waiting), s)
				}
			case *loopir.For:
				depth, _ := m.env.DepthOf(s.Var)
				for _, w := range waiting {
					count(w, w.Depth == depth && !s.Once)
				}
				inside = nil
			case *loopir.Run:
				for _, w := range waiting {
					count(w, false)
				}
			}
			for _, body := range loopir.Bodies(s) {
				visit(*body, inside)
			}
		}
	}
	visit(code, nil)
	m.inPieces = map[string]bool{}
	for loop, c := range counts {
		m.inPieces[loop] = c.all > 1 && c.several > 0
	}
}

// oneLoop makes sure that all loops of blocks along a dimension are pieces of one.
func (m *mapper) oneLoop(code loopir.Code) (err error) {
	names := [3]string{}
	loopir.Walk(code, func(s loopir.Stmt) {
		l, is := s.(*loopir.For)
		if !is || l.On() != loopir.OnBlocks {
			return
		}
		d, name := l.Share.Dimension, m.loopOf[l]
		if names[d] != "" && names[d] != name {
			err = fmt.Errorf("the loops %s and %s are both of blocks along %s of one kernel", names[d], name, dimensions[d])
		}
		names[d] = name
	})
	return err
}

// blockPiece is a piece of a loop of blocks, and the variables that have values in the kernel around it.
type blockPiece struct {
	loop   *loopir.For
	around map[string]bool
}

// alignPieces has the pieces of each loop of blocks begin at the first value of all.
func (m *mapper) alignPieces(code loopir.Code) error {
	if err := m.oneLoop(code); err != nil {
		return err
	}
	pieces := map[string][]blockPiece{}
	own := variablesIn(code)
	var visit func(code loopir.Code, around map[string]bool)
	visit = func(code loopir.Code, around map[string]bool) {
		for _, s := range code {
			inside := around
			switch s := s.(type) {
			case *loopir.For:
				inside = with(around, s.Var)
				if name := m.loopOf[s]; name != "" {
					pieces[name] = append(pieces[name], blockPiece{s, around})
				}
			case *loopir.Let:
				inside = with(around, s.Var)
			}
			for _, body := range loopir.Bodies(s) {
				visit(*body, inside)
			}
		}
	}
	visit(code, map[string]bool{})
	for name, list := range pieces {
		if err := align(name, list, own); err != nil {
			return err
		}
	}
	return nil
}

// with are some names and another one.
func with(names map[string]bool, more string) map[string]bool {
	all := map[string]bool{more: true}
	for name := range names {
		all[name] = true
	}
	return all
}

// align has pieces of a loop begin at the first value of all; own are the variables that the kernel
// gives values.
func align(name string, list []blockPiece, own map[string]bool) error {
	var first *loopir.Expr
	var texts []string
	for _, piece := range list {
		from := piece.loop.From
		if !piece.loop.Step.IsInt(1) {
			return fmt.Errorf("isl has made several loops of %s, whose iterations are blocks, and counts one of them by other steps", name)
		}
		for variable := range own {
			isUnknown := func(other blockPiece) bool { return !other.around[variable] }
			if loopir.Mentions(from, map[string]bool{variable: true}) && slices.ContainsFunc(list, isUnknown) {
				return fmt.Errorf("isl has made several loops of %s, whose iterations are blocks, and one of them begins at what others do not know", name)
			}
		}
		if text := from.String(); !slices.Contains(texts, text) {
			if texts = append(texts, text); first == nil {
				first = from
			} else {
				first = loopir.Operation(isl.OpMin, first, from)
			}
		}
	}
	for _, piece := range list {
		l := piece.loop
		if len(texts) > 1 {
			l.Body = loopir.Code{&loopir.If{Cond: loopir.Operation(isl.OpGe, loopir.Named(l.Var), l.From), Then: l.Body}}
			l.From = first
		}
	}
	return nil
}
