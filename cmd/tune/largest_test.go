package main

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// largestPrograms have few iterations next to the largest and the smallest numbers of a type.
var largestPrograms = map[string]string{
	"end": `
static double a[64], b[64][64];
static void f(long n)
{
#pragma scop
  for (long i = n - 20; i < n; i++)
    for (long j = n - 17; j < n; j++)
      b[i - (n - 20)][j - (n - 17)] += a[i - (n - 20)] * 2 + 1;
#pragma endscop
}
int main(void)
{
  for (int k = 0; k < 64; k++) a[k] = k;
  for (int k = 0; k < 40; k++) f(LONG_MAX - k);
  f(77);
  printf("%g %g %g\n", b[0][0], b[19][16], b[7][3]);
}
`,
	"both": `
static double a[64], b[64][64];
static void f(long from, long to)
{
#pragma scop
  for (long i = from; i <= to; i++)
    for (long j = from; j <= i; j++)
      b[i - from][j - from] += a[j - from] * 2 + 1;
#pragma endscop
}
int main(void)
{
  for (int k = 0; k < 64; k++) a[k] = k;
  for (int k = 1; k < 40; k++) f(LONG_MAX - 50 - k, LONG_MAX - 50);
  for (int k = 0; k < 40; k++) f(LONG_MIN + k, LONG_MIN + 40);
  f(5, 60);
  f(LONG_MAX, LONG_MIN);
  printf("%g %g %g\n", b[0][0], b[19][16], b[7][3]);
}
`,
	"negated": `
static double a[64], b[64][64];
static void f(long n)
{
#pragma scop
  for (long i = -n; i < 20 - n; i++)
    for (long j = 3 - n; j < 20 - n; j++)
      b[i + n][j - (3 - n)] += a[i + n] * 2 + 1;
#pragma endscop
}
int main(void)
{
  for (int k = 0; k < 64; k++) a[k] = k;
  for (int k = 0; k < 40; k++) f(-(LONG_MAX - 20 - k));
  for (int k = 0; k < 40; k++) f(LONG_MAX - k);
  f(-77);
  printf("%g %g %g\n", b[0][0], b[19][16], b[7][3]);
}
`,
	"relay": `
static double a[40][1100], x[1100], y[1100], t[40];
static void f(long m, long n)
{
#pragma scop
  for (long j = n - 1100; j < n; j++)
    y[j - (n - 1100)] = 0;
  for (long i = m - 40; i < m; i++)
    t[i - (m - 40)] = 0;
  for (long i = m - 40; i < m; i++) {
    for (long j = n - 1100; j < n; j++)
      t[i - (m - 40)] += a[i - (m - 40)][j - (n - 1100)] * x[j - (n - 1100)];
    for (long j = n - 1100; j < n; j++)
      y[j - (n - 1100)] += a[i - (m - 40)][j - (n - 1100)] * t[i - (m - 40)];
  }
#pragma endscop
}
int main(void)
{
  for (int k = 0; k < 1100; k++) {
    x[k] = k % 9;
    for (int i = 0; i < 40; i++) a[i][k] = (i + k) % 13;
  }
  for (int k = 0; k < 4; k++) f(LONG_MAX - k, LONG_MAX - k * 300);
  f(77, 1500);
  f(LONG_MIN + 40, LONG_MIN + 1100);
  printf("%g %g %g\n", y[0], y[999], t[7]);
}
`,
	"relay of a window": `
static double a[40][1100], x[1100], y[1100], t[40];
static void f(long from, long to, long n)
{
#pragma scop
  for (long i = from; i <= to; i++) {
    for (long j = n; j < n + 1000; j++)
      t[i - from] += a[i - from][j - n] * x[j - n];
    for (long j = n; j < n + 1000; j++)
      y[j - n] += a[i - from][j - n] * t[i - from];
  }
#pragma endscop
}
int main(void)
{
  for (int k = 0; k < 1100; k++) {
    x[k] = k % 3;
    for (int i = 0; i < 40; i++) a[i][k] = (i + k) % 3;
  }
  for (int k = 0; k < 4; k++) f(LONG_MAX - 39, LONG_MAX - k -1, LONG_MAX - 1000 - k);
  for (int k = 0; k < 4; k++) f(LONG_MIN, LONG_MIN + 39 - k, LONG_MIN + k);
  f(LONG_MAX, LONG_MIN, LONG_MIN);
  printf("%g %g %g\n", y[0], y[999], t[7]);
}
`,
	"int": `
static double a[64], b[64][64];
static void f(int n)
{
#pragma scop
  for (int i = n - 20; i < n; i++)
    for (int j = n - 17; j < n; j++)
      b[i - (n - 20)][j - (n - 17)] += a[i - (n - 20)] * 2 + 1;
#pragma endscop
}
int main(void)
{
  for (int k = 0; k < 64; k++) a[k] = k;
  for (int k = 0; k < 40; k++) f(INT_MAX - k);
  printf("%g %g %g\n", b[0][0], b[19][16], b[7][3]);
}
`,
}

