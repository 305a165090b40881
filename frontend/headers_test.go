package frontend

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHeaders lists the user's headers, those of headers too, with odd names.
func TestHeaders(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.c":            "#include <stdio.h>\n#include \"sub/one.h\"\n#ifdef MORE\n#include \"two $x#.h\"\n#endif\n",
		"b.c":            "#include <three.h>\n",
		"c.c":            "#include \"none.h\"\n",
		"sub/one.h":      "#include \"four.h\"\n",
		"sub/four.h":     "",
		"two $x#.h":      "",
		"inc/three.h":    "",
		"before/first.h": "",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(names ...string) []string {
		for i, name := range names {
			names[i] = filepath.Join(folder, name)
		}
		return names
	}
	inc := filepath.Join(folder, "inc")
	for _, c := range []struct {
		options Options
		want    []string
	}{
		{Options{IncludePaths: []string{inc}}, at("inc/three.h", "sub/four.h", "sub/one.h")},
		{Options{IncludePaths: []string{inc}, Defines: []string{"MORE"}, Includes: at("before/first.h")},
			at("before/first.h", "inc/three.h", "sub/four.h", "sub/one.h", "two $x#.h")},
	} {
		got, err := Headers(at("a.c", "b.c"), c.options)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v %q instead of %q", err, got, c.want)
		}
	}
	if _, err := Headers(at("c.c"), Options{}); err == nil || !strings.Contains(err.Error(), "cannot list the headers") {
		t.Errorf("error %v", err)
	}
	if got, err := Headers(nil, Options{}); got != nil || err != nil {
		t.Errorf("%q %v", got, err)
	}
}

// TestParseForClang parses a file with system headers as clang sees them, and with
// the macros that options of the compiler define.
func TestParseForClang(t *testing.T) {
	const source = `#include <math.h>
#include <complex.h>
#ifdef __OPTIMIZE__
typedef float data;
#else
typedef double data;
#endif
void f(int n, data a[n]) {
#pragma scop
	for (int i = 0; i < n; i++)
		a[i] = fabs(a[i]);
#pragma endscop
}
`
	for _, compiler := range []string{"gcc", "clang", "clang-19"} {
		t.Run(compiler, func(t *testing.T) {
			if _, err := exec.LookPath(compiler); err != nil {
				t.Skip("there is no " + compiler + " on this machine")
			}
			t.Setenv("CC", compiler)
			for option, want := range map[string]int{"-O0": 8, "-O2": 4} {
				file, err := Parse("f.c", []byte(source), Options{CompilerOptions: []string{option}})
				if err != nil {
					t.Fatal(err)
				}
				if got := file.Regions[0].Program.Arrays[0].Size; got != want {
					t.Errorf("%s: the array has elements of %d bytes, not %d", option, got, want)
				}
			}
		})
	}
}

// A file in C++ is told so, and one that is C as well is read whatever its name is.
func TestFilesOfOtherLanguages(t *testing.T) {
	const region = "void f(int n, double *a)\n{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * a[i];\n#pragma endscop\n}\n"
	for name, text := range map[string]string{"a.cpp": "#include <vector>\n" + region, "b.cc": "template <class T> struct s { T t; };\n" + region} {
		_, err := Parse(name, []byte(text), Options{})
		if err == nil || !strings.Contains(err.Error(), "the file's name says that it is C++") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Parse("c.cpp", []byte(region), Options{}); err != nil {
		t.Errorf("C in a file of C++: %v", err)
	}
	if _, err := Parse("d.c", []byte("#include <vector>\n"+region), Options{}); err == nil || strings.Contains(err.Error(), "C++") {
		t.Errorf("a header that is not there: %v", err)
	}
}
