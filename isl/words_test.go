package isl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWords compares arithmetic of numbers of one word with GMP's, each function that the linker
// calls in its place.
func TestWords(t *testing.T) {
	t.Parallel()
	binding, err := os.ReadFile("context.go")
	if err != nil {
		t.Fatal(err)
	}
	comparison, err := os.ReadFile("testdata/words.c")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "words")
	arguments := []string{"-O1", "-w", "-o", program, "words.c", "testdata/words.c"}
	for _, flag := range regexp.MustCompile(`-Wl,--wrap=__gmpz_(\w+)`).FindAllStringSubmatch(string(binding), -1) {
		arguments = append(arguments, flag[0])
		if !regexp.MustCompile(`(BOTH|ASKED|PAIR)\(` + flag[1] + `\b`).Match(comparison) {
			t.Errorf("testdata/words.c does not compare %s", flag[1])
		}
	}
	if len(arguments) < 10 {
		t.Fatalf("context.go wraps nothing")
	}
	if out, err := exec.Command("gcc", append(arguments, "-l:libgmp.a")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program).CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), " compared, 0 wrong\n") {
		t.Errorf("%v\n%s", err, out)
	}
}
