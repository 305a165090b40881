package frontend

import "testing"

// TestRenamable says which variables can get another name in the region, so that iterations can
// have their own, and which of these nobody looks at behind it.
func TestRenamable(t *testing.T) {
	const renamable, temporary, neither = "double v[9] size 8 renamable", "double v[9] size 8 temporary", "double v[9] size 8"
	for _, test := range []struct{ name, file, function, behind, want string }{
		{"of the function", "", "double v[9];", "", temporary},
		{"of the function, read later", "", "double v[9];", "b[0] = v[3];", renamable},
		{"static", "", "static double v[9];", "", renamable},
		{"of the file", "double v[9];", "", "", renamable},
		{"of the file, static", "static double v[9];", "", "", renamable},
		{"of another file", "extern double v[9];", "", "", renamable},
		{"of the file, declared twice", "extern double v[9]; double v[9];", "", "", renamable},
		{"with an address", "double v[9]; double (*where(void))[9] { return &v; }", "", "", neither},
		{"with an address, declared twice", "extern double v[9]; double (*where(void))[9] { return &v; } double v[9];", "", "", neither},
	} {
		const region = "\n#pragma scop\nfor (int i = 0; i < n; i++) { for (int j = 0; j < 9; j++) v[j] = b[i + j]; for (int j = 0; j < 9; j++) b[i] += v[8 - j]; }\n#pragma endscop\n"
		file, err := Parse("t.c", []byte(test.file+"\nvoid f(int n, double b[n])\n{\n"+test.function+region+test.behind+"\n}\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := file.Regions[0].Program.Array("v").String(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// Macros with ## that can make no name of a variable do not keep it from having another one.
func TestRenamableBesidePasting(t *testing.T) {
	for _, test := range []struct {
		macro, given string
		renamable    bool
	}{
		{"#define SV(x) x##f\n", "SV(0.5)", true},
		{"#define SV(x) x##f\n", "SV(v)", false},
		{"#define SV(x) v##x\n", "SV(f)", false},
		{"#define T(x) x##f\n#define SV(x) T(x)\n", "SV(0.5)", true},
		{"#define SV(x) (x + sizeof(#x))\n", "SV(0.5)", true},
	} {
		source := test.macro + "void f(int n, double b[n], double vf)\n{\ndouble v[1];\n#pragma scop\nv[0] = " + test.given +
			";\nfor (int i = 0; i < n; i++) b[i] = v[0];\n#pragma endscop\n}\n"
		file, err := Parse("t.c", []byte(source), Options{})
		if err != nil {
			t.Errorf("%s%v", test.macro, err)
			continue
		}
		if got := file.Regions[0].Program.Array("v").Renamable; got != test.renamable {
			t.Errorf("%s%s: renamable %v, want %v", test.macro, test.given, got, test.renamable)
		}
	}
}

// Arrays of constants are named where statements read them, as others are; volatile ones may be something
// else each time.
func TestRenamableConstants(t *testing.T) {
	for declaration, want := range map[string]bool{"const double v[9]": true, "double v[9]": true, "const volatile double v[9]": false} {
		file, err := Parse("t.c", []byte("void f(int n, double b[n], "+declaration+")\n{\n#pragma scop\nfor (int i = 0; i < n; i++) b[i] = v[i < 1 ? 0 : i - 1];\n#pragma endscop\n}\n"), Options{})
		if err != nil {
			if want {
				t.Errorf("%s: %v", declaration, err)
			}
			continue
		}
		if got := file.Regions[0].Program.Array("v").Renamable; got != want {
			t.Errorf("%s: %t", declaration, got)
		}
	}
}
