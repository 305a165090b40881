package space

import (
	"slices"
	"testing"

	"polytune/isl"
)

// points are the integer points of the constraints, found by trying every
// combination of the variables of each pair of statements.
func points(variables int, constraints []Constraint) [][]int64 {
	var list [][]int64
	point := make([]int64, variables)
	var fill func(k int)
	fill = func(k int) {
		if k == variables {
			if !slices.ContainsFunc(constraints, func(c Constraint) bool { return !c.Holds(point) }) {
				list = append(list, slices.Clone(point))
			}
			return
		}
		for _, pair := range [][2]int64{{0, 0}, {0, 1}, {1, 0}} {
			point[k], point[k+1] = pair[0], pair[1]
			fill(k + 2)
		}
	}
	fill(0)
	return list
}

func TestEncodingHasOnePointPerWeakOrder(t *testing.T) {
	for n := 1; n <= 5; n++ {
		e := Encoding{n}
		constraints := slices.Collect(e.Constraints())
		if len(constraints) != e.ConstraintCount() || len(e.VariableNames()) != e.Variables() {
			t.Errorf("n = %d: %d constraints and %d names, announced %d and %d", n,
				len(constraints), len(e.VariableNames()), e.ConstraintCount(), e.Variables())
		}
		var found []Partition
		for _, point := range points(e.Variables(), constraints) {
			p, err := e.Partition(point)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(e.Point(p), point) {
				t.Errorf("%v is the partition %v, whose point is %v", point, p, e.Point(p))
			}
			found = append(found, p)
		}
		slices.SortFunc(found, Partition.Compare)
		if !samePartitions(found, weakOrders(n)) {
			t.Errorf("n = %d: %d points do not stand for the %d weak orders", n, len(found), len(weakOrders(n)))
		}
	}
}

func TestEncodingSizes(t *testing.T) {
	for _, test := range []struct{ n, variables, constraints int }{
		{1, 0, 0}, {2, 2, 5}, {3, 6, 22}, {4, 12, 58}, {6, 30, 215}, {7, 42, 350}, {14, 182, 3003},
	} {
		e := Encoding{test.n}
		if e.Variables() != test.variables || e.ConstraintCount() != test.constraints {
			t.Errorf("n = %d: %d variables, %d constraints; want %d, %d",
				test.n, e.Variables(), e.ConstraintCount(), test.variables, test.constraints)
		}
	}
}

func TestEncodingRefusesOtherPoints(t *testing.T) {
	e := Encoding{3}
	for _, point := range [][]int64{nil, {1, 1, 0, 0, 0, 0}, {1, 0, 0, 0, 1, 0}, {2, 0, 1, 0, 0, 1}, {0, 0, 1, 0, 0, 0, 0}} {
		if p, err := e.Partition(point); err == nil {
			t.Errorf("%v: got %v, want an error", point, p)
		}
	}
}

// islPoints takes points out of a set until none is left.
func islPoints(t *testing.T, e Encoding, set *isl.Set) []Partition {
	t.Helper()
	var list []Partition
	for {
		empty, err := set.IsEmpty()
		if err != nil {
			t.Fatal(err)
		}
		if empty {
			slices.SortFunc(list, Partition.Compare)
			return list
		}
		point, ok := set.Point()
		if !ok {
			t.Fatal("isl gives no point")
		}
		p, err := e.Partition(point)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
		other := set
		for k, value := range point {
			other = other.FixSi(isl.DimSet, k, int(value))
		}
		set = set.Subtract(other)
	}
}

func TestEncodingAsSet(t *testing.T) {
	for n := 2; n <= 3; n++ {
		ctx := isl.NewContext()
		defer ctx.Close()
		e := Encoding{n}
		set := e.Set(ctx)
		if got := islPoints(t, e, set); !samePartitions(got, weakOrders(n)) {
			t.Errorf("n = %d: the isl set has the points %v", n, got)
		}
		text := ctx.ReadSet(e.text(e.Constraints()))
		if equal, err := set.IsEqual(text); err != nil || !equal {
			t.Errorf("n = %d: the text is another set (%v): %s", n, err, e.text(e.Constraints()))
		}
	}
}
