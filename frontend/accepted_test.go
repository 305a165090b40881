package frontend

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/internal/passed"
	"polytune/internal/remember"
)

// acceptedFile names the texts of these tests that a C compiler has taken for C, by hashes. What is
// among them is not asked again but in long tests: a process of the compiler for each text was half
// of the time. Texts that are new, or that compilers refuse, are always asked. With -update, and
// without -run, the file is written anew.
const acceptedFile = "testdata/accepted"

// accepted are the texts that are known, and those that a compiler has taken in this run.
type accepted struct{ *passed.Table }

// name is that of a text in the file; "" where what it says is not all in the text.
func (a accepted) name(compiler string, t *text, options Options) string {
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
func (a accepted) ask(compiler string, t *text, options Options) error {
	name := a.name(compiler, t, options)
	if a.Has(name) {
		return nil
	}
	if err := hostErrors(compiler, t, options); err != nil || name == "" {
		return err
	}
	a.Note(name)
	return nil
}

// printedFile names the programs of these tests that print what they should: passed.Table.
const printedFile = "testdata/printed"

// Printed is the table of that file.
var Printed *passed.Table

func TestMain(m *testing.M) {
	begin := func(tables []*passed.Table) { askHost, Printed = accepted{tables[0]}.ask, tables[1] }
	os.Exit(passed.Tests(m, update, begin, acceptedFile, printedFile))
}

// What a compiler has not taken as it stands is asked: another text, an option, another compiler.
func TestAccepted(t *testing.T) {
	t.Parallel()
	table, err := passed.Read(filepath.Join(t.TempDir(), "accepted"), true)
	if err != nil {
		t.Fatal(err)
	}
	a := accepted{table}
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
	if a.ask("/nowhere/gcc", newText("f.c", []byte("int a;\n")), Options{}) == nil {
		t.Error("what is not known is not asked")
	}
	a.Note(first)
	if a.ask("/nowhere/gcc", newText("f.c", []byte("int a;\n")), Options{}) != nil {
		t.Error("what is known is asked")
	}
	if a.ask("/nowhere/gcc", newText("f.c", []byte("int b;\n")), Options{}) == nil {
		t.Error("what is not known is not asked")
	}
}
