package transform

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"polytune/isl"
	"polytune/isl/ilp"
)

// Small random programs have the same solution with and without being made
// smaller first.
func TestLexminOfParts(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	c := isl.NewContext()
	defer c.Close()
	solved, refuted, parts := 0, 0, 0
	for range 3000 {
		p := randomProblem(random)
		want, err := ilp.LexminBy(ilp.ISL{}, c, 0, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := lexmin(c, 0, p, min(1, len(p.Equalities)))
		if err != nil || got.Exceeded || got.Found != want.Found || !slices.Equal(got.Solution, want.Solution) {
			t.Fatalf("%+v: got %+v, %v, want %+v", p, got, err, want)
		}
		s := presolve(p, min(1, len(p.Equalities)))
		switch {
		case s.infeasible:
			refuted++
		case s.large:
			t.Errorf("%+v: numbers are large", p)
		default:
			parts = max(parts, len(s.parts()))
			if got.Found {
				solved++
			}
		}
	}
	if solved < 500 || refuted < 500 || parts < 2 {
		t.Errorf("%d programs solved, %d refuted at once, at most %d parts", solved, refuted, parts)
	}
}

// randomProblem has four to seven unknowns, most of them bounded, and sparse
// constraints, some of them equalities or opposite inequalities.
func randomProblem(random *rand.Rand) *ilp.Problem {
	p := &ilp.Problem{}
	for k := range 4 + random.IntN(4) {
		p.Unknowns = append(p.Unknowns, fmt.Sprintf("x%d", k))
	}
	for k := range p.Unknowns {
		p.AtLeast(k, int64(random.IntN(3)-1))
		if random.IntN(3) > 0 {
			p.AtMost(k, int64(2+random.IntN(4)))
		}
	}
	for range 1 + random.IntN(7) {
		row := p.NewRow()
		for range 1 + random.IntN(3) {
			row[random.IntN(len(p.Unknowns))] = int64(random.IntN(7) - 3)
		}
		row[len(p.Unknowns)] = int64(random.IntN(9) - 4)
		switch random.IntN(5) {
		case 0:
			p.Equalities = append(p.Equalities, row)
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

// A program with numbers too large for presolve is left to the solver.
func TestPresolveOfLargeNumbers(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	p := &ilp.Problem{Unknowns: []string{"x", "y", "z"}, Equalities: [][]int64{{-1 << 40, 1, 0, 0}, {0, -1 << 40, 1, 0}}}
	for k := range p.Unknowns {
		p.AtLeast(k, 0)
	}
	if s := presolve(p, min(1, len(p.Equalities))); !s.large {
		t.Error("the numbers are not found to be large")
	}
	if got, err := lexmin(c, 0, p, min(1, len(p.Equalities))); err != nil || !slices.Equal(got.Solution, []int64{0, 0, 0}) {
		t.Errorf("got %+v, %v", got, err)
	}
}
