package space

import (
	"cmp"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/isl/ilp"
	"polytune/scop"
)

// solve decides whether the statements of a class have rows, and returns rows
// that are as simple as program says; nil when there are none. Rows in the
// source's directions are looked for first.
func (g *groupTest) solve(class []int) (Rows, error) {
	rows, err := g.solveIn(class, true)
	if rows != nil || err != nil || !g.signed {
		return rows, err
	}
	return g.solveIn(class, false)
}

func (g *groupTest) solveIn(class []int, sourceOnly bool) (Rows, error) {
	p, err := g.newProgram(class, sourceOnly)
	if err != nil {
		return nil, err
	}
	first, enough := p.independence(sourceOnly)
	open := [][][]int64{nil}
	if len(first) > 0 {
		open = append(open, first)
	}
	if enough {
		open = open[len(open)-1:]
	}
	return p.branchAndBound(open)
}

// branchAndBound solves the program with further inequalities, the last of the
// given lists first. Three conditions on rows are not linear: that a loop runs
// in one direction only, that the row is linearly independent of the outer ones,
// and that rows meet. A solution that violates one of them is replaced by what the
// alternatives allow; so every solution is reached, and the search ends
// because each alternative settles a condition for good.
func (p *program) branchAndBound(open [][][]int64) (Rows, error) {
	for len(open) > 0 {
		further := open[len(open)-1]
		open = open[:len(open)-1]
		solution, ok, err := p.solve(further)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		alternatives, err := p.violated(solution)
		if err != nil {
			return nil, err
		}
		if alternatives == nil {
			return p.rows(solution), nil
		}
		for _, row := range slices.Backward(alternatives) {
			open = append(open, append(slices.Clip(further), row))
		}
	}
	return nil, nil
}

// minimumOperations limits the search for the smallest solution, which need
// not end where there is none, and takes exponential time where there is one
// with large numbers, such as the doubling rows of a chain of stencils. The
// built-in kernels need less than 100.
const minimumOperations = 10_000

// solve is a solution with further inequalities, the smallest unless the search
// for it takes too long; ok is false when there is none.
func (p *program) solve(further [][]int64) (solution []int64, ok bool, err error) {
	problem := p.problem
	problem.Inequalities = append(slices.Clip(problem.Inequalities), further...)
	context := p.test.model.Context
	answer, err := ilp.Lexmin(context, p.test.operations, &problem)
	solution, ok = answer.Solution, answer.Found
	if answer.Exceeded {
		solution, ok, err = anySolution(context, &problem)
	}
	if err != nil {
		context.TakeErr()
		return nil, false, fmt.Errorf("rows for %s: %w", drawClass(p.class, p.test.model.Program.StatementNames()), err)
	}
	return solution, ok, nil
}

// anySolution is some solution, found by basis reduction, which always ends.
func anySolution(context *isl.Context, p *ilp.Problem) (solution []int64, ok bool, err error) {
	mark := context.Mark()
	defer context.Release(mark)
	set := context.BasicSetFromConstraints(len(p.Unknowns), p.Equalities, p.Inequalities).ToSet()
	empty, err := set.IsEmpty()
	if empty || err != nil {
		return nil, false, err
	}
	if solution, ok = set.Point(); !ok {
		return nil, false, cmp.Or(context.Err(), isl.ErrTooLarge)
	}
	return solution, true, nil
}

// violated are inequalities one of which every row that satisfies the
// conditions satisfies, but the solution does not; nil when the solution
// violates no condition.
func (p *program) violated(solution []int64) ([][]int64, error) {
	rows := p.rows(solution)
	for i, s := range p.class {
		if alternatives := p.oneDirection(i, solution); alternatives != nil {
			return alternatives, nil
		}
		if len(p.coefficient[i]) > 0 && !p.test.isIndependent(s, rows[s]) {
			return p.independent(i), nil
		}
	}
	first, second, apart, err := p.test.meeting.apart(rows)
	if !apart || err != nil {
		return nil, err
	}
	return p.meets(rows, first, second), nil
}

// meets are inequalities one of which makes rows of two statements meet at the
// size that the meeting looks at: of some instance of each, that of the one that
// runs too early is the later one. There are none when no instances are known;
// rows that meet at other sizes only are not found.
func (p *program) meets(rows Rows, first, second int) [][]int64 {
	m := p.test.meeting
	if m.spanAt(first, rows[first]).low >= m.spanAt(second, rows[second]).high {
		first, second = second, first
	}
	ways := [][]int64{}
	for _, late := range m.ends[first] {
		for _, early := range m.ends[second] {
			row := p.problem.NewRow()
			p.addValue(row, first, late, 1)
			p.addValue(row, second, early, -1)
			row[len(row)-1]--
			ways = append(ways, row)
		}
	}
	return ways
}

