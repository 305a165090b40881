package frontend

import (
	"fmt"
	"strings"
	"testing"

	"polytune/scop"
)

// statementsOf are the statements of a body of a loop over i, with their loops inside.
func statementsOf(t *testing.T, functions, body string) []scop.Statement {
	t.Helper()
	source := "#include <math.h>\n" + functions + "\nvoid f(int n, double x, double a[n])\n{\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    " + body + "\n  }\n#pragma endscop\n}\n"
	file, err := Parse("f.c", []byte(source), Options{})
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return file.Regions[0].Program.Statements
}

// A list of initial values is one statement for each value, and one for each row of zeros.
func TestInitialValues(t *testing.T) {
	for list, want := range map[string]string{
		"t[3] = {0}":                "t[k] = 0; 0 <= k < 3",
		"t[3] = {}":                 "t[k] = 0; 0 <= k < 3",
		"t[5] = {x, 2 * x}":         "t[0] = x; | t[1] = 2 * x; | t[k] = 0; 2 <= k < 5",
		"t[3] = {0, x}":             "t[0] = 0; | t[1] = x; | t[2] = 0;",
		"t[2][3] = {1, 2, x, i}":    "t[0][0] = 1; | t[0][1] = 2; | t[0][2] = x; | t[1][0] = i; | t[1][k] = 0; 1 <= k < 3",
		"t[4][2] = {{0}, {0, x}}":   "t[0][k] = 0; 0 <= k < 2 | t[1][0] = 0; | t[1][1] = x; | t[k][k_1] = 0; 2 <= k < 4 and 0 <= k_1 < 2",
		"t[2000][3000] = {{0}}":     "t[k][k_1] = 0; 0 <= k < 2000 and 0 <= k_1 < 3000",
		"t = {x}":                   "t = x;",
		"t[2] = {fmax(x, i), a[i]}": "t[0] = fmax(x, i); | t[1] = a[i];",
	} {
		element := strings.Repeat("[0]", strings.Count(strings.Split(list, "=")[0], "["))
		body := fmt.Sprintf("double %s; t%s += a[i]; a[i] = t%[2]s;", list, element)
		statements := statementsOf(t, "", body)
		var got []string
		for _, s := range statements[:len(statements)-2] {
			text := s.Source
			if _, bounds, loops := strings.Cut(s.Domain, "0 <= i < n and "); loops {
				text += " " + strings.TrimSuffix(bounds, " }")
			}
			got = append(got, text)
		}
		if text := strings.Join(got, " | "); text != want {
			t.Errorf("%s is\n%s, not\n%s", list, text, want)
		}
	}
}

// What a statement calls says whether clang makes vectors of it.
func TestSerialStatements(t *testing.T) {
	const functions = `static double small(double v) { return v > 0 ? fabs(v) : 1; }
static double deeper(double v) { return small(v) + sqrt(v); }
static double newton(double v) { for (int k = 0; k < 9; k++) v = 0.5 * (v + 2 / v); return v; }
static double around(double v) { return small(v) + newton(v); }`
	for body, want := range map[string]scop.Serial{
		"a[i] = floor(a[i]) + fmax(a[i], x) + __builtin_popcount(i);": scop.NotSerial,
		"a[i] = small(a[i]);":                 scop.NotSerial,
		"a[i] = expf(a[i]) + fabs(x);":        scop.SerialByErrno,
		"a[i] = deeper(a[i]);":                scop.SerialByErrno,
		"a[i] = tanh(sqrt(a[i]));":            scop.AlwaysSerial,
		"a[i] = around(a[i]);":                scop.AlwaysSerial,
		"if (a[i] > x) a[i] = pow(x, 2.5);":   scop.SerialByErrno,
		"for (int j = 0; j < a[i]; j++) x++;": scop.AlwaysSerial,
	} {
		if got := statementsOf(t, functions, body)[0].Serial; got != want {
			t.Errorf("%s: serial %d, not %d", body, got, want)
		}
	}
}
