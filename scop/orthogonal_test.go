package scop

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOrthogonal(t *testing.T) {
	for _, test := range []struct {
		rows [][]int64
		n    int
		want [][]int64
	}{
		{nil, 2, [][]int64{{1, 0}, {0, 1}}},
		{nil, 0, nil},
		{[][]int64{{0, 0}}, 2, [][]int64{{1, 0}, {0, 1}}},
		{[][]int64{{1, 0}}, 2, [][]int64{{0, 1}}},
		{[][]int64{{1, 1, 0}}, 3, [][]int64{{1, -1, 0}, {0, 0, 1}}},
		{[][]int64{{2, 3}}, 2, [][]int64{{3, -2}}},
		{[][]int64{{1, 0, 0}, {0, 1, 1}}, 3, [][]int64{{0, 1, -1}}},
		{[][]int64{{1, 2}, {2, 4}}, 2, [][]int64{{2, -1}}},
		{[][]int64{{1, 0}, {1, 1}}, 2, nil},
		{[][]int64{{-1, 2, 6}, {0, 4, 3}}, 3, [][]int64{{18, -3, 4}}},
	} {
		got := Orthogonal(test.rows, test.n)
		if !slices.EqualFunc(got, test.want, slices.Equal[[]int64]) {
			t.Errorf("Orthogonal(%v) = %v, want %v", test.rows, got, test.want)
		}
	}
}

func TestRank(t *testing.T) {
	for _, test := range []struct {
		rows    [][]int64
		n, want int
	}{
		{nil, 3, 0},
		{[][]int64{{0, 0}}, 2, 0},
		{[][]int64{{0, 1}, {0, 2}}, 2, 1},
		{[][]int64{{1, 1}, {1, -1}, {3, 5}}, 2, 2},
		{[][]int64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, 3, 2},
	} {
		if got := Rank(test.rows, test.n); got != test.want {
			t.Errorf("Rank(%v) = %d, want %d", test.rows, got, test.want)
		}
	}
}

// The basis of random rows is orthogonal to them, independent, of the right
// size, and each vector is as short as it can be.
func TestOrthogonalRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n := 1 + random.IntN(5)
		rows := make([][]int64, random.IntN(n+2))
		for i := range rows {
			rows[i] = make([]int64, n)
			for k := range n {
				rows[i][k] = int64(random.IntN(7) - 3)
			}
		}
		basis := Orthogonal(rows, n)
		if Rank(rows, n)+len(basis) != n || Rank(basis, n) != len(basis) {
			t.Fatalf("%d vectors %v for %v", len(basis), basis, rows)
		}
		for _, v := range basis {
			if divisor(v) != 1 || !firstIsPositive(v) {
				t.Errorf("%v in the basis of %v", v, rows)
			}
			for _, row := range rows {
				if dot(v, row) != 0 {
					t.Errorf("%v is not orthogonal to %v", v, row)
				}
			}
		}
	}
}

func dot(a, b []int64) (sum int64) {
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}

func divisor(v []int64) int64 {
	a := int64(0)
	for _, b := range v {
		b = max(b, -b)
		for b != 0 {
			a, b = b, a%b
		}
	}
	return a
}

func firstIsPositive(v []int64) bool {
	k := slices.IndexFunc(v, func(c int64) bool { return c != 0 })
	return k >= 0 && v[k] > 0
}
