package runner

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// fakeCUDA is a driver's library with two GPUs, or with a message where FAIL is set.
const fakeCUDA = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int cuInit(unsigned flags) { return getenv("FAKE_FAILS") ? 100 : 0; }
int cuGetErrorString(int code, const char **words) { *words = "no CUDA-capable device is detected"; return 0; }
int cuDriverGetVersion(int *version) { *version = 12040; return 0; }
int cuDeviceGetCount(int *count) { *count = 2; return 0; }
int cuDeviceGet(int *device, int k) { *device = k + 7; return 0; }
int cuDeviceGetName(char *name, int size, int device) { snprintf(name, size, "NVIDIA T%d", device); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = 80UL << 30; return 0; }
int cuDeviceGetAttribute(int *value, int what, int device) { *value = what == 8 ? 49152 : what == 16 ? 132 : what == 97 && device == 8 ? 232448 : -1; return what == 97 && device == 7; }
`

// fakeOpenCL is OpenCL's library with a processor and a GPU.
const fakeOpenCL = `
#include <stdio.h>
#include <string.h>
int clGetPlatformIDs(unsigned most, void **list, unsigned *count) { list[0] = (void *) 1; *count = 1; return 0; }
int clGetDeviceIDs(void *platform, unsigned long type, unsigned most, void **list, unsigned *count) {
  if (type != 0xffffffff)
    return -1;
  list[0] = (void *) 2, list[1] = (void *) 4, *count = 2;
  return 0;
}
int clGetDeviceInfo(void *device, unsigned what, size_t size, void *value, size_t *got) {
  unsigned units = (long) device * 10;
  unsigned long number = what == 0x1000 ? (long) device : what == 0x101f ? 1UL << 33 : what == 0x1032 ? device == (void *) 2 : 32768;
  switch (what) {
  case 0x102b: strcpy(value, device == (void *) 2 ? "Some\tCPU" : "Some GPU"); break;
  case 0x102d: strcpy(value, "1.2"); break;
  case 0x1002: memcpy(value, &units, size == 4 ? 4 : 0); break;
  default: memcpy(value, &number, size == 8 ? 8 : 0);
  }
  return 0;
}
`

// install compiles the library of a driver where programs look for it, and keeps answers apart.
func install(t *testing.T, libraries map[string]string) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range libraries {
		source := filepath.Join(folder, name+".c")
		if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("gcc", "-shared", "-fPIC", source, "-o", filepath.Join(folder, name)).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
	}
	t.Setenv("LD_LIBRARY_PATH", folder)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// TestDevices: what drivers say is read, and they are asked once.
func TestDevices(t *testing.T) {
	toolchain := gcc(t)
	install(t, map[string]string{"libcuda.so.1": fakeCUDA, "libOpenCL.so.1": fakeOpenCL})
	want := []DeviceInfo{
		{Target: "opencl", Kind: "cpu", Name: "Some CPU", ComputeUnits: 20, Memory: 1 << 33, SharedMemory: 32768, MostShared: 32768, HasDoubles: true, Driver: "1.2"},
		{Target: "opencl", Kind: "gpu", Name: "Some GPU", ComputeUnits: 40, Memory: 1 << 33, SharedMemory: 32768, MostShared: 32768, Driver: "1.2"},
		{Target: "cuda", Kind: "gpu", Name: "NVIDIA T7", ComputeUnits: 132, Memory: 80 << 30, SharedMemory: 49152, MostShared: 49152, HasDoubles: true, Driver: "CUDA 12.4"},
		{Target: "cuda", Kind: "gpu", Name: "NVIDIA T8", ComputeUnits: 132, Memory: 80 << 30, SharedMemory: 49152, MostShared: 232448, HasDoubles: true, Driver: "CUDA 12.4"},
	}
	for range 2 {
		devices, err := realDevices(t.Context(), toolchain)
		if err != nil || !reflect.DeepEqual(devices.Real, want) || len(devices.Missing) > 0 {
			t.Errorf("devices %+v, error %v; want %+v", devices, err, want)
		}
		t.Setenv("FAKE_FAILS", "1") // the second time the answer is remembered, if gcc is a program
		if devicesMemory(toolchain) == "" {
			break
		}
	}
}

// TestNoDevices: what is missing is told, and asked for again the next time.
func TestNoDevices(t *testing.T) {
	toolchain := gcc(t)
	install(t, map[string]string{"libcuda.so.1": fakeCUDA})
	t.Setenv("FAKE_FAILS", "1")
	t.Setenv("OCL_ICD_VENDORS", "/nonexistent")
	devices, err := realDevices(t.Context(), toolchain)
	if err != nil || len(devices.Real) > 0 || devices.Missing["cuda"] != "the driver says: no CUDA-capable device is detected" || devices.Missing["opencl"] == "" {
		t.Errorf("devices %+v, error %v", devices, err)
	}
	if _, known := devicesMemory(toolchain).Recall(); known {
		t.Error("that there is no device is remembered")
	}
}

// nvcc is a script in the place of NVIDIA's compiler, which finds the host's compiler too new. It
// leaves its last arguments in a file.
const nvcc = `#!/bin/sh
if [ "$1" = --version ]; then
  echo "nvcc: NVIDIA (R) Cuda compiler driver"
  echo "Cuda compilation tools, release 12.4, V12.4.131"
  exit
