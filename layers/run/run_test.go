package run_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/isl"
	"polytune/layers/run"
	"polytune/layers/run/beside"
)

// few are kernels of the short test: sums, a stencil in place, a triangle, divisions that round down,
// small integers, a number that is set in front, and statements that are run by their text, with
// several values, with macros and with structs.
var few = []string{"polybench/gemm", "polybench/seidel-2d", "polybench/trisolv", "tiramisu/edge-detector", "tiramisu/nb",
	"polybench/covariance", "polybench/deriche", "tiramisu/hpcg", "plutoplus/lbm-poiseuille-d2q9"}

// textual are kernels with statements that are run by their text: functions that libraries round
// differently, functions and macros of the file, and structs.
var textual = []string{
	"polybench/deriche", "tiramisu/vgg-block", "tiramisu/hpcg", "tiramisu/warp-affine",
	"plutoplus/lbm-fpc-d2q9", "plutoplus/lbm-ldc-d2q9", "plutoplus/lbm-ldc-d2q9-mrt", "plutoplus/lbm-ldc-d3q27", "plutoplus/lbm-poiseuille-d2q9",
}

// TestKernels evaluates Layer I of built-in kernels and runs their C: all arrays have the same bits.
func TestKernels(t *testing.T) {
	t.Parallel()
	chosen := map[string]bool{}
	for _, name := range few {
		chosen[name] = true
	}
	isLong := os.Getenv("POLYTUNE_LONG") != ""
	for _, b := range benchmarks.All() {
		if !isLong && !chosen[b.Name] {
			continue
		}
		t.Run(b.Name, func(t *testing.T) { agrees(t, b) })
	}
}

func agrees(t *testing.T, b benchmarks.Benchmark) {
	file, err := frontend.Parse(b.File, b.Source, frontend.Options{KernelName: b.Name})
	if err != nil {
		t.Fatal(err)
	}
	program := file.Regions[0].Program
	values, err := b.Size("mini")
	if err != nil {
		t.Fatal(err)
	}
	source := &beside.Source{Text: string(b.Source), Program: program, Statements: slices.Contains(textual, b.Name)}
	if init := program.Function.Name + "_init"; strings.Contains(source.Text, init+"(") {
		source.Init = init
	}
	path, r := ran(t, source, values)
	c := isl.NewContext()
	defer c.Close()
	m, err := program.Model(c)
	if err != nil {
		t.Fatal(err)
	}
	options := run.Options{}
	if source.Statements {
		if _, err := r.Compare(m, options); !errors.As(err, new(*run.Beyond)) {
			t.Errorf("it needs no text: %v", err)
		}
		server, err := source.Serve(path)
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		options.Statement = server.Statement
	}
	difference, err := r.Compare(m, options)
	if err != nil || difference != "" {
		t.Fatal(difference, err)
	}
}

// ran builds the program and runs it.
func ran(t *testing.T, source *beside.Source, sizes ...map[string]int) (path string, r beside.Run) {
	t.Helper()
	text, err := source.Main(sizes)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "kernel")
	if err := os.WriteFile(path+".c", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O1", "-w", "-ffp-contract=off", path+".c", "-o", path, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	printed, err := exec.Command(path).Output()
	if err != nil {
		t.Fatal(err)
	}
	runs, err := beside.Read(printed)
	if err != nil || len(runs) != len(sizes) {
		t.Fatalf("%d calls: %v", len(runs), err)
	}
	return path, runs[0]
}
