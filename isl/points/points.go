// Package points counts the integer points of sets: exactly where polyhedra are
// boxes, or small, or have few points outside of their longest dimension,
// otherwise by looking at a sample of their slices.
//
// # Where to find what
//
//   - why so: docs/decisions/0035-points-by-slices.md
package points

import (
	"errors"
	"math"
	"slices"

	"polytune/internal/integer"
	"polytune/isl"
)

// Count is a number of points.
type Count struct {
	// Value is the number, or about that.
	Value float64 `json:"value"`
	// Exact says that it is no estimate.
	Exact bool `json:"exact"`
}

// Add is the number of points of two sets that have none in common.
func (c Count) Add(d Count) Count { return Count{c.Value + d.Value, c.Exact && d.Exact} }

// Times is the number of points of so many sets like this.
func (c Count) Times(factor float64) Count { return Count{c.Value * factor, c.Exact} }

// maxSlices is the number of slices that are looked at in one part of a
// polyhedron whose dimensions depend on each other.
const maxSlices = 50_000

// maxPieces bounds the polyhedra of a union that are counted.
const maxPieces = 200

// ErrUnbounded says that a set has infinitely many points.
var ErrUnbounded = errors.New("the set has no end in some direction")

// maxOperations bounds isl's work on cutting a union into polyhedra without
// common points.
const maxOperations = 200_000

// In counts the points of a set without parameters. A union is cut into
// polyhedra without common points; where that takes too long, the answer is
// about the number of points of the hull or the sum of those of the parts,
// whichever is less. The dimensions of a polyhedron
// that no constraint connects are counted apart; of connected ones the last is
// counted by its bounds for each point of the others and, where these are too
// many, for the middles of ranges of them, which is exact for linear lengths. It is an
// error when the set is unbounded.
func In(set *isl.Set) (Count, error) {
	set = set.Coalesce()
	var disjoint []*isl.BasicSet
	exceeded := set.Context().Within(maxOperations, func() { disjoint = set.MakeDisjoint().BasicSets() })
	if err := set.Context().Err(); err != nil {
		return Count{}, err
	}
	if !exceeded && len(disjoint) <= maxPieces {
		return sum(disjoint)
	}
	hull, err := inPolyhedron(set.RemoveDivs().SimpleHull())
	if err != nil {
		return Count{}, err
	}
	parts, err := sum(set.BasicSets())
	return Count{Value: min(hull.Value, parts.Value)}, err
}

// sum is the sum of the points of polyhedra.
func sum(pieces []*isl.BasicSet) (Count, error) {
	total := Count{Exact: true}
	for _, piece := range pieces {
		n, err := inPolyhedron(piece)
		if err != nil {
			return Count{}, err
		}
		total = total.Add(n)
	}
	return total, nil
}

// inPolyhedron multiplies the counts of the parts that no constraint
// connects.
func inPolyhedron(set *isl.BasicSet) (Count, error) {
	total := Count{Value: 1, Exact: true}
	lifted := set.Lift().ToSet()
	if empty, err := lifted.IsEmpty(); empty || err != nil {
		return Count{Exact: true}, err
	}
	n := lifted.Dim(isl.DimSet)
	parts, err := connected(lifted, n)
	if err != nil {
		return Count{}, err
	}
	for _, part := range parts {
		count, err := inPart(lifted, n, part)
		if err != nil {
			return Count{}, err
		}
		total.Value *= count.Value
		total.Exact = total.Exact && count.Exact
	}
	return total, nil
}

