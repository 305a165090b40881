package frontend

import "testing"

// TestAliases says which pairs of pointers and arrays the user is told about.
func TestAliases(t *testing.T) {
	const body = "\n#pragma scop\nfor (int i = 0; i < 9; i++) a[i + 1] = b[i];\n#pragma endscop\n}\n"
	both := "the pointers a, b are taken to point to different arrays; declare them restrict, or say so by --assume-no-alias or #pragma scop assume-no-alias"
	const together = "; use one of both names; or say by --assume-no-alias or #pragma scop assume-no-alias that they never name the same element"
	only := func(name string) string {
		return "the pointer " + name + " is taken to point to no other array of the region; declare it restrict, or say so by --assume-no-alias or #pragma scop assume-no-alias"
	}
	for _, test := range []struct{ name, head, warning string }{
		{"two pointers", "void f(double *a, double *b) {", "t.c:1:15: " + both},
		{"into an argument", "void f(double a[16]) { double *b = a;", ""},
		{"into a variable", "double b[16]; void f(double *a) {", "t.c:1:29: " + only("a")},
		{"one restrict", "void f(double *restrict a, double *b) {", ""},
		{"based on restrict", "void f(double *restrict a) { double *b = a + 1;", ""},
		{"based on what is based on restrict", "void f(double *restrict a) { double *c = a + 1, *b; b = c + 1;", "t.c:3:40: b leads into a, which the region uses by that name, too; use one of both names; or say by --assume-no-alias or #pragma scop assume-no-alias that they never name the same element"},
		{"based on one or another", "void f(double *restrict a, double *restrict c) { double *b = c; if (c[0] > 1) b = a;", "t.c:3:40: b leads into a, which the region uses by that name, too; use one of both names; or say by --assume-no-alias or #pragma scop assume-no-alias that they never name the same element"},
		{"based on a variable of the function", "void f(int n) { double a[16], *b = n > 3 ? a : a + 1;", "t.c:3:40: b leads into a, which the region uses by that name, too; use one of both names; or say by --assume-no-alias or #pragma scop assume-no-alias that they never name the same element"},
		{"based on it in the file", "static double a[16], *b = a + 1; void f(void) {", "t.c:3:40: b leads into a, which the region uses by that name, too; use one of both names; or say by --assume-no-alias or #pragma scop assume-no-alias that they never name the same element"},
		{"set by another function", "static double a[16], *b; void set(void) { b = a; } void f(void) {", "t.c:3:40: b leads into a, which the region uses by that name, too; use one of both names; or say by --assume-no-alias or #pragma scop assume-no-alias that they never name the same element"},
		{"based on an address", "void f(double *restrict a) { double *b = (double *) (((unsigned long) a + 63) & ~63ul);", "t.c:3:40: b leads into a, which the region uses by that name, too; use one of both names; or say by --assume-no-alias or #pragma scop assume-no-alias that they never name the same element"},
		{"made with a number of an array", "void *malloc(unsigned long); void f(double *restrict a) { double *b = malloc(a[0] * sizeof *a);", ""},
		{"beside restrict", "void f(double *restrict a, double *c) { double *b = c + 1;", ""},
		{"two arrays", "void f(double a[16], double b[16]) {", ""},
		{"into one array", "void f(double *restrict c) { double *a = c, *b = c + 1;", ""},
		{"into one array by another pointer", "void f(double *restrict c) { double *d = c + 1, *a, *b; a = d; b = d;", "t.c:3:29: a and b lead into the same memory" + together},
		{"into one array or another", "void f(int n, double *restrict c, double *restrict d) { double *a = n ? c : d, *b; b = d;", "t.c:3:29: a and b lead into the same memory" + together},
		{"into memory without a type", "void f(void *c) { double *a = c, *b = (double *) c + 1;", "t.c:3:29: a and b lead into the same memory" + together},
		{"into one member", "struct s { double *x, *y; }; void f(struct s *s) { double *a = s->x, *b; b = s->x + 3;", "t.c:3:29: a and b lead into the same memory" + together},
		{"into two members", "struct s { double *x, *y; }; void f(struct s *s) { double *a = s->x, *b = s->y;", "t.c:1:59: " + both},
		{"into two rows", "void f(double **m) { double *a = m[0], *b = m[1];", "t.c:1:29: " + both},
		{"into elements of structs", "struct s { double *x; }; void f(struct s s[2]) { double *a = s[0].x, *b = s[1].x;", "t.c:1:57: " + both},
		{"into what a function makes", "double *make(double *); void f(double *c) { double *a = make(c), *b = make(c);", "t.c:1:52: " + both},
		{"other types", "void f(double a[16], int *b) {", ""},
	} {
		file, err := Parse("t.c", []byte(test.head+body), Options{})
		got := ""
		if err != nil {
			got = err.Error()
		} else if warnings := file.Regions[0].Warnings; len(warnings) > 0 {
			got = warnings.Error()
		}
		if got != test.warning {
			t.Errorf("%s: got %q, want %q", test.name, got, test.warning)
		}
	}
}

