package frontend

import (
	"fmt"
	"testing"
)

// TestDividedBy compares the value of quotient · length + remainder with that
// of the polynomial, at many points.
func TestDividedBy(t *testing.T) {
	i, j, n, m := polynomialOf(variableForm("i")), polynomialOf(variableForm("j")), polynomialOf(variableForm("n")), polynomialOf(variableForm("m"))
	one := polynomial{{nil, 1}}
	indices := map[string]polynomial{
		"i*m + j":             i.times(m).plus(j, 1),
		"(i - 1)*(m + 2) + j": i.plus(one, -1).times(m.plus(one, 2)).plus(j, 1),
		"(i*n + j)*n - 3":     i.times(n).plus(j, 1).times(n).plus(one, -3),
		"3*(i*m + j) + 7*n":   i.times(m).plus(j, 1).plus(polynomial{}, 1).times(polynomial{{nil, 3}}).plus(n, 7),
		"j":                   j,
	}
	lengths := []linear{variableForm("m"), variableForm("n"), variableForm("m").plus(constantForm(2), 1),
		variableForm("m").plus(variableForm("n"), -2), constantForm(3)}
	for name, index := range indices {
		for _, length := range lengths {
			quotient, remainder, ok := index.dividedBy(length)
			if !ok {
				t.Errorf("%s by %s: no quotient", name, length)
				continue
			}
			for point := range 81 {
				values := map[string]int64{"i": int64(point%3) + 2, "j": int64(point/3%3) - 1, "n": int64(point/9%3) + 4, "m": int64(point/27) - 3}
				got := quotient.at(values)*polynomialOf(length).at(values) + remainder.at(values)
				if want := index.at(values); got != want {
					t.Fatalf("%s by %s at %v: got %d, want %d", name, length, values, got, want)
				}
			}
		}
	}
}

func (p polynomial) at(values map[string]int64) (sum int64) {
	for _, product := range p {
		value := product.coefficient
		for _, f := range product.factors {
			value *= values[f.text]
		}
		sum += value
	}
	return sum
}

// TestRows are indices with the subscripts that the model has for them, "" for
// what is refused.
func TestRows(t *testing.T) {
	for _, test := range []struct{ declarations, loops, index, want string }{
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * m + j", "i, j"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "j * n + i", "j, i"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "m - 1 - j + m * i", "i, -1 + m - j"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 1; j <= m; j++)", "i * m + j - 1", "i, -1 + j"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++)", "i * (m + 1) + j", "i, j"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = -1; j <= m; j++)", "(i + 1) * (m + 2) + j + 1", "1 + i, 1 + j"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "(long) i * m + j", "i, j"},
		{"unsigned long n, unsigned long m", "for (unsigned long i = 0; i < n; i++) for (unsigned long j = 0; j < m; j++)", "i * m + j", "i, j"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int c = 0; c < 4; c++)", "(i * m + j) * 4 + c", "i, j, c"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < m; k++)", "(i * m + j) * m + k", "i, j, k"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < m; k++)", "i * n * m + j * m + k", "i, j, k"},
		// A column that may be in the next row, or in the one before.
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++)", "i * m + j", ""},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = -1; j < m; j++)", "i * m + j", ""},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)", "i * m + j", ""},
		// Arithmetic that may wrap around, and products of iterators.
		{"unsigned n, unsigned m", "for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++)", "i * m + j", ""},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * j", ""},
	} {
		t.Run(test.index, func(t *testing.T) {
			source := fmt.Sprintf("void f(%s, double *a)\n{\n#pragma scop\n%s a[%s] = 0;\n#pragma endscop\n}\n", test.declarations, test.loops, test.index)
			file, err := Parse("rows.c", []byte(source), Options{})
			if err != nil || test.want == "" {
				if (err != nil) != (test.want == "") {
					t.Fatalf("%s: error %v, want subscripts %q", source, err, test.want)
				}
				return
			}
			program := file.Regions[0].Program
			model := newProver()
			defer model.close()
			s := program.Statements[0]
			got := model.context.ReadMap(s.Accesses[0].Relation).IntersectDomain(model.context.ReadSet(s.Domain))
			iterators := "i, j"
			if len(s.Loops) == 3 {
				iterators = "i, j, " + s.Loops[2].Iterator
			}
			want := model.context.ReadMap(fmt.Sprintf("[n, m] -> { S0[%s] -> a[%s] }", iterators, test.want)).IntersectDomain(model.context.ReadSet(s.Domain))
			if same, err := got.IsEqual(want); err != nil || !same || !program.Arrays[0].Linear {
				t.Errorf("%s: got %s, want %s (%v)", source, got, want, err)
			}
		})
	}
}
