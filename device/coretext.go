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
	var others loopir.Code
	for _, inside := range s.Body {
		run, is := inside.(*loopir.Run)
		if !is {
			others = append(others, inside)
			continue
		}
		value, err := p.instanceOf(run)
		if err != nil {
			return err
		}
		values = append(values, value)
	}
	return p.inBraces("", func() error {
		p.loadOnce(values)
		for _, value := range values {
			p.line("%s;", textOf(value))
			p.counts(value)
		}
		return p.code(others)
	})
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
