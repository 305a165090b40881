package runner

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// NoDeviceError says that there is no device on which kernels can be timed, and what to do.
type NoDeviceError struct {
	// Target is that of the kernels; Reason is why there is none, and Advice what to do instead.
	Target, Reason, Advice string
}

func (e *NoDeviceError) Error() string {
	return fmt.Sprintf("there is no device to time %s on: %s; %s", e.Target, e.Reason, e.Advice)
}

//go:embed device.c.tmpl
var deviceProgram string

// lookLimit bounds the time of a look for devices, which may have drivers to load.
const lookLimit = 60 * time.Second

// RealDevice is the device on which kernels of a target are timed: the first whose name has
// the name in it, and for "auto" a GPU or, for OpenCL, any. Emulation, Oclgrind and PTX are
// none: what they take says nothing about speed. The error is a *NoDeviceError where there
// is none, or that of the compiler that asks.
func RealDevice(ctx context.Context, toolchain Toolchain, target, name string) (Device, error) {
	kind := OpenCLDevice
	advice := "install a driver of OpenCL, such as pocl-opencl-icd, which runs kernels on the processor"
	if target == "cuda" {
		kind, advice = CUDADevice, "tune on a machine with a GPU, or with --target opencl, which PoCL runs on the processor; tune check --device emulation checks results without one"
	}
	switch stand, _, _ := strings.Cut(name, ":"); DeviceKind(stand) {
	case Emulation, Oclgrind, PTX:
		return Device{}, &NoDeviceError{target, stand + " says nothing about speed", advice}
	case "auto":
		name = ""
	}
	said, err := askDriver(ctx, toolchain, target, name)
	if err != nil {
		return Device{}, err
	}
	if said.ExitCode != 0 {
		language := map[DeviceKind]string{OpenCLDevice: "OpenCL", CUDADevice: "CUDA"}[kind]
		return Device{}, &NoDeviceError{target, language + ": " + strings.TrimSpace(string(said.Stdout)), advice}
	}
	found, _, _ := strings.Cut(string(said.Stdout), "\n")
	return Device{Kind: kind, Name: found}, nil
}

// askDriver builds and runs the program that looks for a device.
func askDriver(ctx context.Context, toolchain Toolchain, target, name string) (Outcome, error) {
	directory, err := os.MkdirTemp("", "tune-device-")
	if err != nil {
		return Outcome{}, fmt.Errorf("no folder to look for devices in (set TMPDIR to a writable one): %w", err)
	}
	defer os.RemoveAll(directory)
	source, program := filepath.Join(directory, "device.c"), filepath.Join(directory, "device")
	if err := os.WriteFile(source, []byte(deviceProgram), 0o600); err != nil {
		return Outcome{}, fmt.Errorf("cannot write the program that looks for devices: %w", err)
	}
	build := Command{Argv: []string{toolchain.Path, "-std=gnu11", "-O1", source, "-o", program, "-ldl"}, Limit: lookLimit, Env: toolchain.environment("TMPDIR="+directory, "LC_ALL=C")}
	built, err := Execute(ctx, build)
	if err != nil {
		return Outcome{}, err
	}
	if !built.OK() {
		return Outcome{}, &CompileError{Stage: "driver", Argv: build.Argv, ExitCode: built.ExitCode, Signal: built.Signal, TimedOut: built.TimedOut, Interrupted: built.Interrupted, Limit: lookLimit, Stderr: built.Stderr}
	}
	request := RunRequest{Env: append(inheritedByDevices(), "TUNE_GPU_DEVICE="+name)}
	return Execute(ctx, Command{Argv: []string{program, target}, Env: request.environment(nil, toolchain.Environment), Limit: lookLimit})
}

// inheritedByDevices are the deviceVariables that the tuner's environment has.
func inheritedByDevices() (list []string) {
	for _, entry := range os.Environ() {
		if slices.ContainsFunc(deviceVariables, func(start string) bool { return strings.HasPrefix(entry, start) }) {
			list = append(list, entry)
		}
	}
	return list
}

// Timed are the entries of the environment of a run whose kernels are timed on the device, and
// nowhere else; they are compiled as they are for users.
func (d Device) Timed() []string { return d.found("TUNE_GPU_TIMES=1") }

// Checked are those of a run whose results are compared: kernels round as the source says.
func (d Device) Checked() []string { return d.found("TUNE_GPU_EXACT=1") }

// found names the device to programs, which have to use it, and says what for; nothing where
// there is none.
func (d Device) found(purpose string) []string {
	if d.Kind == "" {
		return nil
	}
	return append(inheritedByDevices(), "TUNE_GPU_REQUIRED=1", "TUNE_GPU_DEVICE="+d.Name, purpose)
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

// StillThere is a *DeviceLostError where the device is found no longer, with which drivers
// answer everything by errors after one: then no variant is to blame. Where that cannot be
// found out, it is nil.
func (d Device) StillThere(ctx context.Context, toolchain Toolchain) error {
	_, err := RealDevice(ctx, toolchain, string(d.Kind), d.Name)
	if _, gone := err.(*NoDeviceError); !gone {
		return nil
	}
	return &DeviceLostError{d, err}
}
