package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// reduce is code in which threads add up in accumulators of their own.
func (m *mapper) reduce(s *loopir.Marked, c context) (loopir.Code, error) {
	said := s.Mark.(mark.Reduce)
	m.env.Honour(said)
	body, err := m.code(s.Body, c)
	for _, clause := range said.Reductions {
		if err != nil {
			return nil, err
		}
		body, err = m.addUp(clause, body)
	}
	return body, err
}

// addUp is code with accumulators of threads for a clause: the code where nothing in it updates
// anything under that.
func (m *mapper) addUp(clause scop.Clause, body loopir.Code) (loopir.Code, error) {
	inside, updates := variablesIn(body), false
	for _, r := range loopir.Runs(body) {
		reduction := r.Statement.Statement.Reduction.Under(clause)
		if reduction == nil {
			continue
		}
		updates = true
		rows, err := r.Statement.Subscripts(reduction.Accesses[0])
		if err != nil {
			return nil, err
		}
		if len(rows) != len(m.env.Model().Program.Array(clause.Array).Extents) {
			continue
		}
		made := &loopir.AddUp{Clause: clause, Body: body}
		for _, row := range rows {
			made.Element = append(made.Element, linearOf(rowAt(row, r, m.env.Model().Program.Parameters)).expression())
		}
		if !slices.ContainsFunc(made.Element, func(e *loopir.Expr) bool { return loopir.Mentions(e, inside) }) {
			return loopir.Code{made}, nil
		}
	}
	if !updates {
		return body, nil
	}
	return nil, fmt.Errorf("which element of %s the threads of a block add up in is known inside of the loop alone", clause.Array)
}

// together says of what threads add up whether several blocks do so, which is where some loop of
// blocks is not around: there are so many of these. In a loop threads do so again and again.
func together(code loopir.Code, blocks int, inLoop bool) {
	for _, s := range code {
		around, again := blocks, inLoop
		switch s := s.(type) {
		case *loopir.For:
			if s.On() == loopir.OnBlocks {
				around--
			} else {
				again = true
			}
		case *loopir.AddUp:
			s.Atomic, s.Again = around > 0, inLoop
		}
		for _, body := range loopir.Bodies(s) {
			together(*body, around, again)
		}
	}
}

// blockLoops counts the dimensions along which iterations of loops in some code are blocks.
func blockLoops(code loopir.Code) int {
	along := map[int]bool{}
	loopir.Walk(code, func(s loopir.Stmt) {
		if l, is := s.(*loopir.For); is && l.On() == loopir.OnBlocks {
			along[l.Share.Dimension] = true
		}
	})
	return len(along)
}

// addUp writes code in which threads have accumulators, and what puts these together: those of a
// block as a tree in shared memory, of which thread 0 has the last step, and that of the block by
// itself, or by an atomic operation.
func (p *kernelText) addUp(s *loopir.AddUp) error {
	a := p.arrays[s.Array]
	if a == nil {
		return fmt.Errorf("threads do not add up %s, of which each iteration of a loop has one of its own: leave reduction(%s:%s) out", p.program.Array(s.Array).Spelling(), s.Operator, s.Array)
	}
	kind, own := elementType(a.Array), "tune_own_"+a.Name
	if !isType(a.Type) || isBoolean(unqualified(a.Type)) {
		return fmt.Errorf("threads do not add up elements of type %s, as %s has", a.Type, a.Spelling())
	}
	neutral, err := neutralText(s.Operator, kind)
	if err != nil {
		return err
	}
	return p.inBraces("", func() error {
		p.line("%s %s = %s;", kind, own, neutral)
		p.accumulators[a.Name] = own
		err := p.code(s.Body)
		delete(p.accumulators, a.Name)
		if err != nil {
			return err
		}
		return p.putTogether(s, a, own)
	})
}

// putTogether writes what puts the accumulators of a block's threads together in an element.
func (p *kernelText) putTogether(s *loopir.AddUp, a *Array, own string) error {
	thread, threads := p.threadNumber()
	kind, number := elementType(a.Array), textOf(thread)
	if threads > 1 {
		all := fmt.Sprintf("tune_all%d", len(p.trees))
		p.trees = append(p.trees, fmt.Sprintf("  %s%s %s[%d];\n", p.language.Shared, kind, all, threads))
		p.kernel.SharedBytes += threads * int64(a.Size)
		if s.Again {
			p.line("%s", p.language.Barrier)
		}
		p.line("%s[%s] = %s;", all, number, own)
		p.line("for (int tune_k = %d; tune_k > 0; tune_k /= 2) {", halfOf(threads))
		p.line("  %s", p.language.Barrier)
		other := fmt.Sprintf("%s[%s + tune_k]", all, number)
		p.line("  if (%s < tune_k && %s + tune_k < %d)", number, number, threads)
		p.line("    %[1]s[%[2]s] = %[3]s;", all, number, combined(s.Operator, all+"["+number+"]", other))
		p.line("}")
		own = all + "[0]"
		p.line("if (%s == 0)", number)
		p.depth++
		defer func() { p.depth-- }()
	}
	var subscripts []scop.Expr
	for _, e := range s.Element {
		subscripts = append(subscripts, p.tree(e))
	}
	at := scop.Expr(&scop.Number{Text: "0"})
	if len(subscripts) > 0 {
		at = p.placeOf(a, subscripts)
		p.measured(at)
	}
	if !slices.Contains(p.direct, a) {
		p.direct = append(p.direct, a)
	}
	p.kernel.AddsUp = append(p.kernel.AddsUp, s.Clause)
	element := textOf(p.global(a, at))
	if !s.Atomic {
		p.line("%s = %s;", element, combined(s.Operator, element, own))
		return nil
	}
	atomic, err := atomicFor(s.Operator, a)
	if err != nil {
		return err
	}
	if !slices.Contains(p.kernel.Atomics, atomic) {
		p.kernel.Atomics = append(p.kernel.Atomics, atomic)
	}
	p.line("%s(&%s, %s);", atomic.name(), element, own)
	return nil
}

