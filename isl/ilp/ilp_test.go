package ilp

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
)

// lexmin is the solver's answer; only a solver that computes with floating-point
// numbers may refuse the problem.
func lexmin(t *testing.T, s Solver, c *isl.Context, p *Problem) (solution []int64, refused bool) {
	t.Helper()
	answer, err := LexminBy(s, c, 0, p)
	if errors.Is(err, errUnsuitable) && s.Name() == "glpk" {
		return nil, true
	}
	if err != nil || answer.Exceeded || answer.Found != (answer.Solution != nil) {
		t.Fatalf("%s: %+v: got %+v, %v", s.Name(), p, answer, err)
	}
	return answer.Solution, false
}

func TestLexmin(t *testing.T) {
	for _, test := range []struct {
		about                    string
		unknowns                 int
		equalities, inequalities [][]int64
		want                     []int64
	}{
		{"no constraint but the bounds", 2, nil, nil, []int64{0, 0}},
		{"a sum", 2, nil, [][]int64{{1, 1, -3}}, []int64{0, 3}},
		{"the first unknown counts most", 2, nil, [][]int64{{100, 1, -5}, {0, -1, 4}}, []int64{1, 0}},
		{"integers, not rationals", 1, nil, [][]int64{{2, -3}}, []int64{2}},
		{"an integer inside a triangle's corner", 2, nil, [][]int64{{3, 5, -7}, {-3, -5, 8}}, []int64{1, 1}},
		{"no integer in a strip", 2, nil, [][]int64{{3, -3, -1}, {-3, 3, 2}}, nil},
		{"an equality", 2, [][]int64{{3, -2, -1}}, nil, []int64{1, 1}},
		{"an equality without a constant", 2, [][]int64{{2, -3, 0}}, [][]int64{{1, 0, -1}}, []int64{3, 2}},
		{"an equality twice", 2, [][]int64{{1, 1, -2}, {2, 2, -4}}, nil, []int64{0, 2}},
		{"two equalities that contradict each other", 2, [][]int64{{1, 1, -2}, {2, 2, -5}}, nil, nil},
		{"an equality that says nothing", 1, [][]int64{{0, 0}}, nil, []int64{0}},
		{"an equality that is wrong", 1, [][]int64{{0, 1}}, nil, nil},
		{"a parity", 2, [][]int64{{2, -2, -1}}, nil, nil},
		{"a contradiction", 1, nil, [][]int64{{1, -2}, {-1, 1}}, nil},
		{"a negative bound", 2, nil, [][]int64{{-1, 0, -2}}, nil},
		{"an upper bound", 2, nil, [][]int64{{-1, 0, 2}, {2, 1, -9}, {0, -1, 6}}, []int64{2, 5}},
		{"no unknown", 0, nil, nil, []int64{}},
		{"no unknown and a contradiction", 0, nil, [][]int64{{-1}}, nil},
		{"large numbers", 1, nil, [][]int64{{1, -1 << 40}}, []int64{1 << 40}},
		{"numbers as the encoding of zero-avoidance has them", 3, nil,
			[][]int64{{1, 1024, -(1 << 20) - 1, 0}, {-1, -1024, 1 << 20, 1 << 19}, {0, 0, -1, 1}, {1, 2, 0, -7}}, []int64{0, 4, 0}},
	} {
		p := &Problem{Unknowns: make([]string, test.unknowns), Equalities: test.equalities, Inequalities: test.inequalities}
		for k := range test.unknowns {
			p.AtLeast(k, 0)
		}
		c := isl.NewContext()
		for _, s := range Solvers() {
			if got, refused := lexmin(t, s, c, p); !refused && (!slices.Equal(got, test.want) || (got == nil) != (test.want == nil)) {
				t.Errorf("%s: %s: got %v, want %v", s.Name(), test.about, got, test.want)
			}
		}
		c.Close()
	}
}

// Small random programs against trying all points.
func TestLexminRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	c := isl.NewContext()
	defer c.Close()
	for range many(5000) {
		low := int64(random.IntN(3) - 2)
		p := smallProblem(random, low)
		want := bruteForce(p, low, 3)
		for _, s := range Solvers() {
			if got, refused := lexmin(t, s, c, p); refused || !slices.Equal(got, want) {
				t.Fatalf("%s: %+v: got %v, %v, want %v", s.Name(), p, got, refused, want)
			}
		}
	}
}

// many is n, and a hundred times that in the long run of the tests.
func many(n int) int {
	if os.Getenv("POLYTUNE_LONG") != "" {
		return 100 * n
	}
	return n
}

