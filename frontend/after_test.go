package frontend

import "testing"

// TestAliases says which pairs of pointers and arrays the user is told about.
func TestAliases(t *testing.T) {
	const body = "\n#pragma scop\nfor (int i = 0; i < 9; i++) a[i + 1] = b[i];\n#pragma endscop\n}\n"
	both := "the pointers a, b are taken to point to different arrays; declare them restrict, or say so by --assume-no-alias or #pragma scop assume-no-alias"
	only := func(name string) string {
		return "the pointer " + name + " is taken to point to no other array of the region; declare it restrict, or say so by --assume-no-alias or #pragma scop assume-no-alias"
	}
	for _, test := range []struct{ name, head, warning string }{
		{"two pointers", "void f(double *a, double *b) {", "t.c:1:15: " + both},
		{"into an argument", "void f(double a[16]) { double *b = a;", "t.c:1:31: " + only("b")},
		{"into a variable", "double b[16]; void f(double *a) {", "t.c:1:29: " + only("a")},
		{"one restrict", "void f(double *restrict a, double *b) {", ""},
		{"based on restrict", "void f(double *restrict a) { double *b = a + 1;", "t.c:1:37: " + only("b")},
		{"based on what is based on restrict", "void f(double *restrict a) { double *c = a + 1, *b; b = c + 1;", "t.c:1:49: " + only("b")},
		{"beside restrict", "void f(double *restrict a, double *c) { double *b = c + 1;", ""},
		{"two arrays", "void f(double a[16], double b[16]) {", ""},
		{"other types", "void f(double a[16], int *b) {", ""},
	} {
		file, err := Parse("t.c", []byte(test.head+body), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := ""
		if warnings := file.Regions[0].Warnings; len(warnings) > 0 {
			got = warnings.Error()
		}
		if got != test.warning {
			t.Errorf("%s: got %q, want %q", test.name, got, test.warning)
		}
	}
}

// A region leaves what its function leaves where nothing but a return of what is there can follow it, and no pointer is set.
func TestLeavesNamed(t *testing.T) {
	const region = "\n#pragma scop\n  for (int i = 0; i < n; i++)\n    s += a[i];\n#pragma endscop\n"
	for body, want := range map[string]bool{
		"double s = 0;" + region + "return s;":                                         true,
		"double s = 0;" + region + "return s + b[0] * sizeof n;":                       true,
		"double s = 0; b[0] = 1;" + region + "return s;":                               true,
		"double s = 0; if (n > 3) {" + region + "} return s;":                          true,
		"double s = 0; if (n > 3) {" + region + "} else s = 1; return s;":              false,
		"double s = 0;" + region + "b[0] = s; return s;":                               false,
		"double s = 0;" + region + "return b[0] = s;":                                  false,
		"double s = 0;" + region + "return g(s);":                                      false,
		"double s = 0;" + region + "double t = s; return t;":                           false,
		"double s = 0, *p = b; p[0] = 1;" + region + "return s;":                       false,
		"double s = 0; b = a;" + region + "return s;":                                  false,
		"double s = 0, b1 = b[0];" + region + "return s + b1;":                         true,
		"double s = 0; while (n--) {" + region + "} return s;":                         false,
		"double s = 0; again: b[0] = s;" + region + "if (s > 4) goto again; return s;": false,
	} {
		file, err := Parse("t.c", []byte("double g(double);\ndouble f(int n, double a[n], double b[n])\n{\n"+body+"\n}\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if got := file.Regions[0].LeavesNamed; got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
}
