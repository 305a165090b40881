package ilp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"polytune/isl"
)

// Cutting and branching find the same solutions of random programs, some with
// large constants.
func TestCutsAndBranches(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	ctx := isl.NewContext()
	defer ctx.Close()
	solved := 0
	for range 3000 {
		p := largeProblem(random)
		var solutions [2][]int64
		for i, way := range []func(*tableau) result{(*tableau).minimize, (*tableau).branch} {
			solution, r := attempt(p, &work{limit: 10_000_000, ctx: ctx}, way)
			if r != found && r != infeasible {
				t.Fatalf("given up: %+v", p)
			}
			solutions[i] = solution
		}
		if !slices.Equal(solutions[0], solutions[1]) {
			t.Fatalf("%+v: cuts lead to %v, branches to %v", p, solutions[0], solutions[1])
		}
		if solutions[0] != nil {
			solved++
		}
	}
	if solved < 500 {
		t.Errorf("only %d programs have solutions", solved)
	}
}

// A problem that takes long ends when its context is aborted, and at its limit.
func TestLimits(t *testing.T) {
	p := &Problem{Unknowns: []string{"x", "y", "z"}}
	for k := range p.Unknowns {
		p.AtLeast(k, 0)
		p.AtMost(k, 1<<40)
	}
	// 6x - 6y from 2 to 4 has no solution, for which branching tries all x.
	p.Inequalities = append(p.Inequalities, []int64{6, -6, -1, 1}, []int64{-6, 6, 1, 1}, []int64{0, 0, 1, -3}, []int64{0, 0, -1, 3})
	ctx := isl.NewContext()
	defer ctx.Close()
	w := &work{limit: 100_000, ctx: ctx}
	if _, r := attempt(p, w, (*tableau).branch); r != exceeded || w.changed < w.limit {
		t.Errorf("result %v after %d entries", r, w.changed)
	}
	over, cancel := context.WithCancel(context.Background())
	defer ctx.AbortOn(over)()
	cancel()
	for ctx.Aborted() == nil {
		time.Sleep(time.Millisecond)
	}
	w.limit = math.MaxInt
	if _, r := attempt(p, w, (*tableau).branch); r != exceeded {
		t.Errorf("result %v after an abort", r)
	}
}
