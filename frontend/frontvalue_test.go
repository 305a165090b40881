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
		{"int p, q; p = m; q = 2 * p;", "a[q] += a[p];", []string{"m"}},
		{"int p, j; p = 3; if (n > 4) j = m;", "a[p * n] += a[j];", []string{"n", "m"}},
		{"int p; if (n > 4) p = 1; else p = m;", "a[p] += 1;", []string{"p"}},
		{"int p = 3; p = m;", "a[p] += 1;", []string{"p"}},
		{"int p; p = m; p += n;", "a[p] += 1;", []string{"p"}},
		{"const unsigned long w = 4; const int p = w * 2;", "for (int i = 0; i < n; i += p) a[p * i] += 1;", []string{"n"}},
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

// TestDerived are parameters that the function makes of its sizes, as a driver writes them.
func TestDerived(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		"const int p = n / WIDTH;":                     "p = n / 2",
		"int q, p; q = n - HALO; p = q / DOUBLE;":      "p = q / ( 2 * 2 )",
		"int p = n / other;":                           "",
		"const int w = 5; int p = (n + w - LAST) / w;": "p = ( n + 5 - 7 ) / 5",
	} {
		source := "#define DOUBLE (WIDTH * 2)\nstatic const int WIDTH = 2;\nint other = 3;\nenum { HALO = 1, LAST = 7 };\nvoid f(int n, double *a)\n{\n" + front +
			"\n#pragma scop\nfor (int i = 0; i < p; i++) a[i] += 1;\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Fatalf("%s: %v", front, err)
		}
		got := ""
		for _, d := range file.Regions[0].Program.Function.Derived {
			if d.Name == "p" {
				got = d.String()
			}
		}
		if got != want {
			t.Errorf("%s: %q, not %q", front, got, want)
		}
	}
}

// An index that counts iterations is followed though a sum reads the element there: what the loop
// adds to that sum is only tried.
func TestCountsBesideSum(t *testing.T) {
	t.Parallel()
	source := "void f(int n, int m, int *a, int *b)\n{\nint at = 0;\n#pragma scop\nfor (int i = 0; i < n; i++) {\nint s = 0;\nfor (int j = 0; j < m; j++) {\ns += a[at];\nb[at] = s;\nat++;\n}\n}\n#pragma endscop\n}\n"
	file, err := Parse("f.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if program := file.Regions[0].Program; program.Array("at") != nil || !program.Array("b").Linear {
		t.Errorf("the index is not known:\n%s", program)
	}
}