// addValue adds, sign times, the value of a statement's row at an instance, at
// the size of the meeting, as an expression over the unknowns.
func (p *program) addValue(row []int64, s int, instance []int64, sign int64) {
	i := slices.Index(p.class, s)
	for k, unknown := range p.coefficient[i] {
		unit := make([]int64, k+1)
		unit[k] = 1
		row[unknown] += sign * p.test.row(s, unit, 0).At(instance, p.test.meeting.size)
	}
	row[p.shift[i]] += sign
}

// oneDirection are the two ways to have one direction only of a loop that the
// solution runs in both.
func (p *program) oneDirection(i int, solution []int64) [][]int64 {
	times := p.test.times[p.class[i]]
	for a, unknown := range p.coefficient[i] {
		for b, other := range p.coefficient[i][:a] {
			opposite := times[a].loop == times[b].loop && times[a].sign != times[b].sign
			if opposite && solution[unknown] > 0 && solution[other] > 0 {
				return [][]int64{p.without(i, a), p.without(i, b)}
			}
		}
	}
	return nil
}

// without demands that times of the direction of time k have no coefficient.
func (p *program) without(i, k int) []int64 {
	times := p.test.times[p.class[i]]
	row := p.problem.NewRow()
	for b, unknown := range p.coefficient[i] {
		if times[b].loop == times[k].loop && times[b].sign == times[k].sign {
			row[unknown] = -1
		}
	}
	return row
}

// independent are all ways in which a row can be independent of the outer
// rows: its product with some row of a basis of their orthogonal complement H⊥
// is not zero.
func (p *program) independent(i int) [][]int64 {
	var ways [][]int64
	for _, h := range p.test.complement(p.class[i]) {
		positive := p.product(i, h)
		negative := make([]int64, len(positive))
		for k, v := range positive {
			negative[k] = -v
		}
		positive[len(positive)-1], negative[len(negative)-1] = -1, -1
		ways = append(ways, positive, negative)
	}
	return ways
}

// product is h · row, for a vector over the iterators, as an expression over
// the unknowns.
func (p *program) product(i int, h []int64) []int64 {
	row := p.problem.NewRow()
	for k, t := range p.test.times[p.class[i]] {
		row[p.coefficient[i][k]] = t.sign * h[t.loop]
	}
	return row
}

// independence is how the Pluto algorithm makes rows independent, (16) of the
// Pluto+ paper: the products with all rows of H⊥ are at least zero and their
// sum at least one. It nearly always has a solution when there are independent
// rows at all; enough says that it leaves none out, because no product of H⊥
// with a row in the source's directions is negative.
func (p *program) independence(sourceOnly bool) (rows [][]int64, enough bool) {
	enough = true
	for i, s := range p.class {
		if len(p.test.outer[s]) == 0 || len(p.coefficient[i]) == 0 {
			continue
		}
		sum := p.problem.NewRow()
		sum[len(sum)-1] = -1
		for _, h := range p.test.complement(s) {
			row := p.product(i, h)
			for k, v := range row {
				sum[k] += v
			}
			rows = append(rows, row)
			enough = enough && sourceOnly && !slices.ContainsFunc(p.sourceProducts(i, row), negative)
		}
		rows = append(rows, sum)
	}
	return rows, enough
}

// sourceProducts are the entries of a row for the source's times.
func (p *program) sourceProducts(i int, row []int64) []int64 {
	var entries []int64
	for k, unknown := range p.coefficient[i] {
		if p.test.isSourceTime(p.class[i], k) {
			entries = append(entries, row[unknown])
		}
	}
	return entries
}

func negative(v int64) bool { return v < 0 }

// complement is a basis of the vectors over the iterators of a statement that
// are orthogonal to its outer rows. The first entry of each that is not zero
// is positive for the source's times.
func (g *groupTest) complement(s int) [][]int64 {
	loops := g.model.Statements[s].Loops
	forward := func(rows [][]int64) [][]int64 {
		list := make([][]int64, len(rows))
		for i, row := range rows {
			list[i] = slices.Clone(row)
			for k, loop := range loops {
				if loop.Descending {
					list[i][k] = -row[k]
				}
			}
		}
		return list
	}
	return forward(scop.Orthogonal(forward(g.outer[s]), len(loops)))
}

// isIndependent says whether a row is linearly independent of the outer rows
// of its statement.
func (g *groupTest) isIndependent(s int, row scop.Row) bool {
	outer := g.outer[s]
	return scop.Rank(append(slices.Clip(outer), row.Iterators), g.depth(s)) > scop.Rank(outer, g.depth(s))
}
