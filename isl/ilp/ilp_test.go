package ilp

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
)

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
		{"an equality", 2, [][]int64{{3, -2, -1}}, nil, []int64{1, 1}},
		{"a parity", 2, [][]int64{{2, -2, -1}}, nil, nil},
		{"a contradiction", 1, nil, [][]int64{{1, -2}, {-1, 1}}, nil},
		{"no unknown", 0, nil, nil, []int64{}},
		{"no unknown and a contradiction", 0, nil, [][]int64{{-1}}, nil},
		{"large numbers", 1, nil, [][]int64{{1, -1 << 40}}, []int64{1 << 40}},
	} {
		p := &Problem{Unknowns: make([]string, test.unknowns), Equalities: test.equalities, Inequalities: test.inequalities}
		for k := range test.unknowns {
			p.AtLeast(k, 0)
		}
		c := isl.NewContext()
		got, ok, err := Lexmin(c, p)
		if err != nil || ok != (test.want != nil) || ok && !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, %v, %v, want %v", test.about, got, ok, err, test.want)
		}
		c.Close()
	}
}

// Small random programs against trying all points.
func TestLexminRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	c := isl.NewContext()
	defer c.Close()
	for range 1000 {
		p := &Problem{Unknowns: []string{"x", "y", "z"}}
		low := int64(random.IntN(3) - 2)
		for k := range p.Unknowns {
			p.AtLeast(k, low)
			p.AtMost(k, 3)
		}
		for range 1 + random.IntN(8) {
			row := p.NewRow()
			for k := range row {
				row[k] = int64(random.IntN(9) - 4)
			}
			p.Inequalities = append(p.Inequalities, row)
		}
		if random.IntN(3) == 0 {
			p.Equalities = [][]int64{{1, int64(random.IntN(5) - 2), 2, int64(random.IntN(5) - 2)}}
		}
		want := bruteForce(p, low, 3)
		got, ok, err := Lexmin(c, p)
		if err != nil || ok != (want != nil) || ok && !slices.Equal(got, want) {
			t.Fatalf("%+v: got %v, %v, %v, want %v", p, got, ok, err, want)
		}
	}
}

func bruteForce(p *Problem, low, high int64) []int64 {
	value := func(row, x []int64) int64 { return row[0]*x[0] + row[1]*x[1] + row[2]*x[2] + row[3] }
	for a := low; a <= high; a++ {
		for b := low; b <= high; b++ {
			for c := low; c <= high; c++ {
				x := []int64{a, b, c}
				if !slices.ContainsFunc(p.Equalities, func(row []int64) bool { return value(row, x) != 0 }) &&
					!slices.ContainsFunc(p.Inequalities, func(row []int64) bool { return value(row, x) < 0 }) {
					return x
				}
			}
		}
	}
	return nil
}

// An unknown without a lower bound has no smallest value: an error, not a
// wrong answer.
func TestLexminUnbounded(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	p := &Problem{Unknowns: []string{"x"}}
	p.AtMost(0, 5)
	if solution, ok, err := Lexmin(c, p); err == nil && ok {
		t.Errorf("got %v", solution)
	} else if err != nil && !strings.Contains(err.Error(), "integer program of 1 unknowns and 1 constraints") {
		t.Errorf("got %v", err)
	}
}
