package device

import (
	"fmt"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

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

// staying writes a loop of blocks of a resident kernel: the iteration with the block's number, or each with that number modulo the number of blocks.
func (p *kernelText) staying(l *loopir.For) error {
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

// staying are the values of the loops of blocks of a resident kernel, nil for others.
func (k *Kernel) staying() (spans [3]*loopir.Span) {
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
	return "TUNE_LAUNCH"
}

// ThreadCount is the number of threads of a block.
func (k kernelView) ThreadCount() int64 { return k.Threads[0] * k.Threads[1] * k.Threads[2] }
