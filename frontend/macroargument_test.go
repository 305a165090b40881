package frontend

import (
	"slices"
	"testing"

	"polytune/scop"
)

// Iterators keep their type in macros' arguments unless the macro puts them into sums in brackets
// alone.
func TestMacroArguments(t *testing.T) {
	for _, test := range []struct {
		name, macros, element string
		want                  bool
	}{
		{"an element", "#define U(x) a[x]", "U(i)", true},
		{"a neighbour", "#define U(x) a[(x) + 1]", "U(i)", true},
		{"a sum as the argument", "#define U(x) a[2 * (x)]", "U(i + 1)", true},
		{"through other macros", "#define K 3\n#define U(x) a[K * (x) - 2 * (x)]\n#define W(x) (U((x) + 1) + U(x) * U(2 * (x) - (x)))", "W(i)", true},
		{"a value", "#define U(x) (a[x] + (x))", "U(i)", false},
		{"a quotient", "#define U(x) a[(x) / 2]", "U(i)", false},
		{"a number without a sign", "#define U(x) a[(x) + 1u]", "U(i)", false},
		{"a number without a sign as the argument", "#define U(x) a[x]", "U(i + 1u)", false},
		{"a long number", "#define U(x) a[(x) * 2654435761 / 2654435761]", "U(i)", false},
		{"a call", "#define U(x) a[at((x) - 1u)]", "U(i)", false},
		{"a call of the argument", "#define U(x) a[at(x)]", "U(i)", false},
		{"sizeof in another macro", "#define SZ(x) sizeof(x)\n#define U(x) a[SZ(x)]", "U(i)", false},
		{"sizeof as a macro", "#define S sizeof\n#define U(x) a[S(x)]", "U(i)", false},
		{"_Generic in another macro", "#define G(x) _Generic((x), int: 0, long: 1)\n#define U(x) a[G(x)]", "U(i)", false},
		{"an alignment", "#define U(x) a[__alignof__(x)]", "U(i)", false},
		{"a parameter with a macro's name", "#define m(i) a[i]\n#define F(x) (((x) - 1u) * a[x])\n#define V(m, i) m(i)", "V(F, i)", false},
		{"a bracket from a macro", "#define CL ]\n#define U(x) (a[0 CL + ((x) - 1u) * (b[0]))", "U(i)", false},
		{"an iterator without a sign", "#define U(x) a[x]", "U(u)", false},
	} {
		source := test.macros + "\nstatic int at(int x) { return x > 3 ? 3 : x; }\nvoid f(int n, double a[restrict 64], double b[restrict 64])\n{\n#pragma scop\nfor (int i = 0; i < n; i++) for (unsigned u = 0; u < 4; u++)\n  b[i] = " + test.element + ";\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		uses := file.Regions[0].Program.Statements[0].Uses
		if got := slices.ContainsFunc(uses, func(u scop.Use) bool { return u.Argument }); got != test.want {
			t.Errorf("%s: %v, want %v: %v", test.name, got, test.want, uses)
		}
	}
}
