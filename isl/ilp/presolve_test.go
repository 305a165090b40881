package ilp

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
)

// Random programs have the same solution with and without being simplified first.
// Where the leading equalities are said to suffice for there being none, they do.
func TestLexminOfParts(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	c := isl.NewContext()
	defer c.Close()
	solved, refuted, early, parts := 0, 0, 0, 0
	for k := range many(3000) {
		p := simpleProblem(random)
		if k%3 == 0 {
			p = manyUnknowns(random)
			p.Leading = len(p.Equalities) / 2
		}
		want, err := LexminBy(ISL{}, c, 20_000, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Lexmin(c, 20_000, p)
		if err != nil || !got.Exceeded && !want.Exceeded && (got.Found != want.Found || !slices.Equal(got.Solution, want.Solution)) {
			t.Fatalf("%+v: got %+v, %v, want %+v", p, got, err, want)
		}
		if got.Early {
			early++
			part := *p
			part.Equalities = p.Equalities[:p.Leading]
			if answer, err := LexminBy(ISL{}, c, 20_000, &part); err != nil || answer.Found {
				t.Fatalf("%+v: early, but %+v, %v", p, answer, err)
			}
		}
		switch s := presolve(p); {
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
	if solved < 500 || refuted < 500 || early < 100 || parts < 2 {
		t.Errorf("%d programs solved, %d refuted at once, %d of them early, at most %d parts", solved, refuted, early, parts)
	}
}

// A program whose numbers are too large for presolve, or become so there, and one
// with a large value that is computed at the end, are left to the solvers.
func TestPresolveOfLargeNumbers(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	for _, test := range []struct {
		about                    string
		equalities, inequalities [][]int64
		want                     []int64
		large                    bool
	}{
		{"a product", [][]int64{{-1 << 40, 1, 0, 0}, {0, -1 << 40, 1, 0}}, nil, []int64{0, 0, 0}, true},
		{"a coefficient", nil, [][]int64{{1 << 60, -1, -1, 0}}, []int64{0, 0, 0}, true},
		{"a constant", nil, [][]int64{{1, 1, 0, -1 << 58}}, []int64{0, 1 << 58, 0}, true},
		{"a value at the end", [][]int64{{-1 << 30, 1, 0, 0}}, [][]int64{{1, 0, 1, -1 << 40}, {0, 0, -1, 1}}, nil, false},
	} {
		p := named(3)
		p.Equalities, p.Inequalities, p.Leading = test.equalities, test.inequalities, min(1, len(test.equalities))
		for k := range p.Unknowns {
			p.AtLeast(k, 0)
		}
		if s := presolve(p); s.large != test.large || s.infeasible {
			t.Errorf("%s: large %v, infeasible %v", test.about, s.large, s.infeasible)
		}
		got, err := Lexmin(c, 0, p)
		if test.want != nil && (err != nil || !slices.Equal(got.Solution, test.want)) {
			t.Errorf("%s: got %+v, %v", test.about, got, err)
		}
		if test.want == nil && (err == nil || !strings.Contains(err.Error(), isl.ErrTooLarge.Error())) {
			t.Errorf("%s: got %+v, %v", test.about, got, err)
		}
	}
}

// An unknown that has no bound of its own has one by an equality, but must have
// one.
func TestPresolveOfUnboundedUnknowns(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	p := named(2)
	p.AtLeast(0, 3)
	p.Equalities = [][]int64{{2, 1, -1}}
	if got, err := Lexmin(c, 0, p); err != nil || !slices.Equal(got.Solution, []int64{3, -5}) || got.Solver != presolver {
		t.Errorf("got %+v, %v", got, err)
	}
	p.Equalities = nil
	if got, err := Lexmin(c, 0, p); err == nil && got.Found {
		t.Errorf("got %+v", got)
	}
}
