package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// box writes code that uses a copy.
func (p *kernelText) box(b *loopir.Box) error {
	around := p.boxes
	p.boxes = append(slices.Clip(around), b)
	defer func() { p.boxes = around }()
	if isNew := !slices.ContainsFunc(p.kernel.Boxes, func(m mark.Box) bool { return m.String() == b.Of.String() }); isNew {
		p.kernel.Boxes = append(p.kernel.Boxes, b.Of)
		if b.Of.Memory.IsShared() {
			p.kernel.SharedBytes += boxes.Bytes(b.Of, int64(p.arrays[b.Of.Array].Size))
		}
	}
	if b.Of.Memory.IsShared() {
		return p.code(b.Body)
	}
	p.line("{")
	p.depth++
	p.line("%s;", p.declaration(b.Of))
	err := p.code(b.Body)
	p.depth--
	p.line("}")
	return err
}

// declaration declares the memory of a box.
func (p *kernelText) declaration(m mark.Box) string { return p.declarationOf(p.memoryName(m), m) }

// declarationOf declares memory of a box by a name.
func (p *kernelText) declarationOf(name string, m mark.Box) string {
	array := p.arrays[m.Array].Array
	text := elementType(array) + " " + name
	for _, length := range boxes.Lengths(m, int64(array.Size)) {
		text += fmt.Sprintf("[%d]", length)
	}
	return text
}

// kernelsOwn finds the names of variables, functions and types that kernels have without arrays.
var kernelsOwn = pattern.New(`^tune_(e|k|u|x|at|blocks|copy_.*|first|floor|from|int|larger|max|min|most|none|other|own_.*|shared|size_.*|to|turn_?|vector|wait_for_grid|(block|thread)[xyz]|(all|at|c|element|extent|i|k|l|n|q|r|s|t|u|v|w)[0-9]+)$`)

// memoryName is the name of a box's memory: the array's, with a number where the kernel has several
// of the array.
func (p *kernelText) memoryName(m mark.Box) string {
	name := "tune_" + m.Array
	if kernelsOwn.MatchString(name) {
		name = "tune_copy_" + m.Array
	}
	for _, other := range p.kernel.Boxes {
		if other.String() == m.String() {
			break
		}
		if other.Array == m.Array {
			name += "_"
		}
	}
	return name
}

// transfer writes the loads or the stores of a box: in shared memory by all threads, one element
// after the other in turn, so that neighbours copy neighbours, or one vector after the other.
func (p *kernelText) transfer(t *loopir.Transfer) error {
	if v := p.vectorLoads(t); v != nil {
		return v.write()
	}
	return p.elements(t)
}

// elements writes the loads or the stores of single elements.
func (p *kernelText) elements(t *loopir.Transfer) error {
	m := t.Box.Of
	depth := p.depth
	var steps []scop.Expr
	if m.Memory.IsShared() {
		steps = p.dealt(t)
	} else {
		for d, side := range m.Sides {
			step := scop.Expr(number(0))
			if side.Extent > 1 {
				step = name(fmt.Sprintf("tune_k%d", d))
				p.sizes.names(fmt.Sprintf("tune_k%d", d), fmt.Sprintf("%d.0", side.Extent))
				p.line("#pragma unroll")
				p.line("for (int tune_k%d = 0; tune_k%d < %d; tune_k%d++) {", d, d, side.Extent, d)
				p.depth++
			}
			steps = append(steps, step)
		}
	}
	if p.depth == depth {
		p.line("{")
		p.depth++
	}
	p.element(t, steps)
	for p.depth > depth {
		p.depth--
		p.line("}")
	}
	return nil
}

// threadNumber is the number of the thread among all of its block, and threads how many these are.
func (p *kernelText) threadNumber() (thread scop.Expr, threads int64) {
	thread, threads = number(0), 1
	for d, count := range p.kernel.Threads {
		if count > 1 {
			thread = joined("+", thread, joined("*", number(threads), p.tree(loopir.Index(d))))
			threads *= count
		}
	}
	return thread, threads
}

// dealt begins a loop over the elements of a box that all threads share, and is the place of an
// element along each side.
func (p *kernelText) dealt(t *loopir.Transfer) (steps []scop.Expr) {
	firsts, counts := make([]int64, len(t.Box.Of.Sides)), make([]int64, len(t.Box.Of.Sides))
	for d := range t.Box.Of.Sides {
		firsts[d], counts[d] = t.Range(d)
	}
	for d, step := range p.dealtOut(counts) {
		steps = append(steps, joined("+", step, number(firsts[d])))
	}
	return steps
}

