package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// NoDeviceError says that there is no device on which kernels can be timed, and what to do.
type NoDeviceError struct {
	// Target is that of the kernels; Reason is why there is none, and Advice what to do instead.
	Target, Reason, Advice string
}

func (e *NoDeviceError) Error() string {
	return fmt.Sprintf("there is no device to time %s on: %s; %s", e.Target, e.Reason, e.Advice)
}

// noDevice is an error with the advice for a target.
func noDevice(target, reason string) error {
	advice := "install a driver of OpenCL, such as pocl-opencl-icd, which runs kernels on the processor"
	if target == "cuda" {
		advice = "tune on a machine with a GPU, or with --target opencl, which PoCL runs on the processor; tune check --device emulation checks results without one"
	}
	return &NoDeviceError{target, reason, advice}
}

// Real is the device of that name on which kernels of a target are timed: what stands in for one
// says nothing about speed. The error is a *NoDeviceError where there is none, or that of the
// program that asks the drivers.
func (f *DeviceFinder) Real(ctx context.Context, target, name string) (Device, error) {
	kind, _, _ := strings.Cut(name, ":")
	if slices.Contains([]DeviceKind{Emulation, Oclgrind, PTX}, DeviceKind(kind)) {
		return Device{}, noDevice(target, kind+" says nothing about speed")
	}
	if _, err := f.real(ctx, target); err != nil {
		return Device{}, err
	}
	var said string
	found := DeviceFinder{f.Toolchain, f.CUDA, func(text string) { said = text }, f.devices}
	device, err := found.Find(ctx, target, name)
	if err != nil {
		return Device{}, noDevice(target, err.Error())
	}
	if !device.IsReal() {
		return Device{}, noDevice(target, said)
	}
	return device, nil
}

// DeviceLostError says that a device that was there is so no longer.
type DeviceLostError struct {
	Device Device
	Err    error
}

func (e *DeviceLostError) Error() string {
	return fmt.Sprintf("device %s is lost: %v", e.Device.Name, e.Err)
}

// Unwrap gives the reason.
func (e *DeviceLostError) Unwrap() error { return e.Err }

// StillThere is a *DeviceLostError where drivers, which are asked anew, know the device no
// longer, with which they answer everything by errors after one: then no variant is to blame.
// Where that cannot be found out, it is nil.
func (d Device) StillThere(ctx context.Context, toolchain Toolchain) error {
	text, err := toolchain.askDrivers(ctx)
	if err != nil {
		return nil
	}
	devices, err := readDevices(text)
	isIt := func(known DeviceInfo) bool { return known.Target == string(d.Kind) && known.Name == d.Name }
	if err != nil || slices.ContainsFunc(devices.Real, isIt) {
		return nil
	}
	reason := devices.Missing[string(d.Kind)]
	if reason == "" {
		reason = "no driver knows it"
	}
	return &DeviceLostError{d, noDevice(string(d.Kind), reason)}
}
