// Package gpu is the target of devices that run blocks of threads: CUDA C, and OpenCL C with its
// host's code.
package gpu

import (
	"errors"

	"polytune/codegen"
	"polytune/configs"
	"polytune/device"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/target"
	"polytune/target/openmp"
)

// Target is the target of a language of devices.
type Target struct {
	Language device.Language
	// Suffix is that of the files with kernels.
	Suffix string
}

// CUDA is the target of CUDA C, OpenCL that of OpenCL C.
var (
	CUDA   = Target{device.CUDA, ".cu"}
	OpenCL = Target{device.OpenCL, ".cl"}
)

// Name is the language's.
func (t Target) Name() string { return t.Language.Name }

// Describe is that of the host, whose caches the models for loops on the host look at.
func (Target) Describe(machine runner.Machine) target.Machine {
	return openmp.Target{}.Describe(machine)
}

// Passes are those of devices.
func (Target) Passes() []codegen.Pass { return device.Passes }

// Print prints C, and the kernels beside it.
func (t Target) Print(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit) (code target.Code, err error) {
	made, err := device.Program(g, recipe, unit, t.Language)
	if err != nil {
		return code, err
	}
	code.Text = made.Source
	code.Notes.Declined = made.Declined
	code.Device = &target.Device{Suffix: t.Suffix, Text: made.Device, Report: made.Report}
	return code, nil
}

// Toolchains are the compilers of the host.
func (Target) Toolchains(settings configs.Settings) []runner.ToolchainSpec {
	return openmp.Target{}.Toolchains(settings)
}

// Compiler is the compiler of CUDA C that the settings name.
func Compiler(settings configs.Settings) runner.ToolchainSpec {
	s := settings.Toolchains[configs.CUDA]
	return runner.ToolchainSpec{Name: s.Name, Command: s.Command, Flags: s.Flags, CheckFlags: s.CheckFlags, Libraries: s.Libraries, Modules: s.Modules}
}

// Runtime is that of the host.
func (Target) Runtime() runner.Runtime { return openmp.Target{}.Runtime() }

// Harness is a driver in C.
func (Target) Harness(unit scop.Unit, options runner.DriverOptions) (runner.Harness, error) {
	if unit.Program == nil {
		return nil, errors.New("there is no program to call")
	}
	return openmp.Target{}.Harness(unit, options)
}
