package ccwrap

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestParseCCCall reads command lines in a folder with some C files, of which
// those whose names begin with r have a region.
func TestParseCCCall(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("d", 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"r.c": "void f(void) {\n  #  pragma\tscop\n", "r2.c": "#pragma scop", "d/r3.c": "#pragma scop\n", "rx.cc": "#pragma scop\n",
		"options": "-DA='a b' r.c\n -O2\n", "outer": "-DB @options", "odd": `-DA='\x'`, "itself": "@itself",
		"plain.c": "#pragma scopes\n// #pragma scop\n", "o.o": "",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ words, regions, unfit string }{
		{"-c r.c", "r.c", ""},
		{"-O2 plain.c o.o -o prog", "", ""},
		{"r.c plain.c r2.c o.o -lm -o prog", "r.c r2.c", ""},
		{"-c none.c rx.cc -o r.c", "", ""},
		{"-MF r.c -MT r.c -include r.c -Xlinker r.c -I r.c -c r2.c", "r2.c", ""},
		{"-or2.c -c r.c", "r.c", ""},
		{"-c r.c d/r3.c", "r.c d/r3.c", "several folders"},
		{"-c -MD r.c", "r.c", ""},
		{"-MD r.c", "r.c", "more than one file"},
		{"-MMD -c r.c plain.c", "r.c", "more than one file"},
		{"-E r.c", "r.c", "preprocessed"},
		{"-M r.c", "r.c", "dependencies"},
		{"-fsyntax-only r.c", "r.c", "checked"},
		{"-save-temps=obj -c r.c", "r.c", "intermediate"},
		{"-c @options @none", "r.c", ""},
		{"@outer -c plain.c", "r.c", ""},
		{"-c @odd r.c", "r.c", "options come from the file odd: it has backslashes"},
		{"-c @itself", "", "options come from the file itself"},
		{"-m32 -c r.c", "r.c", ""},
		{"-funsigned-char -c r.c", "r.c", "types may be other ones"},
		{"-c r.c other.cc", "r.c", "other.cc is in the same command"},
		{"-c r.c -", "r.c", "standard input"},
		{"-x c -c r.c", "r.c", ""},
		{"-xc++ -c r.c", "r.c", "the language is c++"},
		{"-x c++ -c r.c", "r.c", "the language is c++"},
		{"-xHost -c r.c", "r.c", ""},
		{"-c r.c -o", "r.c", "lacks its value"},
		{"-Wp,-MD,x.d -c r.c", "r.c", "-Wp"},
		{"-c r.c --define-macro=N=5", "r.c", "--define-macro"},
		{"--preprocess r.c", "r.c", "--preprocess"},
		{"--param=l1-cache-size=32 --param x=1 --coverage -c r.c", "r.c", ""},
		{"-MJ r.c -c r.c", "r.c r.c", "-MJ"},
		{"-Xclang -include -Xclang x.h -c r.c", "r.c", "-Xclang"},
		{"-includer2.c -MFr2.c -c r.c", "r.c", ""},
		{"--version", "", ""},
	} {
		call := parseCCCall(strings.Fields(c.words))
		var regions []string
		for _, r := range call.regions {
			regions = append(regions, r.path)
			if call.words[r.word] != r.path {
				t.Errorf("%s: word %d is not %s", c.words, r.word, r.path)
			}
		}
		if got := strings.Join(regions, " "); got != c.regions || (call.unfit == "") != (c.unfit == "") || !strings.Contains(call.unfit, c.unfit) {
			t.Errorf("%s: regions %q, unfit %q", c.words, got, call.unfit)
		}
	}
}

func TestCCOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("r.c", []byte("#pragma scop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	call := parseCCCall(strings.Fields("-DA -D B=2 -UA -c r.c -fopenmp=libomp -include conf.h"))
	if b := call.build.Parsing(); !slices.Equal(b.Defines, []string{"B=2"}) || !slices.Equal(b.Undefines, []string{"A"}) || len(b.Includes) != 1 || !call.compiles {
		t.Errorf("%+v", call)
	}
	if err := os.WriteFile("options", []byte("-DA='a b' -std=c99\n-isystem s"), 0o600); err != nil {
		t.Fatal(err)
	}
	call = parseCCCall(strings.Fields("@options -c r.c"))
	if b := call.build.Parsing(); !slices.Equal(b.Defines, []string{"A=a b"}) || !slices.Equal(b.CompilerOptions, []string{"-std=c99"}) || len(b.SystemPaths) != 1 ||
		!slices.Equal(call.given, []string{"@options", "-c", "r.c"}) || !slices.Equal(call.words, []string{"-DA=a b", "-std=c99", "-isystem", "s", "-c", "r.c"}) {
		t.Errorf("%+v", call)
	}
	call = parseCCCall(strings.Fields("-O2 -mllvm -x -std=c99 -fdump-tree-all --sysroot /s -m64 -MD -includea.h -c r.c -flto -fPIC -o f.o"))
	if got := strings.Join(call.build.Parsing().CompilerOptions, " "); got != "-O2 -std=c99 --sysroot /s -m64 -fPIC" {
		t.Errorf("the front end is told of %s", got)
	}
	for words, want := range map[string]string{
		"-MD -c r.c": "r.d", "-MD -c r.c -o a/b.x.o": "a/b.x.d", "-MD -MF l.dep -c r.c -o b.o": "l.dep", "-MD -MFl.dep -c r.c": "l.dep", "-MD -S -o noext r.c": "noext.d",
	} {
		call := parseCCCall(strings.Fields(words))
		if got := call.dependencyFile(); got != want {
			t.Errorf("%s: dependencies in %s; want %s", words, got, want)
		}
	}
}
