package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/store"
	"polytune/target/registry"
)

// onDevices makes the smart variant of gemm for a target, and checks that run it on devices.
func onDevices(t *testing.T, target string, devices ...runner.Device) (*checks, candidate, variant.Variant) {
	t.Helper()
	return variantOn(t, "polybench/gemm", map[string]int{"NI": 5, "NJ": 34, "NK": 3}, target, devices...)
}

// variantOn is onDevices for any benchmark and size.
func variantOn(t *testing.T, bench string, sizes map[string]int, target string, devices ...runner.Device) (*checks, candidate, variant.Variant) {
	t.Helper()
	return pointOn(t, bench, sizes, target, "", devices...)
}

// pointOn is variantOn for any setting of the models' axes.
func pointOn(t *testing.T, bench string, sizes map[string]int, target, point string, devices ...runner.Device) (*checks, candidate, variant.Variant) {
	t.Helper()
	on, err := registry.Find(target)
	if err != nil {
		t.Fatal(err)
	}
	model := pipeline.SessionModel
	model.Point = point
	o := &Options{Partition: "smart", Target: pipeline.Options{Bench: bench, Privatize: true, On: on}, Model: model}
	targets, err := o.Target.All(nil)
	if err != nil {
		t.Fatal(err)
	}
	machine := pipelinetest.Somewhere().Machine
	candidates, err := o.candidates(t.Context(), targets[0], machine)
	if err != nil {
		t.Fatal(err)
	}
	checks, err := newChecks(t.Context(), o, targets[0], pipelinetest.StrictSettings(t), machine, []map[string]int{sizes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checks.builder.Close() })
	checks.devices = devices
	v, err := variant.Of(t.Context(), candidates[0].Target, candidates[0].Nest, candidates[0].Options)
	if err != nil {
		t.Fatal(err)
	}
	return checks, candidates[0], v
}

// outcome is that of a variant on a device.
func (c *checks) outcome(t *testing.T, device runner.Device, candidate candidate, v variant.Variant) Result {
	t.Helper()
	results, err := c.checkOn(t.Context(), device, candidate, v, c.program(t.Context(), programs{}, device, &v), 0)
	if err != nil || len(results) != 1 {
		t.Fatalf("%+v, error %v", results, err)
	}
	if results[0].Device != device.String() {
		t.Errorf("device %q; want %q", results[0].Device, device)
	}
	return results[0]
}

// need skips a test where a program is not there.
func need(t *testing.T, program, item string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("there is no %s on this machine: apt install %s", program, item)
	}
}

// changed is the variant with another text in the place of one of its texts, for the host and the
// device.
func changed(t *testing.T, v variant.Variant, old, text string) variant.Variant {
	t.Helper()
	device := *v.Device
	v.Source = []byte(strings.ReplaceAll(string(v.Source), old, text))
	device.Text = []byte(strings.ReplaceAll(string(device.Text), old, text))
	if string(device.Text) == string(v.Device.Text) {
		t.Fatalf("the kernels do not have %q:\n%s", old, device.Text)
	}
	v.Device = &device
	return v
}

// TestDeviceFailed: a device that is not there, or no driver at all, is the device's failure, with
// the driver's words.
func TestDeviceFailed(t *testing.T) {
	device := runner.Device{Kind: runner.OpenCLDevice, Name: "no such device"}
	checks, candidate, v := onDevices(t, "opencl", device)
	if r := checks.outcome(t, device, candidate, v); r.Status != store.DeviceFailed || !strings.Contains(r.Detail, "OpenCL") {
		t.Errorf("%+v", r)
	}
}

