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
