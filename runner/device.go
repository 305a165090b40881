package runner

import (
	"os"
	"slices"
	"strings"
)

// Device is where kernels run: a GPU or another device of a driver, or something that stands in for
// one. Nothing is a program without kernels.
type Device struct {
	Kind DeviceKind
	// Name is the device's own, or the order of an emulation's threads.
	Name string
}

// DeviceKind is a kind of devices.
type DeviceKind string

// The kinds: the devices of two drivers; the emulation, which runs CUDA C on the processor, and
// Oclgrind, which does so with OpenCL C and looks for mistakes; and PTX, which a compiler makes and
// nothing runs.
const (
	OpenCLDevice DeviceKind = "opencl"
	CUDADevice   DeviceKind = "cuda"
	Emulation    DeviceKind = "emulation"
	Oclgrind     DeviceKind = "oclgrind"
	PTX          DeviceKind = "ptx"
)

// boundsOrder is the order of an emulation that looks for accesses outside of arrays.
const boundsOrder = "bounds"

// emulationOrders are those in which the emulation runs threads and blocks.
var emulationOrders = []string{"forward", "reverse", "random", boundsOrder}

// String is what people call the device.
func (d Device) String() string {
	switch {
	case d.Name == "":
		return string(d.Kind)
	case d.Kind == OpenCLDevice, d.Kind == CUDADevice:
		return d.Name
	}
	return string(d.Kind) + ":" + d.Name
}

// Runs says whether kernels are run at all.
func (d Device) Runs() bool { return d.Kind != PTX }

// IsReal says whether kernels run as fast as they can, so that timings mean something.
func (d Device) IsReal() bool { return d.Kind == OpenCLDevice || d.Kind == CUDADevice }

// Built is the device for which programs are built that run on this one: those of one Built are the
// same.
func (d Device) Built() Device {
	switch {
	case d.Kind == Oclgrind, d.Kind == OpenCLDevice:
		return Device{Kind: OpenCLDevice}
	case d.Kind == CUDADevice, d.Kind == Emulation && d.Name != boundsOrder:
		return Device{Kind: d.Kind}
	}
	return d
}

// deviceVariables are the beginnings of the names of variables that drivers read.
var deviceVariables = []string{"CUDA_", "OCL_", "POCL_", "XDG_CACHE_HOME=", "TUNE_GPU_VERBOSE="}

// environmentOf is that of a run of a binary: with a device kernels run there, and nowhere else.
func (r RunRequest) environmentOf(b Binary) []string {
	list := r.environment(b.runtime, b.environment)
	if r.Device.Kind == "" {
		return list
	}
	for _, entry := range slices.Concat(os.Environ(), b.environment) {
		if slices.ContainsFunc(deviceVariables, func(start string) bool { return strings.HasPrefix(entry, start) }) {
			list = append(list, entry)
		}
	}
	list = append(list, requiredDevice)
	if b.exact {
		list = append(list, "TUNE_GPU_EXACT=1")
	}
	return append(list, r.Device.environment()...)
}

// environment are the entries of a run's environment that choose the device.
func (d Device) environment() []string {
	switch {
	case d.IsReal() && d.Name != "":
		return []string{"TUNE_GPU_DEVICE=" + d.Name}
	case d.Kind == Emulation && d.Name == boundsOrder:
		return []string{"ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0", "UBSAN_OPTIONS=halt_on_error=1"}
	case d.Kind == Emulation:
		return []string{"TUNE_EMULATION=" + d.Name}
	}
	return nil
}

// requiredWords are what a program says in front of its end where kernels cannot run on the device
// and TUNE_GPU_REQUIRED is set; device/runtime/host.c.tmpl prints them.
const requiredWords = "; TUNE_GPU_REQUIRED does not allow to go on"

// deviceWords are what a program printed that needs the device, the driver's words among it; ""
// where the device did not fail.
func deviceWords(stderr []byte) string {
	said, _, failed := strings.Cut(string(stderr), requiredWords)
	if !failed {
		return ""
	}
	return strings.TrimSpace(said)
}

// isOrder says whether the emulation has such an order; "" is the first one.
func isOrder(name string) bool { return name == "" || slices.Contains(emulationOrders, name) }
