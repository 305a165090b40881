package frontend

import "testing"

// A file may be another one with options whose macros it names, or with files of its own that
// might.
func TestMayDiffer(t *testing.T) {
	const body = "void f(int n, double *a)\n{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 0;\n#pragma endscop\n}\n"
	for _, test := range []struct {
		source string
		a, b   Options
		want   bool
	}{
		{body, Options{}, Options{CompilerOptions: []string{"-O2"}}, false},
		{"#include <stdio.h>\n" + body, Options{}, Options{CompilerOptions: []string{"-O2"}}, false},
		{"#ifdef __OPTIMIZE__\n#endif\n" + body, Options{}, Options{CompilerOptions: []string{"-O2"}}, true},
		{"#ifdef __OPTIMIZE__\n#endif\n" + body, Options{CompilerOptions: []string{"-O3"}}, Options{CompilerOptions: []string{"-O2"}}, false},
		{"#ifdef _OPENMP\n#endif\n" + body, Options{}, Options{CompilerOptions: []string{"-fopenmp"}}, true},
		{"#include \"own.h\"\n" + body, Options{}, Options{CompilerOptions: []string{"-O2"}}, true},
		{" # include OWN\n" + body, Options{}, Options{CompilerOptions: []string{"-O2"}}, true},
		{"#ifdef STEP\n#endif\n" + body, Options{}, Options{Defines: []string{"STEP=2"}}, true},
		{"#ifdef STEP\n#endif\n" + body, Options{Defines: []string{"STEP=2"}}, Options{Defines: []string{"STEP=2"}}, false},
		{body, Options{}, Options{Defines: []string{"STEP=2"}}, false},
		{"#include <stdio.h>\n" + body, Options{}, Options{IncludePaths: []string{"/opt"}}, true},
	} {
		if got := MayDiffer([]byte(test.source), test.a, test.b); got != test.want {
			t.Errorf("%+v, %+v: %v for\n%s", test.a, test.b, got, test.source)
		}
	}
}
