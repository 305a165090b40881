package frontend

import (
	"fmt"
	"strings"
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
	twice := variableForm("m").times(2).plus(constantForm(1), 1)
	indices["(i - 1)*(2*m + 1) + j"] = i.plus(one, -1).times(polynomialOf(twice)).plus(j, 1)
	lengths := []linear{variableForm("m"), twice, variableForm("n"), variableForm("m").plus(constantForm(2), 1),
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
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < 100; j++)", "i * 100 + j", "i, j"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < 50; j++) for (int k = 0; k < 20; k++)", "(i * 50 + j) * 20 + k", "i, j, k"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j <= 2 * m; j++)", "i * (2 * m + 1) + j", "i, j"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * (3 * m) + 2 * m + j", "i, 2m + j"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < 2 * m; j++)", "i * (3 * m) + m + j", "i, m + j"},
		// Rows and columns that conditions choose.
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)", "MIN(i, j) * n + MAX(i, j)", "min(i, j), max(i, j)"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * m + MAX(j - 1, 0)", "i, max(j - 1, 0)"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "MIN(MAX(i - 3, 0), n - 1) * m + MIN(MAX(j + n, 0), m - 1)", "max(i - 3, 0), min(j + n, m - 1)"},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * m + j - 1", ""},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * m + MAX(j - 1, -1)", ""},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * m + MAX(j + 1, 0)", ""},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "MIN(i, j) * MAX(i, j)", ""},
		{"unsigned n, unsigned m", "for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < n; j++)", "MIN(i, j) * n + MAX(i, j)", "min(i, j), max(i, j)"},
		// A column that may be in the next row, or in the one before.
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++)", "i * m + j", ""},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = -1; j < m; j++)", "i * m + j", ""},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < n && j <= m; j++)", "i * m + j - 1", ""},
		// Arithmetic that may wrap around, as a whole and in a part, and products of iterators.
		{"unsigned n, unsigned m", "for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++)", "i * m + j", "i, j"},
		{"unsigned n, unsigned m", "for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++)", "(long) (i * m + j)", "i, j"},
		{"unsigned n, unsigned m", "for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++)", "(long) (i * m) + j", ""},
		{"unsigned n, unsigned m", "for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++)", "(unsigned char) (i * m + j)", ""},
		{"int n, int m", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * j", ""},
	} {
		t.Run(test.index, func(t *testing.T) {
			source := fmt.Sprintf("#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nvoid f(%s, double *a)\n{\n#pragma scop\n%s a[%s] = 0;\n#pragma endscop\n}\n", test.declarations, test.loops, test.index)
			file, err := Parse("rows.c", []byte(source), Options{})
			if inexact := err != nil || isInexact(file); inexact || test.want == "" {
				if inexact != (test.want == "") {
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

// TestAssumedRows are indices with the subscripts that the model has for them where rows are as
// long as it assumes, "" for what is refused or may be any element. The assumption is that of one
// loop alone: it excludes no run in which the rows are long enough.
func TestAssumedRows(t *testing.T) {
	for _, test := range []struct{ loops, index, want, assumed string }{
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * l + j", "i, j", "l >= m"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i + j * l", "j, i", "l >= n"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++)", "i * l + j", "i, j", "l >= n"},
		{"for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++)", "j * l + i", "j, i", "l >= n - 1"},
		{"for (int i = 0; i < n; i++) for (int j = 1; j < m - 1; j++)", "(i + 1) * l + j + 1", "1 + i, 1 + j", "l >= m"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * l + l - 1 - j", "i, l - 1 - j", "l >= m"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < 1; j++)", "i * l + m", "i, m", "0 <= m < l"},
		{"for (int i = 0; i < n; i++) for (int j = m + 1; j < l - m; j++)", "i * l + j - m - 1", "i, j - m - 1", "m >= 0"},
		{"for (int i = 0; i < n; i++) for (int j = m + 1; j < l - m; j++)", "i * l + j + m", "i, j + m", "m >= 0"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "(i * m + j) * l + 3", "i, j, 3", "l >= 4"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "j * l", "j, 0", "l >= 1"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < 40; j++)", "i * l + j", "i, j", "l >= 40"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m && j < l; j++)", "i * l + j", "i, j", "none"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "n / 2 * l + l / 2", "floor(n / 2), floor(l / 2)", "l >= 1"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "m / 3 * l + l - 1 - l / 4", "floor(m / 3), l - 1 - floor(l / 4)", "l >= 1"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "(unsigned) i * l + j", "i, j", "m <= l <= 65535 and n <= 65535 and l >= 0"},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "((unsigned) i * m + j) * l + 3", "i, j, 3", "4 <= l <= 1625 and n <= 1625 and m <= 1625"},
		{"for (int i = 0; i < 9; i++) for (int j = 0; j < m; j++)", "(i * 3u + 1) * l + j", "i, 1, j", "m <= l <= 37837 and l >= 0"},
		// Rows that are never long enough, and columns that may be in the row before.
		{"for (int i = 0; i < n; i++) for (int j = 0; j <= l; j++)", "i * l + j", "", ""},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * l + j - 1", "", ""},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < l; j++)", "i * l + j + m", "", ""},
		{"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", "i * l + j * n", "", ""},
	} {
		t.Run(test.loops+test.index, func(t *testing.T) {
			source := fmt.Sprintf("void f(int n, int m, int l, double *a)\n{\n#pragma scop\n%s a[%s] = 0;\n#pragma endscop\n}\n", test.loops, test.index)
			file, err := Parse("rows.c", []byte(source), Options{})
			if test.assumed == "" {
				if err == nil && !isInexact(file) {
					t.Fatalf("%s is accepted:\n%s", source, file.Regions[0].Program)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", source, err)
			}
			program := file.Regions[0].Program
			model := newProver()
			defer model.close()
			s := program.Statements[0]
			got := model.context.ReadMap(s.Accesses[0].Relation).IntersectDomain(model.context.ReadSet(s.Domain)).IntersectParams(model.context.ReadSet(program.Context))
			want := model.context.ReadMap(fmt.Sprintf("[n, m, l] -> { S0[i, j] -> a[%s] }", test.want)).IntersectDomain(model.context.ReadSet(s.Domain)).IntersectParams(model.context.ReadSet(program.Context))
			if same, err := got.IsEqual(want); err != nil || !same {
				t.Errorf("%s: got %s, want %s (%v)", source, got, want, err)
			}
			if test.assumed == "none" {
				if program.Assumed != "" {
					t.Errorf("%s: assumed %s", source, program.Assumed)
				}
				return
			}
			assumed, wanted := model.context.ReadSet(program.Assumed), model.context.ReadSet("[n, m, l] -> { : "+test.assumed+" }")
			if same, err := assumed.IsEqual(wanted); err != nil || !same {
				t.Errorf("%s: assumed %s, want %s (%v)", source, program.Assumed, wanted, err)
			}
			if within, err := model.context.ReadSet(program.Context).IsSubset(assumed); err != nil || !within {
				t.Errorf("%s: the context %s is not within %s (%v)", source, program.Context, program.Assumed, err)
			}
		})
	}
}

// rowsOf reads a region with a double *a and a double *b, and gives its statements' texts.
func rowsOf(t *testing.T, declarations, region string) (texts []string, a string) {
	t.Helper()
	file, err := Parse("rows.c", []byte(fmt.Sprintf("#define AT(i, j) a[(i) * m + (j)]\n#define TWICE(x) ((x) + (x))\ndouble f(double *);\nvoid g(int n, int m, const int *at, double *b, double *%s)\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", declarations, region)), Options{})
	if err != nil {
		t.Fatalf("%s: %v", region, err)
	}
	program := file.Regions[0].Program
	for _, s := range program.Statements {
		texts = append(texts, s.Source)
	}
	return texts, program.Array("a").String()
}

// TestTextsOfRows are regions with the texts of their statements.
func TestTextsOfRows(t *testing.T) {
	const loops = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) "
	for _, test := range []struct {
		declarations, region string
		want                 []string
		array                string
	}{
		{"a", loops + "a[i * m + j] += a[(n - 1 - i) * m + m - 1 - j];", []string{"a_rows[i][j] += a_rows[-i + n - 1][-j + m - 1];"}, "linear a_rows"},
		{"a", loops + "a[(long) i * m + (long) j] = 2 * (a[m * i + j]);", []string{"a_rows[i][j] = 2 * (a_rows[i][j]);"}, "linear a_rows"},
		{"a", loops + "*(a + (i * m + j)) = TWICE(b[j]);", []string{"a_rows[i][j] = TWICE(b[j]);"}, "linear a_rows"},
		{"a", loops + "*(a + i * m + j) = *(&b[i] + j + 1);", []string{"a_rows[i][j] = *(&b[i] + j + 1);"}, "linear a_rows"},
		{"a", loops + "(a + i * m)[j] = (&a[i * m])[m - 1 - j] + *(&b[i] + j);", []string{"a_rows[i][j] = a_rows[i][-j + m - 1] + *(&b[i] + j);"}, "linear a_rows"},
		{"a", loops + "*(j + (a + i * m)) = (j + &a[i * m])[0];", []string{"a_rows[i][j] = a_rows[i][j];"}, "linear a_rows"},
		{"a", loops + "AT(i, j) = AT(i, m - 1 - j) + 1;", []string{"a_rows[i][j] = a_rows[i][-j + m - 1] + 1;"}, "linear a_rows"},
		{"a", loops + "{ int k = i * m + j; a[k] = b[j] * k; }", []string{"a_rows[i][j] = b[j] * (i * m + j);"}, "linear a_rows"},
		{"a", "for (int i = 0; i < n; i++) { int row = i * m; for (int j = 0; j < m; j++) a[row + j] = b[row / m]; }",
			[]string{"a_rows[i][j] = b[(i * m) / m];"}, "linear a_rows"},
		{"a", "for (int i = 0; i < n; i++) { int last = (i + 1) * m - 1; for (int j = 0; j < m; j++) a[last - j] += j; }",
			[]string{"a_rows[i][-j + m - 1] += j;"}, "linear a_rows"},
		{"a", loops + "a[i * m + j] = a[at[j]];", []string{"a_rows[i][j] = a[at[j]];"}, "linear a_rows"},
		{"a", loops + "if (a[i * m + j] > 3) b[j] = a[at[j]];", []string{"if (a_rows[i][j] > 3) b[j] = a[at[j]];"}, "linear a_rows"},
		{"a", "for (int i = 0; i < n; i++) { int row = i * m; for (int j = 0; j < n; j++) a[row + j] = b[j]; }", []string{"a_rows[i][j] = b[j];"}, "linear a_rows"},
		{"a, double *a_rows", loops + "a[i * m + j] = a_rows[j];", []string{"a_rows_[i][j] = a_rows[j];"}, "linear a_rows_"},
		{"a", "for (int i = 0; i < n; i++) for (int j = 0; j < m + 2; j++) a[i * (m + 2) + j] = b[j];", []string{"a_rows[i][j] = b[j];"}, "double a[][m + 2]"},
		// Steps are no rows, and neither is what one reference leaves.
		{"a", "for (int i = 0; i < n; i++) a[2 * i + 1] = b[i];", []string{"a[2 * i + 1] = b[i];"}, "double a[]"},
		{"a", "for (int i = 0; i < n; i++) for (int j = 0; j < 100; j++) a[i * 100 + j] = a[i + j];", []string{"a[i * 100 + j] = a[i + j];"}, "double a[]"},
		{"a", "for (int i = 0; i < n; i++) for (int j = 0; j <= 100; j++) a[i * 100 + j] = b[i];", []string{"a[i * 100 + j] = b[i];"}, "double a[]"},
	} {
		texts, array := rowsOf(t, test.declarations, test.region)
		if strings.Join(texts, "\n") != strings.Join(test.want, "\n") || !strings.Contains(array, test.array) {
			t.Errorf("%s:\ngot  %q, %s\nwant %q, %s", test.region, texts, array, test.want, test.array)
		}
	}
}

// An array with rows that is declared with so many of them has as many in the model, and a
// temporary is one still.
func TestCountOfRows(t *testing.T) {
	for declaration, want := range map[string]string{
		"double a[30 * 40];":        "double a[30][40] size 8 linear a_rows temporary",
		"double a[1201];":           "double a[][40] size 8 linear a_rows temporary",
		"double a[n * 40];":         "double a[n][40] size 8 linear a_rows temporary",
		"static double a[30 * 40];": "double a[30][40] size 8 linear a_rows renamable",
	} {
		source := "void f(int n, int m, double *b)\n{\n" + declaration + "\n#pragma scop\nfor (int i = 0; i < 30; i++) for (int j = 0; j < 40; j++) { a[i * 40 + j] = b[j]; b[i] += a[40 * i + j]; }\n#pragma endscop\n}\n"
		file, err := Parse("rows.c", []byte(source), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := file.Regions[0].Program.Array("a").String(); got != want {
			t.Errorf("%s: got %s, want %s", declaration, got, want)
		}
	}
}