// A region leaves what its function leaves where nothing but a return of what is there can follow
// it.
func TestIsLast(t *testing.T) {
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
		"double s = 0, b1 = b[0];" + region + "return s + b1;":                         true,
		"double s = 0; while (n--) {" + region + "} return s;":                         false,
		"double s = 0; again: b[0] = s;" + region + "if (s > 4) goto again; return s;": false,
	} {
		file, err := Parse("t.c", []byte("double g(double);\ndouble f(int n, double a[n], double b[n])\n{\n"+body+"\n}\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if got := file.Regions[0].IsLast; got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
}

// The elements behind pointers that may lead into another variable are known, and those of
// arguments that stay what they are.
func TestElsewhere(t *testing.T) {
	const head = "struct view { double *v, w[9]; int n; };\nvoid set(double **, double *);\nstatic double buffer[9], *p, all[9];\n"
	for body, want := range map[string]bool{
		"void f(int n, double *r) {\n#pragma scop\nr[0] = n;":                             false,
		"void f(int n, double r[n]) {\n#pragma scop\nr[0] = n;":                           false,
		"void f(int n, double *r) { double *q = r + 1;\n#pragma scop\nq[0] = n;":          true,
		"void f(int n, double *r, double *s) { r = s;\n#pragma scop\nr[0] = n;":           true,
		"void f(int n, double *r) { r++;\n#pragma scop\nr[0] = n;":                        true,
		"void f(int n, double *r, double *s) { set(&r, s);\n#pragma scop\nr[0] = n;":      true,
		"void f(int n) { p = buffer;\n#pragma scop\np[0] = n;":                            true,
		"void f(int n) {\n#pragma scop\np[0] = n;":                                        true,
		"void f(int n) {\n#pragma scop\nall[0] = n;":                                      false,
		"void f(int n, double *r) { struct view s = {r};\n#pragma scop\ns.v[0] = n;":      true,
		"void f(int n, struct view *s) {\n#pragma scop\ns->v[0] = n;":                     true,
		"void f(int n, struct view *s) {\n#pragma scop\ns->w[0] = n;":                     false,
		"void f(int n, struct view *s) { struct view *t = s;\n#pragma scop\nt->w[0] = n;": true,
	} {
		file, err := Parse("t.c", []byte(head+body+"\n#pragma endscop\n}\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		for _, a := range file.Regions[0].Program.Arrays {
			if a.Elsewhere != want && a.Name != "n" {
				t.Errorf("%s: %s: %v", body, a.Name, a.Elsewhere)
			}
		}
	}
}

// What OpenMP's threads add up outside of a region has another order each time.
func TestReducesElsewhere(t *testing.T) {
	const region = "\n#pragma omp parallel for reduction(+:s)\n#pragma scop\n#pragma omp parallel for reduction(+:s)\nfor (int i = 0; i < n; i++)\n s += a[i];\n#pragma endscop\n"
	const loop = "\nfor (int i = 0; i < n; i++)\n"
	for body, want := range map[string]bool{
		region: false,
		region + "#pragma omp parallel for" + loop + "a[i] = s;":                          false,
		region + "#pragma omp parallel for reduction(+:s)" + loop + "s += a[i];":          true,
		"\n#pragma omp simd reduction(+:s)" + loop + "s += a[i];" + region:                true,
		region + "#pragma omp parallel for" + loop + "\n#pragma omp atomic\na[0] += i;":   true,
		region + "#pragma omp parallel for" + loop + "\n#pragma omp critical\na[0] += i;": true,
		region + "#if 0\n#pragma omp parallel for reduction(+:s)\n#endif" + loop + "s++;": false,
	} {
		file, err := Parse("t.c", []byte("double f(int n, double *a)\n{\ndouble s = 0;"+body+"\nreturn s;\n}\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if got := file.Regions[0].ReducesElsewhere; got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
}

// TestDeadBehind says whether what a region leaves in a variable is read: not where what follows
// sets it first, unless a jump leads past that.
func TestDeadBehind(t *testing.T) {
	const region = "\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    s = a[i];\n    b[i] += s * s;\n  }\n#pragma endscop\n"
	for body, want := range map[string]bool{
		"double s = 0;" + region + "return 0;":                                                                                        true,
		"double s = 0;" + region + "return s;":                                                                                        false,
		"double s = 0;" + region + "s = 1; return s;":                                                                                 true,
		"double s = 0;" + region + "if (n) goto out; s = 1; out: return s;":                                                           false,
		"double s = 0; for (int t = 0; t < 3; t++) {" + region + "s = 1; } return s;":                                                 true,
		"double s = 0; for (int t = 0; t < 3; t++) {" + region + "if (n) break; s = 1; } return s;":                                   false,
		"double s = 0; for (int t = 0; t < 3; t++) {" + region + "if (n) continue; s = 1; } return s;":                                false,
		"double s = 0; for (int t = 0; t < 3; t++) {" + region + "if (n) return 0; s = 1; } return s;":                                true,
		"double s = 0; switch (n) { case 1:" + region + "break; case 2: s = 1; } return s;":                                           false,
		"double s = 0; switch (n) { case 1:" + region + "s = 2; break; case 2: s = 1; } return s;":                                    true,
		"double s = 0; switch (n) { case 2: s = 1; break; default:" + region + "} return n;":                                          true,
		"double s = 0; switch (n) { case 1: case 2: default:" + region + "return s; } return s;":                                      false,
		"double s = 0;" + region + "s = 1; if (n) goto out; s = 2; out: return s;":                                                    true,
		"double s = 0; do { if (n) { s = 3; } else if (n > 5) continue; else s = 1; b[0] = s; " + region + "} while (n--); return 0;": false,
	} {
		file, err := Parse("t.c", []byte("double f(int n, double a[n], double b[n])\n{\n"+body+"\n}\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if got := file.Regions[0].Program.Array("s").Temporary; got != want {
			t.Errorf("%s: temporary is %t", body, got)
		}
	}
}
