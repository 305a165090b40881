package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/benchmarks"
)

// What polytune writes has no warnings for whoever compiles it with the options that many
// projects have, and optimised, since gcc looks for variables without a value only then. In one
// kernel the source's own x == X - 1 is true in the code of the last x, and gcc says so.
func TestGeneratedCodeWithoutWarnings(t *testing.T) {
	names := []string{"polybench/2mm", "polybench/correlation", "polybench/jacobi-1d", "polybench/trisolv"}
	if longTest() {
		names = nil
		for _, b := range benchmarks.All() {
			names = append(names, b.Name)
		}
	}
	folder := t.TempDir()
	for _, name := range names {
		path := filepath.Join(folder, strings.ReplaceAll(name, "/", "_")+".c")
		var errors strings.Builder
		if status := run([]string{"transform", "--bench", name, "-o", path}, &errors, &errors); status != exitOK {
			t.Errorf("%s: exit status %d: %s", name, status, &errors)
			continue
		}
		for _, optimisation := range []string{"-O1", "-O3"} {
			gcc := exec.CommandContext(t.Context(), "gcc", "-std=gnu11", optimisation, "-fopenmp", "-Wall", "-Wextra", "-Werror", "-Wno-tautological-compare",
				"-c", path, "-o", filepath.Join(folder, "object.o"))
			if output, err := gcc.CombinedOutput(); err != nil {
				t.Errorf("%s %s: %v\n%s", name, optimisation, err, output)
			}
		}
	}
}
