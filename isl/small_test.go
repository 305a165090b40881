package isl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSmall builds what stands in front of GMP's functions with a program that compares the two,
// linked as context.go says.
func TestSmall(t *testing.T) {
	text, err := os.ReadFile("context.go")
	if err != nil {
		t.Fatal(err)
	}
	wraps := regexp.MustCompile(`-Wl,--wrap=\S+`).FindAllString(string(text), -1)
	program := filepath.Join(t.TempDir(), "small")
	arguments := append([]string{"-O1", "-w", "-o", program, "small.c", "testdata/small.c"}, wraps...)
	arguments = append(arguments, "-l:libisl.a", "-l:libgmp.a")
	if output, err := exec.Command("gcc", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("gcc %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	if output, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// TestWrapsAll has the linker put every function of small.c in front of another one, and no other.
func TestWrapsAll(t *testing.T) {
	flags := names(t, "context.go", `-Wl,--wrap=(\S+)`)
	functions := names(t, "small.c", `(?m)^WRAPS(?:_ISL)?\([a-z]+, (\w+),`)
	tested := names(t, "testdata/small.c", `\b(?:__wrap_|PAIR\(\w+, )((?:__gmpz|isl)_\w+)`)
	for i, name := range functions {
		functions[i] = "__gmpz_" + name
		if strings.HasPrefix(name, "seq_") || strings.HasPrefix(name, "gmp_") {
			functions[i] = "isl_" + name
		}
	}
	if got, want := strings.Join(flags, "\n"), strings.Join(functions, "\n"); got != want {
		t.Errorf("flags of the linker:\n%s\nfunctions:\n%s", got, want)
	}
	for _, name := range functions {
		if !strings.Contains(strings.Join(tested, "\n")+"\n", name+"\n") {
			t.Errorf("testdata/small.c does not run %s", name)
		}
	}
}

// names are what the expression's group matches in a file, in order.
func names(t *testing.T, file, expression string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(string(text), -1) {
		found = append(found, match[1])
	}
	return found
}
