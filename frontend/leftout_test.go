package frontend

import (
	"strings"
	"testing"
)

// TestLeftOut leaves out of a file what the parser does not understand, where the region does not
// use it.
func TestLeftOut(t *testing.T) {
	const vectors = "typedef int v4 __attribute__((vector_size(16)));\ntypedef float f4 __attribute__((vector_size(16)));\n"
	const odd = "__builtin_convertvector(a, f4)"
	region := func(body string) string {
		return "void f(int n, double *restrict a)\n{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    " + body + "\n#pragma endscop\n}\n"
	}
	const plain = "a[i] = a[i] * 2;"
	for name, c := range map[string]struct {
		source string
		isRead bool
	}{
		"another function":            {vectors + "f4 conv(v4 a) { return " + odd + "; }\n" + region(plain), true},
		"a prototype":                 {"int g(int (*p)[*]);\n" + region(plain), true},
		"a fault":                     {"double big(void) { return 1e400; }\n" + region(plain), true},
		"a function that is called":   {vectors + "static double g(double x) { v4 a = {1}; return x + (" + odd + ")[1]; }\n" + region("a[i] = g(a[i]);"), false},
		"a function behind another":   {vectors + "static double g(double x) { v4 a = {1}; return x + (" + odd + ")[1]; }\nstatic double h(double x) { return g(x); }\n" + region("a[i] = h(a[i]);"), false},
		"the region's own function":   {vectors + strings.Replace(region(plain), "{\n", "{\n  v4 a4 = {1}; f4 b4 = __builtin_convertvector(a4, f4); (void) b4;\n", 1), false},
		"a variable that it writes":   {vectors + "static int step = 1;\nvoid set(v4 a) { step = (int) (" + odd + ")[0]; }\n" + region("a[i * step] = 1;"), false},
		"the initialiser of the data": {vectors + "void f_init(int n, double *restrict b) { v4 a = {n}; b[0] = (" + odd + ")[0]; }\n" + region(plain), false},
		"the program":                 {vectors + region(plain) + "int main(void) { v4 a = {1}; return (int) (" + odd + ")[0]; }\n", false},
	} {
		file, err := Parse("x.c", []byte(c.source), Options{})
		switch {
		case c.isRead && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.isRead && len(file.Regions[0].Program.Statements) != 1:
			t.Errorf("%s: got\n%s", name, file.Regions[0].Program)
		case !c.isRead && (err == nil || !strings.HasPrefix(err.Error(), "x.c:") || !strings.Contains(err.Error(), understandableC)):
			t.Errorf("%s: error %v", name, err)
		}
	}
}
