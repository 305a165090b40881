package device_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/device"
	"polytune/internal/kerneltest"
)

// stubbed builds a program with the code that the models make of its region and a driver that
// stands in for a device. The number of integers that the first kernel gets is known to the driver.
func stubbed(t *testing.T, source, main string) (run func(environment ...string) (stdout, stderr string, failed error)) {
	t.Helper()
	compiler, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc")
	}
	file, err := kerneltest.Parse("p.c", source, "p")
	if err != nil {
		t.Fatal(err)
	}
	code := codeOf(t, file, device.CUDA)
	driver, err := os.ReadFile("testdata/driver.c")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	prefix := regexp.MustCompile(`tune_gpu_[0-9a-f]+`).FindString(string(code.Source))
	integers := strings.Count(regexp.MustCompile(`long tune_integers\[\] = \{([^}]*)\}`).FindStringSubmatch(string(code.Source))[1], ",")
	text := fmt.Sprintf("%s\n#define PREFIX %s\n#define INTEGERS %d\n%s\n%s", code.Source, prefix, integers, driver, main)
	if err := os.WriteFile(filepath.Join(folder, "p.c"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command(compiler, "-Wall", "-Werror", "-O1", "p.c", "-o", "p")
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	return func(environment ...string) (string, string, error) {
		var stdout, stderr strings.Builder
		c := exec.Command(filepath.Join(folder, "p"))
		c.Env, c.Stdout, c.Stderr = slices.Concat(os.Environ(), environment), &stdout, &stderr
		err := c.Run()
		return stdout.String(), stderr.String(), err
	}
}

// Integers have 64 bits where some number that a kernel computes may need more than 32; there is no
// start without blocks, and one along y is in pieces where devices do not start so many blocks at
// once. No memory is touched.
func TestLaunches(t *testing.T) {
	run := stubbed(t, `void f(long n, long m, double A[n][m], char b[n]) {
#pragma scop
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      A[i][j] = A[i][j] + 1;
#pragma endscop
}
`, `int main(void) { f(atol(getenv("N")), atol(getenv("M")), (double (*)[]) 64, 0); return 0; }`)
	for sizes, want := range map[string]string{
		"0 5":           "",
		"-3 5":          "",
		"7 -2":          "",
		"40 33":         "k0 32 bits, grid 2 2 1, last integer 0\n",
		"20000 20000":   "k0 32 bits, grid 625 625 1, last integer 0\n",
		"50000 50000":   "k0 64 bits, grid 1563 1563 1, last integer 0\n",
		"3 3000000000":  "k0 64 bits, grid 93750000 1 1, last integer 0\n",
		"3000000 4":     "k0 32 bits, grid 1 65535 1, last integer 0\nk0 32 bits, grid 1 28215 1, last integer 65535\n",
		"2097120 1":     "k0 32 bits, grid 1 65535 1, last integer 0\n",
		"2097121 1":     "k0 32 bits, grid 1 65535 1, last integer 0\nk0 32 bits, grid 1 1 1, last integer 65535\n",
		"3000000000 -1": "",
	} {
		n, m, _ := strings.Cut(sizes, " ")
		stdout, stderr, err := run("STUB_FAKE=1", "N="+n, "M="+m)
		if err != nil || stdout != want || stderr != "" {
			t.Errorf("%s: %v, %q, %q, want %q", sizes, err, stdout, stderr, want)
		}
	}
}

// hostProgram has statements on the host between kernels, with what a device has not.
const hostProgram = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 50
static double a[N], b[N], c[N], s;
static long double l[N];
static double f(double x) { return x < 3 ? x + 1 : x - 2; }
void region(double *restrict p) {
#pragma scop
  s = s + 1;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < N; i++)
      a[i] = a[i] + 2 * b[i] + s + p[i];
    for (int i = 0; i < N; i++)
      b[i] = b[i] + f(a[i]) + c[i];
    for (int i = 0; i < N; i++)
      l[i] = l[i] + b[i];
    for (int i = 0; i < N; i++)
      c[i] = c[i] + f(b[i]);
  }
