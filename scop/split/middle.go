package split

import (
	"polytune/isl/ilp"
	"polytune/scop"
	"polytune/scop/depend"
)

// long are the long parts of the dependences along the axis: those between
// its statements, directly or through one statement without such a loop, which
// is in one place of the axis, like the copy a[0] = a[N] of a boundary.
func (a *axis) long(g *depend.Graph) ([]*depend.Dependence, error) {
	var long []*depend.Dependence
	for _, d := range g.Pairs() {
		if _, ok := a.loops[d.Source]; !ok {
			continue
		}
		if _, ok := a.loops[d.Target]; ok {
			parts, err := a.longParts(g, d)
			if err != nil {
				return nil, err
			}
			long = append(long, parts...)
			continue
		}
		for _, next := range g.Pairs() {
			if _, ok := a.loops[next.Target]; !ok || next.Source != d.Target {
				continue
			}
			through := &depend.Dependence{Source: d.Source, Target: next.Target, Relation: d.Relation.ApplyRange(next.Relation)}
			parts, err := a.longParts(g, through)
			if err != nil {
				return nil, err
			}
			long = append(long, parts...)
		}
	}
	return long, nil
}

// longParts are the parts of a dependence that go over more than shortDistance
// iterations of the axis, forwards and backwards, those that are not empty.
func (a *axis) longParts(g *depend.Graph, d *depend.Dependence) (parts []*depend.Dependence, err error) {
	target := g.Time(d.Target, g.Iterator(d.Target, a.loops[d.Target]))
	for _, far := range []struct {
		shift    int64
		operator string
	}{{shortDistance, "<"}, {-shortDistance, ">"}} {
		shifted := g.Iterator(d.Source, a.loops[d.Source])
		shifted.Constant = far.shift
		part := d.Where(g.Time(d.Source, shifted), far.operator, target)
		empty, err := part.IsEmpty()
		if err != nil {
			return nil, err
		}
		if !empty {
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// middleOperations bounds the integer program, which is next to linear.
const middleOperations = 200_000

// middle is the expression V over the parameters such that |s + t - V| <= m for
// the iterations s and t of all long dependences' sources and targets, with the
// least m: twice the place about which they are symmetric, at which a
// reflection of the targets makes them short. m is shortDistance at most. By
// Farkas' lemma the conditions are linear in the coefficients of V and in m.
func (a *axis) middle(g *depend.Graph, long []*depend.Dependence) (middle scop.Row, ok bool, err error) {
	p := newMiddleProblem(g.Model.Program.Parameters)
	for _, d := range long {
		cone, err := d.Cone()
		if err != nil {
			return middle, false, err
		}
		source := 1 + len(p.positive)
		target := source + g.Model.Statements[d.Source].Depth()
		for _, sign := range []int64{1, -1} {
			for _, row := range cone.Equalities {
				p.problem.Equalities = append(p.problem.Equalities, p.constraint(row, source+a.loops[d.Source], target+a.loops[d.Target], sign))
			}
			for _, row := range cone.Inequalities {
				p.problem.Inequalities = append(p.problem.Inequalities, p.constraint(row, source+a.loops[d.Source], target+a.loops[d.Target], sign))
			}
		}
	}
	answer, err := ilp.Lexmin(g.Model.Context, middleOperations, p.problem)
	if !answer.Found || err != nil {
		return middle, false, err
	}
	return p.row(answer.Solution), true, nil
}

// middleProblem is the integer program for the middle. Its unknowns are m, the
// sum of the absolute values of the parameters' coefficients, and each
// coefficient, the constant's first, as the difference of two that are not
// negative.
type middleProblem struct {
	problem *ilp.Problem
	// positive and negative are the unknowns of the parameters' coefficients.
	positive, negative []int
	constant           [2]int
}

func newMiddleProblem(parameters []string) *middleProblem {
	p := &middleProblem{problem: &ilp.Problem{}}
	unknown := func(name string) int {
		p.problem.Unknowns = append(p.problem.Unknowns, name)
		return len(p.problem.Unknowns) - 1
	}
	unknown("m")
	size := unknown("size")
	p.constant = [2]int{unknown("constant"), unknown("minus_constant")}
	for _, name := range parameters {
		p.positive = append(p.positive, unknown("c_"+name))
		p.negative = append(p.negative, unknown("minus_c_"+name))
	}
	for k := range p.problem.Unknowns {
		p.problem.AtLeast(k, 0)
	}
	p.problem.AtMost(0, shortDistance)
	sum := p.problem.NewRow()
	sum[size] = 1
	for k := range parameters {
		sum[p.positive[k]], sum[p.negative[k]] = -1, -1
	}
	p.problem.Equalities = append(p.problem.Equalities, sum)
	return p
}

// constraint turns a constraint on the coefficients [constant, parameters…,
// source iterators…, target iterators…] of a form into one on the unknowns, for
// the form m + sign·(V - s - t).
func (p *middleProblem) constraint(cone []int64, source, target int, sign int64) []int64 {
	row := p.problem.NewRow()
	row[0] = cone[0]
	row[p.constant[0]], row[p.constant[1]] = sign*cone[0], -sign*cone[0]
	for k := range p.positive {
		row[p.positive[k]], row[p.negative[k]] = sign*cone[1+k], -sign*cone[1+k]
	}
	row[len(row)-1] = -sign * (cone[source] + cone[target])
	return row
}

// row reads V from a solution.
func (p *middleProblem) row(solution []int64) scop.Row {
	row := scop.Row{Constant: solution[p.constant[0]] - solution[p.constant[1]]}
	for k := range p.positive {
		row.Parameters = append(row.Parameters, solution[p.positive[k]]-solution[p.negative[k]])
	}
	return row
}
