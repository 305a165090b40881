package prooftest

import (
	"fmt"
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// regionOf is the only region of a function with the given text in front of it,
// its body in front of the region, the region, and the rest of the body; and the
// model of its program.
func regionOf(t *testing.T, before, head, region, tail string) (frontend.Region, *scop.Model) {
	t.Helper()
	source := before + "void f(int n, double A[n][n], double B[n], double x)\n{\n" + head +
		"\n#pragma scop\n" + region + "\n#pragma endscop\n" + tail + "\n}\n"
	file, err := frontend.Parse("test.c", []byte(source), frontend.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	ctx := isl.NewContext()
	t.Cleanup(ctx.Close)
	model, err := file.Regions[0].Program.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return file.Regions[0], model
}

// privatized is what Privatize does to such a region.
func privatized(t *testing.T, before, head, region, tail string) (*scop.Program, string) {
	t.Helper()
	r, model := regionOf(t, before, head, region, tail)
	p, list, err := depend.Privatize(model, r.Names)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, private := range list {
		words = append(words, fmt.Sprintf("%s as %s in %d of %v", private.Array, private.Name, private.Loops, private.Statements))
	}
	return p, strings.Join(words, "; ")
}

func TestPrivatize(t *testing.T) {
	const sum = "for (int i = 0; i < n; i++) { s = 0; for (int j = 0; j < n; j++) s += A[i][j]; B[i] = s; }"
	for _, test := range []struct{ name, before, head, region, tail, want string }{
		{"a sum", "", "double s;", sum, "", "s as s_1 in 1 of [0 1 2]"},
		{"in two nests", "", "double s;", sum + sum, "", "s as s_1 in 1 of [0 1 2]; s as s_2 in 1 of [3 4 5]"},
		{"in a loop around the region", "", "double s; for (int k = 0; k < 3; k++) {", sum, "}", "s as s_1 in 1 of [0 1 2]"},
		{"set again behind", "", "double s;", sum, "s = 1; B[0] = s;", "s as s_1 in 1 of [0 1 2]"},
		{"an argument", "", "", strings.ReplaceAll(sum, "s", "x"), "", "x as x_1 in 1 of [0 1 2]"},
		{"of the region", "", "", "double s; " + sum, "", "s as s_1 in 1 of [0 1 2]"},
		{"in the deepest loops", "", "double s;", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { s = A[i][j]; A[i][j] = s * s; }", "", "s as s_1 in 2 of [0 1]"},
		{"by a condition on data, after a plain write", "", "double s;", "for (int i = 0; i < n; i++) { s = 1; if (B[i] > 0) s = B[i]; B[i] = s; }", "", "s as s_1 in 1 of [0 1 2]"},
		{"in all cases", "", "double s;", "for (int i = 0; i < n; i++) { if (i > 3) s = 1; else s = 2; B[i] = s; }", "", "s as s_1 in 1 of [0 1 2]"},
		{"beside a value that goes on", "", "double s;", "s = x; for (int i = 0; i < n; i++) s = s * x; B[0] = s;" + sum, "", "s as s_1 in 1 of [3 4 5]"},
		{"an array", "", "double s[10];", "for (int i = 0; i < n; i++) { for (int j = 0; j < 10; j++) s[j] = A[i][j]; for (int j = 0; j < 10; j++) B[i] += s[9 - j]; }", "", "s as s_1 in 1 of [0 1]"},
		{"an array whose elements are used once", "", "double s[10];", "for (int i = 0; i < 10; i++) { s[i] = A[i][i]; for (int j = 0; j < 10; j++) B[j] += s[i]; }", "", ""},
		{"an array written in part", "", "double s[10];", "for (int i = 0; i < n; i++) { for (int j = 0; j < 9; j++) s[j] = A[i][j]; for (int j = 0; j < 10; j++) B[i] += s[j]; }", "", ""},
		{"an element of an earlier iteration", "", "double s[10];", "s[0] = x; for (int i = 0; i < 9; i++) { s[i + 1] = A[i][i]; B[i] = s[i]; } for (int i = 0; i < 9; i++) B[i] += s[i];", "", ""},
		{"a large array", "", "double s[10000];", "for (int i = 0; i < n; i++) { for (int j = 0; j < 10000; j++) s[j] = x; for (int j = 0; j < 10000; j++) B[i] += s[j]; }", "", ""},
		{"an array of unknown size", "", "double s[n];", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) s[j] = x; for (int j = 0; j < n; j++) B[i] += s[j]; }", "", ""},
		{"read first", "", "double s = 0;", "for (int i = 0; i < n; i++) { B[i] = s; s = A[i][i]; }", "", ""},
		{"read from before the loop", "", "double s;", "s = 0; for (int i = 0; i < n; i++) { B[i] = s; s = A[i][i]; }", "", ""},
		{"written by a condition on data", "", "double s;", "s = 0; for (int i = 0; i < n; i++) { if (B[i] > 0) s = B[i]; B[i] = s; }", "", ""},
		{"written for some iterations", "", "double s;", "s = 0; for (int i = 0; i < n; i++) { if (i > 3) s = A[i][i]; B[i] = s; }", "", ""},
		{"written in a loop that may not run", "", "double s;", "s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) s = A[i][j]; B[i] = s; }", "", ""},
		{"read behind the region", "", "double s;", sum, "B[0] = s;", ""},
		{"read in front of the region, in a loop around", "", "double s = 0; for (int k = 0; k < 3; k++) { B[k] = s;", sum, "}", ""},
		{"with its address taken", "", "double s; double *p = &s;", sum, "B[0] = *p;", ""},
		{"an array that a pointer leads to", "", "double s[10]; double *p = s;", "for (int i = 0; i < n; i++) { for (int j = 0; j < 10; j++) s[j] = A[i][j]; for (int j = 0; j < 10; j++) B[i] += s[9 - j]; }", "B[0] = *p;", ""},
		{"static", "", "static double s;", sum, "", ""},
		{"of the file", "double s;\n", "", sum, "", ""},
		{"behind a pointer", "", "", "for (int i = 0; i < n; i++) { B[0] = 0; for (int j = 0; j < n; j++) B[0] += A[i][j]; A[i][0] = B[0]; }", "", ""},
		{"named by a macro", "#define ADD(y) ((y) + s)\n", "double s;", "for (int i = 0; i < n; i++) { s = x; B[i] = ADD(s); }", "", ""},
		{"an argument of a macro", "#define SQUARE(y) ((y) * (y))\n", "double s;", "for (int i = 0; i < n; i++) { s = x; B[i] = SQUARE(s); }", "", "s as s_1 in 1 of [0 1]"},
		{"declared by each iteration already", "", "", "for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < n; j++) s += A[i][j]; B[i] = s; }", "", ""},
		{"with a taken name", "double s_1;\n", "double s;", sum, "", "s as s_2 in 1 of [0 1 2]"},
	} {
		if _, got := privatized(t, test.before, test.head, test.region, test.tail); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// The statements get the new name everywhere, and the places of iterators move
// with the text.
func TestPrivatizeText(t *testing.T) {
	p, _ := privatized(t, "struct s { double s; };\n", "double s; struct s y; y.s = 1;",
		"for (int i = 0; i < n; i++) { s = y.s + i; B[i] = s * A[i][i] + s; }", "")
	for k, want := range []string{"s_1 = y.s + i;", "B[i] = s_1 * A[i][i] + s_1;"} {
		s := p.Statements[k]
		if s.Source != want {
			t.Errorf("source %q, want %q", s.Source, want)
		}
		for _, u := range s.Uses {
			if !strings.HasPrefix(s.Source[u.Offset:], "i") {
				t.Errorf("%q has no iterator at %d", s.Source, u.Offset)
			}
		}
	}
	if p.Array("s") != nil || p.Array("s_1") == nil || !p.Array("s_1").Local {
		t.Errorf("arrays %v", p.Arrays)
	}
	if len(p.Locals) != 1 || p.Locals[0] != (scop.Local{Name: "s_1", Declaration: "double s_1", Loops: 1}) {
		t.Errorf("locals %v", p.Locals)
	}
}
