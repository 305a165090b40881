package ilp

import (
	"fmt"
	"math/rand/v2"
)

// named is a problem of so many unknowns, without constraints.
func named(unknowns int) *Problem {
	p := &Problem{}
	for k := range unknowns {
		p.Unknowns = append(p.Unknowns, fmt.Sprintf("x%d", k))
	}
	return p
}

// denseRow has numbers from -4 to 4, a quarter of them times a factor.
func denseRow(random *rand.Rand, p *Problem, factor int64) []int64 {
	row := p.NewRow()
	for k := range row {
		if row[k] = int64(random.IntN(9) - 4); random.IntN(4) == 0 {
			row[k] *= factor
		}
	}
	return row
}

// sparseRow has coefficients of at most so many unknowns, which are sums of numbers
// from -size to size, and a constant from -4 to 4.
func sparseRow(random *rand.Rand, p *Problem, terms, size int) []int64 {
	row := p.NewRow()
	for range terms {
		row[random.IntN(len(p.Unknowns))] += int64(random.IntN(2*size+1) - size)
	}
	row[len(p.Unknowns)] = int64(random.IntN(9) - 4)
	return row
}

// smallProblem has three unknowns between low and 3, and equalities sometimes.
func smallProblem(random *rand.Rand, low int64) *Problem {
	p := named(3)
	for k := range p.Unknowns {
		p.AtLeast(k, low)
		p.AtMost(k, 3)
	}
	for range random.IntN(8) {
		factor := int64(1)
		if random.IntN(4) == 0 {
			factor = 25
		}
		p.Inequalities = append(p.Inequalities, denseRow(random, p, factor))
	}
	for range random.IntN(5) - 2 {
		p.Equalities = append(p.Equalities, []int64{1, int64(random.IntN(5) - 2), 2, int64(random.IntN(5) - 2)})
	}
	return p
}

// largeProblem has two to six unknowns, with bounds up to 202, and constraints with
// coefficients up to 400.
func largeProblem(random *rand.Rand) *Problem {
	p := named(2 + random.IntN(5))
	for k := range p.Unknowns {
		p.AtLeast(k, 0)
		p.AtMost(k, int64(3+random.IntN(200)))
	}
	factor := int64(1 + random.IntN(100))
	for range 1 + random.IntN(8) {
		p.Inequalities = append(p.Inequalities, denseRow(random, p, factor))
	}
	return p
}

// manyUnknowns has four to 19 unknowns, half of them without an upper bound, in
// sums and differences with a few large coefficients.
func manyUnknowns(random *rand.Rand) *Problem {
	p := named(4 + random.IntN(16))
	for k := range p.Unknowns {
		p.AtLeast(k, int64(random.IntN(4)/3))
		if random.IntN(2) == 0 {
			p.AtMost(k, 1+int64(random.IntN(8)))
		}
	}
	row := func() []int64 {
		row := sparseRow(random, p, 2+random.IntN(4), 1)
		if random.IntN(6) == 0 {
			row[random.IntN(len(p.Unknowns))] *= 25
		}
		return row
	}
	for range random.IntN(2 * len(p.Unknowns)) {
		p.Inequalities = append(p.Inequalities, row())
	}
	for range random.IntN(4) {
		p.Equalities = append(p.Equalities, row())
	}
	return p
}

// simpleProblem has four to seven unknowns, most of them bounded, and constraints
// of few unknowns, some of them equalities or opposite inequalities: it simplifies
// well. Its first equality leads.
func simpleProblem(random *rand.Rand) *Problem {
	p := named(4 + random.IntN(4))
	for k := range p.Unknowns {
		p.AtLeast(k, int64(random.IntN(3)-1))
		if random.IntN(3) > 0 {
			p.AtMost(k, int64(2+random.IntN(4)))
		}
	}
	for range 1 + random.IntN(7) {
		row := sparseRow(random, p, 1+random.IntN(3), 3)
		switch random.IntN(5) {
		case 0:
			p.Equalities = append(p.Equalities, row)
			p.Leading = 1
		case 1:
			opposite := p.NewRow()
			for k, v := range row {
				opposite[k] = -v
			}
			p.Inequalities = append(p.Inequalities, opposite)
			fallthrough
		default:
			p.Inequalities = append(p.Inequalities, row)
		}
	}
	return p
}
