package runner

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Device is where kernels run: a GPU or another device of a driver, or something that stands in for one.
type Device struct {
	// Kind is one of the kinds below; Name is the device's, or the order of an emulation's threads.
	Kind DeviceKind
	Name string
}

// DeviceKind is a kind of devices.
type DeviceKind string

// The kinds: a device of OpenCL's; the emulation, which runs CUDA C on the processor, and Oclgrind, which does so with OpenCL C and looks for mistakes; and a
// compiler's PTX, which runs nowhere.
const (
	OpenCLDevice DeviceKind = "opencl"
	Emulation    DeviceKind = "emulation"
	Oclgrind     DeviceKind = "oclgrind"
	PTX          DeviceKind = "ptx"
)

// orders are those in which the emulation runs threads and blocks; with bounds it looks for accesses outside of arrays.
var orders = []string{"", "forward", "reverse", "random", "bounds"}

// String is what people call the device.
func (d Device) String() string {
	if d.Name == "" {
		return string(d.Kind)
	}
	return string(d.Kind) + ":" + d.Name
}

// FindDevice is the device of that name for a target. "auto" is the one that there is.
func FindDevice(target, name string) (Device, error) {
	kind, order, _ := strings.Cut(name, ":")
	switch {
	case name == "auto" && target == "cuda":
		return Device{Kind: Emulation}, nil
	case name == "auto":
		return Device{Kind: OpenCLDevice}, nil
	case kind == string(Emulation) && target == "cuda" && slices.Contains(orders, order):
		return Device{Kind: Emulation, Name: order}, nil
	case name == string(PTX) && target == "cuda":
		return Device{Kind: PTX}, nil
	case name == string(Oclgrind) && target == "opencl":
		return Device{Kind: Oclgrind}, nil
	}
	return Device{}, fmt.Errorf("there is no device %q for %s; there are %s", name, target, strings.Join(deviceNames(target), ", "))
}

func deviceNames(target string) []string {
	if target == "cuda" {
		return []string{"auto", "emulation", "emulation:reverse", "emulation:random", "emulation:bounds", "ptx"}
	}
	return []string{"auto", "oclgrind"}
}

// Environment are the entries of a run's environment with which kernels run on the device, and nowhere else.
func (d Device) Environment() []string {
	list := []string{"TUNE_GPU_REQUIRED=1", "TUNE_GPU_EXACT=1"}
	if d.Kind == Emulation && d.Name != "bounds" {
		list = append(list, "TUNE_EMULATION="+d.Name)
	}
	if d.Kind == Emulation && d.Name == "bounds" {
		list = append(list, "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0", "UBSAN_OPTIONS=halt_on_error=1")
	}
	return list
}

// DeviceSource is text for a device that is compiled and linked with a variant.
type DeviceSource struct {
	Text   string
	Device Device
}

//go:embed emulation.h.tmpl
var emulationHeader string

// compileDevice compiles the kernels of a variant, and gives the objects and libraries that are linked with it.
func (b *Builder) compileDevice(ctx context.Context, directory string, source *DeviceSource) (objects, flags []string, err error) {
	if source == nil || source.Device.Kind != Emulation {
		return nil, nil, nil
	}
	compiler, err := exec.LookPath("g++")
	if err != nil {
		return nil, nil, fmt.Errorf("the emulation of CUDA needs g++: %w; apt install g++", err)
	}
	for name, text := range map[string]string{"emulation.h": emulationHeader, "kernels.cu": source.Text} {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o600); err != nil {
			return nil, nil, fmt.Errorf("cannot write the kernels: %w", err)
		}
	}
	argv := []string{compiler, "-std=c++17", "-O1", "-ffp-contract=off"}
	flags = []string{"-lstdc++", "-lpthread"}
	if source.Device.Name == "bounds" {
		sanitizers := "-fsanitize=address,undefined"
		argv, flags = append(argv, sanitizers, "-fno-sanitize-recover=undefined"), append(flags, sanitizers)
	}
	argv = append(argv, "-g0", "-x", "c++", "-include", "emulation.h", "-c", "kernels.cu", "-o", "kernels.o")
	return []string{"kernels.o"}, flags, b.compiler(ctx, directory, "compile", argv, "kernels.o")
}
