package language

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/algorithm"
	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/scop"
)

// sameText are examples whose C is that of their benchmark, word for word, but for parentheses. The
// others call no functions of a file (vgg-block, warp-affine), go forward where C goes backward (hpcg),
// or have a condition in the loop's bounds (ticket-2373).
var sameText = []string{"baryon", "conv", "conv2d", "cvtcolor", "edge-detector", "gaussian", "nb", "sgemm"}

// sameNest are those of the others whose loops and statements stand as in their benchmark.
var sameNest = []string{"vgg-block", "warp-affine"}

// mostLines is what an example may take.
const mostLines = 40

// otherNames are arguments of benchmarks that examples have under other names.
var otherNames = map[string]string{"one": "first", "two": "second"}

// examples are the algorithms that are built: some of them in short tests, since each is a Go program
// to be linked.
func examples(t *testing.T, folder string) (names []string) {
	t.Helper()
	if os.Getenv("POLYTUNE_LONG") == "" {
		return []string{"edge-detector", "gaussian", "vgg-block", "warp-affine"}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// TestExamples runs the twelve algorithms beside the benchmarks that they are, at three sizes: all
// arrays have the same bits. One C program has all of them.
func TestExamples(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", folder)
	build.Dir = filepath.Join("..", "examples", "algorithms")
	names := examples(t, build.Dir)
	for _, name := range names {
		build.Args = append(build.Args, "./"+name)
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var functions, calls strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(build.Dir, name, "main.go"))
		if lines := bytes.Count(text, []byte("\n")); err != nil || lines > mostLines {
			t.Errorf("%s has %d lines, more than %d", name, lines, mostLines)
		}
		b, err := benchmarks.Find("tiramisu/" + name)
		if err != nil {
			t.Fatal(err)
		}
		made := compiled(t, filepath.Join(folder, name))
		if slices.Contains(sameText, name) {
			if own, other := regionText(t, made.Source), regionText(t, b.Source); own != other {
				t.Errorf("%s is\n%s\nand the benchmark\n%s", name, own, other)
			}
		}
		if slices.Contains(sameNest, name) {
			if own, other := nestText(t, made.Source), nestText(t, b.Source); own != other {
				t.Errorf("%s has the loops\n%s\nand the benchmark\n%s", name, own, other)
			}
		}
		functions.Write(b.Source)
		functions.Write(made.Source)
		calls.WriteString(compared(t, made, &b))
	}
	main := "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" + functions.String() + "int main(void)\n{\n" + calls.String() + "return 0;\n}\n"
	path := filepath.Join(folder, "all.c")
	if err := os.WriteFile(path, []byte(main), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O1", "-Wall", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function", "-ffp-contract=off", path, "-o", path+".run", "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(path + ".run").CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// regionText are the words of a region without macros, parentheses and the places where iterators are
// declared.
func regionText(t *testing.T, source []byte) string {
	t.Helper()
	isLeftOut := func(r rune) bool { return strings.ContainsRune(" \t\n()", r) }
	return strings.Join(strings.FieldsFunc(regionOf(t, source), isLeftOut), "")
}

// nestParts are loops, braces, and statements.
var nestParts = regexp.MustCompile(`\s*(?:(for \([^;]*;[^;]*;[^)]*\))|([{}])|[^{};]+;)`)

// nestText are the loops of a region, with a line for each statement.
func nestText(t *testing.T, source []byte) string {
	t.Helper()
	var lines []string
	for _, part := range nestParts.FindAllStringSubmatch(regionOf(t, source), -1) {
		lines = append(lines, cmp.Or(part[1], part[2], ";"))
	}
	return strings.Join(lines, "\n")
}

// regionOf is a region's text without macros and the places where iterators are declared.
func regionOf(t *testing.T, source []byte) string {
	t.Helper()
	preprocess := exec.Command("gcc", "-E", "-P", "-")
	preprocess.Stdin = bytes.NewReader(source)
	text, err := preprocess.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte("#pragma scop"))
	text, _, _ = bytes.Cut(text, []byte("#pragma endscop"))
	region := strings.ReplaceAll(string(text), "for (int ", "for (")
	first := strings.Index(region, "for (")
	if first < 0 {
		t.Fatalf("there is no region with a loop in\n%s", source)
	}
	return region[first:]
}

// compiled is the C of a program that has been built.
func compiled(t *testing.T, path string) *Program {
	t.Helper()
	printed, err := exec.Command(path).Output()
	d := &algorithm.Description{}
	if err == nil {
		err = json.Unmarshal(printed, d)
	}
	if err != nil {
		t.Fatal(err)
	}
	made, err := Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// argumentsOf are those of the function around the region of a C file.
func argumentsOf(t *testing.T, name string, source []byte) (string, []scop.Argument) {
	t.Helper()
	file, err := frontend.Parse(name+".c", source, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := file.Regions[0].Program.Function
	return f.Name, f.Arguments
}

// compared calls both functions with the same data at three sizes, and says which arrays differ.
func compared(t *testing.T, made *Program, b *benchmarks.Benchmark) string {
	t.Helper()
	own, ownArguments := argumentsOf(t, b.Name, made.Source)
	kernel, arguments := argumentsOf(t, b.Name, b.Source)
	mini, err := b.Size("mini")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for size := range 3 {
		text.WriteString("{\n")
		var all, same []string
		n := 0
		for _, a := range arguments {
			all = append(all, a.Name)
			switch a.Role {
			case scop.Size:
				fmt.Fprintf(&text, "int %s = %d;\n", a.Name, []int{mini[a.Name], 1 + n%2, 5 + 2*n}[size])
				n++
			case scop.Scalar:
				fmt.Fprintf(&text, "%s %s = 0.75f;\n", a.Type, a.Name)
			case scop.Pointer:
				all[len(all)-1] = "(void *)" + a.Name
				fmt.Fprintf(&text, "const size_t n_%s = sizeof(%s) * (%s);\n%s *%s = malloc(n_%s), *other_%s = malloc(n_%s);\n", a.Name, a.Type, strings.Join(a.Extents, ") * ("),
					a.Type, a.Name, a.Name, a.Name, a.Name)
			}
		}
		fmt.Fprintf(&text, "%s_init(%s);\n", kernel, strings.Join(all, ", "))
		for _, a := range arguments {
			if a.Role == scop.Pointer {
				fmt.Fprintf(&text, "memcpy(other_%s, %s, n_%s);\n", a.Name, a.Name, a.Name)
			}
		}
		for _, a := range ownArguments {
			name := a.Name
			if other, is := otherNames[name]; is {
				name = other
			}
			if !slices.ContainsFunc(arguments, func(k scop.Argument) bool { return k.Name == name }) {
				t.Fatalf("%s has no argument %s", kernel, name)
			}
			if a.Role == scop.Pointer {
				name = "(void *)other_" + name
			}
			same = append(same, name)
		}
		fmt.Fprintf(&text, "%s(%s);\n%s(%s);\n", kernel, strings.Join(all, ", "), own, strings.Join(same, ", "))
		for _, a := range arguments {
			if a.Role == scop.Pointer {
				fmt.Fprintf(&text, "if (memcmp(%s, other_%s, n_%s)) printf(\"%s: %s differs at size %d\\n\");\nfree(%s), free(other_%s);\n", a.Name, a.Name, a.Name, b.Name, a.Name, size, a.Name, a.Name)
			}
		}
		text.WriteString("}\n")
	}
	return text.String()
}
