package scop

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"polytune/isl"
)

// The limits of Times, which looks at the domain of each statement once: far more than any program
// of the tests takes.
const (
	timesOperations = 10_000_000
	timesLimit      = 10 * time.Second
)

// Times are, by statement, what StatementModel.Times says of its loops. An error may be that isl
// needs too long (isl.IsLimit).
func (p *Program) Times() ([][]Row, error) {
	ctx := isl.NewContext()
	defer ctx.Close()
	defer ctx.Limit(timesOperations, timesLimit)()
	m := &Model{Program: p, Context: ctx, Parameters: ctx.ReadSet(p.Context)}
	for i := range p.Statements {
		m.Statements = append(m.Statements, m.statement(i))
	}
	if err := m.finish(); err != nil {
		return nil, err
	}
	times := make([][]Row, len(m.Statements))
	for i := range m.Statements {
		times[i] = m.Statements[i].Times
	}
	return times, nil
}

// setTimes gives each statement the times of its loops.
func (m *Model) setTimes() error {
	for i := range m.Statements {
		s := &m.Statements[i]
		for k, loop := range s.Loops {
			row := Row{Iterators: make([]int64, s.Depth()), Parameters: make([]int64, len(m.Program.Parameters))}
			row.Iterators[k] = 1
			if loop.Descending {
				start, err := m.start(s, k)
				if err != nil {
					return fmt.Errorf("the start of loop %s around %s: %w", loop.Iterator, s.Name, err)
				}
				row.Iterators[k], row.Parameters, row.Constant = -1, start.Parameters, start.Constant
			}
			s.Times = append(s.Times, row)
		}
	}
	return nil
}

// start is what a loop that counts down starts from: the first affine
// expression over the parameters that bounds the iterator for all statements in
// the loop, and zero where there is none. It is the same for all of them.
func (m *Model) start(s *StatementModel, loop int) (Row, error) {
	mark := m.Context.Mark()
	defer m.Context.Release(mark)
	var values *isl.Set
	for i := range m.Statements {
		t := &m.Statements[i]
		if s.CommonLoops(t.Statement) <= loop {
			continue
		}
		of := t.Iterations(loop)
		if values == nil {
			values = of
		} else {
			values = values.Union(of)
		}
	}
	bounds, err := m.UpperBounds(values.RemoveRedundancies(), 0)
	if err != nil {
		return Row{}, err
	}
	for _, bound := range bounds {
		within, err := values.IsSubset(m.atMost(bound))
		if err != nil {
			return Row{}, err
		}
		if within {
			return bound, nil
		}
	}
	return Row{Parameters: make([]int64, len(m.Program.Parameters))}, nil
}

// atMost are the numbers up to a bound over the parameters.
func (m *Model) atMost(bound Row) *isl.Set {
	return m.Context.ReadSet(m.Program.ParametersText() + "{ [tune_i] : tune_i <= " + bound.Text(nil, m.Program.Parameters) + " }")
}

// Iterations are the values of one of a statement's iterators, over the
// parameters.
func (s *StatementModel) Iterations(loop int) *isl.Set {
	return s.Domain.ProjectOut(isl.DimSet, loop+1, s.Depth()-loop-1).ProjectOut(isl.DimSet, 0, loop)
}

// UpperBounds are the affine expressions over the program's parameters that
// bound a dimension of a set from above in one of the set's constraints: n − 1
// for i < n, but nothing for 2i < n. A set that is a union may exceed what
// bounds another part of it.
func (m *Model) UpperBounds(set *isl.Set, dimension int) ([]Row, error) {
	dimensions := set.Dim(isl.DimSet)
	names := make([]string, set.Dim(isl.DimParam))
	for p := range names {
		names[p] = set.DimName(isl.DimParam, p)
	}
	var bounds []Row
	for _, piece := range set.BasicSets() {
		equalities, inequalities, err := piece.Constraints()
		if err != nil {
			return nil, cmp.Or(m.Context.TakeErr(), err)
		}
		for _, row := range append(bothSigns(equalities), inequalities...) {
			alone := row[dimension] == -1 && IsZero(row[:dimension]) && IsZero(row[dimension+1:dimensions])
			if bound, ok := upperBound(row[dimensions:], names, m.Program.Parameters); ok && alone {
				bounds = append(bounds, bound)
			}
		}
	}
	return bounds, nil
}

// bothSigns are the rows and their negations.
func bothSigns(rows [][]int64) [][]int64 {
	both := slices.Clone(rows)
	for _, row := range rows {
		negated := make([]int64, len(row))
		for k, v := range row {
			negated[k] = -v
		}
		both = append(both, negated)
	}
	return both
}

// upperBound reads the rest of a constraint, over [named parameters, quantified
// variables, constant], as the bound of bound − iterator >= 0, if it is one over
// the program's parameters.
func upperBound(row []int64, names, parameters []string) (bound Row, ok bool) {
	bound = Row{Parameters: make([]int64, len(parameters)), Constant: row[len(row)-1]}
	for k, name := range names {
		p := slices.Index(parameters, name)
		switch {
		case p >= 0:
			bound.Parameters[p] = row[k]
		case row[k] != 0:
			return bound, false
		}
	}
	return bound, IsZero(row[len(names) : len(row)-1])
}

// IsZero says whether all numbers of a row are 0.
func IsZero(row []int64) bool {
	return !slices.ContainsFunc(row, func(v int64) bool { return v != 0 })
}