// halfOf is half of the least power of two that is not below a number from 2 on.
func halfOf(count int64) int64 {
	half := int64(1)
	for 2*half < count {
		half *= 2
	}
	return half
}

// combined is what an operator makes of two values, in C.
func combined(operator scop.Operator, x, y string) string {
	switch operator {
	case scop.Minimum, scop.Maximum:
		return fmt.Sprintf("tune_%s(%s, %s)", operator, x, y)
	}
	return fmt.Sprintf("%s %s %s", x, operator, y)
}

// extremes are the least and the greatest value of integers, in C.
var extremes = map[string][2]string{
	"char": {"-128", "127"}, "signed char": {"-128", "127"}, "unsigned char": {"0", "255"}, "short": {"-32768", "32767"}, "unsigned short": {"0", "65535"},
	"int": {"-2147483647 - 1", "2147483647"}, "unsigned": {"0", "4294967295u"},
	"long": {"-9223372036854775807l - 1", "9223372036854775807l"}, "unsigned long": {"0", "18446744073709551615ul"},
}

// neutralText is what an operator changes nothing with, in C. A char that is not said to be signed
// may be either.
func neutralText(operator scop.Operator, kind string) (string, error) {
	switch operator {
	case scop.Sum:
		return "0", nil
	case scop.Product:
		return "1", nil
	}
	if kind == double || kind == float {
		return map[scop.Operator]string{scop.Minimum: "INFINITY", scop.Maximum: "-INFINITY"}[operator], nil
	}
	values, known := extremes[strings.TrimSuffix(kind, " int")]
	if !known || kind == "char" {
		return "", fmt.Errorf("nobody knows the greatest %s", kind)
	}
	return map[scop.Operator]string{scop.Minimum: values[1], scop.Maximum: values[0]}[operator], nil
}

// Atomic is a function of kernels that updates an element while other blocks may do so, too.
type Atomic struct {
	Operator scop.Operator
	Kind     string
	// Bytes is the size of the element.
	Bytes int
}

// atomicFor is the one for an operator and an array's elements.
func atomicFor(operator scop.Operator, a *Array) (Atomic, error) {
	made := Atomic{operator, elementType(a.Array), a.Size}
	if a.Size != 4 && a.Size != 8 {
		return made, fmt.Errorf("devices have no atomic operations for the %d bytes of an element of %s: int, or double, has them", a.Size, a.Spelling())
	}
	return made, nil
}

// name is the function's.
func (a Atomic) name() string {
	operator := map[scop.Operator]string{scop.Sum: "add", scop.Product: "multiply", scop.Minimum: "min", scop.Maximum: "max"}[a.Operator]
	return "tune_" + operator + "_" + strings.ReplaceAll(a.Kind, " ", "_")
}

// text is the function in a language: it tries until nobody has come between reading and writing.
func (a Atomic) text(l Language) string {
	bits := l.Bits[a.Bytes]
	return fmt.Sprintf(`%[1]svoid %[2]s(%[3]s%[4]s *element, %[4]s value) {
  %[3]s%[5]s *const bits = (%[3]s%[5]s *) element;
  union { %[4]s value; %[5]s bits; } before, after;
  %[5]s seen = %[6]s(bits, 0, 0);
  do {
    before.bits = seen;
    after.value = %[7]s;
    seen = %[6]s(bits, before.bits, after.bits);
  } while (seen != before.bits);
}
`, l.Own, a.name(), l.Global, a.Kind, bits.Type, bits.Swap, combined(a.Operator, "before.value", "value"))
}

// atomicsText are the functions that some kernels need, each once; of those of 8 bytes OpenCL has
// to be told.
func atomicsText(kernels []*Kernel, l Language) string {
	var known []Atomic
	var b strings.Builder
	for _, k := range kernels {
		for _, a := range k.Atomics {
			if slices.Contains(known, a) {
				continue
			}
			if known = append(known, a); l.Bits[a.Bytes].Needs != "" && !strings.Contains(b.String(), l.Bits[a.Bytes].Needs) {
				b.WriteString(l.Bits[a.Bytes].Needs)
			}
			b.WriteString(a.text(l))
		}
	}
	return b.String()
}

// barriersOf counts the barriers of what puts accumulators together.
func barriersOf(s *loopir.AddUp, threads [3]int64) int {
	switch {
	case threads == [3]int64{1, 1, 1}:
		return 0
	case s.Again:
		return 2
	}
	return 1
}
