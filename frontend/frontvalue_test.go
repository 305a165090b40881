package frontend

import (
	"fmt"
	"slices"
	"testing"

	"polytune/isl"
)

// TestFrontValues are variables that are set in front of the region, of which those that are no
// sums get names as parameters: what others are made of stays known.
func TestFrontValues(t *testing.T) {
	t.Parallel()
	ctx := isl.NewContext()
	defer ctx.Close()
	for _, test := range []struct {
		front, statement string
		parameters       []string
	}{
		{"int j = m; int p = j & 7;", "a[p] += a[n >= j ? 1 : 3];", []string{"n", "p", "m"}},
		{"int j = m; int p = j % 8;", "a[n >= p ? j : 3] += 1;", []string{"n", "p", "m"}},
		{"int j = m + 1; int q = j * 2; int p = q / 3;", "a[p] += a[q];", []string{"p", "m"}},
		{"int j = m; if (j < 0) __builtin_unreachable(); int p = j & 7;", "a[p] += a[n >= j ? 1 : 3];", []string{"n", "p", "m"}},
	} {
		source := fmt.Sprintf("void f(int n, int m, double *a)\n{\n%s\n#pragma scop\n%s\n#pragma endscop\n}\n", test.front, test.statement)
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.front, err)
			continue
		}
		program := file.Regions[0].Program
		slices.Sort(test.parameters)
		if got := slices.Sorted(slices.Values(program.Parameters)); !slices.Equal(got, test.parameters) {
			t.Errorf("%s: parameters %s, not %s", test.front, got, test.parameters)
		}
		if _, err := program.Model(ctx); err != nil {
			t.Errorf("%s: %v", test.front, err)
		}
	}
}