// TestOclgrind: kernels whose threads write the same elements are found by Oclgrind, which gives
// the line, also where all write the same.
func TestOclgrind(t *testing.T) {
	need(t, "oclgrind", "oclgrind")
	device := runner.Device{Kind: runner.Oclgrind}
	checks, candidate, v := variantOn(t, "polybench/lu", map[string]int{"N": 12}, "opencl", device)
	if r := checks.outcome(t, device, candidate, v); r.Status != store.OK {
		t.Errorf("%+v", r)
	}
	racy := changed(t, v, "get_local_id(0)", "get_local_id(0) / 2")
	if r := checks.outcome(t, device, candidate, racy); r.Status != store.WrongResult || !strings.Contains(r.Detail, "data race") || !strings.Contains(r.Detail, "At line ") {
		t.Errorf("%+v", r)
	}
}

// TestPTX: kernels are compiled for GPUs, and run nowhere; text that is no CUDA is refused.
func TestPTX(t *testing.T) {
	device := runner.Device{Kind: runner.PTX}
	checks, candidate, v := onDevices(t, "cuda", device)
	if _, err := (&runner.DeviceFinder{}).Find(t.Context(), "cuda", "ptx"); err != nil {
		t.Skip(err)
	}
	if r := checks.outcome(t, device, candidate, v); r.Status != store.OK {
		t.Errorf("%+v", r)
	}
	if r := checks.outcome(t, device, candidate, changed(t, v, "threadIdx.x", "threadIdx.w")); r.Status != store.CompileFailed {
		t.Errorf("%+v", r)
	}
}

// TestEmulatedOrders: a variant is built once for all orders, and wrong kernels are found.
func TestEmulatedOrders(t *testing.T) {
	need(t, "g++", "g++")
	devices := []runner.Device{{Kind: runner.Emulation}, {Kind: runner.Emulation, Name: "reverse"}, {Kind: runner.Emulation, Name: "random"}}
	checks, candidate, v := onDevices(t, "cuda", devices...)
	results, err := checks.check(t.Context(), candidate, 0)
	if err != nil || len(results) != len(devices) {
		t.Fatalf("%+v, error %v", results, err)
	}
	for k, r := range results {
		if r.Status != store.OK || r.Device != devices[k].String() {
			t.Errorf("%+v", r)
		}
		if each := int64(5 * 34); r.Global == nil || r.Global.Stores != each || r.Global.Loads != each+2*5*3+3*34 {
			t.Errorf("%s: each element of C is loaded and stored once, those of A and B once for each block: %+v", r.Device, r.Global)
		}
	}
	made := programs{}
	first := checks.program(t.Context(), made, devices[0], &v)
	for _, device := range devices[1:] {
		if p := checks.program(t.Context(), made, device, &v); p.failure != nil || p.binary.Path != first.binary.Path {
			t.Errorf("%v is built anew: %+v, %+v", device, p, first)
		}
	}
	if r := checks.outcome(t, devices[0], candidate, changed(t, v, "threadIdx.x", "threadIdx.x / 2")); r.Status != store.WrongResult {
		t.Errorf("%+v", r)
	}
	if r := checks.outcome(t, devices[0], candidate, changed(t, v, "dim3(32, 8, 1)", "dim3(32, 64, 1)")); r.Status != store.DeviceFailed || !strings.Contains(r.Detail, "1024 threads") {
		t.Errorf("%+v", r)
	}
}

// TestMisalignedVectors: the emulation, as GPUs do, stops where a vector is not at a multiple of its
// size, whose loads count as those of its elements.
func TestMisalignedVectors(t *testing.T) {
	need(t, "g++", "g++")
	device := runner.Device{Kind: runner.Emulation}
	for _, test := range []struct {
		sizes  map[string]int
		status store.Status
	}{
		{map[string]int{"NI": 5, "NJ": 36, "NK": 6}, store.OK},
		{map[string]int{"NI": 5, "NJ": 35, "NK": 7}, store.Crashed},
	} {
		checks, candidate, v := variantOn(t, "polybench/gemm", test.sizes, "cuda", device)
		r := checks.outcome(t, device, candidate, changed(t, v, "% 2 == 0", "> 0"))
		if r.Status != test.status || r.Status != store.OK && !strings.Contains(r.Detail, "a vector of 16 bytes is not at a multiple of its size") {
			t.Errorf("%v: %+v", test.sizes, r)
		}
		loads := int64(5*36 + 2*5*6 + 6*36) // A once for each of two blocks
		if r.Status == store.OK && (r.Global == nil || r.Global.Loads != loads) {
			t.Errorf("%v: %+v, want %d loads", test.sizes, r.Global, loads)
		}
	}
}

