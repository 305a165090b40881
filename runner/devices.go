package runner

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"polytune/internal/remember"
)

// DeviceInfo is what a driver says of a device, or what stands in for one.
type DeviceInfo struct {
	// Target is "cuda" or "opencl"; Kind is "gpu", "cpu" or "accelerator", or that of a stand-in.
	Target string `json:"target"`
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	// ComputeUnits run blocks beside each other; Memory is the device's, SharedMemory that of a
	// block, and MostShared what a kernel that asks for more has, in bytes. They are 0 for
	// stand-ins.
	ComputeUnits int    `json:"compute_units"`
	Memory       uint64 `json:"memory"`
	SharedMemory uint64 `json:"shared_memory"`
	MostShared   uint64 `json:"most_shared_memory"`
	// HasDoubles says that it computes with doubles.
	HasDoubles bool `json:"doubles"`
	// Driver is the version of the driver, or of the tool that stands in.
	Driver string `json:"driver"`
}

// Devices are those of this machine.
type Devices struct {
	// Real are those of drivers, StandIns run or compile kernels for tests alone.
	Real     []DeviceInfo
	StandIns []DeviceInfo
	// Missing says of targets without a device of a driver why that is.
	Missing map[string]string
}

//go:embed devices.c.tmpl
var devicesText string

// FindDevices asks the drivers, with a small program that the toolchain builds, unless they have
// answered within a day, and looks for the tools of stand-ins.
func FindDevices(ctx context.Context, t Toolchain, cuda ToolchainSpec) (Devices, error) {
	devices, err := realDevices(ctx, t)
	if err != nil {
		return Devices{}, err
	}
	add := func(target string, kind DeviceKind, version string, err error) {
		if err == nil {
			devices.StandIns = append(devices.StandIns, DeviceInfo{Target: target, Kind: string(kind), Name: string(kind), HasDoubles: true, Driver: version})
		}
	}
	compiler, err := findEmulation(ctx)
	add("cuda", Emulation, "g++ "+compiler.Version, err)
	compiler, err = findPTX(ctx, cuda)
	add("cuda", PTX, compiler.Family+" "+compiler.Version, err)
	version, err := findOclgrind(ctx)
	add("opencl", Oclgrind, version, err)
	return devices, nil
}

// realDevices are those of drivers.
func realDevices(ctx context.Context, t Toolchain) (Devices, error) {
	memory := devicesMemory(t)
	if text, known := memory.Recall(); known {
		if devices, err := readDevices(string(text)); err == nil {
			return devices, nil
		}
	}
	text, err := t.askDrivers(ctx)
	if err != nil {
		return Devices{}, fmt.Errorf("no list of devices: %w", err)
	}
	devices, err := readDevices(text)
	if err == nil && len(devices.Real) > 0 {
		memory.Keep([]byte(text))
	}
	return devices, err
}

// devicesMemory is where is kept what drivers say: they are others where other ones are installed.
func devicesMemory(t Toolchain) remember.File {
	parts := []string{devicesText}
	for _, entry := range os.Environ() {
		for _, start := range deviceVariables {
			if strings.HasPrefix(entry, start) {
				parts = append(parts, entry)
			}
		}
	}
	vendors, _ := filepath.Glob("/etc/OpenCL/vendors/*")
	version, _ := os.ReadFile("/proc/driver/nvidia/version")
	return remember.Of(t.Path, "devices", ".txt", append(append(parts, vendors...), string(version))...)
}

// askDrivers builds and runs the program that lists devices.
func (t *Toolchain) askDrivers(ctx context.Context) (string, error) {
	work, err := os.MkdirTemp("", "tune-")
	if err != nil {
		return "", fmt.Errorf("no working directory (set TMPDIR to a writable one): %w", err)
	}
	defer os.RemoveAll(work)
	source, program := filepath.Join(work, "devices.c"), filepath.Join(work, "devices")
	if err := os.WriteFile(source, []byte(devicesText), 0o600); err != nil {
		return "", fmt.Errorf("cannot write into %s: %w", work, err)
	}
	if _, err := t.ask(ctx, source, "-o", program, "-ldl"); err != nil {
		return "", err
	}
	outcome, err := Execute(ctx, Command{Argv: []string{program}, Limit: toolchainLimit, Env: t.environment()})
	if err != nil {
		return "", err
	}
	if failure := runFailure(outcome, toolchainLimit); failure != nil {
		return "", fmt.Errorf("a driver fails when it is asked: %w", failure)
	}
	return string(outcome.Stdout), nil
}

// readDevices reads what the program prints.
func readDevices(text string) (Devices, error) {
	devices := Devices{Real: []DeviceInfo{}, StandIns: []DeviceInfo{}, Missing: map[string]string{}}
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) == 3 && fields[0] == "none" {
			devices.Missing[fields[1]] = fields[2]
			continue
		}
		if len(fields) != 9 {
			return Devices{}, fmt.Errorf("%q is no device", strings.TrimSpace(line))
		}
		d := DeviceInfo{Target: fields[0], Kind: fields[1], HasDoubles: fields[6] == "1", Driver: fields[7], Name: strings.TrimSpace(fields[8])}
		var failures [4]error
		d.ComputeUnits, failures[0] = strconv.Atoi(fields[2])
		d.Memory, failures[1] = strconv.ParseUint(fields[3], 10, 64)
		d.SharedMemory, failures[2] = strconv.ParseUint(fields[4], 10, 64)
		d.MostShared, failures[3] = strconv.ParseUint(fields[5], 10, 64)
		if err := errors.Join(failures[:]...); err != nil {
			return Devices{}, err
		}
		devices.Real = append(devices.Real, d)
	}
	return devices, nil
}

// findOclgrind is the version of Oclgrind.
func findOclgrind(ctx context.Context) (string, error) {
	path, err := exec.LookPath(string(Oclgrind))
	if err != nil {
		return "", fmt.Errorf("no oclgrind: %w; apt install oclgrind", err)
	}
	t := Toolchain{Path: path}
	answer, err := t.ask(ctx, "--version")
	return "Oclgrind " + versionNumber.FindString(answer), err
}