func bruteForce(p *Problem, low, high int64) []int64 {
	for a := low; a <= high; a++ {
		for b := low; b <= high; b++ {
			for c := low; c <= high; c++ {
				if x := []int64{a, b, c}; p.satisfiedBy(x) {
					return x
				}
			}
		}
	}
	return nil
}

// Larger random programs, in which unknowns have no upper bound, of the kind
// that has many sums and differences and a few large coefficients: all solvers
// that do not give up agree.
func TestSolversAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	c := isl.NewContext()
	defer c.Close()
	solved := map[string]int{}
	for range many(400) {
		p := manyUnknowns(random)
		want, err := LexminBy(ISL{}, c, 20_000, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range Solvers() {
			got, err := LexminBy(s, c, 20_000, p)
			if err != nil && !errors.Is(err, errUnsuitable) {
				t.Fatal(err)
			}
			if err != nil || got.Exceeded || want.Exceeded {
				continue
			}
			solved[s.Name()]++
			if !slices.Equal(got.Solution, want.Solution) || got.Found != want.Found {
				t.Fatalf("%+v: %s found %v, isl %v", p, s.Name(), got, want)
			}
		}
	}
	for _, s := range Solvers() {
		if solved[s.Name()] < solved["isl"]*9/10 {
			t.Errorf("%s solved %d, isl %d", s.Name(), solved[s.Name()], solved["isl"])
		}
	}
}

// An unknown without a lower bound has no smallest value: an error, not a
// wrong answer.
func TestLexminUnbounded(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	p := &Problem{Unknowns: []string{"x"}}
	p.AtMost(0, 5)
	if answer, err := Lexmin(c, 0, p); err == nil && answer.Found {
		t.Errorf("got %v", answer)
	} else if err != nil && !strings.Contains(err.Error(), "integer program of 1 unknowns and 1 constraints") {
		t.Errorf("got %v", err)
	}
}

// Numbers beyond 62 bits are left to isl, which finds the same as ever.
func TestLexminLarge(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	p := &Problem{Unknowns: []string{"x", "y", "z"}, Inequalities: [][]int64{
		{1 << 40, 1<<40 + 1, -(1<<40 + 3), -1}, {-(1<<40 + 7), 1 << 41, 1<<40 - 1, -(1 << 50)}, {1, 0, 0, -1}}}
	for k := range p.Unknowns {
		p.AtLeast(k, 0)
	}
	answer, err := Lexmin(c, 0, p)
	want, _ := lexmin(t, ISL{}, c, p)
	if err != nil || !slices.Equal(answer.Solution, want) || want == nil {
		t.Errorf("got %v, %v, isl finds %v", answer, err, want)
	}
	if answer.Solver != "isl" {
		t.Errorf("solved by %s", answer.Solver)
	}
}

// A search that takes too long is given up.
func TestLexminExceeded(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	p := &Problem{Unknowns: make([]string, 20)}
	sum := p.NewRow()
	for k := range p.Unknowns {
		p.AtLeast(k, 0)
		sum[k] = 1
		if k > 0 {
			row := p.NewRow()
			row[k], row[k-1], row[20] = 3, -2, -1
			p.Inequalities = append(p.Inequalities, row)
		}
	}
	for _, s := range Solvers() {
		answer, err := LexminBy(s, c, 1, p)
		if err != nil || !answer.Exceeded || answer.Found || c.Err() != nil {
			t.Errorf("%s: got %+v, %v, %v", s.Name(), answer, err, c.Err())
		}
		if answer, err := LexminBy(s, c, 0, p); err != nil || !answer.Found {
			t.Errorf("%s: got %+v, %v", s.Name(), answer, err)
		}
	}
}

// What a solver returns is looked at before it is believed.
func TestAnswersAreChecked(t *testing.T) {
	p := &Problem{Unknowns: []string{"x"}}
	p.AtLeast(0, 2)
	if _, err := LexminBy(wrong{}, nil, 0, p); err == nil || !strings.Contains(err.Error(), "the solver wrong found [1]") {
		t.Errorf("got %v", err)
	}
	large := &Problem{Unknowns: []string{"x", "y"}, Inequalities: [][]int64{{math.MaxInt64, math.MaxInt64, math.MaxInt64}}}
	if !large.satisfiedBy([]int64{math.MaxInt64, -math.MaxInt64}) || large.satisfiedBy([]int64{math.MaxInt64, -math.MaxInt64 - 1}) == false {
		t.Error("sums of large products")
	}
	if large.satisfiedBy([]int64{-2, 0}) {
		t.Error("a large negative sum")
	}
}

type wrong struct{}

func (wrong) Name() string { return "wrong" }
func (wrong) search(*isl.Context, uint64, *Problem) (Answer, error) {
	return Answer{Solution: []int64{1}, Found: true}, nil
}