// TestResident: blocks that stay, all of them at once or, in reverse order, a few of them, leave
// what the original does; where they do not wait for each other, or do not exchange what they
// write, that is found.
func TestResident(t *testing.T) {
	need(t, "g++", "g++")
	devices := []runner.Device{{Kind: runner.Emulation}, {Kind: runner.Emulation, Name: "reverse"}, {Kind: runner.Emulation, Name: "random"}}
	sizes := map[string]int{"TSTEPS": 5, "N": 40}
	checks, candidate, v := pointOn(t, "polybench/jacobi-2d", sizes, "cuda", "stencil=resident,width=8,tile.1=16", devices...)
	results, err := checks.check(t.Context(), candidate, 0)
	if err != nil || len(results) != len(devices) {
		t.Fatalf("%+v, error %v", results, err)
	}
	for _, r := range results {
		if r.Status != store.OK {
			t.Errorf("%+v", r)
		}
	}
	if all, few := results[0].Global, results[1].Global; all == nil || few == nil || 2*all.Loads > few.Loads {
		t.Errorf("blocks that keep elements load as many as those that do not: %+v, %+v", all, few)
	}
	for what, wrong := range map[string]variant.Variant{
		"they do not wait":     changed(t, v, "tune_wait_for_grid();", "__syncthreads();"),
		"they do not exchange": changed(t, v, "                A[tune_i0 * N + tune_i1] = tune_A", "                if (0) A[tune_i0 * N + tune_i1] = tune_A"),
	} {
		found := false
		for _, device := range devices {
			found = found || checks.outcome(t, device, candidate, wrong).Status == store.WrongResult
		}
		if !found {
			t.Errorf("%s: nothing is wrong", what)
		}
	}
	if r := checks.outcome(t, devices[0], candidate, changed(t, v, "|| !can_wait", "|| can_wait")); r.Status != store.DeviceFailed || !strings.Contains(r.Detail, "cannot wait for each other") {
		t.Errorf("%+v", r)
	}
}

// TestHungKernel: a kernel that does not end is killed with its process when its time is over.
func TestHungKernel(t *testing.T) {
	for _, target := range []string{"cuda", "opencl"} {
		t.Run(target, func(t *testing.T) {
			toolchain, err := runner.FindToolchain(t.Context(), registry.Default().Toolchains(pipelinetest.StrictSettings(t))[0])
			if err != nil {
				t.Skip(err)
			}
			finder := runner.DeviceFinder{Toolchain: toolchain, Note: func(string) {}}
			device, err := finder.Find(t.Context(), target, "auto")
			if err != nil {
				t.Skip(err)
			}
			checks, candidate, v := onDevices(t, target, device)
			for k := range checks.requests {
				checks.requests[k].Limit = time.Second
			}
			hung := changed(t, v, "const tune_int tune_threadx", "volatile int hung = 1; while (hung); const tune_int tune_threadx")
			if r := checks.outcome(t, device, candidate, hung); r.Status != store.Timeout {
				t.Errorf("%+v", r)
			}
			links, err := filepath.Glob("/proc/[0-9]*/exe")
			if err != nil {
				t.Fatal(err)
			}
			for _, link := range links {
				if program, err := os.Readlink(link); err == nil && strings.HasPrefix(program, checks.builder.Work()) {
					t.Errorf("%s still runs", program)
				}
			}
		})
	}
}