// dealtOut begins a loop over so many places along each of several sides that all threads share, and
// is the number of a place along each.
func (p *kernelText) dealtOut(counts []int64) (steps []scop.Expr) {
	thread, threads := p.threadNumber()
	all := int64(1)
	for _, count := range counts {
		all *= count
	}
	p.sizes.names("tune_e", fmt.Sprintf("%d.0", all+threads))
	p.line("for (int tune_e = %s; tune_e < %d; tune_e += %d) {", textOf(thread), all, threads)
	p.depth++
	below, outer := all, int64(1)
	for _, count := range counts {
		below /= count
		step := scop.Expr(name("tune_e"))
		if count == 1 {
			step = number(0)
		} else {
			if below > 1 {
				step = &scop.Binary{Operator: "/", X: step, Y: number(below)}
			}
			if outer > 1 {
				step = &scop.Binary{Operator: "%", X: step, Y: number(count)}
			}
		}
		outer *= count
		steps = append(steps, step)
	}
	return steps
}

// subscript declares the subscript of an element of a box along a side, by a name, at a place.
func (p *kernelText) subscript(b *loopir.Box, d int, variable string, step scop.Expr) scop.Expr {
	side := b.Of.Sides[d]
	at := p.tree(b.Origin[d])
	if side.Thread >= 0 {
		at = joined("+", at, p.tree(loopir.Index(side.Thread)))
	}
	if side.Extent > 1 {
		at = joined("+", at, joined("*", number(side.Stride), step))
	}
	return p.declaresNumber(variable, at)
}

// declaresNumber declares a whole number.
func (p *kernelText) declaresNumber(variable string, value scop.Expr) scop.Expr {
	p.defined[variable] = true
	p.sizes.names(variable, p.sizes.of(value))
	p.line("const tune_int %s = %s;", variable, textOf(value))
	return name(variable)
}

// place is the element of an array with some subscripts.
func (p *kernelText) place(a *Array, subscripts []scop.Expr) string {
	at := p.placeOf(a, subscripts)
	p.measured(at)
	return textOf(p.global(a, at))
}

// copyAt is the element of a copy at a place along each side.
func (p *kernelText) copyAt(m mark.Box, steps []scop.Expr) string {
	return textOf(&scop.Ref{Name: p.memoryName(m), Loop: -1, Selected: strings.Repeat("[]", len(steps)), Subscripts: steps})
}

// element copies one element of a box at some places along its sides, if it is one to be copied.
func (p *kernelText) element(t *loopir.Transfer, steps []scop.Expr) {
	m := t.Box.Of
	var subscripts []scop.Expr
	for d := range m.Sides {
		subscripts = append(subscripts, p.subscript(t.Box, d, loopir.Subscript(d).Name, steps[d]))
	}
	array := p.arrays[m.Array]
	if t.Store {
		array = p.storedTo(t.Box)
	}
	place, copy := p.place(array, subscripts), p.copyAt(m, steps)
	switch {
	case t.Store:
		place, copy = copy, place
	case t.Part == loopir.KeptInBox:
		d := m.Moves.Dimension
		steps = slices.Clone(steps)
		steps[d] = joined("+", steps[d], number(m.Moves.Distance))
		place = p.copyAt(m, steps)
	}
	p.copies(t.If, copy, place)
}

// copies assigns an element to another one under a condition, nil for always.
func (p *kernelText) copies(condition *loopir.Expr, to, from string) {
	if condition != nil {
		p.line("if (%s)", p.words.text(condition))
		p.depth++
		defer func() { p.depth-- }()
	}
	p.line("%s = %s;", to, from)
}

// turns writes a loop with a constant number of iterations, those of the thread's or all, of which
// those that it has not do nothing.
func (p *kernelText) turns(l *loopir.For) error {
	count := int64(1)
	base, others := alignedStart(l.From, 1)
	if l.Share != nil {
		count = l.Share.Count
		base, others = alignedStart(l.From, count)
		base = loopir.Operation(isl.OpAdd, base, loopir.Index(l.Share.Dimension))
	}
	condition := l.While
	if above := atLeastAll(l.Var, others); above != nil {
		condition = loopir.Operation(isl.OpAnd, above, condition)
	}
	turn := l.Var + "_turn"
	value := base
	if l.Turns > 1 {
		value = loopir.Operation(isl.OpAdd, base, loopir.Operation(isl.OpMul, loopir.Int(count), loopir.Named(turn)))
	}
	p.turnsOf[l.Var] = value
	p.defined[turn], p.defined[l.Var] = true, true
	p.sizes.names(turn, fmt.Sprintf("%d.0", l.Turns))
	p.sizes.names(l.Var, p.sizes.of(p.tree(value)))
	if l.Turns > 1 {
		p.line("#pragma unroll")
		p.line("for (int %s = 0; %s < %d; %s++) {", turn, turn, l.Turns, turn)
	} else {
		p.line("{")
	}
	p.depth++
	p.line("const tune_int %s = %s;", l.Var, p.words.text(linearOf(value).expression()))
	err := p.block("if ("+p.words.text(condition)+")", l.Body)
	delete(p.turnsOf, l.Var) // other loops may have the same variable
	p.depth--
	p.line("}")
	return err
}
