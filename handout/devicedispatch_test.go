package handout

import (
	"fmt"
	"strings"
	"testing"

	"polytune/store"
)

// result is that of a variant on a machine in seconds, so many times as fast as the original.
func result(machine, variant string, seconds, speedup float64) store.Best {
	b := store.Best{Machine: machine, Size: "large", Variant: store.Variant{ID: variant}}
	b.Summary.Seconds.Median, b.Summary.Speedup.Median = seconds, speedup
	return b
}

// TestFasterOnDevices: kernels are for machines where they are faster than the original and than
// what processors have there, machines of one variant together.
func TestFasterOnDevices(t *testing.T) {
	t.Parallel()
	devices := []store.Best{
		result("a", "k", 1, 9), result("b", "l", 3, 3), result("c", "k", 1, 2), result("d", "m", 5, 0.5), result("e", store.Original, 1, 1), result("f", "m", 2, 2),
	}
	processors := []store.Best{result("a", "p", 4, 2), result("b", "p", 2, 4), result("d", store.Original, 9, 1), result("f", store.Original, 4, 1)}
	ids := []string{"a", "b", "c", "d", "e", "f"}
	for _, c := range []struct {
		isAny bool
		want  string
	}{{false, "[k [1 3] m [6]]"}, {true, "[k [1 3] l [2] m [4 6]]"}} {
		list, err := (&Known{Results: devices}).fasterOnDevices(ids, &Known{Results: processors}, c.isAny)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range list {
			got = append(got, v.best.Variant.ID+" "+fmt.Sprint(v.machines))
		}
		if text := fmt.Sprint(got); text != c.want {
			t.Errorf("any %v: %s; want %s", c.isAny, text, c.want)
		}
	}
	processors[0].Size = "small"
	if _, err := (&Known{Results: devices}).fasterOnDevices(ids, &Known{Results: processors}, true); err == nil || !strings.Contains(err.Error(), "--size") {
		t.Errorf("times of two sizes are compared: %v", err)
	}
}