#pragma endscop
}
`

const hostMain = `int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = i % 11, b[i] = i % 7, c[i] = i % 5, l[i] = i;
  double *p = getenv("OVERLAPS") ? a : malloc(N * sizeof *p);
  for (int i = 0; i < N; i++)
    p[i] = i % 3;
  region(p);
  for (int i = 0; i < N; i++)
    printf("%g %g %g %Lg %g\n", a[i], b[i], c[i], l[i], s);
  return 0;
}
`

// Wherever the driver fails, the region runs as it is written, with all as it was before, or the
// program says that it cannot be.
func TestFallsBack(t *testing.T) {
	run := stubbed(t, hostProgram, hostMain)
	want, stderr, err := run("STUB_FAILS=open", "TUNE_GPU_VERBOSE=1")
	if err != nil || !strings.Contains(stderr, "p: the driver failed; the region runs on the processor") {
		t.Fatalf("%v, %s", err, stderr)
	}
	for _, fails := range []string{"alloc 1", "alloc 2", "to 1", "run 1", "run 2", "run 3", "from 1", "from 2"} {
		stdout, stderr, err := run("STUB_FAILS="+fails, "TUNE_GPU_VERBOSE=1")
		if err != nil || stdout != want || strings.Count(stderr, "the driver failed") != 1 {
			t.Errorf("%s: %v, %s\n%s\nwant\n%s", fails, err, stderr, stdout, want)
		}
		if _, stderr, err := run("STUB_FAILS="+fails, "TUNE_GPU_REQUIRED=1"); err == nil || !strings.Contains(stderr, "TUNE_GPU_REQUIRED") {
			t.Errorf("%s, and a device is required: %v, %s", fails, err, stderr)
		}
	}
	if _, stderr, err := run("OVERLAPS=1", "TUNE_GPU_VERBOSE=1"); err != nil || !strings.Contains(stderr, "arrays overlap in memory") {
		t.Errorf("arrays overlap: %v, %s", err, stderr)
	}
}

// Variables that statements on the host read first get their values back where the device fails.
// Those that are set first may have none to keep, and compilers would warn.
func TestSavedVariables(t *testing.T) {
	file, err := kerneltest.Parse("p.c", `void f(int n, double a[n]) {
  double set, read = 1;
#pragma scop
  set = 2;
  read = read * 3;
  for (int i = 0; i < n; i++)
    a[i] = a[i] * set + read;
#pragma endscop
}
`, "saved")
	if err != nil {
		t.Fatal(err)
	}
	source := string(codeOf(t, file, device.CUDA).Source)
	for name, isSaved := range map[string]bool{"set": false, "read": true} {
		if strings.Contains(source, "tune_saved_"+name+" = "+name) != isSaved || strings.Contains(source, name+" = tune_saved_"+name) != isSaved {
			t.Errorf("%s is saved and given back: %v; want %v:\n%s", name, !isSaved, isSaved, source)
		}
	}
}

// Statements that devices cannot run are on the host, with the reason; a region of such alone is
// refused.
func TestHost(t *testing.T) {
	for _, test := range []struct{ name, statements, host, reason string }{
		{"a function of the file", "for (int i = 0; i < N; i++) b[i] = g(a[i]);", "S1", "devices have no function g"},
		{"a long double", "for (int i = 0; i < N; i++) l[i] = a[i];", "S1", "no elements of type long double"},
		{"a constant that is one", "for (int i = 0; i < N; i++) b[i] = a[i] * 1.5L;", "S1", "no long double"},
		{"a cast", "for (int i = 0; i < N; i++) b[i] = (_Float16) a[i];", "S1", "do not have (_Float16)"},
		{"a branch", "for (int i = 0; i < N; i++) { if (a[i] > 1) b[i] = 2; }", "S1", "more than an expression"},
		{"an array in a struct", "for (int i = 0; i < N; i++) for (int j = 0; j < 3; j++) q[i].v[j] = a[i];", "S1", "members of structs, as q.v"},
		{"a number for all", "s = 3;", "S1", "computes a number that kernels get"},
		{"pointers to rows", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) r[i][j] = a[j];", "S1", "behind pointers"},
	} {
		source := fmt.Sprintf(`#define N 50
