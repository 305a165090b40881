package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/store"
	"polytune/target/gpu"
)

// barrierKernels are kernels with barriers: recipes of benchmarks, "" for the models' own, at sizes
// with several tiles.
var barrierKernels = []barrierKernel{
	{"polybench/jacobi-1d", "classes {S0 S1}\nband c0 S0[t, i] -> [2t]; S1[t, i] -> [2t + 1]\nband c0 permutable S0[t, i] -> [i]; S1[t, i] -> [i]\nkernel c0.1\nthread c0.2 by 64\nbarrier c0.1\n", map[string]int{"N": 130, "TSTEPS": 6}},
	{"polybench/gemm", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 16 16\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 16 16\nband c1 permutable S1[i, k, j] -> [i, j, k]\n" +
		"tile c1.1 c1.2 c1.3 by 16 16 16\nblock c1.1t c1.2t\nthread c1.1 c1.2 by 16 16\ncopy A at c1.3t to shared\ncopy B at c1.3t to shared\ncopy C at c1.2t to private\nbarrier c1.3t\n", map[string]int{"NI": 33, "NJ": 35, "NK": 50}},
	{"polybench/gemm", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 16 16\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 4 4\ncopy C at c0.2t to shared\nband c1 permutable S1[i, k, j] -> [i, j, k]\n" +
		"tile c1.1 c1.2 by 16 16\nblock c1.1t c1.2t\nthread c1.1 c1.2 by 16 4\ncopy C at c1.2t to shared\n", map[string]int{"NI": 33, "NJ": 35, "NK": 5}},
	{"polybench/mvt", "reassociate\nclasses {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nblock c0.1\nthread c0.2 by 24\nreduce c0.2 reduction(+:x1)\nband c1 permutable S1[i, j] -> [i, j]\nblock c1.1\n", map[string]int{"N": 60}},
	{"polybench/gemm", "", map[string]int{"NI": 33, "NJ": 35, "NK": 50}},
	{"polybench/atax", "", map[string]int{"M": 150, "N": 140}},
	{"polybench/2mm", "", map[string]int{"NI": 33, "NJ": 35, "NK": 50, "NL": 40}},
	{"polybench/syrk", "", map[string]int{"M": 50, "N": 40}},
	{"polybench/gesummv", "", map[string]int{"N": 150}},
	{"polybench/bicg", "", map[string]int{"M": 150, "N": 140}},
	{"polybench/mvt", "", map[string]int{"N": 150}},
}

type barrierKernel struct {
	bench, recipe string
	sizes         map[string]int
}

// emulated is the kernel's variant, and what runs it in all orders of the emulation.
func (test *barrierKernel) emulated(t *testing.T) (*checks, candidate, variant.Variant) {
	t.Helper()
	o := &Options{Target: pipeline.Options{Bench: test.bench, Privatize: true, On: gpu.CUDA}, Model: pipeline.SessionModel, Partition: "smart"}
	if test.recipe != "" {
		o.Recipe.Path = filepath.Join(t.TempDir(), "recipe")
		if err := os.WriteFile(o.Recipe.Path, []byte(test.recipe), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	targets, err := o.Target.All(nil)
	if err != nil {
		t.Fatal(err)
	}
	more := map[string]int{} // of other remainders: rows that have whole vectors, and rows that have not
	for name, size := range test.sizes {
		more[name] = size + 1
	}
	checks, err := newChecks(t.Context(), o, targets[0], pipelinetest.StrictSettings(t), pipelinetest.Somewhere().Machine, []map[string]int{test.sizes, more})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checks.builder.Close() })
	checks.devices = []runner.Device{{Kind: runner.Emulation}, {Kind: runner.Emulation, Name: "reverse"}, {Kind: runner.Emulation, Name: "random"}}
	chosen, v := variantOf(t, o, targets[0])
	return checks, chosen, v
}

// mostKernels is the number of those of which short tests drop barriers: those whose recipes are
// written here, a stencil, boxes, copies in both memories, and sums of threads.
const mostKernels = 4

// Each barrier of these kernels is needed: without it the emulation gets another result in some
// order of the threads. The short test drops each second one.
func TestDroppedBarriers(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("the emulation of CUDA needs g++")
	}
	t.Parallel()
	dropped := 0
	for k, test := range barrierKernels {
		if k >= mostKernels && !kerneltest.Long() {
			break
		}
		checks, chosen, v := test.emulated(t)
		text := string(v.Device.Text)
		count := strings.Count(text, barrierText)
		if !isEqual(t, checks, chosen, v, string(v.Source), text) {
			t.Errorf("%s differs with all barriers", test.bench)
		}
		for n := range count {
			if n%2 != k%2 && count > 1 && !kerneltest.Long() {
				continue
			}
			dropped++
			if isEqual(t, checks, chosen, v, string(v.Source), without(text, n)) {
				t.Errorf("%s is the same without barrier %d of %d:\n%s", test.bench, n+1, count, v.Text)
			}
		}
	}
	if dropped < mostKernels {
		t.Errorf("there are only %d barriers", dropped)
	}
}

const barrierText = "__syncthreads();"

// without is a text without the k-th barrier.
func without(text string, k int) string {
	parts := strings.Split(text, barrierText)
	return strings.Join(parts[:k+1], barrierText) + ";" + strings.Join(parts[k+1:], barrierText)
}

// variantOf is what is checked, and its code.
func variantOf(t *testing.T, o *Options, target *pipeline.Target) (candidate, variant.Variant) {
	t.Helper()
	candidates, err := o.candidates(t.Context(), target, pipelinetest.Somewhere().Machine)
	if err != nil {
		t.Fatal(err)
	}
	chosen := candidates[0]
	var v variant.Variant
	if chosen.filled != nil {
		v, err = variant.Replay(t.Context(), chosen.Target, chosen.filled.Recipe)
	} else {
		v, err = variant.Of(t.Context(), chosen.Target, chosen.Nest, chosen.Options)
	}
	if err != nil {
		t.Fatal(err)
	}
	return chosen, v
}

// isEqual says whether the result of the host's and the device's text is the original's in all
// orders of the emulation.
func isEqual(t *testing.T, checks *checks, chosen candidate, v variant.Variant, source, text string) bool {
	t.Helper()
	changed := *v.Device
	changed.Text = []byte(text)
	v.Source, v.Device = []byte(source), &changed
	made := programs{}
	for k, device := range checks.devices {
		results, err := checks.checkOn(t.Context(), device, chosen, v, checks.program(t.Context(), made, device, &v), k)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(results, func(r Result) bool { return r.Status != store.OK }) {
			return false
		}
	}
	return true
}
