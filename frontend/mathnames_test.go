package frontend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of the mathematical functions those are declared that some text of the user's names, in whatever
// type; and all of them where not all of these texts are known.
func TestUserNames(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"own.h":   "#include \"inner.h\"\n#define NORM(x) sqrt(x)\n",
		"inner.h": "#include <stdlib.h>\n#include \"own.h\"\nstatic double g(double x) { return cbrt(x); }\n",
		"other.h": "#include OTHER\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for source, want := range map[string]string{
		"#include <math.h>\ndouble f(double x) { return expf(x); }\n": "expf",
		"#include <math.h>\n#include \"own.h\"\n":                     "sqrt cbrt NORM",
		"#include <own.h>\n":               "sqrt cbrt",
		"#include \"other.h\"\n":           "",
		"#include <gsl/gsl_math.h>\n":      "",
		"#include \"missing.h\"\n":         "",
		"#define H <math.h>\n#include H\n": "",
		"#include_next <math.h>\n":         "",
		"#include \"/dev/zero\"\n":         "",
	} {
		names := userNames(newText(filepath.Join(folder, "f.c"), []byte(source)), Options{Defines: []string{"ROOT=hypot"}}, nil, []string{folder})
		if (names == nil) != (want == "") {
			t.Errorf("%q: %v", source, names)
			continue
		}
		for _, name := range strings.Fields(want) {
			if !names[name] {
				t.Errorf("%q: %s is missing", source, name)
			}
		}
		if names != nil && !names["hypot"] {
			t.Errorf("%q: -D is not read", source)
		}
	}
}

// A declaration stays where it is named, with all that begins alike, and everything else keeps its place.
func TestDeclaredFor(t *testing.T) {
	const header = "#if __A\n__MATHCALL (sqrt,, (_Mdouble_ __x));\n#endif\n__MATHDECL_1 (int,\n  ilogb,, (_Mdouble_ __x));\nextern int __mine (double);\n"
	got := string(declaredFor([]byte(header), map[string]bool{"sqrtl": true}))
	if len(got) != len(header) || !strings.Contains(got, "__MATHCALL (sqrt,, (_Mdouble_ __x));") || strings.Contains(got, "ilogb") || strings.Count(got, "\n") != strings.Count(header, "\n") {
		t.Errorf("got\n%s", got)
	}
}

// Types of results are those of the functions' declarations, whatever else the file does not name.
func TestMathDeclared(t *testing.T) {
	const source = "#include <math.h>\n#include <tgmath.h>\n#define ROOT(x) cbrtf(x)\nvoid f(int n, double *restrict a, float *restrict b)\n{\n#pragma scop\n" +
		"  for (int i = 0; i < n; i++) {\n    a[i] = hypot(a[i], 1) + M_PI;\n    b[i] = ROOT(b[i]) + sqrt(b[i]);\n  }\n#pragma endscop\n}\n"
	file, err := Parse("t.c", []byte(source), Options{})
	if err != nil || len(file.Regions) != 1 || len(file.Regions[0].Program.Statements) != 2 {
		t.Fatalf("%v %v", file, err)
	}
}