// Bounds of generated code do not overflow next to the largest numbers, and the result is the same.
// The long test has tiles of other sizes, too.
func TestBoundsNextToLargest(t *testing.T) {
	tilings := []string{"", "--tile=7,30"}
	if kerneltest.Long() {
		tilings = append(tilings, "--tile=32,32")
	}
	folder := t.TempDir()
	path, out := filepath.Join(folder, "all.c"), filepath.Join(folder, "out.c")
	if err := os.WriteFile(path, []byte(largestInOne()), 0o666); err != nil {
		t.Fatal(err)
	}
	want := resultOf(t, path, sanitized...)
	if lines := strings.Count(want, "\n"); lines != len(largestPrograms) {
		t.Fatalf("%d programs print %d lines: %s", len(largestPrograms), lines, want)
	}
	for _, options := range tilings {
		var said bytes.Buffer
		if status := run(append([]string{"transform", path, "-o", out}, strings.Fields(options)...), io.Discard, &said); status != 0 {
			t.Fatalf("%s: exit status %d: %s", options, status, &said)
		}
		if got := resultOf(t, out, sanitized...); got != want {
			t.Errorf("%s: got %s, want %s", options, got, want)
		}
		code, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		for name := range largestPrograms {
			body, _, _ := strings.Cut(afterwards(string(code), "void f_"+oneWord(name)+"("), "\nstatic void main_")
			if options == "" && strings.HasPrefix(name, "relay") && !strings.Contains(body, "tune_await") {
				t.Errorf("%s: no relay in the code", name)
			}
		}
	}
}

// afterwards is what follows a word in a text, "" where it is not there.
func afterwards(text, word string) string {
	_, rest, _ := strings.Cut(text, word)
	return rest
}

// oneWord is a name of a program as part of a name in C.
func oneWord(name string) string { return strings.ReplaceAll(name, " ", "_") }

// largestInOne is one program of all largestPrograms: compilers and sanitizers start once. What each
// declares has a name of its own.
func largestInOne() string {
	own := regexp.MustCompile(`\b(a|b|f|t|x|y|main)\b`)
	text := "#include <limits.h>\n#include <stdio.h>\n"
	mains := ""
	for _, name := range slices.Sorted(maps.Keys(largestPrograms)) {
		text += own.ReplaceAllString(largestPrograms[name], "${1}_"+oneWord(name))
		mains += "  main_" + oneWord(name) + "();\n"
	}
	return strings.ReplaceAll(text, "int main_", "static void main_") + "int main(void)\n{\n" + mains + "}\n"
}

// sanitized are flags with which an overflow ends a program.
var sanitized = []string{"-fsanitize=undefined,address", "-fno-sanitize-recover=undefined"}
