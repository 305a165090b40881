package frontend

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"polytune/internal/remember"
)

// acceptedFile names the texts of these tests that a C compiler has taken for C, by hashes. What is
// among them is not asked again but in long tests: a process of the compiler for each text was half
// of the time. Texts that are new, or that compilers refuse, are always asked. With -update, and
// without -run, the file is written anew.
const acceptedFile = "testdata/accepted"

// accepted are the texts that are known, and those that a compiler has taken in this run.
type accepted struct {
	known map[string]bool
	sync.Mutex
	taken map[string]bool
}

// name is that of a text in the file; "" where what it says is not all in the text.
func (a *accepted) name(compiler string, t *text, options Options) string {
	folders := len(options.IncludePaths) + len(options.SystemPaths) + len(options.LastPaths) + len(options.Includes)
	isPlain := !slices.ContainsFunc(options.CompilerOptions, func(option string) bool { return !remember.IsPlain(option) })
	source := string(withoutLineDirectives(t))
	if folders > 0 || !isPlain || !remember.IsWhole(source) {
		return ""
	}
	words := append(preprocessorArguments(Options{CompilerOptions: options.CompilerOptions, Defines: options.Defines, Undefines: options.Undefines}),
		filepath.Base(compiler), source)
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// ask is hostErrors for texts that are not known.
func (a *accepted) ask(compiler string, t *text, options Options) error {
	name := a.name(compiler, t, options)
	isKnown := a.known[name]
	if !isKnown {
		if err := hostErrors(compiler, t, options); err != nil || name == "" {
			return err
		}
	}
	a.Lock()
	defer a.Unlock()
	a.taken[name] = true
	return nil
}

func TestMain(m *testing.M) {
	flag.Parse()
	content, err := os.ReadFile(acceptedFile)
	if err != nil && !*update {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	a := &accepted{known: map[string]bool{}, taken: map[string]bool{}}
	if os.Getenv("POLYTUNE_LONG") == "" && !*update {
		for _, name := range strings.Fields(string(content)) {
			a.known[name] = true
		}
	}
	askHost = a.ask
	code := m.Run()
	if code == 0 && *update && flag.Lookup("test.run").Value.String() == "" {
		var b strings.Builder
		names := []string{}
		for name := range a.taken {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			b.WriteString(name)
			b.WriteString(map[bool]string{true: "\n", false: " "}[i%5 == 4 || i == len(names)-1])
		}
		if err := os.WriteFile(acceptedFile, []byte(b.String()), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// What a compiler has not taken as it stands is asked: another text, an option, another compiler.
func TestAccepted(t *testing.T) {
	t.Parallel()
	a := &accepted{known: map[string]bool{}, taken: map[string]bool{}}
	of := func(compiler, source string, options Options) string {
		return a.name(compiler, newText("f.c", []byte(source)), options)
	}
	first := of("gcc", "int a;\n", Options{})
	for _, other := range []string{of("clang", "int a;\n", Options{}), of("gcc", "int b;\n", Options{}), of("gcc", "int a;\n", Options{Defines: []string{"a=b"}}),
		of("gcc", "#include \"own.h\"\n", Options{}), of("gcc", "int a;\n", Options{Includes: []string{"own.h"}}), of("gcc", "int a;\n", Options{CompilerOptions: []string{"-std=c99"}})} {
		if other == first {
			t.Errorf("%q stands for two", other)
		}
	}
	a.known[first] = true
	if a.ask("/nowhere/gcc", newText("f.c", []byte("int a;\n")), Options{}) != nil {
		t.Error("what is known is asked")
	}
	if a.ask("/nowhere/gcc", newText("f.c", []byte("int b;\n")), Options{}) == nil {
		t.Error("what is not known is not asked")
	}
}
