package openscop

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Of is the program of a model, with the scattering that Clan gives it: positions and iterators in
// turn.
func Of(m *scop.Model) (*File, error) {
	f := &File{Language: "C", Parameters: slices.Clone(m.Program.Parameters), Arrays: map[int]string{}}
	if f.Parameters == nil {
		f.Parameters = []string{}
	}
	deepest := 0
	for k := range m.Program.Arrays {
		f.Arrays[k+1] = m.Program.Arrays[k].Name
	}
	all := m.Context.ReadSet(m.Program.ParametersText() + "{ : }")
	var err error
	if f.Context, err = ofSet(Context, m.Parameters); err != nil {
		return nil, err
	}
	for k := range m.Statements {
		s, err := f.ofStatement(&m.Statements[k], all)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Statements[k].Spelling(), err)
		}
		f.Statements = append(f.Statements, s)
		line := m.Statements[k].Line
		f.FirstLine, f.LastLine = min(line, cmp.Or(f.FirstLine, line)), max(line, f.LastLine)
		deepest = max(deepest, m.Statements[k].Depth())
	}
	for k := range 2*deepest + 1 {
		f.Times = append(f.Times, fmt.Sprint("c", k+1))
	}
	return f, m.Context.Err()
}

// ofStatement is a statement of a program for all values of its parameters.
func (f *File) ofStatement(m *scop.StatementModel, all *isl.Set) (s Statement, err error) {
	c := all.Context()
	s = Statement{Iterators: m.Iterators(), Body: strings.Join(strings.Fields(m.Source), " ")}
	if s.Domain, err = ofSet(Domain, m.Domain); err != nil {
		return s, err
	}
	if s.Scattering, err = ofMap(Scattering, m.Schedule.IntersectParams(all), 0); err != nil {
		return s, err
	}
	for _, access := range m.Statement.Accesses {
		for _, kind := range kindsOf(&access) {
			r, err := ofMap(kind, c.ReadMap(access.Relation).IntersectParams(all), f.numberOf(access.Array))
			if err != nil {
				return s, err
			}
			s.Accesses = append(s.Accesses, r)
		}
	}
	return s, nil
}

// kindsOf are those of an access, that of what is read first.
func kindsOf(a *scop.Access) (kinds []Kind) {
	if a.Read {
		kinds = append(kinds, Read)
	}
	switch {
	case a.Write && a.May:
		kinds = append(kinds, MayWrite)
	case a.Write:
		kinds = append(kinds, Write)
	}
	return kinds
}

// numberOf is the number of an array.
func (f *File) numberOf(array string) int64 {
	for number, name := range f.Arrays {
		if name == array {
			return int64(number)
		}
	}
	return 0
}

// ofSet is a relation without input dimensions.
func ofSet(kind Kind, s *isl.Set) (Relation, error) {
	r := Relation{Kind: kind}
	dimensions, parameters := s.Dim(isl.DimSet), s.Dim(isl.DimParam)
	for _, part := range s.BasicSets() {
		equalities, inequalities, err := part.Constraints()
		if err != nil {
			return r, err
		}
		p := Part{Outputs: dimensions, Parameters: parameters}
		p.addRows(0, equalities, 0)
		p.addRows(1, inequalities, 0)
		r.Parts = append(r.Parts, p)
	}
	if r.Parts == nil {
		r.Parts = []Part{none(dimensions, 0, parameters)}
	}
	return r, nil
}

// ofMap is a relation. A number of an array that is not 0 is the first output dimension.
func ofMap(kind Kind, m *isl.Map, array int64) (Relation, error) {
	r := Relation{Kind: kind}
	inputs, outputs, parameters := m.Dim(isl.DimIn), m.Dim(isl.DimOut), m.Dim(isl.DimParam)
	for _, part := range m.BasicMaps() {
		equalities, inequalities, err := part.Wrap().Constraints()
		if err != nil {
			return r, err
		}
		p := Part{Outputs: outputs, Inputs: inputs, Parameters: parameters}
		p.addRows(0, equalities, inputs)
		p.sortOutputs()
		p.addRows(1, inequalities, inputs)
		if array != 0 {
			p.insertArray(array)
		}
		r.Parts = append(r.Parts, p)
	}
	if r.Parts == nil {
		r.Parts = []Part{none(outputs+int(min(1, array)), inputs, parameters)}
	}
	return r, nil
}

// addRows adds constraints of isl's, whose columns are dimensions, parameters, those that exist, and
// the constant; of the dimensions the first ones are input dimensions.
func (p *Part) addRows(kind int64, constraints [][]int64, inputs int) {
	for _, c := range constraints {
		dimensions := p.Outputs + p.Inputs
		behind := dimensions + p.Parameters
		p.Locals = len(c) - behind - 1
		p.Rows = append(p.Rows, slices.Concat([]int64{kind}, c[inputs:dimensions], c[:inputs], c[behind:len(c)-1], c[dimensions:behind], c[len(c)-1:]))
	}
}

// sortOutputs has equalities say what the output dimensions are, in the order of these and with
// factors -1 where they can be had, as Clan writes them.
func (p *Part) sortOutputs() {
	output := func(row []int64) int {
		return slices.IndexFunc(row[1:1+p.Outputs], func(factor int64) bool { return factor != 0 })
	}
	for _, row := range p.Rows {
		if at := output(row); at >= 0 && row[1+at] > 0 {
			for k := range row {
				row[k] = -row[k]
			}
		}
	}
	slices.SortStableFunc(p.Rows, func(a, b []int64) int { return cmp.Compare(uint(output(a)), uint(output(b))) })
}

// insertArray puts the number of an array in front of the output dimensions.
func (p *Part) insertArray(number int64) {
	for k := range p.Rows {
		p.Rows[k] = slices.Insert(p.Rows[k], 1, 0)
	}
	p.Outputs++
	first := make([]int64, p.columns())
	first[1], first[len(first)-1] = -1, number
	p.Rows = slices.Insert(p.Rows, 0, first)
}

// none is a part that nothing is in.
func none(outputs, inputs, parameters int) Part {
	p := Part{Outputs: outputs, Inputs: inputs, Parameters: parameters}
	row := make([]int64, p.columns())
	row[0], row[len(row)-1] = 1, -1
	p.Rows = [][]int64{row}
	return p
}
