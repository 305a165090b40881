package ilp

import "polytune/isl"

// ISL is the lexicographic minimum of isl (isl_basic_set_lexmin), which computes
// with numbers of any size.
type ISL struct{}

// Name is "isl".
func (ISL) Name() string { return "isl" }

func (ISL) search(ctx *isl.Context, operations uint64, p *Problem) (answer Answer, err error) {
	mark := ctx.Mark()
	defer ctx.Release(mark)
	q := p.reduced()
	find := func() {
		answer.Solution, answer.Found, err = ctx.BasicSetFromConstraints(len(q.Unknowns), q.Equalities, q.Inequalities).Lexmin()
	}
	if operations == 0 {
		find()
	} else if ctx.Within(operations, find) {
		return Answer{Exceeded: true}, nil
	}
	return answer, err
}
