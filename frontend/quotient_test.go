package frontend

import (
	"fmt"
	"strings"
	"testing"
)

// TestDivisorsThatAreParameters compares the elements of the model with those that C's arithmetic
// gives, for the values of the parameters that the model is for: "none" says that it is for all,
// "any" that elements may be any.
func TestDivisorsThatAreParameters(t *testing.T) {
	for _, test := range []struct {
		subscript, assumed string
		value              func(i, n, s int) int
	}{
		{"(i + 1) % n", "none", func(i, n, s int) int { return (i + 1) % n }},
		{"(i + n - 1) % n", "none", func(i, n, s int) int { return (i + n - 1) % n }},
		{"(i - 1 + n) % n", "none", func(i, n, s int) int { return (i - 1 + n) % n }},
		{"(i + n / 2) % n", "none", func(i, n, s int) int { return (i + n/2) % n }},
		{"(3 * i + 1) % n", "none", func(i, n, s int) int { return (3*i + 1) % n }},
		{"2 * i / n", "none", func(i, n, s int) int { return 2 * i / n }},
		{"i / n + i % n", "none", func(i, n, s int) int { return i/n + i%n }},
		{"((i + 1) % n + 1) % n", "none", func(i, n, s int) int { return ((i+1)%n + 1) % n }},
		{"(i < n - 1 ? i + 1 : 0) % n", "none", func(i, n, s int) int { return (i + 1) % n }},
		{"(i + s) % n", "0 <= s <= n", func(i, n, s int) int { return (i + s) % n }},
		{"(i + n - s) % n", "0 <= s <= n", func(i, n, s int) int { return (i + n - s) % n }},
		{"(i + 5 + n) % n", "n >= 5", func(i, n, s int) int { return (i + 5 + n) % n }},
		{"(i + n - 3) % n", "n >= 3", func(i, n, s int) int { return (i + n - 3) % n }},
		{"(unsigned) (i + 1) % (unsigned) n", "none", func(i, n, s int) int { return (i + 1) % n }},
		{"((unsigned) i + (unsigned) n - 1) % (unsigned) n", "none", func(i, n, s int) int { return (i + n - 1) % n }},
		{"(i - 1) % n", "any", nil},
		{"(i + 1) % s", "any", nil},
		{"(i - s) % n", "any", nil},
		{"i * i % n", "any", nil},
		{"(4 * i + 4) % n", "any", nil},
	} {
		t.Run(test.subscript, func(t *testing.T) {
			source := fmt.Sprintf("void f(int n, int s, double *a)\n{\n#pragma scop\nfor (int i = 0; i < n; i++) a[%s] = s;\n#pragma endscop\n}\n", test.subscript)
			file, err := Parse("quotient.c", []byte(source), Options{})
			if err != nil || isInexact(file) != (test.assumed == "any") {
				t.Fatalf("%s: error %v, assumed %s", source, err, test.assumed)
			}
			if isInexact(file) {
				return
			}
			program, p := file.Regions[0].Program, newProver()
			defer p.close()
			if program.Assumed == "" {
				program.Assumed = "{ : }"
			}
			wanted := p.context.ReadSet("[n, s] -> { : " + strings.Replace(test.assumed, "none", "true", 1) + " }")
			assumed := p.context.ReadSet(program.Assumed)
			if same, err := assumed.IsEqual(wanted); err != nil || !same {
				t.Errorf("%s: assumed %s, want %s (%v)", source, program.Assumed, test.assumed, err)
			}
			statement := program.Statements[0]
			model := p.context.ReadMap(statement.Accesses[0].Relation).IntersectDomain(p.context.ReadSet(statement.Domain))
			for n := 1; n < 9; n++ {
				for s := range 9 {
					at := p.context.ReadSet(fmt.Sprintf("[n, s] -> { : n = %d and s = %d }", n, s))
					if excluded, err := at.Intersect(assumed).IsEmpty(); err != nil || excluded {
						continue
					}
					var points []string
					for i := range n {
						points = append(points, fmt.Sprintf("S0[%d] -> a[%d]", i, test.value(i, n, s)))
					}
					want := p.context.ReadMap("{ " + strings.Join(points, "; ") + " }")
					if same, err := model.IntersectParams(at).IsEqual(want.IntersectParams(at)); err != nil || !same {
						t.Errorf("%s: n = %d, s = %d: got %s, want %s (%v)", source, n, s, model, want, err)
					}
				}
			}
		})
	}
}

// Sums of unsigned numbers may wrap around, but not where their values come from int.
func TestUnsignedDividends(t *testing.T) {
	for sum, want := range map[string]string{"i + 1": "", "i + n - 1": "[n] -> {  : n <= 2147483648 }"} {
		source := fmt.Sprintf("void f(unsigned n, double *a)\n{\n#pragma scop\nfor (unsigned i = 0; i < n; i++) a[(%s) %% n] = 1;\n#pragma endscop\n}\n", sum)
		file, err := Parse("quotient.c", []byte(source), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := file.Regions[0].Program.Assumed; got != want {
			t.Errorf("%s: assumed %s, want %s", sum, got, want)
		}
	}
}

// isInexact says whether references of a file's region are taken for ones to any element.
func isInexact(file *File) bool {
	for _, w := range file.Regions[0].Warnings {
		if strings.Contains(w.Message, "taken for ones to any element") {
			return true
		}
	}
	return false
}
