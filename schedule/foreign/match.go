package foreign

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
)

// match finds the statement of the file for each statement of a program, or the piece of one: by
// names, where S_0 is S0, or else by the order and the number of iterators.
func (s *Schedule) match(p *scop.Program) ([]*statement, error) {
	if !s.ordered {
		for _, name := range []func(string) string{func(name string) string { return name }, plainName} {
			if of := s.matchNames(p, name); of != nil {
				return of, nil
			}
		}
	}
	return s.matchOrder(p)
}

// underlined is a name as pet gives it.
var underlined = pattern.New(`^S_([0-9]+)$`)

// plainName is the name of a statement here.
func plainName(name string) string { return underlined.ReplaceAllString(name, "S$1") }

// matchNames is nil where not all statements have the other's name, or one has too few iterators.
func (s *Schedule) matchNames(p *scop.Program, name func(string) string) []*statement {
	of, used := make([]*statement, len(p.Statements)), map[*statement]bool{}
	for k := range p.Statements {
		own := &p.Statements[k]
		at := slices.IndexFunc(s.statements, func(other *statement) bool {
			read := name(other.name)
			return (read == own.Name || read == own.Whole()) && other.iterators() >= own.Depth()
		})
		if at < 0 {
			return nil
		}
		of[k] = s.statements[at]
		used[of[k]] = true
	}
	if len(used) != len(s.statements) {
		return nil
	}
	return of
}

// matchOrder takes the statements as they come.
func (s *Schedule) matchOrder(p *scop.Program) ([]*statement, error) {
	var wholes, ours, theirs []string
	of := make([]*statement, len(p.Statements))
	fits := true
	for k := range p.Statements {
		own := &p.Statements[k]
		if !slices.Contains(wholes, own.Whole()) {
			wholes = append(wholes, own.Whole())
			ours = append(ours, fmt.Sprintf("%s with %d loops", own.Whole(), own.Depth()))
		}
		if at := len(wholes) - 1; at < len(s.statements) {
			of[k] = s.statements[at]
			fits = fits && of[k].iterators() >= own.Depth()
		}
	}
	if fits && len(wholes) == len(s.statements) {
		return of, nil
	}
	for _, other := range s.statements {
		theirs = append(theirs, fmt.Sprintf("%s with %d iterators", other.name, other.iterators()))
	}
	return nil, &Error{s.Line, fmt.Sprintf("its statements are not those of the program, which has %s; here are %s", strings.Join(ours, ", "), strings.Join(theirs, ", "))}
}

// timesOf are the times of a statement of the program. Iterators of the file in front of the
// statement's own are coordinates of tiles, and determined by these. The tuple of times loses its
// name.
func (s *statement) timesOf(m *scop.StatementModel, p *scop.Program) (*isl.Map, error) {
	instance := p.InstanceText(m.Index)
	same := m.Domain.Context().ReadMap(fmt.Sprintf("%s{ %s -> %s }", p.ParametersText(), instance, instance))
	local := s.iterators() - m.Depth()
	own := s.times.ProjectOut(isl.DimIn, 0, local).SetTupleName(isl.DimIn, m.Name).ProjectOut(isl.DimOut, 0, 0)
	times := same.ApplyRange(own).IntersectDomain(m.Domain).Coalesce()
	if err := schedule.CheckTimes(m.Spelling(), times, m.Domain); isl.IsLimit(err) {
		return nil, err
	} else if err != nil {
		return nil, &Error{s.line, err.Error()}
	}
	if injective, err := times.IsInjective(); err != nil {
		return nil, err
	} else if !injective {
		pairs := times.ApplyRange(times.Reverse()).Subtract(same)
		return nil, &Error{s.line, fmt.Sprintf("two instances of %s have one time: for example %s", m.Spelling(), pairs.Sample())}
	}
	return times, nil
}
