package device

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// resident is a kernel whose blocks stay. Where they keep elements there is another one, whose
// blocks do not.
func (m *mapper) resident(s *loopir.Marked, c context) (loopir.Code, error) {
	spans, err := m.spansOf(s.Mark)
	if err != nil {
		return nil, err
	}
	c.inResident = true
	other, err := m.staying(s, c, spans)
	if err != nil {
		return nil, err
	}
	kept := m.keptIn(s.Body)
	if len(kept) == 0 {
		return loopir.Code{other}, nil
	}
	m.keeps = true
	defer func() { m.keeps = false }()
	k, err := m.staying(s, c, spans)
	if err != nil {
		return nil, err
	}
	k.Other = other
	return loopir.Code{k}, m.keep(k, kept, c)
}

// staying is a kernel of blocks that stay.
func (m *mapper) staying(s *loopir.Marked, c context, spans *[3]*loopir.Span) (*loopir.Kernel, error) {
	code, err := m.kernel(s.Mark, s.Body, c)
	if err != nil {
		return nil, err
	}
	k := code[0].(*loopir.Kernel)
	k.Spans = spans
	return k, nil
}

// keptIn are the boxes of some code in resident memory.
func (m *mapper) keptIn(code loopir.Code) (kept []*boxes.Box) {
	loopir.Walk(code, func(s loopir.Stmt) {
		marked, is := s.(*loopir.Marked)
		if !is {
			return
		}
		if said, is := marked.Mark.(mark.Box); is && said.Memory == mark.Kept && m.boxes[said.String()] != nil && !slices.Contains(kept, m.boxes[said.String()]) {
			kept = append(kept, m.boxes[said.String()])
		}
	})
	return kept
}

// keep loads what blocks keep at the beginning of their kernel, and stores it at the end.
func (m *mapper) keep(k *loopir.Kernel, kept []*boxes.Box, c context) error {
	var front, behind loopir.Code
	for _, of := range kept {
		c.values = m.valuesOfBlock(of, k)
		box := &loopir.Box{Of: of.Box, Name: "tune_" + of.Array}
		for _, side := range of.Sides {
			box.Origin = append(box.Origin, m.atLoops(side.Origin, c.values))
		}
		elements := of.KeptBy(of)
		load, err := m.transfer(box, of, elements.Start, c)
		if err != nil {
			return err
		}
		store, err := m.transfer(box, of, elements.Own, c)
		if err != nil {
			return err
		}
		store.Store = true
		front, behind = append(front, load), append(behind, store)
	}
	k.Body = slices.Concat(front, loopir.Code{&loopir.Barrier{}}, k.Body, loopir.Code{&loopir.Barrier{}}, behind)
	return nil
}

// valuesOfBlock are the values of the loops around a box that are the block's, and 0 for all
// others.
func (m *mapper) valuesOfBlock(of *boxes.Box, k *loopir.Kernel) []*loopir.Expr {
	values := make([]*loopir.Expr, of.Depth)
	for d := range values {
		values[d] = loopir.Int(0)
	}
	place := 0
	for _, around := range of.Around {
		if block, is := around.(mark.Block); is {
			values[of.Blocks[place]] = loopir.Operation(isl.OpAdd, k.Spans[block.Dimension].From, loopir.BlockIndex(block.Dimension))
			place++
		}
	}
	return values
}

// spansOf are the values that the loops of blocks of a resident kernel have along each dimension.
func (m *mapper) spansOf(resident mark.Mark) (*[3]*loopir.Span, error) {
	marked := m.env.Schedule()
	values := [3]*isl.Set{}
	for _, kernel := range boxes.Kernels(marked.Tree.Root(), marked.Marks) {
		if marked.Marks.Of(kernel).String() == resident.String() {
			m.addValues(&values, kernel)
		}
	}
	spans := &[3]*loopir.Span{}
	build := isl.NewAstBuild(m.env.Model().Parameters)
	for d, set := range values {
		if set == nil {
			continue
		}
		set = set.IntersectParams(m.env.Model().Parameters).Coalesce()
		spans[d] = &loopir.Span{From: expressionOf(build.ExprFromPwAff(set.DimMin(0).Extended())), To: expressionOf(build.ExprFromPwAff(set.DimMax(0).Extended()))}
	}
	if err := m.env.Model().Context.Err(); err != nil {
		return nil, fmt.Errorf("how many blocks the kernel of the mark %q has: %w", resident, err)
	}
	return spans, nil
}

// addValues adds the values of the loops of blocks below a node.
func (m *mapper) addValues(values *[3]*isl.Set, node *isl.ScheduleNode) {
	if block, is := m.env.Schedule().Marks.Of(node).(mark.Block); is {
		band := boxes.LoopBelow(node)
		for _, own := range band.BandPartialSchedule().IntersectDomain(band.Domain()).Maps() {
			if set := own.Range(); values[block.Dimension] == nil {
				values[block.Dimension] = set
			} else {
				values[block.Dimension] = values[block.Dimension].Union(set)
			}
		}
	}
	for _, child := range node.Children() {
		m.addValues(values, child)
	}
}

// blockCount is the name of the number of blocks along a dimension of a resident kernel.
func blockCount(dimension int) string { return "tune_blocks" + dimensions[dimension] }

// resident writes a loop of blocks of a resident kernel: the iteration with the block's number, or
// each with that number modulo the number of blocks.
func (p *kernelText) resident(l *loopir.For) error {
	if !l.Step.IsInt(1) {
		return fmt.Errorf("isl counts the loop %s of blocks by %s, and blocks that stay have iterations one by one", l.Var, p.words.text(l.Step))
	}
	d := l.Share.Dimension
	p.defined[l.Var], p.defined[blockCount(d)] = true, true
	p.measuresLoop(l, p.sizes.of(p.tree(loopir.BlockIndex(d))))
	first := p.words.text(linearOf(loopir.Operation(isl.OpAdd, p.kernel.Spans[d].From, loopir.BlockIndex(d))).expression())
	atLeast := loopir.Operation(isl.OpGe, loopir.Named(l.Var), l.From)
	if p.kernel.OneEach() {
		p.line("{")
		p.depth++
		p.line("const tune_int %s = %s;", l.Var, first)
		err := p.block("if ("+p.words.text(loopir.Operation(isl.OpAnd, atLeast, l.While))+")", l.Body)
		p.depth--
		p.line("}")
		return err
	}
	header := fmt.Sprintf("for (tune_int %s = %s; %s; %s += %s)", l.Var, first, p.words.text(l.While), l.Var, blockCount(d))
	if l.From.String() == p.kernel.Spans[d].From.String() {
		return p.block(header, l.Body)
	}
	return p.block(header, loopir.Code{&loopir.If{Cond: atLeast, Then: l.Body}})
}

// waitsTogether says whether all blocks of a kernel run at once.
func (k *Kernel) waitsTogether() bool { return k.Spans != nil }

// spans are the values of the loops of blocks of a resident kernel, nil for others.
func (k *Kernel) spans() (spans [3]*loopir.Span) {
	if k.Spans != nil {
		spans = *k.Spans
	}
	return spans
}

// how is the macro that starts a kernel.
func (k *Kernel) how() string {
	if k.waitsTogether() {
		return "TUNE_LAUNCH_TOGETHER"
	}
	if k.Asked > 0 {
		return "TUNE_LAUNCH_SHARED"
	}
	return "TUNE_LAUNCH"
}

// ThreadCount is the number of threads of a block.
func (k kernelView) ThreadCount() int64 { return k.Threads[0] * k.Threads[1] * k.Threads[2] }
