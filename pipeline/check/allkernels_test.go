package check

import (
	"path/filepath"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/runner"
	"polytune/store"
	"polytune/target"
	"polytune/target/gpu"
)

// tenKernels are those that docs/gpu.md compares with ppcg's: products, sums along rows and columns,
// stencils in one, two and three dimensions, triangles, waves.
var tenKernels = []string{"gemm", "2mm", "atax", "gemver", "jacobi-2d", "heat-3d", "correlation", "fdtd-2d", "lu", "seidel-2d"}

// TestKernelsEmulated: the models' kernels of six benchmarks, in long tests of all of PolyBench,
// leave what the original leaves at size mini, bit for bit, in three orders of threads and blocks.
// Short tests leave out what others have in these orders: products and sums (TestDroppedBarriers),
// stencils in two dimensions (TestResident).
func TestKernelsEmulated(t *testing.T) {
	need(t, "g++", "g++")
	kernels := []string{"atax", "heat-3d", "correlation", "fdtd-2d", "lu", "seidel-2d"}
	if kerneltest.Long() {
		kernels = ofPolyBench()
	}
	checkKernels(t, gpu.CUDA, kernels, runner.Device{Kind: runner.Emulation}, runner.Device{Kind: runner.Emulation, Name: "reverse"}, runner.Device{Kind: runner.Emulation, Name: "random"})
}

// TestKernelsOnOpenCL: the same by a driver of OpenCL, in long tests, and for two in others.
func TestKernelsOnOpenCL(t *testing.T) {
	if drivers, _ := filepath.Glob("/etc/OpenCL/vendors/*.icd"); len(drivers) == 0 {
		t.Skip("there is no driver of OpenCL on this machine: apt install pocl-opencl-icd ocl-icd-libopencl1")
	}
	kernels := []string{"correlation", "lu"}
	if kerneltest.Long() {
		kernels = ofPolyBench()
	}
	checkKernels(t, gpu.OpenCL, kernels, runner.Device{Kind: runner.OpenCLDevice})
}

// TestKernelsByOclgrind: Oclgrind, which looks for races as well, has nothing to say of ten, and in
// short tests of one. Half of the time is that of the last, which has 200 launches.
func TestKernelsByOclgrind(t *testing.T) {
	need(t, "oclgrind", "oclgrind")
	kernels := []string{"atax"}
	if kerneltest.Long() {
		kernels = tenKernels
	}
	checkKernels(t, gpu.OpenCL, kernels, runner.Device{Kind: runner.Oclgrind})
}

// ofPolyBench are all kernels of PolyBench.
func ofPolyBench() (names []string) {
	for _, b := range benchmarks.All() {
		if name, is := strings.CutPrefix(b.Name, "polybench/"); is {
			names = append(names, name)
		}
	}
	return names
}

// checkKernels checks the models' kernels of benchmarks at size mini on devices.
func checkKernels(t *testing.T, on target.Target, kernels []string, devices ...runner.Device) {
	t.Helper()
	t.Parallel()
	for _, name := range kernels {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &Options{Partition: "smart", Sizes: "mini", Target: pipeline.Options{Bench: "polybench/" + name, Privatize: true, On: on}, Model: pipeline.SessionModel}
			targets, err := o.Target.All(nil)
			if err != nil {
				t.Fatal(err)
			}
			mini, err := targets[0].Sizes("mini", "")
			if err != nil {
				t.Fatal(err)
			}
			machine := pipelinetest.Somewhere().Machine
			checks, err := newChecks(t.Context(), o, targets[0], pipelinetest.StrictSettings(t), machine, []map[string]int{mini})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { checks.builder.Close() })
			checks.devices = devices
			candidates, err := o.candidates(t.Context(), targets[0], machine)
			if err != nil {
				t.Fatal(err)
			}
			results, err := checks.check(t.Context(), candidates[0], 0)
			if err != nil || len(results) != len(devices) {
				t.Fatalf("%+v, error %v", results, err)
			}
			for _, r := range results {
				if r.Status != store.OK {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}
