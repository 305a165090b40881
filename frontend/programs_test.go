package frontend_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"polytune/codegen"
	"polytune/frontend"
	"polytune/internal/passed"
	"polytune/internal/quicklink"
	"polytune/isl"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// maxOperations bounds isl's work for one variant.
const maxOperations = 12_000_000

// TestPrograms transforms whole programs by three partitions. The results must
// compile without a new warning and print what the original prints; those that
// are C++ as well stay so. What testdata/printed names did so already.
func TestPrograms(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "programs", "*.c"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".c"), func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, partition := range partitionsOf(path) {
				code := transformed(t, path, source, partition)
				name := passed.Name(passed.Compiler(), string(source), string(code))
				if frontend.Printed.Spares(name) {
					continue
				}
				comparePrograms(t, path, partition, code)
				if !t.Failed() {
					frontend.Printed.Note(name)
				}
			}
		})
	}
}

// comparePrograms compiles a program and what a partition makes of it, and compares warnings,
// output and whether they are C++.
func comparePrograms(t *testing.T, path, partition string, code []byte) {
	t.Helper()
	variant := filepath.Join(t.TempDir(), partition+".c")
	if err := os.WriteFile(variant, code, 0o644); err != nil {
		t.Fatal(err)
	}
	built := build(t, variant, warned...)
	if built.warnings > 0 && built.warnings > build(t, path, warned...).warnings {
		t.Errorf("%s: new warnings:\n%s", partition, built.messages)
	}
	if got := run(t, built.executable); !bytes.Equal(got, run(t, build(t, path, "-O0", "-w").executable)) {
		t.Errorf("%s: prints something else:\n%s", partition, got)
	}
	if err := checkCxx(variant); err != nil && checkCxx(path) == nil {
		t.Errorf("%s: no C++ any more: %v", partition, err)
	}
}

// partitionsOf are the partitions that a program of the tests has: all in long tests, else one of
// them.
func partitionsOf(path string) []string {
	all := []string{"max", "none", "smart"}
	if os.Getenv("POLYTUNE_LONG") != "" {
		return all
	}
	return all[len(path)%len(all):][:1]
}

// transformed is the source with all regions transformed, from the last to the first, so that the
// places of those in front stay true.
func transformed(t *testing.T, path string, source []byte, partition string) []byte {
	t.Helper()
	file, err := frontend.Parse(path, source, frontend.Options{AssumeNoAlias: true})
	if err != nil {
		t.Fatal(err)
	}
	for number := range slices.Backward(file.Regions) {
		next := *file
		next.Source = transformRegion(t, file, number, partition)
		file = &next
	}
	return file.Source
}

// transformRegion is the source with one region of a file transformed.
func transformRegion(t *testing.T, file *frontend.File, number int, name string) []byte {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	ctx.SetMaxOperations(maxOperations)
	region := &file.Regions[number]
	model, err := region.Program.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := depend.Analyze(model)
	if err != nil {
		t.Fatal(err)
	}
	all, err := space.New(graph, space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := transform.Choose(all, graph, name, 1)
	if err != nil {
		t.Fatal(err)
	}
	recipe, err := transform.Transform(graph, chosen[0], transform.Options{CacheBytes: 32 << 10})
	if err != nil {
		t.Fatal(err)
	}
	code, err := codegen.Program(graph, recipe, file.Unit(region))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

type binary struct {
	executable, messages string
	warnings             int
}

// warned are gcc's options for a program whose warnings count: some need the analyses of -O1.
var warned = []string{"-O1", "-Wall", "-Wextra", "-Wno-unknown-pragmas"}

// build compiles a program, with rounding that does not depend on the shape of
// its loops.
func build(t *testing.T, path string, options ...string) binary {
	t.Helper()
	b := binary{executable: filepath.Join(t.TempDir(), "program")}
	arguments := append(append(quicklink.Options(), options...), "-ffp-contract=off", "-fopenmp", path, "-o", b.executable, "-lm")
	output, err := exec.Command("gcc", arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: gcc: %v\n%s", path, err, output)
	}
	b.messages = string(output)
	b.warnings = strings.Count(b.messages, "warning:")
	return b
}

// longestRun is when a program that runs on is taken for one that does not end.
const longestRun = 3 * time.Minute

func run(t *testing.T, executable string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longestRun)
	defer cancel()
	command := exec.CommandContext(ctx, executable)
	command.Env = append(os.Environ(), "OMP_NUM_THREADS=3")
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", executable, err)
	}
	return output
}

func checkCxx(path string) error {
	output, err := exec.Command("g++", "-x", "c++", "-fsyntax-only", "-w", path).CombinedOutput()
	if err != nil {
		return errors.New(string(output))
	}
	return nil
}