fi
case "$*" in
*-ptx*) ;;
*-allow-unsupported-compiler*) ;;
*) echo "error: -- unsupported GNU version! The nvcc flag '-allow-unsupported-compiler' can be used to override this version check" >&2; exit 1 ;;
esac
echo "$*" >> arguments
touch kernels.o sm_80.ptx sm_90.ptx
`

var nvccSpec = ToolchainSpec{Name: "nvcc", Command: "nvcc-of-the-tests", Flags: []string{"-O3"}, CheckFlags: []string{"-fmad=false"}, Libraries: []string{"-lcudart_static"}}

// toolkit is a folder with that script and nothing else.
func toolkit(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"bin", "lib64"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "bin", nvccSpec.Command), []byte(nvcc), 0o700); err != nil {
		t.Fatal(err)
	}
	return root
}

// TestNVCC: the toolkit is found in CUDA_HOME; kernels are compiled by the flags at hand.
func TestNVCC(t *testing.T) {
	if _, err := FindCUDA(t.Context(), nvccSpec); err == nil || !strings.Contains(err.Error(), "CUDA_HOME") {
		t.Errorf("without a toolkit: %v", err)
	}
	root := toolkit(t)
	t.Setenv("CUDA_HOME", root)
	found, err := FindCUDA(t.Context(), nvccSpec)
	if err != nil || found.Version != "12.4" || found.Path != filepath.Join(root, "bin", nvccSpec.Command) {
		t.Errorf("%+v, error %v", found, err)
	}
	b, err := NewBuilder(BuilderOptions{CUDA: nvccSpec})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	directory := t.TempDir()
	kernels, err := b.compileDevice(t.Context(), directory, Job{Check: true, Device: &DeviceSource{Device: Device{Kind: CUDADevice}}})
	if err != nil || !slices.Equal(kernels.libraries, []string{"-L" + filepath.Join(root, "lib64"), "-lcudart_static"}) || !slices.Equal(kernels.objects, []string{kernelsObject}) {
		t.Errorf("%+v, error %v", kernels, err)
	}
	if _, err := b.compileDevice(t.Context(), directory, Job{Device: &DeviceSource{Device: Device{Kind: PTX}}}); err != nil {
		t.Error(err)
	}
	arguments, err := os.ReadFile(filepath.Join(directory, "arguments"))
	want := "-fmad=false -std=c++17 -c kernels.cu -o kernels.o -allow-unsupported-compiler\n" +
		"-std=c++17 -O3 -ptx -arch=sm_80 kernels.cu -o sm_80.ptx\n-std=c++17 -O3 -ptx -arch=sm_90 kernels.cu -o sm_90.ptx\n"
	if err != nil || string(arguments) != want {
		t.Errorf("arguments %q, error %v; want %q", arguments, err, want)
	}
}

// TestDeviceNames: names stand for the devices that there are.
func TestDeviceNames(t *testing.T) {
	toolchain := gcc(t)
	install(t, map[string]string{"libcuda.so.1": fakeCUDA, "libOpenCL.so.1": fakeOpenCL})
	var notes []string
	f := &DeviceFinder{Toolchain: toolchain, CUDA: nvccSpec, Note: func(text string) { notes = append(notes, text) }}
	check := func(target, name string, want Device, words ...string) {
		t.Helper()
		got, err := f.Find(t.Context(), target, name)
		said := strings.Join(notes, "\n")
		if err != nil {
			said = err.Error()
		}
		if got != want || (err != nil) != (want == Device{}) {
			t.Errorf("%s for %s: %+v, error %v; want %+v", name, target, got, err, want)
		}
		for _, word := range words {
			if !strings.Contains(said, word) {
				t.Errorf("%s for %s: %q lacks %q", name, target, said, word)
			}
		}
		notes = nil
	}
	check("opencl", "auto", Device{OpenCLDevice, "Some GPU"}, "kernels run on Some GPU")
	check("opencl", "CPU", Device{OpenCLDevice, "Some CPU"})
	check("opencl", "nosuchdevice", Device{}, "nosuchdevice", "auto, oclgrind, Some CPU, Some GPU")
	check("opencl", "emulation", Device{}, "oclgrind")
	check("opencl", "ptx", Device{}, "oclgrind")
	check("cuda", "oclgrind", Device{}, "emulation:reverse")
	check("cuda", "T8", Device{}, "no compiler", "CUDA_HOME")
	check("cuda", "emulation:sideways", Device{}, "forward, reverse, random, bounds")
	t.Setenv("CUDA_HOME", toolkit(t))
	check("cuda", "auto", Device{CUDADevice, "NVIDIA T7"}, "kernels run on NVIDIA T7")
	check("cuda", "T8", Device{CUDADevice, "NVIDIA T8"})
	check("cuda", "ptx", Device{Kind: PTX})
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("there is no g++ on this machine: nothing is tested of the emulation")
	}
	check("cuda", "emulation:random", Device{Emulation, "random"})
	f.devices = &Devices{Missing: map[string]string{"cuda": "nothing", "opencl": "no driver"}}
	check("cuda", "auto", Device{Kind: Emulation}, "emulation of CUDA: there is no GPU: nothing")
	check("opencl", "auto", Device{}, "no driver", "pocl-opencl-icd")
}

// TestBuiltOnce: devices that run the same program share it.
func TestBuiltOnce(t *testing.T) {
	same := [][]Device{
		{{Kind: Emulation}, {Emulation, "forward"}, {Emulation, "reverse"}, {Emulation, "random"}},
		{{Emulation, boundsOrder}}, {{OpenCLDevice, "a"}, {OpenCLDevice, "b"}, {Kind: Oclgrind}}, {{CUDADevice, "a"}, {CUDADevice, "b"}}, {{Kind: PTX}},
	}
	seen := map[Device]bool{}
	for _, group := range same {
		if seen[group[0].Built()] {
			t.Errorf("%v shares a program with others", group[0])
		}
		for _, d := range group {
			if d.Built() != group[0].Built() {
				t.Errorf("%v and %v have different programs", d, group[0])
			}
		}
		seen[group[0].Built()] = true
	}
}

// TestDeviceWords: a program that needs the device fails with the driver's words.
func TestDeviceWords(t *testing.T) {
	said := "warning: of the driver\nkernel: OpenCL: getting memory failed with -4" + requiredWords + "\n"
	failure := runFailure(Outcome{ExitCode: 1, Stderr: []byte(said)}, 0)
	if failure.Kind != DeviceFailed || !strings.Contains(failure.Error(), "getting memory failed with -4") {
		t.Errorf("%+v", failure)
	}
	if failure := runFailure(Outcome{ExitCode: 1, Stderr: []byte("segmentation fault")}, 0); failure.Kind != Crashed {
		t.Errorf("%+v", failure)
	}
}
