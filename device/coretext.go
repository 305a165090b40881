package device

import (
	"fmt"

	"polytune/loopir"
	"polytune/scop"
)

// Core says what the code of full tiles has, as it is printed.
type Core struct {
	// Conditions and Modulos are the numbers of conditions and of remainders.
	Conditions int `json:"conditions"`
	Modulos    int `json:"modulos"`
	// Unrolled says that there are no loops.
	Unrolled bool `json:"unrolled"`
	// LoadsPerPoint is how many elements are loaded from an array, or a copy of one, for each
	// instance.
	LoadsPerPoint float64 `json:"loads_per_point"`

	loads, points int
}

// core writes the code of a full tile.
func (p *kernelText) core(c *loopir.Core) error {
	report := &Core{Unrolled: true}
	p.registers(c)
	p.kernel.Core = report
	p.inCore = report
	err := p.code(c.Body)
	p.inCore = nil
	if report.points > 0 {
		report.LoadsPerPoint = float64(report.loads) / float64(report.points)
	}
	return err
}

// step writes instances of which none uses what another one writes: an element that several read is
// loaded once.
func (p *kernelText) step(s *loopir.Step) error {
	var values []scop.Expr
	var runs []*loopir.Run
	var others loopir.Code
	for _, inside := range s.Body {
		run, is := inside.(*loopir.Run)
		if !is {
			others = append(others, inside)
			continue
		}
		value, err := p.withRegisters(run)
		if err != nil {
			return err
		}
		values, runs = append(values, value), append(runs, run)
	}
	return p.inBraces("", func() error {
		p.loadOnce(values)
		for k, value := range values {
			p.assigns(runs[k], value)
			p.counts(value)
			if err := p.stores(runs[k]); err != nil {
				return err
			}
		}
		return p.code(others)
	})
}

// registers declares those that have what instances of a full tile compute.
func (p *kernelText) registers(c *loopir.Core) {
	for _, run := range loopir.Runs(c.Body) {
		if run.Register > 0 {
			p.line("%s %s;", elementType(p.program.Array(run.Statement.Statement.Accesses[0].Array)), registerName(run.Register))
		}
	}
}

// registerName is the name of such a register.
func registerName(number int) string { return fmt.Sprintf("tune_r%d", number) }

// withRegisters is the tree of an instance with registers in the place of what it reads of them.
func (p *kernelText) withRegisters(run *loopir.Run) (scop.Expr, error) {
	p.inRegisters = map[*scop.Ref]string{}
	for access, number := range run.Registers {
		p.inRegisters[operandsOf(p.program, run.Statement.Statement)[access]] = registerName(number)
	}
	defer func() { p.inRegisters = nil }()
	return p.instanceOf(run)
}

// assigns writes an instance, which keeps in a register what it computes where it is to.
func (p *kernelText) assigns(run *loopir.Run, value scop.Expr) {
	assignment, is := value.(*scop.Binary)
	if run.Register == 0 || !is {
		p.line("%s;", textOf(value))
		return
	}
	p.line("%s = %s;", registerName(run.Register), textOf(assignment.Y))
	p.line("%s = %s;", textOf(assignment.X), registerName(run.Register))
}

// loadOnce gives elements that are read several times a variable.
func (p *kernelText) loadOnce(values []scop.Expr) {
	reads := map[string][]*scop.Ref{}
	var order []string
	for _, value := range values {
		for _, ref := range readsOf(value) {
			text := textOf(ref)
			if len(reads[text]) == 0 {
				order = append(order, text)
			}
			reads[text] = append(reads[text], ref)
		}
	}
	for _, text := range order {
		kind := p.elementTypeOf(reads[text][0])
		if len(reads[text]) == 1 || kind == "" {
			continue
		}
		variable := fmt.Sprintf("tune_v%d", p.variables)
		p.variables++
		p.line("const %s %s = %s;", kind, variable, text)
		if p.inCore != nil {
			p.inCore.loads++
		}
		for _, ref := range reads[text] {
			*ref = scop.Ref{Name: variable, Loop: -1}
		}
	}
}

// readsOf are the elements that an instance reads.
func readsOf(instance scop.Expr) (reads []*scop.Ref) {
	assignment, is := instance.(*scop.Binary)
	if !is || assignment.Operator != "=" {
		return nil
	}
	scop.Walk(assignment.Y, func(e scop.Expr) bool {
		ref, is := e.(*scop.Ref)
		if is && len(ref.Subscripts) > 0 {
			reads = append(reads, ref)
		}
		return !is
	})
	return reads
}

// elementTypeOf is the type of an element of an array, or of a copy; "" where nobody knows it.
func (p *kernelText) elementTypeOf(ref *scop.Ref) string {
	for _, box := range p.boxes {
		if p.memoryName(box.Of) == ref.Name {
			return elementType(p.arrays[box.Of.Array].Array)
		}
	}
	for _, array := range p.used {
		if deviceName(array.Array) == ref.Name {
			return elementType(array.Array)
		}
	}
	return ""
}

// counts adds what an instance of full tiles has as it is printed.
func (p *kernelText) counts(instance scop.Expr) {
	if p.inCore == nil {
		return
	}
	p.inCore.points++
	p.countsIn(instance)
	if assignment, is := instance.(*scop.Binary); is && assignment.Operator == "=" {
		p.inCore.loads-- // the element that it writes
	}
}

// countsIn adds what an expression has.
func (p *kernelText) countsIn(e scop.Expr) {
	scop.Walk(e, func(e scop.Expr) bool {
		switch e := e.(type) {
		case *scop.Ref:
			if len(e.Subscripts) > 0 {
				p.inCore.loads++
			}
		case *scop.Binary:
			if e.Operator == "%" {
				p.inCore.Modulos++
			}
		case *scop.Select:
			p.inCore.Conditions++
		}
		return true
	})
}
