package scop

import (
	"testing"
	"time"

	"polytune/internal/watch"
)

// FuzzExtent feeds arbitrary text as the extent of an array: there may be an error but no crash,
// and the same text has the same value twice.
func FuzzExtent(f *testing.F) {
	for _, text := range []string{"N", "2*N + M - 3", "(N + 1) / 2", "N M", "-N", "x", "1 = 1 or x", "N } ; { [x] : x = 1", "", "floor(N/2)", "N % 3",
		"min(N, M)", "max(N, M + 1)", "99999999999999999999", "exists e : e", "N * M", "\"N\"", "sizeof(double)", "[N]", "# N"} {
		f.Add(text)
	}
	limits := watch.Limits{Time: 40 * time.Second, MemoryBytes: 2 << 30}
	f.Fuzz(func(t *testing.T, text string) {
		defer limits.Start()()
		function := Function{Arguments: []Argument{{Name: "A", Role: Pointer, Extents: []string{text}}}}
		p := &Program{Arrays: []Array{{Name: "A", Size: 8}}}
		values := map[string]int{"N": 5, "M": 7}
		first, err := function.Bytes(p, values)
		if err != nil {
			return
		}
		if again, err := function.Bytes(p, values); err != nil || again != first || first < 0 {
			t.Errorf("%q has the values %d and %d, %v", text, first, again, err)
		}
	})
}
