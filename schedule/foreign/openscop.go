package foreign

import (
	"errors"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/openscop"
)

// fromOpenScop reads the scatterings of an OpenScop file. Its statements have no names: they are
// those of the program in their order.
func fromOpenScop(c *isl.Context, p *scop.Program, text string) (*Schedule, error) {
	f, err := openscop.Parse(text)
	if at := (*openscop.Error)(nil); errors.As(err, &at) {
		return nil, &Error{at.Line, at.Reason}
	}
	parameters, err := parametersOf(f, p)
	if err != nil {
		return nil, err
	}
	s := &Schedule{ordered: true}
	for k := range f.Statements {
		read := &f.Statements[k]
		if k == 0 {
			s.Line = read.Scattering.Line
		}
		domain := c.ReadSet(read.Domain.Text("", parameters))
		times := c.ReadMap(read.Scattering.Text("", parameters)).IntersectDomain(domain)
		s.statements = append(s.statements, &statement{name: fmt.Sprint("statement ", k+1), times: times, line: read.Scattering.Line, runs: map[int]way{}})
	}
	for _, loop := range f.Loops {
		s.addLoop(f, loop)
	}
	return s, c.Err()
}

// parametersOf are the program's names for the file's parameters: those of the same name or
// spelling, or where the file gives none, those of the program in their order.
func parametersOf(f *openscop.File, p *scop.Program) ([]string, error) {
	count := f.Context.Parts[0].Parameters
	if f.Parameters == nil {
		if count != len(p.Parameters) {
			return nil, &Error{f.Context.Line, fmt.Sprintf("there are %d parameters without names, and %d in the program", count, len(p.Parameters))}
		}
		return p.Parameters, nil
	}
	names := make([]string, count)
	for k, name := range f.Parameters {
		at := slices.IndexFunc(p.Parameters, func(own string) bool { return own == name || p.Spelling(own) == name })
		names[k] = fmt.Sprintf("no_parameter_%d", k+1)
		if at >= 0 {
			names[k] = p.Parameters[at]
		}
	}
	return names, nil
}

// addLoop notes how a loop is to run.
func (s *Schedule) addLoop(f *openscop.File, loop openscop.Loop) {
	at := slices.Index(f.Times, loop.Time)
	if at < 0 {
		return
	}
	for _, number := range loop.Statements {
		runs := s.statements[number-1].runs
		now := runs[at]
		now.parallel = now.parallel || loop.Directive&openscop.Parallel != 0
		now.vector = now.vector || loop.Directive&openscop.Vector != 0
		runs[at] = now
	}
}
