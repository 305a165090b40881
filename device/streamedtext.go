package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/loopir"
	"polytune/scop"
)

// streamed writes the code of a tile that is streamed. As many planes as have registers are one
// iteration of an outer loop: which register has a plane's value is a number once compilers have
// unrolled the inner one, so that no value moves.
func (p *kernelText) streamed(s *loopir.Streamed) error {
	if s.Shares() > 0 {
		width := 2 * s.Exchanged() * s.Width()
		p.trees = append(p.trees, fmt.Sprintf("  %s%s tune_x[%d];\n", p.language.Shared, s.Type, width))
		p.kernel.SharedBytes += width * s.Bytes
	}
	return p.inBraces("", func() error {
		for _, step := range s.Steps {
			for _, f := range step.Fields {
				for beside := -1; beside < len(f.Beside); beside++ {
					p.line("%s %s[%d] = {0};", s.Type, f.Registers(beside), s.Planes*s.Turns())
				}
			}
		}
		p.defines("tune_from", "tune_to", "tune_s0", "tune_u", s.Var)
		p.sizes.loop("tune_s0", p.tree(s.From), p.tree(s.To), fmt.Sprintf("%d.0", s.Planes))
		p.sizes.names("tune_u", fmt.Sprintf("%d.0", s.Planes))
		p.sizes.names(s.Var, p.sizes.of(joined("+", name("tune_s0"), name("tune_u"))))
		p.line("const tune_int tune_from = %s;", p.words.text(s.From))
		p.line("const tune_int tune_to = %s;", p.words.text(s.To))
		return p.inBraces(fmt.Sprintf("for (tune_int tune_s0 = tune_from; tune_s0 <= tune_to; tune_s0 += %d)", s.Planes), func() error {
			p.line("#pragma unroll")
			return p.inBraces(fmt.Sprintf("for (int tune_u = 0; tune_u < %d; tune_u++)", s.Planes), func() error {
				p.line("const tune_int %s = tune_s0 + tune_u;", s.Var)
				return p.planes(s)
			})
		})
	})
}

// defines notes variables of the kernel's own.
func (p *kernelText) defines(variables ...string) {
	for _, variable := range variables {
		p.defined[variable] = true
	}
}

// planes writes one plane of each step.
func (p *kernelText) planes(s *loopir.Streamed) error {
	shared := int64(0)
	if s.Shares()%2 != 0 {
		p.line("const int tune_other = (int) ((%s - tune_from) & 1);", s.Var)
	}
	for _, step := range s.Steps {
		plane := fmt.Sprintf("%d", shared%2)
		if s.Shares()%2 != 0 {
			plane = []string{"tune_other", "(1 - tune_other)"}[shared%2]
		}
		w := &streamText{kernelText: p, tile: s, step: step, plane: plane}
		if err := w.write(); err != nil {
			return err
		}
		if step.Shares() > 0 {
			shared++
		}
	}
	return nil
}

// streamText writes a step.
type streamText struct {
	*kernelText
	tile *loopir.Streamed
	step *loopir.StreamStep
	// plane is that in shared memory in which threads give each other values: the first one, of
	// several fields.
	plane string
}

// write writes the loads of a step, what threads give each other, and its instances.
func (w *streamText) write() error {
	if err := w.takes(); err != nil {
		return err
	}
	if w.step.Shares() > 0 {
		w.line("%s", w.language.Barrier)
	}
	return w.inColumns(func() error {
		for _, f := range w.step.Fields {
			for beside, distance := range f.Beside {
				w.line("%s = %s;", w.register(f, beside, f.Shared), w.shared(f, w.tile.Beside(distance)))
			}
		}
		for _, s := range w.step.Body {
			if err := w.instanceIn(s.(*loopir.StreamRun)); err != nil {
				return err
			}
		}
		return nil
	})
}

// takes writes what a thread's columns have of memory, and what it gives to others, where there is
// some of both.
func (w *streamText) takes() error {
	if !slices.ContainsFunc(w.step.Fields, func(f *loopir.StreamField) bool { return len(f.Loads)+len(f.Beside) > 0 }) {
		return nil
	}
	return w.inColumns(func() error {
		for _, f := range w.step.Fields {
			if err := w.takesOf(f); err != nil {
				return err
			}
		}
		return nil
	})
}

// takesOf writes those of a field.
func (w *streamText) takesOf(f *loopir.StreamField) error {
	for _, load := range f.Loads {
		value, err := w.value(assignedOperands(w.program, load.Run.Statement.Statement)[load.Access], load.Run, false)
		if err != nil {
			return err
		}
		w.line("if (%s)", w.words.text(load.If))
		w.line("  %s = %s;", w.register(f, -1, f.Newest), textOf(value))
	}
	if len(f.Beside) > 0 {
		w.line("%s = %s;", w.shared(f, 0), w.register(f, -1, f.Shared))
	}
	return nil
}

// instanceIn writes an instance whose reads are in registers, and whose value is kept in one, or
// stored, or both.
func (w *streamText) instanceIn(s *loopir.StreamRun) error {
	stored, err := w.target(s)
	if err != nil {
		return err
	}
	value, err := w.computed(s)
	if err != nil {
		return err
	}
	if s.Keeps != nil {
		kept := name(w.register(s.Keeps, -1, 0))
		w.assigns(s.If, kept, value)
		value = kept
	}
	if stored != nil {
		w.assigns(s.Stores, stored, value)
	}
	return nil
}

