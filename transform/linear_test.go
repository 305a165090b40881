package transform

import (
	"slices"
	"testing"

	"polytune/isl"
	"polytune/scop"
	"polytune/transform/facts"
)

func TestDirection(t *testing.T) {
	for _, test := range []struct {
		rows       [][]int64
		advance, n int
		want       []int64
	}{
		{[][]int64{{1, 0}, {0, 1}}, 0, 2, []int64{1, 0}},
		{[][]int64{{0, 1}, {1, 0}}, 0, 2, []int64{0, 1}},
		{[][]int64{{1, 0}, {1, 1}}, 0, 2, []int64{1, -1}},
		{[][]int64{{1, 0}, {1, 1}}, 1, 2, []int64{0, 1}},
		{[][]int64{{1, 0, 0}, {1, 1, 0}, {2, 1, 1}}, 0, 3, []int64{1, -1, -1}},
		{[][]int64{{1, 0}}, 0, 2, nil},
		{[][]int64{{0, 1}, {0, 2}}, 0, 2, nil},
		{[][]int64{{-1}}, 0, 1, []int64{-1}},
		{[][]int64{{-1, 0}, {0, 1}}, 0, 2, []int64{-1, 0}},
	} {
		got, ok := facts.Direction(test.rows, test.advance, test.n)
		if ok != (test.want != nil) || ok && !slices.Equal(got, test.want) {
			t.Errorf("direction(%v, %d) = %v, %v, want %v", test.rows, test.advance, got, ok, test.want)
		}
	}
}

func TestStep(t *testing.T) {
	affine := 0
	for _, test := range []struct {
		access   string
		along    []int64
		known    bool
		want     []int64
		distance int64
	}{
		{"[N] -> { S0[i, j] -> A[i, j] : 0 <= i, j < N }", []int64{0, 1}, true, []int64{0, 1}, 1},
		{"[N] -> { S0[i, j] -> A[i, j] : 0 <= i, j < N }", []int64{1, 0}, true, []int64{1, 0}, facts.FarApart},
		{"[N] -> { S0[i, j] -> A[j] : 0 <= i, j < N }", []int64{1, 0}, true, []int64{0}, 0},
		{"[N] -> { S0[i, j] -> A[2i - 3j] : 0 <= i, j < N }", []int64{0, 1}, true, []int64{-3}, 3},
		{"[N] -> { S0[i, j] -> A[2i - 3j] : 0 <= i, j < N }", []int64{1, -1}, true, []int64{5}, 5},
		{"[N] -> { S0[i, j] -> A[i + j, 7] : 0 <= i, j < N }", []int64{1, -1}, true, []int64{0, 0}, 0},
		{"[N] -> { S0[i, j] -> A[] : 0 <= i, j < N }", []int64{0, 1}, true, []int64{}, 0},
		{"[N] -> { S0[i, j] -> A[floor(j/2)] : 0 <= i, j < N }", []int64{0, 1}, false, nil, facts.FarApart},
		{"[N] -> { S0[i, j] -> A[floor(j/2)] : 0 <= i, j < N }", []int64{0, 2}, true, []int64{1}, 1},
		{"[N] -> { S0[i, j] -> A[k] : 0 <= i, j, k < N }", []int64{0, 1}, false, nil, facts.FarApart},
		{"[N] -> { S0[i, j] -> A[i] : i = 5 and 0 <= j < N }", []int64{1, 0}, true, []int64{0}, 0},
		{"[N] -> { S0[i, j] -> A[i, j] : 0 <= i, j < N and i mod 2 = 1 }", []int64{1, 0}, true, []int64{2, 0}, facts.FarApart},
		{"[N] -> { S0[i, j] -> A[i, j] : 0 <= i, j < N and j mod 3 = 0 }", []int64{0, -1}, true, []int64{0, -3}, 3},
	} {
		c := isl.NewContext()
		access := c.ReadMap(test.access)
		s := scop.StatementModel{Statement: &scop.Statement{Name: "S0"}, Domain: access.Domain(), Accesses: []*isl.Map{access}}
		m := &scop.Model{Statements: []scop.StatementModel{s}}
		next, err := facts.AdvanceOf(m, 0, test.along)
		if err != nil {
			t.Fatal(err)
		}
		got, err := facts.StepOf(m, 0, 0, next.Step)
		if err != nil {
			t.Fatal(err)
		}
		subscripts, err := scop.Subscripts(access)
		if err != nil {
			t.Fatal(err)
		}
		if subscripts != nil {
			affine++
			if quick := facts.AffineStep(subscripts, next.Step, next.Moves); !quick.Known || !slices.Equal(quick.Subscripts, got.Subscripts) {
				t.Errorf("%s along %v: %+v by arithmetic, %+v by isl", test.access, test.along, quick, got)
			}
		}
		if got.Known != test.known || got.Known && !slices.Equal(got.Subscripts, test.want) || got.Distance() != test.distance {
			t.Errorf("%s along %v: %+v, distance %d", test.access, test.along, got, got.Distance())
		}
		c.Close()
	}
	if affine < 7 {
		t.Errorf("arithmetic finds %d steps only", affine)
	}
}
