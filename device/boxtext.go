package device

import (
	"fmt"
	"slices"
	"strings"

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
func (p *kernelText) declaration(m mark.Box) string {
	array := p.arrays[m.Array].Array
	text := elementType(array) + " " + p.memoryName(m)
	for _, length := range boxes.Lengths(m, int64(array.Size)) {
		text += fmt.Sprintf("[%d]", length)
	}
	return text
}

// memoryName is the name of a box's memory: the array's, with a number where the kernel has several
// of the array.
func (p *kernelText) memoryName(m mark.Box) string {
	name := "tune_" + m.Array
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

// sharedText declares what is in shared memory.
func (p *kernelText) sharedText() string {
	var b strings.Builder
	for _, m := range p.kernel.Boxes {
		if m.Memory.IsShared() {
			fmt.Fprintf(&b, "  %s%s;\n", p.language.Shared, p.declaration(m))
		}
	}
	return b.String()
}

// transfer writes the loads or the stores of a box: in shared memory by all threads, one element
// after the other in turn, so that neighbours copy neighbours.
func (p *kernelText) transfer(t *loopir.Transfer) error {
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
	thread, threads := p.threadNumber()
	all := int64(1)
	for d := range t.Box.Of.Sides {
		_, count := t.Range(d)
		all *= count
	}
	p.sizes.names("tune_e", fmt.Sprintf("%d.0", all+threads))
	p.line("for (int tune_e = %s; tune_e < %d; tune_e += %d) {", textOf(thread), all, threads)
	p.depth++
	below, outer := all, int64(1)
	for d := range t.Box.Of.Sides {
		first, count := t.Range(d)
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
		steps = append(steps, joined("+", step, number(first)))
	}
	return steps
}

// element copies one element of a box at some places along its sides, if it is one to be copied.
func (p *kernelText) element(t *loopir.Transfer, steps []scop.Expr) {
	m, a := t.Box.Of, p.arrays[t.Box.Of.Array]
	var subscripts []scop.Expr
	for d, side := range m.Sides {
		at := p.tree(t.Box.Origin[d])
		if side.Thread >= 0 {
			at = joined("+", at, p.tree(loopir.Index(side.Thread)))
		}
		if side.Extent > 1 {
			at = joined("+", at, joined("*", number(side.Stride), steps[d]))
		}
		variable := loopir.Subscript(d).Name
		p.defined[variable] = true
		p.sizes.names(variable, p.sizes.of(at))
		p.line("const tune_int %s = %s;", variable, textOf(at))
		subscripts = append(subscripts, name(variable))
	}
	place := textOf(p.global(a, p.placeOf(a, subscripts)))
	copy := textOf(&scop.Ref{Name: p.memoryName(m), Loop: -1, Selected: strings.Repeat("[]", len(steps)), Subscripts: steps})
	switch {
	case t.Store:
		place, copy = copy, place
	case t.Part == loopir.KeptInBox:
		d := m.Moves.Dimension
		steps = slices.Clone(steps)
		steps[d] = joined("+", steps[d], number(m.Moves.Distance))
		place = textOf(&scop.Ref{Name: p.memoryName(m), Loop: -1, Selected: strings.Repeat("[]", len(steps)), Subscripts: steps})
	}
	if t.If != nil {
		p.line("if (%s)", p.words.text(t.If))
		p.depth++
		defer func() { p.depth-- }()
	}
	p.line("%s = %s;", copy, place)
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
	p.depth--
	p.line("}")
	return err
}

// boxOf is the copy that a reference to an array uses, nil for none.
func (n *instances) boxOf(array *scop.Array, e *scop.Ref, r *loopir.Run) (*loopir.Box, error) {
	var reference string
	var err error
	for _, box := range n.boxes {
		if box.Of.Array != array.Name {
			continue
		}
		if box.Of.References != "" && reference == "" {
			if reference, err = n.referenceOf(array, e, r); err != nil {
				return nil, err
			}
		}
		if box.Of.Takes(reference) {
			return box, nil
		}
	}
	return nil, nil
}

// referenceOf is how copies call a reference to an array: as the access with the same subscripts.
func (n *instances) referenceOf(array *scop.Array, e *scop.Ref, r *loopir.Run) (string, error) {
	symbols := *r
	symbols.At = nil
	for k := range r.Statement.Depth() {
		symbols.At = append(symbols.At, loopir.Named(fmt.Sprintf("iterator.%d", k)))
	}
	for k, access := range r.Statement.Statement.Accesses {
		if access.Array != array.Name {
			continue
		}
		rows, err := scop.Subscripts(r.Statement.Accesses[k])
		if err != nil {
			return "", err
		}
		if len(rows) > 0 && n.haveSubscripts(e, rows, &symbols) {
			return n.program.Reference(r.Statement, k), nil
		}
	}
	return "", fmt.Errorf("nobody knows which reference to %s is %s, of which there are copies of their own", array.Spelling(), textOf(e))
}

// haveSubscripts says whether the subscripts of a reference are some rows of an instance's
// iterators.
func (n *instances) haveSubscripts(e *scop.Ref, rows []scop.Row, r *loopir.Run) bool {
	if len(rows) != len(e.Subscripts) {
		return false
	}
	for d, row := range rows {
		at := n.indexOf(e.Subscripts[d], r)
		if at == nil || !linearOf(loopir.Operation(isl.OpSub, at, rowAt(row, r, n.program.Parameters))).isZero() {
			return false
		}
	}
	return true
}

// boxed is an element of an array in a copy.
func (n *instances) boxed(box *loopir.Box, e *scop.Ref, r *loopir.Run) (scop.Expr, error) {
	if len(e.Subscripts) != len(box.Of.Sides) || strings.Trim(e.Selected, "[]") != "" {
		return nil, fmt.Errorf("a copy of %s has %d subscripts, and %s%s has others", box.Of.Array, len(box.Of.Sides), e.Name, e.Selected)
	}
	made := &scop.Ref{Name: n.memory(box.Of), Loop: -1, Selected: e.Selected}
	for d, side := range box.Of.Sides {
		if side.Extent == 1 {
			made.Subscripts = append(made.Subscripts, number(0))
			continue
		}
		distance, err := n.distance(e.Subscripts[d], box.Origin[d], side, r)
		if err != nil {
			return nil, err
		}
		made.Subscripts = append(made.Subscripts, distance)
	}
	return made, nil
}

// distance is the place of a subscript along a side of a box.
func (n *instances) distance(subscript scop.Expr, origin *loopir.Expr, side mark.BoxSide, r *loopir.Run) (scop.Expr, error) {
	first := origin
	if side.Thread >= 0 {
		first = loopir.Operation(isl.OpAdd, origin, loopir.Index(side.Thread))
	}
	at := n.indexOf(subscript, r)
	if at == nil {
		text, err := n.value(subscript, r, true)
		return joined("/", joined("-", text, n.tree(first)), number(side.Stride)), err
	}
	for _, variables := range []map[string]*loopir.Expr{nil, n.turnsOf} {
		sum := linearOf(loopir.Operation(isl.OpSub, at.Substituted(variables), first))
		if quotient := sum.divided(side.Stride); quotient != nil {
			return n.tree(quotient.expression()), nil
		}
	}
	return &scop.Binary{Operator: "/", X: n.tree(linearOf(loopir.Operation(isl.OpSub, at, first)).expression()), Y: number(side.Stride)}, nil
}

// indexOf is a subscript at an instance as an expression, nil where it is more than sums, products
// and remainders that are numbers.
func (n *instances) indexOf(e scop.Expr, r *loopir.Run) *loopir.Expr {
	program := n.program
	switch e := e.(type) {
	case *scop.Ref:
		if e.Loop >= 0 {
			return r.At[e.Loop]
		}
		k := slices.IndexFunc(program.Parameters, func(parameter string) bool { return program.Spelling(parameter) == e.Name })
		if k >= 0 && e.Selected == "" {
			return loopir.Named(program.Parameters[k])
		}
	case *scop.Number:
		var value int64
		if count, err := fmt.Sscanf(e.Text+" ", "%d ", &value); count == 1 && err == nil && fmt.Sprint(value) == e.Text {
			return loopir.Int(value)
		}
	case *scop.Unary:
		if x := n.indexOf(e.X, r); x != nil && e.Operator == scop.Parentheses {
			return x
		} else if x != nil && e.Operator == "-" && !e.Postfix {
			return loopir.Operation(isl.OpMinus, x)
		}
	case *scop.Binary:
		x, y := n.indexOf(e.X, r), n.indexOf(e.Y, r)
		if x != nil && y != nil && e.Operator == "%" {
			return n.residue(e, x, y, r.Statement)
		}
		operator, known := map[string]isl.AstOpType{"+": isl.OpAdd, "-": isl.OpSub, "*": isl.OpMul}[e.Operator]
		if x != nil && y != nil && known {
			return loopir.Operation(operator, x, y)
		}
	}
	return nil
}
