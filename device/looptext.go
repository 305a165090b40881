package device

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// loop writes a loop: the one iteration that is the block's, those of the thread, or all. Of a loop
// that fewer threads share than the kernel has, the others have none.
func (p *kernelText) loop(l *loopir.For) error {
	if p.inCore != nil {
		p.inCore.Unrolled = false
	}
	if s := l.Share; s != nil && s.Threads && s.Count < p.kernel.Threads[s.Dimension] {
		return p.inBraces(fmt.Sprintf("if (%s < %d)", p.index(true, s.Dimension), s.Count), func() error { return p.iterations(l) })
	}
	return p.iterations(l)
}

// iterations writes a loop for the threads that have some of its iterations.
func (p *kernelText) iterations(l *loopir.For) error {
	switch {
	case l.Turns > 0:
		return p.turns(l)
	case l.Share != nil && !l.Share.Threads && p.kernel.Spans != nil:
		return p.resident(l)
	case l.Share != nil && !l.Share.Threads:
		return p.blocks(l)
	case l.Share != nil:
		return p.threads(l)
	}
	from := p.words.text(l.From)
	p.defined[l.Var] = true
	p.measuresLoop(l, p.sizes.of(p.tree(l.Step)))
	if l.Unrolled {
		p.line("#pragma unroll")
	}
	return p.block(fmt.Sprintf("for (tune_int %s = %s; %s; %s += %s)", l.Var, from, p.words.text(l.While), l.Var, p.words.text(l.Step)), l.Body)
}

// blocks writes the iteration of a loop that is the block's. The host starts as many blocks as
// there are iterations: where that depends on another block's, there are as many as the longest of
// the loops has; so there are where several loops are blocks along one dimension, or block 0 has
// something to do by itself.
func (p *kernelText) blocks(l *loopir.For) error {
	value := joined("+", p.words.measuredTree(l.From), joined("*", p.words.measuredTree(l.Step), name(p.index(false, l.Share.Dimension))))
	outside := p.kernel.Blocks
	p.kernel.Blocks = append(p.kernel.Blocks, l)
	p.defined[l.Var] = true
	p.measuresLoop(l, "0.0")
	p.line("{")
	p.depth++
	p.line("const tune_int %s = %s;", l.Var, textOf(value))
	var err error
	if p.loops[l.Share.Dimension] > 1 || (sharers{dimension: l.Share.Dimension}).asks(p.kernel.Body) || slices.ContainsFunc(outside, func(outer *loopir.For) bool { return dependsOn(l, l.Var, outer.Var) }) {
		err = p.block("if ("+p.words.text(l.While)+")", l.Body)
	} else {
		err = p.code(l.Body)
	}
	p.depth--
	p.line("}")
	return err
}

// dependsOn says whether the bounds of a loop name a variable other than its own.
func dependsOn(l *loopir.For, own, variable string) bool {
	variables := map[string]bool{variable: true}
	return variable != own && loopir.Mentions(l.From, variables) || loopir.Mentions(l.While, variables)
}

// threads writes the iterations that are the thread's: those with its number modulo the number of
// threads. The first of them is at most so many iterations behind the first one of all.
func (p *kernelText) threads(l *loopir.For) error {
	count, index := l.Share.Count, p.index(true, l.Share.Dimension)
	p.defined[l.Var] = true
	p.measuresLoop(l, fmt.Sprintf("%d.0 + %s", count, p.sizes.of(p.tree(l.Step))))
	if !l.Step.IsInt(1) {
		turn := loopir.Operation(isl.OpEq, modulo(loopir.Named(l.Var), count), loopir.Index(l.Share.Dimension))
		header := fmt.Sprintf("for (tune_int %s = %s; %s; %s += %s)", l.Var, p.words.text(l.From), p.words.text(l.While), l.Var, p.words.text(l.Step))
		return p.block(header, loopir.Code{&loopir.If{Cond: turn, Then: l.Body}})
	}
	base, others := alignedStart(l.From, count)
	var first string
	switch {
	case base == nil:
		from := p.words.text(l.From)
		first = fmt.Sprintf("tune_turn(%s, %s, %d)", from, index, count)
	case base.IsInt(0):
		first = index
	default:
		first = textOf(joined("+", p.tree(base), name(index)))
	}
	header := fmt.Sprintf("for (tune_int %s = %s; %s; %s += %d)", l.Var, first, p.words.text(l.While), l.Var, count)
	if len(others) == 0 {
		return p.block(header, l.Body)
	}
	return p.block(header, loopir.Code{&loopir.If{Cond: atLeastAll(l.Var, others), Then: l.Body}})
}

// atLeastAll says that a variable is not below some bounds; nil for none.
func atLeastAll(variable string, bounds []*loopir.Expr) (condition *loopir.Expr) {
	for _, bound := range bounds {
		at := loopir.Operation(isl.OpGe, loopir.Named(variable), bound)
		if condition == nil {
			condition = at
		} else {
			condition = loopir.Operation(isl.OpAnd, condition, at)
		}
	}
	return condition
}

// alignedStart parts a lower bound, the largest of several, in one that is a multiple of a number
// and not far below the others, and the others; base is nil where there is none.
func alignedStart(from *loopir.Expr, count int64) (base *loopir.Expr, others []*loopir.Expr) {
	bounds := []*loopir.Expr{from}
	if from.Is(isl.OpMax) {
		bounds = from.Args
	}
	for k, bound := range bounds {
		isZero := len(bounds) > 1 && bound.Kind == isl.AstInt
		if isMultiple(bound, count) && !isZero {
			return bound, slices.Delete(slices.Clone(bounds), k, k+1)
		}
	}
	return nil, nil
}

// isMultiple says whether an expression is a multiple of a number whatever its variables are.
func isMultiple(e *loopir.Expr, of int64) bool {
	switch {
	case of == 1:
		return true
	case e.Kind == isl.AstInt:
		return e.Value%of == 0
	case e.Is(isl.OpMul):
		return slices.ContainsFunc(e.Args, func(a *loopir.Expr) bool { return isMultiple(a, of) })
	case e.Is(isl.OpAdd), e.Is(isl.OpSub), e.Is(isl.OpMinus):
		return !slices.ContainsFunc(e.Args, func(a *loopir.Expr) bool { return !isMultiple(a, of) })
	}
	return false
}
