package space

import (
	"slices"

	"polytune/isl/ilp"
	"polytune/scop"
)

// program is the integer program of a class. Its unknowns are the sum of all
// shifts, the sum of all coefficients, and then, statement by statement, the
// coefficients of the times, inner loops first, and the shift. The smallest
// solution in this order has few shifts, small rows, and rows along outer
// loops of the source.
type program struct {
	test    *groupTest
	class   []int
	problem ilp.Problem
	// coefficient[i][k] is the unknown of time k of the class's statement i,
	// shift[i] that of its shift.
	coefficient [][]int
	shift       []int
}

// newProgram writes down the conditions on all rows of the class that are
// linear. sourceOnly allows no times but those in the source's direction.
func (g *groupTest) newProgram(class []int, sourceOnly bool) (*program, error) {
	p := &program{test: g, class: class}
	unknowns := 2
	for _, s := range class {
		columns := make([]int, len(g.times[s]))
		for k := range columns {
			columns[len(columns)-1-k] = unknowns
			unknowns++
		}
		p.coefficient = append(p.coefficient, columns)
		p.shift = append(p.shift, unknowns)
		unknowns++
	}
	p.problem.Unknowns = make([]string, unknowns)
	p.addBounds(sourceOnly)
	for i, source := range class {
		for j, target := range class {
			f, err := g.between(source, target)
			if err != nil {
				return nil, err
			}
			p.problem.Equalities = p.addForms(p.problem.Equalities, f.equalities, i, j)
			p.problem.Inequalities = p.addForms(p.problem.Inequalities, f.inequalities, i, j)
		}
	}
	for _, private := range g.privates {
		p.addPrivate(private)
	}
	return p, nil
}

// addBounds adds the sums and the bounds of the unknowns: 0 <= shift < peel,
// which is no loss, because adding the same number to all shifts changes
// nothing. A row must not be zero. No bound on the coefficients is needed.
func (p *program) addBounds(sourceOnly bool) {
	for k := range p.problem.Unknowns {
		p.problem.AtLeast(k, 0)
	}
	shifts, coefficients := p.problem.NewRow(), p.problem.NewRow()
	shifts[0], coefficients[1] = -1, -1
	for i, s := range p.class {
		p.problem.AtMost(p.shift[i], int64(p.test.peel-1))
		shifts[p.shift[i]] = 1
		positive := p.problem.NewRow()
		for k, unknown := range p.coefficient[i] {
			coefficients[unknown], positive[unknown] = 1, 1
			if sourceOnly && !p.test.isSourceTime(s, k) {
				p.problem.AtMost(unknown, 0)
			}
		}
		if len(p.coefficient[i]) > 0 {
			positive[len(positive)-1] = -1
			p.problem.Inequalities = append(p.problem.Inequalities, positive)
		}
	}
	p.problem.Equalities = append(p.problem.Equalities, shifts, coefficients)
}

// addForms adds what dependences from the class's statement i to its statement
// j demand.
func (p *program) addForms(rows, forms [][]int64, i, j int) [][]int64 {
	for _, form := range forms {
		row := p.problem.NewRow()
		for k, unknown := range p.coefficient[i] {
			row[unknown] += form[k]
		}
		for k, unknown := range p.coefficient[j] {
			row[unknown] += form[len(p.coefficient[i])+k]
		}
		difference := form[len(form)-1]
		row[p.shift[j]] += difference
		row[p.shift[i]] -= difference
		rows = append(rows, row)
	}
	return rows
}

// addPrivate demands of the statements that access a private variable the same
// row, along the loops around its declaration alone.
func (p *program) addPrivate(private scop.Private) {
	leader := -1
	for i, s := range p.class {
		if !slices.Contains(private.Statements, s) {
			continue
		}
		for k, t := range p.test.times[s] {
			if t.loop >= private.Loops {
				p.problem.AtMost(p.coefficient[i][k], 0)
			}
		}
		if leader < 0 {
			leader = i
			continue
		}
		for column := range private.Loops + len(p.test.model.Program.Parameters) + 1 {
			row := p.problem.NewRow()
			p.addEntry(row, i, private.Loops, column, 1)
			p.addEntry(row, leader, private.Loops, column, -1)
			p.problem.Equalities = append(p.problem.Equalities, row)
		}
	}
}

// addEntry adds, sign times, one entry of the row of the class's statement i,
// as an expression over the unknowns: a column counts the coefficients of the
// first loops, those of the parameters, and the constant.
func (p *program) addEntry(row []int64, i, loops, column int, sign int64) {
	parameters := len(p.test.model.Program.Parameters)
	for k, t := range p.test.times[p.class[i]] {
		unknown := p.coefficient[i][k]
		switch {
		case column < loops && t.loop == column:
			row[unknown] += sign * t.sign
		case column >= loops && column < loops+parameters:
			row[unknown] += sign * t.parameters[column-loops]
		case column == loops+parameters:
			row[unknown] += sign * t.constant
		}
	}
	if column == loops+parameters {
		row[p.shift[i]] += sign
	}
}

// rows reads the rows of the class from a solution.
func (p *program) rows(solution []int64) Rows {
	rows := Rows{}
	for i, s := range p.class {
		coefficients := make([]int64, len(p.coefficient[i]))
		for k, unknown := range p.coefficient[i] {
			coefficients[k] = solution[unknown]
		}
		rows[s] = p.test.row(s, coefficients, solution[p.shift[i]])
	}
	return rows
}
