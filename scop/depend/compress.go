package depend

import (
	"slices"

	"polytune/internal/integer"
)

// lattice is the set of integer points o + y_1·v_1 + … + y_m·v_m, for all
// integers y: first o, then the v. Its points have a leading coordinate 1, and
// the v have 0 there.
type lattice [][]int64

// at is the point t·o + y_1·v_1 + … for (t, y_1, …).
func (l lattice) at(coordinates []int64) []int64 {
	point := make([]int64, len(l[0]))
	for k, c := range coordinates {
		for i, v := range l[k] {
			point[i] += c * v
		}
	}
	return point
}

// products are those of a row with o and the v.
func (l lattice) products(row []int64) []int64 {
	list := make([]int64, len(l))
	for k, v := range l {
		list[k] = dot(row, v)
	}
	return list
}

// compressed are the integer points, of n coordinates with a leading 1, that
// satisfy the equalities, and the inequalities as rows over the coordinates of
// at, each as tight as integers allow, with the leading coordinate not
// negative. So what equalities say about divisibility, as where an iterator is
// 3·e, tightens inequalities. points is nil when there are none. The error is
// errLarge.
func compressed(n int, equalities, inequalities [][]int64) (points lattice, rows [][]int64, err error) {
	if n > maxColumns || slices.ContainsFunc(equalities, isLarge) || slices.ContainsFunc(inequalities, isLarge) {
		return nil, nil, errLarge
	}
	points = make(lattice, n)
	for k := range points {
		points[k] = make([]int64, n)
		points[k][k] = 1
	}
	for _, row := range equalities {
		if points, err = points.cut(row); points == nil || err != nil {
			return nil, nil, err
		}
	}
	positive := make([]int64, len(points))
	positive[0] = 1
	rows = append(rows, positive)
	for _, row := range inequalities {
		tight := points.products(row)
		divisor := int64(0)
		for _, v := range tight[1:] {
			divisor = integer.GCD(divisor, v)
		}
		switch {
		case divisor > 0:
			for k, v := range tight {
				tight[k] = integer.FloorDivide(v, divisor)
			}
			rows = append(rows, tight)
		case tight[0] < 0:
			return nil, nil, nil
		}
	}
	return points, rows, nil
}

// cut keeps the points with row · point = 0, nil when there are none: Euclid's
// algorithm on the products of the row with the v leaves one that is not zero,
// whose y is then determined. The error is errLarge.
func (l lattice) cut(row []int64) (lattice, error) {
	products := l.products(row)
	last := 0
	for k := 1; k < len(l); k++ {
		if last == 0 && products[k] != 0 {
			last = k
			continue
		}
		for products[k] != 0 {
			quotient := products[last] / products[k]
			if err := l.subtract(last, quotient, k); err != nil {
				return nil, err
			}
			products[last] -= quotient * products[k]
			products[last], products[k] = products[k], products[last]
			l[last], l[k] = l[k], l[last]
		}
	}
	switch {
	case last == 0 && products[0] == 0:
		return l, nil
	case last == 0 || products[0]%products[last] != 0:
		return nil, nil
	}
	err := l.subtract(0, products[0]/products[last], last)
	return append(l[:last:last], l[last+1:]...), err
}

// subtract subtracts factor · l[j] from l[i]. The error is errLarge.
func (l lattice) subtract(i int, factor int64, j int) error {
	if max(factor, -factor) >= maxFactor {
		return errLarge
	}
	for k, v := range l[j] {
		l[i][k] -= factor * v
	}
	if isLarge(l[i]) {
		return errLarge
	}
	return nil
}
