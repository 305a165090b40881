package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// DeviceFinder finds devices by their names.
type DeviceFinder struct {
	// Toolchain builds the program that asks the drivers, CUDA is the compiler for NVIDIA's.
	Toolchain Toolchain
	CUDA      ToolchainSpec
	// Note is told which device is chosen for "auto", and why it is no better one.
	Note func(text string)

	devices *Devices
}

// autoDevice is the name for the best device that there is.
const autoDevice = "auto"

// Find is the device of that name for a target: a part of a real device's name, a stand-in, or
// "auto" for a GPU, else another device of OpenCL's, else the emulation of CUDA. Its error says
// what there is, or what is missing.
func (f *DeviceFinder) Find(ctx context.Context, target, name string) (Device, error) {
	kind, order, hasOrder := strings.Cut(name, ":")
	switch {
	case name == autoDevice:
		return f.best(ctx, target)
	case kind == string(Emulation) && target == "cuda" && isOrder(order):
		_, err := findEmulation(ctx)
		return Device{Kind: Emulation, Name: order}, err
	case name == string(PTX) && target == "cuda":
		_, err := findPTX(ctx, f.CUDA)
		return Device{Kind: PTX}, err
	case name == string(Oclgrind) && target == "opencl":
		_, err := findOclgrind(ctx)
		return Device{Kind: Oclgrind}, err
	case kind == string(Emulation) && target == "cuda" && hasOrder:
		return Device{}, fmt.Errorf("the emulation has no order %q; it has %s", order, strings.Join(emulationOrders, ", "))
	}
	real, err := f.real(ctx, target)
	if err != nil {
		return Device{}, err
	}
	k := slices.IndexFunc(real, func(d DeviceInfo) bool { return name != "" && strings.Contains(d.Name, name) })
	if k < 0 {
		return Device{}, fmt.Errorf("there is no device %q for %s; there are %s", name, target, strings.Join(deviceNames(target, real), ", "))
	}
	if target == "cuda" {
		if _, err := FindCUDA(ctx, f.CUDA); err != nil {
			return Device{}, err
		}
	}
	return Device{Kind: DeviceKind(target), Name: real[k].Name}, nil
}

// real are the devices of a target's driver.
func (f *DeviceFinder) real(ctx context.Context, target string) ([]DeviceInfo, error) {
	if f.devices == nil {
		devices, err := realDevices(ctx, f.Toolchain)
		if err != nil {
			return nil, err
		}
		f.devices = &devices
	}
	return slices.DeleteFunc(slices.Clone(f.devices.Real), func(d DeviceInfo) bool { return d.Target != target }), nil
}

// MostShared are the bytes of shared memory that a GPU gives blocks which ask for all of it; 0 for
// what is none.
func (f *DeviceFinder) MostShared(ctx context.Context, device Device) int64 {
	if !device.IsReal() {
		return 0
	}
	real, err := f.real(ctx, string(device.Kind))
	k := slices.IndexFunc(real, func(d DeviceInfo) bool { return d.Name == device.Name && d.Kind == "gpu" })
	if err != nil || k < 0 {
		return 0
	}
	return int64(real[k].MostShared)
}

// best is the device that "auto" stands for.
func (f *DeviceFinder) best(ctx context.Context, target string) (Device, error) {
	real, err := f.real(ctx, target)
	if err != nil {
		return Device{}, err
	}
	k := max(slices.IndexFunc(real, func(d DeviceInfo) bool { return d.Kind == "gpu" }), 0)
	switch missing := f.devices.Missing[target]; {
	case target == "opencl" && len(real) == 0:
		return Device{}, fmt.Errorf("there is no device for OpenCL: %s; install a driver (for the processor: apt install pocl-opencl-icd ocl-icd-opencl-dev)", missing)
	case target == "cuda" && len(real) == 0:
		return f.emulation(ctx, "there is no GPU: "+missing)
	}
	if target == "cuda" {
		if _, err := FindCUDA(ctx, f.CUDA); err != nil {
			return f.emulation(ctx, err.Error())
		}
	}
	f.Note("kernels run on " + real[k].Name)
	return Device{Kind: DeviceKind(target), Name: real[k].Name}, nil
}

// emulation is the emulation of CUDA in the place of a GPU.
func (f *DeviceFinder) emulation(ctx context.Context, why string) (Device, error) {
	if _, err := findEmulation(ctx); err != nil {
		return Device{}, fmt.Errorf("%s; %w", why, err)
	}
	f.Note("kernels run in the emulation of CUDA: " + why)
	return Device{Kind: Emulation}, nil
}

// deviceNames are the names that there are for a target.
func deviceNames(target string, real []DeviceInfo) []string {
	names := []string{autoDevice, string(Oclgrind)}
	if target == "cuda" {
		names = []string{autoDevice, string(Emulation), string(PTX)}
		for _, order := range emulationOrders {
			names = append(names, Device{Kind: Emulation, Name: order}.String())
		}
	}
	for _, d := range real {
		names = append(names, d.Name)
	}
	return names
}
