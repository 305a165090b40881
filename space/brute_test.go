package space

import (
	"slices"
	"sync"
	"testing"
)

// weakOrders are all normalised class vectors of n statements in
// lexicographic order. The caller owns the list, but not its vectors.
func weakOrders(n int) []Partition {
	list, known := weakOrdersOf.Load(n)
	if !known {
		list, _ = weakOrdersOf.LoadOrStore(n, tryAllVectors(n))
	}
	return slices.Clone(list.([]Partition))
}

var weakOrdersOf sync.Map

func tryAllVectors(n int) []Partition {
	var list []Partition
	p := make(Partition, n)
	for {
		if p.Validate() == nil {
			list = append(list, slices.Clone(p))
		}
		i := n - 1
		for i >= 0 && p[i] == n-1 {
			p[i] = 0
			i--
		}
		if i < 0 {
			return list
		}
		p[i]++
	}
}

func TestTotal(t *testing.T) {
	for n, want := range []int64{1, 1, 3, 13, 75, 541, 4683, 47293, 545835} {
		if got := Total(n); got.Int64() != want {
			t.Errorf("Total(%d) = %v, want %d", n, got, want)
		}
		if n > 0 && n <= 6 && len(weakOrders(n)) != int(want) {
			t.Errorf("%d weak orders of %d statements, want %d", len(weakOrders(n)), n, want)
		}
	}
	if got := Total(15).String(); got != "230283190977853" {
		t.Errorf("Total(15) = %s", got)
	}
}

// collect lists a sequence and checks that it is lexicographically ascending.
func collect(t *testing.T, sequence func(func(Partition, error) bool)) []Partition {
	t.Helper()
	var list []Partition
	for p, err := range sequence {
		if err != nil {
			t.Fatal(err)
		}
		if len(list) > 0 && list[len(list)-1].Compare(p) >= 0 {
			t.Fatalf("%v comes after %v", p, list[len(list)-1])
		}
		list = append(list, p)
	}
	return list
}

func samePartitions(a, b []Partition) bool {
	return slices.EqualFunc(a, b, func(p, q Partition) bool { return p.Compare(q) == 0 })
}
