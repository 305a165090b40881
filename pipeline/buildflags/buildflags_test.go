package buildflags

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"polytune/internal/usage"
)

func TestParseBuildFlags(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for _, name := range []string{"a.c", "b.o", "all.h"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(folder, name) }
	for text, want := range map[string]Flags{
		"": {},
		"-I inc -isystem sys -Iother a.c b.o -lm -L lib -Wl,-z,now": {
			searched:     map[string][]string{"-I": {at("inc"), at("other")}, "-isystem": {at("sys")}},
			Preprocessor: []string{"-I" + at("inc"), "-isystem", at("sys"), "-I" + at("other")},
			Sources:      []string{at("a.c")}, Objects: []string{at("b.o"), "-lm", "-L" + at("lib"), "-Wl,-z,now"},
		},
		"-DA -D B=2 -UA -UC -DC=1 -include all.h": {
			defines: []string{"B=2", "C=1"}, undefines: []string{"A"}, includes: []string{at("all.h")},
			Preprocessor: []string{"-DA", "-DB=2", "-UA", "-UC", "-DC=1", "-include", at("all.h")},
		},
		"-O2 -march=native -Wall -Werror -Werror=format -MMD -MF x.d -std=c99 --param max-unroll-times=2": {
			Compiler: []string{"-O2", "-march=native", "-Wall", "-std=c99", "--param", "max-unroll-times=2"},
			Dialect:  []string{"-O2", "-march=native", "-std=c99"},
		},
	} {
		got, err := Parse(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v\n%+v\ninstead of\n%+v", text, err, got, want)
		}
	}
	for text, want := range map[string]string{
		"-o x": "-o is not for you to give", "-ox": "-o is not for you", "-c": "-c is not for you", "-shared": "polytune builds the program",
		"-I": "-I needs a value", "none.c": "there is no file none.c", "all.h": "all.h is a header; give its folder with -I",
		"@options": "@options: files of options are not read",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, new(*usage.Error)) {
			t.Errorf("%q: error %v instead of %q", text, err, want)
		}
	}
}
