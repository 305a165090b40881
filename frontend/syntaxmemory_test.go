package frontend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The host's compiler is asked once whether a text is C that needs no file but the system's
// headers, and again about another text, with other options, and about one that it refuses.
func TestSyntaxMemory(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if hostMemory(nil) == "" {
		t.Skip("cc is a script or has another name here: it is asked each time")
	}
	host, err := hostConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := func(source string, options Options) bool {
		before := keptAnswers(t)
		if hostErrors(host.CC, newText("t.c", []byte(source)), options) != nil {
			return true
		}
		return keptAnswers(t) > before
	}
	const source, refused = "#include <math.h>\nint x;\n", "int x\n"
	if !asked(source, Options{}) || asked(source, Options{}) {
		t.Error("the compiler is not asked once about the same text")
	}
	if !asked(source+"int y;\n", Options{}) || !asked(source, Options{Defines: []string{"N=1"}}) {
		t.Error("the compiler is not asked about another text, or with other options")
	}
	for range 2 {
		if hostErrors(host.CC, newText("t.c", []byte(refused)), Options{}) == nil {
			t.Error("what the compiler refuses is C")
		}
	}
}

// keptAnswers is how many texts are known to be C.
func keptAnswers(t *testing.T) int {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(cache, "tune", "syntax", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(kept)
}

// Nothing is kept of a text for which the compiler may read files that change without it.
func TestSyntaxDependsOnFiles(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, name := range []string{"CPATH", "C_INCLUDE_PATH"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	host, err := hostConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	header := filepath.Join(folder, "own.h")
	for _, c := range []struct {
		source  string
		options Options
	}{
		{"#include \"own.h\"\nsize n;\n", Options{QuotePaths: []string{folder}}},
		{"#include <own.h>\nsize n;\n", Options{IncludePaths: []string{folder}}},
		{"size n;\n", Options{Includes: []string{header}}},
		{"size n;\n", Options{CompilerOptions: []string{"-include" + header}}},
	} {
		for _, content := range []string{"typedef int size;\n", "typedef int other;\n"} {
			if err := os.WriteFile(header, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			refused := hostErrors(host.CC, newText("t.c", []byte(c.source)), c.options) != nil
			if refused != strings.Contains(content, "other") {
				t.Errorf("%q with %+v and %q: refused %v", c.source, c.options, content, refused)
			}
		}
	}
}
