package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/exit"
	"polytune/internal/kerneltest"
)

// What polytune writes has no warnings for whoever compiles it with the options that many projects
// have, and optimised, since gcc looks for variables without a value only then. In one kernel the
// source's own x == X - 1 is true in the code of the last x, and gcc says so. The short test
// optimises the kernels in turn more and less.
func TestGeneratedCodeWithoutWarnings(t *testing.T) {
	names, optimisations := []string{"polybench/2mm", "polybench/correlation", "polybench/jacobi-1d", "polybench/trisolv"}, []string{"-O3", "-O1"}
	if kerneltest.Long() {
		names = nil
		for _, b := range benchmarks.All() {
			names = append(names, b.Name)
		}
	}
	folder := t.TempDir()
	for k, name := range names {
		path := filepath.Join(folder, strings.ReplaceAll(name, "/", "_")+".c")
		var errors strings.Builder
		if status := run([]string{"transform", "--bench", name, "-o", path}, &errors, &errors); status != exit.OK {
			t.Errorf("%s: exit status %d: %s", name, status, &errors)
			continue
		}
		for n, optimisation := range optimisations {
			if n != k%2 && !kerneltest.Long() {
				continue
			}
			gcc := exec.CommandContext(t.Context(), "gcc", "-std=gnu11", optimisation, "-fopenmp", "-Wall", "-Wextra", "-Werror", "-Wno-tautological-compare",
				"-c", path, "-o", filepath.Join(folder, "object.o"))
			if output, err := gcc.CombinedOutput(); err != nil {
				t.Errorf("%s %s: %v\n%s", name, optimisation, err, output)
			}
		}
	}
}

// Clang warns of vector loops that it makes no vectors of, without any option, and of types that
// nothing uses.
func TestClangWithoutWarnings(t *testing.T) {
	for _, compiler := range []string{"clang", "clang-19"} {
		t.Run(compiler, func(t *testing.T) {
			if _, err := exec.LookPath(compiler); err != nil {
				t.Skip("there is no " + compiler + " on this machine")
			}
			compilesWithoutWarnings(t, []string{compiler, "-O2"}, "--reassociate")
			compilesWithoutWarnings(t, []string{compiler, "-O2", "-fno-math-errno"}, "--model", "pluto")
		})
	}
}

// Values that nothing reads may get a variable of their own, which gcc does not complain about.
func TestGccWithoutWarnings(t *testing.T) {
	compilesWithoutWarnings(t, []string{"gcc", "-O2"}, "--expand")
	compilesWithoutWarnings(t, []string{"gcc", "-O2"}, "--privatize")
}

// compilesWithoutWarnings transforms functions of which compilers might complain.
func compilesWithoutWarnings(t *testing.T, compiler []string, options ...string) {
	t.Helper()
	const source = `#include <math.h>
void calls(int n, int m, double A[n][m], double x[n], double y[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] = sin(3.1 * i) * cbrt(A[i][j]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i] += sqrt(A[i][j]) + A[j][i];
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++)
      s += A[i][j];
    y[i] = exp(s);
  }
#pragma endscop
}

void unread(int n, int m, double A[n][m], double y[n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    double s = 0, t[3] = {1, 2};
    s = 0;
    for (int j = 0; j < m; j++) {
      s += A[i][j];
      t[1] += A[i][j];
    }
    y[i] = s + t[1];
  }
#pragma endscop
}
`
	folder := t.TempDir()
	original, path := filepath.Join(folder, "a.c"), filepath.Join(folder, "b.c")
	if err := os.WriteFile(original, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var messages strings.Builder
	if status := run(append([]string{"transform", original, "-o", path}, options...), &messages, &messages); status != exit.OK {
		t.Fatalf("exit status %d: %s", status, &messages)
	}
	arguments := append(compiler[1:], "-fopenmp", "-Wall", "-Wextra", "-Werror", "-c", path, "-o", filepath.Join(folder, "b.o"))
	if output, err := exec.CommandContext(t.Context(), compiler[0], arguments...).CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", compiler, options, err, output)
	}
}
