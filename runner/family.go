package runner

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"polytune/internal/pattern"
)

// family is a line of compilers that are told apart.
type family struct {
	name string
	// macro is what it predefines, as those do that are based on it; "" for gcc,
	// whose macros others define to be taken for it.
	macro string
	// words are in lower case what its answer to --version has.
	words []string
}

// families are in the order in which they are asked for: Intel's new compiler
// is clang with more. A wrapper that answers
// --version with its own words is what it says.
var families = []family{
	{"icx", "__INTEL_LLVM_COMPILER", []string{"oneapi dpc++"}},
	{"icc", "__INTEL_COMPILER", []string{"(icc)"}},
	{"nvc", "__NVCOMPILER", []string{"nvidia compilers", "nvc "}},
	{"clang", "__clang__", []string{"clang"}},
	{"gcc", "", []string{"gcc", "free software foundation"}},
}

// familyOf tells the family by the answer to --version and the lines of #define
// that the compiler predefines, which may be "".
func familyOf(version, macros string) string {
	version = strings.ToLower(version)
	for _, f := range families {
		said := slices.ContainsFunc(f.words, func(word string) bool { return strings.Contains(version, word) })
		if said || f.macro != "" && strings.Contains(macros, "#define "+f.macro+" ") {
			return f.name
		}
	}
	return "unknown"
}

// Compiler is a compiler on PATH, of which no more is known than its answer.
type Compiler struct {
	// Command is the name by which --cc finds it, Path where it is.
	Command string `json:"command"`
	Path    string `json:"path"`
	// Family and Version are as in Toolchain.
	Family  string `json:"family"`
	Version string `json:"version"`
}

// compilerName are the names that C compilers of the known families have.
var compilerName = pattern.New(`^(gcc|clang|icx|icc|nvc)(-\d+(\.\d+)*)?$`)

// Compilers are the C compilers of known families on PATH that answer, by their
// names. Of several names for one file the first on PATH, and there the
// shortest, is given.
func Compilers(ctx context.Context) []Compiler {
	var found []Compiler
	seen := map[string]bool{}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		files, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, file := range files { // in alphabetical order: gcc before gcc-12
			if !compilerName.MatchString(file.Name()) {
				continue
			}
			path, err := exec.LookPath(file.Name())
			if err != nil || filepath.Dir(path) != filepath.Clean(folder) {
				continue
			}
			resolved, err := filepath.EvalSymlinks(path)
			if err != nil || seen[resolved] {
				continue
			}
			seen[resolved] = true
			t := Toolchain{Path: path}
			if answer, err := t.ask(ctx, "--version"); err == nil {
				t.setVersion(answer, "")
				found = append(found, Compiler{file.Name(), path, t.Family, t.Version})
			}
		}
	}
	slices.SortFunc(found, func(a, b Compiler) int { return strings.Compare(a.Command, b.Command) })
	return found
}

// findCommand locates a program on the PATH that the environment entries set,
// or else on our own.
func findCommand(command string, environment []string) (string, error) {
	folders, set := variable(environment, "PATH")
	if !set || strings.ContainsRune(command, filepath.Separator) {
		path, err := exec.LookPath(command)
		if err != nil {
			return "", err
		}
		return filepath.Abs(path)
	}
	for _, folder := range filepath.SplitList(folders) {
		absolute, err := filepath.Abs(folder)
		if err != nil {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(absolute, command)); err == nil {
			return path, nil
		}
	}
	return "", &exec.Error{Name: command, Err: exec.ErrNotFound}
}
