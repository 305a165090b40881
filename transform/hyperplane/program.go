package hyperplane

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/isl/ilp"
	"polytune/scop"
)

// unlimitedValue stands for the missing upper bound of an unknown.
const unlimitedValue = int64(-1)

// unknown is one integer unknown of a hyperplane program.
type unknown struct {
	name string
	// lower and upper bound its values; upper may be unlimitedValue. The lower
	// bound is zero unless descending.
	lower, upper int64
	// descending says that of two values the larger is better in the lexicographic
	// objective. Such an unknown has both bounds.
	descending bool
}

// constraint is one row of a hyperplane program over its unknowns: = 0 or >= 0.
type constraint struct {
	// equation is the equation of the Pluto+ paper that the row comes from, with
	// the dependence or statement that it is about.
	equation string
	row      ilp.SparseRow
	equality bool
}

// program is the integer program of one hyperplane: unknowns in the order of
// the lexicographic objective, and constraints.
type program struct {
	unknowns    []unknown
	constraints []constraint
	// known has the constraints by their text.
	known map[string]bool
	// key is room for such a text.
	key []byte
	// leading is how many of the equalities come first: a program that they leave
	// no solution is known to be so early.
	leading int
}

// add appends an unknown and returns its number.
func (p *program) add(u unknown) int {
	p.unknowns = append(p.unknowns, u)
	return len(p.unknowns) - 1
}

// newRow is a row of zeros.
func (p *program) newRow() []int64 { return make([]int64, len(p.unknowns)+1) }

// constrain adds a row of the unknowns and the constant, unless it is there
// already or says nothing.
func (p *program) constrain(equation string, row ilp.SparseRow, equality bool) {
	if len(row.Terms) == 0 && row.Constant == 0 {
		return
	}
	if p.known == nil {
		p.known = map[string]bool{}
	}
	p.key = strconv.AppendBool(binary.AppendVarint(row.AppendKey(p.key[:0], 1), row.Constant), equality)
	if !p.known[string(p.key)] {
		p.known[string(p.key)] = true
		p.constraints = append(p.constraints, constraint{equation, row, equality})
	}
}

// lead makes the equalities so far the leading ones.
func (p *program) lead() {
	for _, c := range p.constraints {
		if c.equality {
			p.leading++
		}
	}
}

// atLeastZero adds the constraint row >= 0.
func (p *program) atLeastZero(equation string, row []int64) {
	p.constrain(equation, ilp.Sparse(row), false)
}

// isZero adds the constraint row = 0.
func (p *program) isZero(equation string, row []int64) { p.constrain(equation, ilp.Sparse(row), true) }

// problem is the program for the solver: over non-negative unknowns, with upper
// bound minus value in the place of a descending one.
func (p *program) problem() *ilp.Problem {
	p.known = nil // the program is complete
	q := &ilp.Problem{Leading: p.leading}
	for _, u := range p.unknowns {
		q.Unknowns = append(q.Unknowns, u.name)
	}
	for k := range p.unknowns {
		q.AtLeast(k, 0)
	}
	for k, u := range p.unknowns {
		if u.upper != unlimitedValue {
			q.AtMost(k, u.upper-u.lower)
		}
	}
	width := len(p.unknowns) + 1
	entries := make([]int64, width*len(p.constraints))
	for i, c := range p.constraints {
		row := entries[i*width : (i+1)*width : (i+1)*width]
		row[width-1] = c.row.Constant
		for _, t := range c.row.Terms {
			row[t.Unknown] = t.Value
			if u := p.unknowns[t.Unknown]; u.descending {
				row[t.Unknown] = -t.Value
				row[width-1] += t.Value * u.upper
			}
		}
		if c.equality {
			q.Equalities = append(q.Equalities, row)
		} else {
			q.Inequalities = append(q.Inequalities, row)
		}
	}
	return q
}

// values are the unknowns in a solution of problem.
func (p *program) values(solution []int64) []int64 {
	values := slices.Clone(solution)
	for k, u := range p.unknowns {
		if u.descending {
			values[k] = u.upper - values[k]
		}
	}
	return values
}

// text prints the program: the objective with the bounds of its unknowns, and
// the constraints behind the equation that each comes from.
func (p *program) text() string {
	names := make([]string, len(p.unknowns))
	objective := make([]string, len(p.unknowns))
	var bounds []string
	for k, u := range p.unknowns {
		names[k], objective[k] = u.name, u.name
		if u.descending {
			objective[k] = "-" + u.name
		}
		if u.upper != unlimitedValue {
			bounds = append(bounds, fmt.Sprintf("%d <= %s <= %d", u.lower, u.name, u.upper))
		} else {
			bounds = append(bounds, fmt.Sprintf("%s >= %d", u.name, u.lower))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  lexmin(%s)\n  bounds: %s\n", strings.Join(objective, ", "), strings.Join(bounds, ", "))
	width := 0
	for _, c := range p.constraints {
		width = max(width, len(c.equation))
	}
	for _, c := range p.constraints {
		relation := ">="
		if c.equality {
			relation = "="
		}
		fmt.Fprintf(&b, "  %-*s  %s %s 0\n", width, c.equation, sumText(c.row.Dense(len(names)), names), relation)
	}
	return b.String()
}

// sumText is a row over names, and then the constant, as a sum.
func sumText(row []int64, names []string) string {
	return scop.Row{Iterators: row[:len(names)], Constant: row[len(names)]}.Text(names, nil)
}
