package frontend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBrought reads regions with functions that are declared nowhere: each gets a definition in
// front of its first use, which computes what the function's name says, also for negative numbers.
func TestBrought(t *testing.T) {
	t.Parallel()
	const source = `
int printf(const char *, ...);
/* max is what this is about */
static int other(int n)
{
    return max(n, 2) + 1;
}
void f(int n, int m, unsigned u, int *restrict a)
{
#pragma scop
    __pencil_assume(n < 50);
    for (int i = max(0, n - 10); i < min(n, floord(m, 2)); i++)
        a[i] += imax(i, m) - imin(3, i);
    for (int i = ceild(m, 3); i < intCeil(n, 4); i++)
        a[i + 20] += intFloor(i, 3) * 100 + intMod(i, 7);
    for (unsigned i = umin(u, 4); i < umax(u, 9); i++)
        a[i] -= 2;
    __pencil_kill(n, u);
#pragma endscop
}
int main(void)
{
    int a[80] = {0};
    for (int n = -30; n < 30; n += 7)
        for (int m = -23; m < 60; m += 9)
            f(n, m, n + 31, a);
    for (int i = 0; i < 80; i++)
        printf("%d ", a[i]);
    printf("%d\n", other(1));
    return 0;
}
`
	const defined = `
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define imin min
#define imax max
#define umin min
#define umax max
#define floord(a, b) ((a) / (b) - ((a) % (b) < 0))
#define ceild(a, b) ((a) / (b) + ((a) % (b) > 0))
#define intFloor floord
#define intCeil ceild
#define intMod(a, b) ((a) - (b) * floord(a, b))
#define __pencil_assume(c)
#define __pencil_kill(...)
`
	file, err := Parse("f.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	program := file.Regions[0].Program
	if text := program.String(); strings.Contains(text, "may write") {
		t.Errorf("not affine:\n%s", text)
	}
	if !strings.Contains(string(file.Source), "return a > b ? a : b; } static int other") || strings.Count(string(file.Source), "int max(") != 1 {
		t.Errorf("max is not defined once, in front of its first use:\n%s", file.Source)
	}
	if got := len(file.Regions[0].Warnings); got != 11 {
		t.Errorf("%d warnings: %v", got, file.Regions[0].Warnings)
	}
	if got, want := printedBy(t, string(file.Source)), printedBy(t, defined+source); got != want {
		t.Errorf("prints %s, not %s", got, want)
	}
}

// printedBy is what a program prints.
func printedBy(t *testing.T, source string) string {
	t.Helper()
	folder := t.TempDir()
	text, program := filepath.Join(folder, "p.c"), filepath.Join(folder, "p")
	if err := os.WriteFile(text, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("gcc", "-std=gnu17", "-w", "-Werror=implicit-function-declaration", "-o", program, text).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	output, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(output)
}