// assigns writes an assignment under a condition.
func (w *streamText) assigns(condition *loopir.Expr, to, value scop.Expr) {
	w.line("if (%s)", w.words.text(condition))
	w.line("  %s;", textOf(&scop.Binary{Operator: "=", X: to, Y: value}))
}

// computed is what an instance gives its target: the value that it assigns, or, of an update, the
// one before with that.
func (w *streamText) computed(s *loopir.StreamRun) (scop.Expr, error) {
	run := s.Body[0].(*loopir.Run)
	operands := assignedOperands(w.program, run.Statement.Statement)
	w.inRegisters = map[*scop.Ref]string{operands[0]: "tune_none"} // the target is not read, but by an update
	for _, read := range s.Reads {
		w.inRegisters[operands[read.Access]] = w.registerAt(read.Field, read.Beside, read.Along-w.step.Lag)
	}
	value, err := w.instanceOf(run)
	w.inRegisters = nil
	if err != nil {
		return nil, err
	}
	assignment, is := value.(*scop.Binary)
	if !is || !isAssignment(assignment.Operator) {
		return nil, fmt.Errorf("tiles are streamed of assignments, and %s is none", run.Statement.Statement.Spelling())
	}
	if operator := strings.TrimSuffix(assignment.Operator, "="); operator != "" {
		return &scop.Binary{Operator: operator, X: assignment.X, Y: assignment.Y}, nil
	}
	return assignment.Y, nil
}

// target is the element that an instance stores to, of the second grid where its array has one; nil
// for one that stores nothing.
func (w *streamText) target(s *loopir.StreamRun) (scop.Expr, error) {
	if s.Stores == nil {
		return nil, nil
	}
	run := s.Body[0].(*loopir.Run)
	ref := assignedOperands(w.program, run.Statement.Statement)[0]
	element, err := w.value(ref, run, false)
	if !s.Swapped || err != nil {
		return element, err
	}
	array := w.arrays[run.Statement.Statement.Accesses[0].Array]
	at, err := w.flat(array, ref, run)
	return w.global(w.secondOf(array), at), err
}

// register is that of a field's plane so far ahead of the step's.
func (w *streamText) register(f *loopir.StreamField, beside int, ahead int64) string {
	return w.registerAt(f, beside, ahead-w.step.Lag)
}

// registerAt is that of a field's plane so far ahead of the first step's.
func (w *streamText) registerAt(f *loopir.StreamField, beside int, ahead int64) string {
	planes, turns := w.tile.Planes, w.tile.Turns()
	at := "0"
	if planes > 1 {
		at = fmt.Sprintf("(tune_u + %d) %% %d", (ahead%planes+planes)%planes, planes)
	}
	if turns > 1 {
		at = fmt.Sprintf("%s * %d + tune_turn_", strings.Replace("("+at+")", "(0)", "0", 1), turns)
	}
	return fmt.Sprintf("%s[%s]", f.Registers(beside), at)
}

// shared is the place in the plane at hand of a field that is so far from the column at hand.
func (w *streamText) shared(f *loopir.StreamField, beside int64) string {
	at := joined("+", joined("*", number(w.tile.Exchanged()*w.tile.Width()), name(w.plane)), name("tune_at"))
	return fmt.Sprintf("tune_x[%s]", textOf(joined("+", at, number(w.step.PlaneOf(f)*w.tile.Width()+beside))))
}

// inColumns writes code for each of a thread's columns.
func (w *streamText) inColumns(write func() error) error {
	depth := w.depth
	var at, turn scop.Expr
	for k, c := range w.tile.Columns {
		place := w.tree(loopir.Index(c.Dimension))
		if c.Turns() > 1 {
			q := fmt.Sprintf("tune_q%d", k)
			w.defines(q)
			w.sizes.names(q, fmt.Sprintf("%d.0", c.Turns()))
			w.line("#pragma unroll")
			w.line("for (int %s = 0; %s < %d; %s++) {", q, q, c.Turns(), q)
			w.depth++
			place = joined("+", place, joined("*", number(c.Threads), name(q)))
			turn = behind(turn, c.Turns(), name(q))
		}
		w.line("{")
		w.depth++
		w.defines(c.Var)
		value := joined("+", w.tree(c.From), place)
		w.sizes.names(c.Var, w.sizes.of(value))
		w.line("const tune_int %s = %s;", c.Var, textOf(value))
		at = behind(at, c.Width(), joined("+", place, number(c.Before)))
	}
	if w.tile.Turns() > 1 {
		w.line("const int tune_turn_ = %s;", textOf(turn))
	}
	if w.step.Shares() > 0 {
		w.line("const int tune_at = (int) (%s);", textOf(at))
	}
	err := write()
	for w.depth > depth {
		w.depth--
		w.line("}")
	}
	return err
}

// behind is a number with another one as its last digit, of so many; the digit alone for nil.
func behind(outer scop.Expr, count int64, digit scop.Expr) scop.Expr {
	if outer == nil {
		return digit
	}
	return joined("+", joined("*", number(count), outer), digit)
}