// connected groups the dimensions by the constraints that name several.
func connected(set *isl.Set, n int) ([][]int, error) {
	group := make([]int, n)
	for k := range group {
		group[k] = k
	}
	constraints, err := inequalities(set)
	if err != nil {
		return nil, err
	}
	for _, row := range constraints {
		first := -1
		for k, v := range row[:n] {
			switch {
			case v == 0:
			case first < 0:
				first = group[k]
			default:
				from := group[k]
				for j := range group {
					if group[j] == from {
						group[j] = first
					}
				}
			}
		}
	}
	var parts [][]int
	for g := range n {
		var part []int
		for k := range group {
			if group[k] == g {
				part = append(part, k)
			}
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// inequalities are the constraints of a set's rational hull, equalities as
// two.
func inequalities(set *isl.Set) ([][]int64, error) {
	equal, rows, err := set.RemoveDivs().SimpleHull().RemoveRedundancies().Constraints()
	if err != nil {
		return nil, err
	}
	for _, row := range equal {
		negative := make([]int64, len(row))
		for k, v := range row {
			negative[k] = -v
		}
		rows = append(rows, row, negative)
	}
	return rows, nil
}

// part is a polyhedron whose dimensions are bounded one after the other.
type part struct {
	// bounds[k] are the constraints that bound dimension k by those before
	// it: rows of coefficients and the constant.
	bounds [][][]int64
	// most is the number of values of one dimension that are looked at, left
	// the number of ranges that still may be.
	most, left int64
	exact      bool
}

// errTooMany says that a part has more slices than are looked at.
var errTooMany = errors.New("too many slices")

func inPart(set *isl.Set, n int, dimensions []int) (Count, error) {
	own := set
	for k := n - 1; k >= 0; k-- {
		if !slices.Contains(dimensions, k) {
			own = own.ProjectOut(isl.DimSet, k, 1)
		}
	}
	p, err := newPart(own, len(dimensions))
	if err != nil {
		return Count{}, err
	}
	value, err := p.count(make([]int64, len(dimensions)), 0)
	if errors.Is(err, errTooMany) {
		p.most, p.left = max(2, int64(math.Pow(maxSlices, 1/float64(len(dimensions)-1)))), math.MaxInt64
		value, err = p.count(make([]int64, len(dimensions)), 0)
	}
	return Count{value, p.exact}, err
}

// newPart finds the bounds of a polyhedron's dimensions.
func newPart(set *isl.Set, n int) (*part, error) {
	p := &part{bounds: make([][][]int64, n), most: math.MaxInt64, left: maxSlices, exact: true}
	for k := range n {
		rows, err := inequalities(set.ProjectOut(isl.DimSet, k+1, n-k-1))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row[k] != 0 {
				p.bounds[k] = append(p.bounds[k], row)
			}
		}
	}
	return p, nil
}

// Middle is a point in the middle of a set without parameters: of the range of
// its first coordinate in the set's first polyhedron, then of that of the second for this
// first, and so on. ok is false where there is no such point, as in an empty set.
func Middle(set *isl.Set) (point []int64, ok bool, err error) {
	pieces := set.Coalesce().BasicSets()
	if len(pieces) == 0 {
		return nil, false, set.Context().Err()
	}
	point = make([]int64, set.Dim(isl.DimSet))
	p, err := newPart(pieces[0].ToSet(), len(point))
	if err != nil {
		return nil, false, err
	}
	for k := range point {
		low, high, err := p.bound(point, k)
		if err != nil || low > high {
			return nil, false, err
		}
		point[k] = low + (high-low)/2
	}
	return point, true, nil
}

// count is the number of points with the first k coordinates of x.
func (p *part) count(x []int64, k int) (float64, error) {
	if k == len(x) {
		return 1, nil
	}
	if p.left--; p.left < 0 {
		return 0, errTooMany
	}
	low, high, err := p.bound(x, k)
	if err != nil || low > high {
		return 0, err
	}
	if k == len(x)-1 {
		return float64(high - low + 1), nil
	}
	total := 0.0
	strata := min(p.most, high-low+1)
	for s := range strata {
		first := low + stratum(high-low+1, s, strata)
		last := low + stratum(high-low+1, s+1, strata) - 1
		middle, err := p.middle(x, k, first, last)
		if err != nil {
			return 0, err
		}
		total += middle * float64(last-first+1)
	}
	return total, nil
}

// stratum is s · length / strata without overflow.
func stratum(length, s, strata int64) int64 {
	return length/strata*s + length%strata*s/strata
}

// middle is the mean number of points at the coordinate k from first to last,
// taken in the middle.
func (p *part) middle(x []int64, k int, first, last int64) (float64, error) {
	if first < last {
		p.exact = false
	}
	low := first + (last-first)/2
	high := low + (last-first)%2
	x[k] = low
	value, err := p.count(x, k+1)
	if err != nil || high == low {
		return value, err
	}
	x[k] = high
	above, err := p.count(x, k+1)
	return (value + above) / 2, err
}

// bound is the range of coordinate k for those before it.
func (p *part) bound(x []int64, k int) (low, high int64, err error) {
	low, high = math.MinInt64, math.MaxInt64
	for _, row := range p.bounds[k] {
		rest := row[len(row)-1]
		for j := range k {
			rest += row[j] * x[j]
		}
		if c := row[k]; c > 0 {
			low = max(low, -integer.FloorDivide(rest, c))
		} else {
			high = min(high, integer.FloorDivide(rest, -c))
		}
	}
	if low == math.MinInt64 || high == math.MaxInt64 {
		return 0, 0, ErrUnbounded
	}
	return low, high, nil
}
