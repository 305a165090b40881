package isl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
)

// TestNumbers builds what stands in front of GMP's functions with a program that compares the two,
// linked as context.go says.
func TestNumbers(t *testing.T) {
	program := filepath.Join(t.TempDir(), "numbers")
	arguments := []string{"-O1", "-w", "-o", program}
	arguments = append(arguments, "numbers.c", "numbers_long.c", "testdata/numbers.c")
	for _, name := range wrapped(t) {
		arguments = append(arguments, "-Wl,--wrap="+name)
	}
	arguments = append(arguments, "-l:libisl.a", "-l:libgmp.a")
	if output, err := exec.Command("gcc", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("gcc %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	if output, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// TestWrapsAll finds every function of GMP that this machine's isl calls among those that are
// wrapped, or among those that do not read numbers. What is wrapped is compared by TestNumbers.
func TestWrapsAll(t *testing.T) {
	// mpz_swap exchanges numbers with their form; mpz_clear and mpq_clear free what has memory.
	harmless := []string{
		"__gmpz_init", "__gmpz_clear", "__gmpz_swap", "__gmpz_set_str", "__gmpz_import",
		"__gmpq_init", "__gmpq_clear", "__gmp_get_memory_functions",
	}
	flags := wrapped(t)
	for _, name := range undefined(t, "libisl.a") {
		if !slices.Contains(flags, name) && !slices.Contains(harmless, name) {
			t.Errorf("isl calls %s, which does not know short numbers: numbers_long.c has to wrap it", name)
		}
	}
	compared := names(t, "testdata/numbers.c", `\b(?:__wrap_|PAIR\(\w+, |TOLD\()((?:__gmp|isl_)\w+)`)
	for _, name := range flags {
		if !slices.Contains(compared, name) {
			t.Errorf("testdata/numbers.c does not run %s", name)
		}
	}
}

// wrapped are the functions that the linker has others in front of.
func wrapped(t *testing.T) []string {
	t.Helper()
	return names(t, "context.go", `-Wl,--wrap=(\S+)`)
}

// undefined are the functions of GMP that a library of gcc's calls.
func undefined(t *testing.T, library string) (found []string) {
	t.Helper()
	path, err := exec.Command("gcc", "-print-file-name="+library).Output()
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := exec.Command("nm", "-u", strings.TrimSpace(string(path))).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(string(symbols)) {
		if strings.HasPrefix(field, "__gmp") {
			found = append(found, field)
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s calls nothing of GMP", path)
	}
	slices.Sort(found)
	return slices.Compact(found)
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

// isl reads an exponent by itself, in GMP's form.
func TestExponents(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	for text, want := range map[string]string{
		"{ [2^10] }": "{ [1024] }", "{ [7^0] }": "{ [1] }", "{ [2^70] }": "{ [1180591620717411303424] }",
	} {
		if got := ctx.ReadSet(text).String(); got != want {
			t.Errorf("%s is read as %s, not as %s", text, got, want)
		}
	}
}
