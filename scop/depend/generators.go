package depend

import (
	"errors"
	"math/bits"
	"slices"

	"polytune/internal/integer"
)

// errLarge says that the generators of a cone are too many or too large for
// the method; it does not say that the cone is unusual in any other way.
var errLarge = errors.New("too many generators")

// Limits of the double description: columns, inequalities, comparisons of two
// generators (a second of work), absolute values of entries, and of factors that vectors are
// multiplied by. No sum of products of theirs exceeds 64 bits.
const (
	maxColumns     = 64
	maxConstraints = 256
	maxComparisons = 400_000_000
	maxEntry       = 1 << 28
	maxFactor      = 1 << 32
)

// generators describe a polyhedral cone as the sum of all multiples of its
// lines and all non-negative multiples of its rays.
type generators struct {
	lines [][]int64
	rays  []ray
	// most is how many rays there may be at any time; comparisons counts the work.
	most, comparisons int
}

// ray is a ray of a cone and the set of rows, by number, whose product with it is
// zero.
type ray struct {
	vector []int64
	tight  tightSet
}

type tightSet [maxConstraints / 64]uint64

func (t *tightSet) add(k int) { t[k/64] |= 1 << (k % 64) }

// common is the intersection, and the number of its members.
func (t *tightSet) common(u *tightSet) (both tightSet, count int) {
	for k := range t {
		both[k] = t[k] & u[k]
		count += bits.OnesCount64(both[k])
	}
	return both, count
}

func (t *tightSet) isSubset(u *tightSet) bool {
	for k := range t {
		if t[k]&^u[k] != 0 {
			return false
		}
	}
	return true
}

// newGenerators are the generators of the cone of all x of n entries with
// row · x >= 0 for all rows, by the double description method (Motzkin et al.
// 1953; Fukuda and Prodon 1996): one row after the other cuts the cone found so
// far. No ray is a sum of others. The error is errLarge, also where there are more than most rays
// at a time.
func newGenerators(n int, rows [][]int64, most int) (*generators, error) {
	if n > maxColumns || len(rows) > maxConstraints || slices.ContainsFunc(rows, isLarge) {
		return nil, errLarge
	}
	g := &generators{most: most}
	for k := range n {
		line := make([]int64, n)
		line[k] = 1
		g.lines = append(g.lines, line)
	}
	for k, row := range rows {
		if err := g.cut(row, k); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// cutLines makes all generators orthogonal to the row but one line, if there is
// one that is not, which it takes away and returns in the direction in which its
// product with the row is positive.
func (g *generators) cutLines(row []int64) (crossing []int64, cut bool, err error) {
	for i, line := range g.lines {
		product := dot(row, line)
		if product == 0 {
			continue
		}
		if product < 0 {
			line, product = negated(line), -product
		}
		g.lines[i] = g.lines[len(g.lines)-1]
		g.lines = g.lines[:len(g.lines)-1]
		for j := range g.lines {
			if g.lines[j], err = along(row, g.lines[j], line, product); err != nil {
				return nil, false, err
			}
		}
		for j := range g.rays {
			if g.rays[j].vector, err = along(row, g.rays[j].vector, line, product); err != nil {
				return nil, false, err
			}
		}
		return line, true, nil
	}
	return nil, false, nil
}

// along is the vector moved along the line, with which the row has the given
// positive product, until it is orthogonal to the row.
func along(row, vector, line []int64, product int64) ([]int64, error) {
	own := dot(row, vector)
	if own == 0 {
		return vector, nil
	}
	return combine(product, vector, -own, line)
}

// cut keeps the part of the cone in which row · x >= 0, row number k.
func (g *generators) cut(row []int64, k int) error {
	crossing, found, err := g.cutLines(row)
	if err != nil {
		return err
	}
	if found {
		for i := range g.rays {
			g.rays[i].tight.add(k)
		}
		last := ray{vector: crossing}
		for earlier := range k {
			last.tight.add(earlier)
		}
		g.rays = append(g.rays, last)
		return nil
	}
	return g.cutRays(row, k, len(row)-len(g.lines))
}

// cutRays cuts a cone with lines orthogonal to the row: the rays on the wrong
// side are replaced by the points where the edges between adjacent rays on
// either side cross the hyperplane. dimension does not count the lines.
func (g *generators) cutRays(row []int64, k, dimension int) error {
	products := make([]int64, len(g.rays))
	var kept []ray
	for i := range g.rays {
		products[i] = dot(row, g.rays[i].vector)
		if products[i] == 0 {
			g.rays[i].tight.add(k)
		}
		if products[i] >= 0 {
			kept = append(kept, g.rays[i])
		}
	}
	for i, inside := range products {
		if inside <= 0 {
			continue
		}
		if g.comparisons += len(products); g.comparisons > maxComparisons {
			return errLarge
		}
		for j, outside := range products {
			if outside >= 0 {
				continue
			}
			tight, adjacent := g.edge(i, j, dimension)
			if !adjacent {
				continue
			}
			vector, err := combine(inside, g.rays[j].vector, -outside, g.rays[i].vector)
			if err != nil || len(kept) == g.most {
				return errLarge
			}
			tight.add(k)
			kept = append(kept, ray{vector, tight})
		}
	}
	g.rays = kept
	return nil
}

// edge says whether two rays are adjacent, and which inequalities are tight
// between them: no other ray is tight where both are.
func (g *generators) edge(i, j, dimension int) (tight tightSet, adjacent bool) {
	tight, count := g.rays[i].tight.common(&g.rays[j].tight)
	if count < dimension-2 {
		return tight, false
	}
	for other := range g.rays {
		g.comparisons++
		if other != i && other != j && tight.isSubset(&g.rays[other].tight) {
			return tight, false
		}
	}
	return tight, true
}

// combine is a positive multiple of a·v + b·w without common factors, or
// errLarge.
func combine(a int64, v []int64, b int64, w []int64) ([]int64, error) {
	divisor := integer.GCD(a, b)
	a, b = a/divisor, b/divisor
	if max(a, -a, b, -b) >= maxFactor {
		return nil, errLarge
	}
	sum := make([]int64, len(v))
	divisor = 0
	for k := range sum {
		sum[k] = a*v[k] + b*w[k]
		divisor = integer.GCD(divisor, sum[k])
	}
	for k := range sum {
		if divisor > 1 {
			sum[k] /= divisor
		}
	}
	if isLarge(sum) {
		return nil, errLarge
	}
	return sum, nil
}

func isLarge(vector []int64) bool {
	return slices.ContainsFunc(vector, func(v int64) bool { return v >= maxEntry || v <= -maxEntry })
}

func negated(vector []int64) []int64 {
	opposite := make([]int64, len(vector))
	for k, v := range vector {
		opposite[k] = -v
	}
	return opposite
}

func dot(row, vector []int64) (sum int64) {
	for k, v := range row {
		sum += v * vector[k]
	}
	return sum
}
