package command

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"polytune/schedule"
)

// Unimodular multiplies the rows of loops of one chain with a matrix of determinant 1 or -1, which
// is any sequence of interchanges, reversals and skewing (Banerjee, "Unimodular transformations of
// double loops", 1990; Wolf and Lam, "A loop transformation theory and an algorithm to maximize
// parallelism", 1991):
//
//	unimodular c0.1 c0.2 by [1 0; 2 1]
//
//	for c0.1 = t for c0.2 = i  -->  for c0.1 = t for c0.2 = 2t + i
type Unimodular struct {
	Loops []string
	// Matrix has a row for each loop, with a number for each loop.
	Matrix [][]int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "unimodular LOOPS by MATRIX",
	Doc:     "other rows of loops",
	Example: "unimodular c0.1 c0.2 by [1 0; 2 1]",
	New:     func() schedule.Command { return Unimodular{} },
	Random:  randomUnimodular,
	Say:     schedule.Silent,
	Most:    schedule.MaxFactor,
})

// Apply changes the rows of the loops.
func (c Unimodular) Apply(t *schedule.Tree) error {
	n, places, err := pointsOf(t, c.Loops, "multiply its rows")
	if err != nil {
		return err
	}
	if len(c.Matrix) != len(places) {
		return fmt.Errorf("a matrix for %d loops has %[1]d rows, not %d", len(places), len(c.Matrix))
	}
	for k, row := range c.Matrix {
		if len(row) != len(places) {
			return fmt.Errorf("a matrix for %d loops has %[1]d columns, and row %d has %d", len(places), k+1, len(row))
		}
	}
	if d := determinant(c.Matrix); !d.IsInt() || new(big.Int).Abs(d.Num()).Cmp(big.NewInt(1)) != 0 {
		return fmt.Errorf("the matrix has the determinant %s; with 1 and -1 alone every iteration runs once", d.RatString())
	}
	return multiply(n, places, c.Matrix)
}

// multiply multiplies the rows of loops of a node with a matrix.
func multiply(n *schedule.Node, places []int, matrix [][]int64) error {
	made := make([]map[int]schedule.Row, len(places))
	for k, factors := range matrix {
		rows := map[int]schedule.Row{}
		for s, row := range n.Loops[places[0]].Terms[0].Rows {
			sum := row.Plus(row, -1)
			for m, factor := range factors {
				sum = sum.Plus(n.Loops[places[m]].Terms[0].Rows[s], factor)
			}
			rows[s] = sum
		}
		if err := checkCoefficients(n.Loops[places[k]], rows); err != nil {
			return err
		}
		made[k] = rows
	}
	for k, place := range places {
		n.Loops[place].Terms = []schedule.Term{{Rows: made[k], Size: 1}}
	}
	return nil
}

// determinant is that of a square matrix.
func determinant(matrix [][]int64) *big.Rat {
	m := make([][]*big.Rat, len(matrix))
	for i, row := range matrix {
		for _, v := range row {
			m[i] = append(m[i], new(big.Rat).SetInt64(v))
		}
	}
	product := big.NewRat(1, 1)
	for k := range m {
		pivot := k
		for pivot < len(m) && m[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot == len(m) {
			return new(big.Rat)
		}
		if pivot != k {
			m[k], m[pivot] = m[pivot], m[k]
			product.Neg(product)
		}
		product.Mul(product, m[k][k])
		for i := k + 1; i < len(m); i++ {
			factor := new(big.Rat).Quo(m[i][k], m[k][k])
			for j := k; j < len(m); j++ {
				m[i][j].Sub(m[i][j], new(big.Rat).Mul(factor, m[k][j]))
			}
		}
	}
	return product
}

// randomUnimodular are two loops of a node, and a matrix that skews, exchanges or reverses them.
func randomUnimodular(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool { return len(plainPoints(t, n)) > 1 })
	if n == nil {
		return nil
	}
	factor := random.Int64N(3)
	matrices := [][][]int64{{{1, 0}, {factor, 1}}, {{0, 1}, {1, 0}}, {{1, factor}, {0, 1}}, {{-1, 0}, {factor, 1}}}
	return []schedule.Command{Unimodular{shuffled(random, plainPoints(t, n))[:2], pick(random, matrices)}}
}
