package benchmarks

import (
	"reflect"
	"testing"
)

// Each kernel that is found by its name is the one that the whole catalogue has, and by its name
// without the suite the first of them.
func TestFindIsThatOfAll(t *testing.T) {
	first := map[string]Benchmark{}
	for _, b := range All() {
		if _, known := first[b.Kernel()]; !known {
			first[b.Kernel()] = b
		}
	}
	for _, b := range All() {
		for name, want := range map[string]Benchmark{b.Name: b, b.Kernel(): first[b.Kernel()]} {
			if got, err := Find(name); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
			}
		}
	}
	for _, name := range []string{"", "polybench", "polybench/", "nothing", "- name"} {
		if got, err := Find(name); err == nil {
			t.Errorf("%q is %s", name, got.Name)
		}
	}
}