static double a[N], b[N], s;
static long double l[N];
static struct { double x, v[3]; int k; } q[N];
static double g(double x) { return x + 1; }
void f(double *restrict *restrict r) {
#pragma scop assume-no-alias
  for (int i = 0; i < N; i++)
    a[i] = a[i] * 2;
  %s
#pragma endscop
}
`, test.statements)
		file, err := kerneltest.Parse("p.c", source, test.name)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		report := codeOf(t, file, device.OpenCL).Report
		if len(report.Kernels) != 1 || len(report.Host) != 1 || !slices.Equal(report.Host[0].Statements, []string{test.host}) || !strings.Contains(report.Host[0].Reason, test.reason) {
			t.Errorf("%s: %d kernels, on the host %v, want %s, %q", test.name, len(report.Kernels), report.Host, test.host, test.reason)
		}
		alone := strings.Replace(source, "a[i] = a[i] * 2", "a[i] = g(a[i])", 1)
		if file, err = kerneltest.Parse("p.c", alone, test.name+" alone"); err != nil {
			t.Fatal(err)
		}
		if _, err := tried(t, file, device.OpenCL); err == nil || !strings.Contains(err.Error(), "a device can run no statement of the region: S0: devices have no function g; S1: ") {
			t.Errorf("%s alone: %v", test.name, err)
		}
	}
}

// Functions have the type of their names in C, and that of their arguments on devices; names that
// their languages reserve are others.
func TestStatements(t *testing.T) {
	for statement, want := range map[string]string{
		"a[i] = sqrt(a[i]);":                  "a[c1] = sqrt(a[c1]);",
		"a[i] = sqrt(f[i]) + sqrtf(a[i]);":    "a[c1] = sqrt((double) f[c1]) + sqrt((float) a[c1]);",
		"a[i] = pow(a[i], 2) + fabs(2.0f);":   "a[c1] = pow(a[c1], (double) 2) + fabs((double) 2.0f);",
		"a[i] = exp(-(a[i] * f[i]) / 2);":     "a[c1] = exp(-(a[c1] * f[c1]) / 2);",
		"f[i] = fmaxf(f[i], f[i] * 2 + 1.f);": "f[c1] = fmax(f[c1], f[c1] * 2 + 1.f);",
		"k[i] = (long long) k[i] % 3 + i;":    "k[c1] = (long) k[c1] % 3 + (int) c1;",
		"a[i] = kernel[i] * half;":            "a[c1] = kernel_[c1] * half_;",
		"q[i].x = q[i].y + q[i].k * o.x;":     "q_x[c1] = q_y[c1] + q_k[c1] * o_x;",
		"a[i] = n + i / 2;":                   "a[c1] = (int) n + (int) c1 / 2;",
	} {
		source := fmt.Sprintf(`#include <math.h>
static struct { int k; double x, y; } q[50], o;
void p(int n, double half, double *restrict a, float *restrict f, long long *restrict k, double kernel[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    %s
#pragma endscop
}
`, statement)
		file, err := kerneltest.Parse("p.c", source, "p")
		if err != nil {
			t.Fatal(err)
		}
		text := string(codeOf(t, file, device.OpenCL).Device)
		if !strings.Contains(text, " "+want+"\n") {
			t.Errorf("%s has become\n%s\nwant %s", statement, withoutHost(text), want)
		}
	}
}

// Text for OpenCL asks for doubles where some number is one, and only there.
func TestDoubles(t *testing.T) {
	for value, want := range map[string]bool{"f[i] * 2.0f": false, "f[i] * 2.0": true, "sqrtf(f[i])": false, "sqrt(f[i])": true, "(double) f[i] + 1": true, "f[i] + 0x1e": false} {
		source := fmt.Sprintf("#include <math.h>\nvoid p(int n, float *restrict f) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    f[i] = %s;\n#pragma endscop\n}\n", value)
		file, err := kerneltest.Parse("p.c", source, "p")
		if err != nil {
			t.Fatal(err)
		}
		if text := string(codeOf(t, file, device.OpenCL).Device); strings.Contains(text, "cl_khr_fp64") != want {
			t.Errorf("%s: doubles are asked for: %v\n%s", value, !want, withoutHost(text))
		}
	}
}

// Parameters have their types of C in what is computed, and the numbers of kernels in subscripts
// that are sums and products: n - 2 * n is a large number where n is unsigned, and n * 3000000000
// needs 64 bits where n is long, whatever the numbers of the kernel are.
func TestTypesOfParameters(t *testing.T) {
	file, err := kerneltest.Parse("p.c", `enum kind { one, two };
struct sizes { short k; };
void p(unsigned m, long n, enum kind e, struct sizes *s, double *restrict a, long *restrict b, int *restrict c, int h[16], double o[restrict n][n]) {
#pragma scop
  for (unsigned i = 0; i < m; i++)
    a[m - 1 - i] = (m - 2 * m) / 2 + i;
  for (long i = 0; i < n; i++)
    b[i] = n * 3000000000 - e;
  for (int i = 0; i < s->k; i++)
    c[i] = s->k / 2;
  for (int i = 0; i < n; i++)
    h[(i * 2654435761u) >> 28] += e - 2 < 0;
  if (e > 0)
    for (long i = 0; i < n; i++)
      o[i][n - 1 - i] = 1;
#pragma endscop
}
`, "parameters")
	if err != nil {
		t.Fatal(err)
	}
	text := string(codeOf(t, file, device.CUDA).Device)
	for _, want := range []string{
		"] = ((unsigned int) m - 2 * (unsigned int) m) / 2 + (unsigned int) c",
		"a[m - 1 - c",
		"] = (long) n * 3000000000 - (unsigned int) e;",
		"] = (short) s_k / 2;",
		" * 2654435761u) >> 28] += (unsigned int) e - 2 < 0;",
		"h[((int) c",
		" - 1 - c",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, withoutHost(text))
		}
	}
}
