// Package mpi is the target of ranks, which are processes with memory of their own that send each
// other messages: C with MPI, and OpenMP inside of each rank.
package mpi

import (
	"polytune/codegen"
	"polytune/codegen/mpi"
	"polytune/configs"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/ranks"
	"polytune/target"
	"polytune/target/openmp"
)

// Target is the target.
type Target struct{ mpi.Options }

// Name is "mpi".
func (Target) Name() string { return "mpi" }

// Describe is that of a rank's processors.
func (Target) Describe(machine runner.Machine) target.Machine {
	return openmp.Target{}.Describe(machine)
}

// Passes are those of OpenMP, and one for ranks.
func (Target) Passes() []codegen.Pass { return codegen.PassesOnRanks }

// Print prints C.
func (t Target) Print(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit) (code target.Code, err error) {
	code.Text, code.Notes, err = mpi.Program(g, recipe, unit, t.Options)
	return code, err
}

// Toolchains are the compilers of processors, with the one that finds the MPI library in the place of
// each.
func (Target) Toolchains(settings configs.Settings) []runner.ToolchainSpec {
	list := openmp.Target{}.Toolchains(settings)
	for k := range list {
		list[k].Name, list[k].Command = settings.MPI.Compiler, settings.MPI.Compiler
	}
	return list
}

// Runtime is that of OpenMP.
func (Target) Runtime() runner.Runtime { return openmp.Target{}.Runtime() }

// Harness is a driver in C whose variants run on ranks.
func (t Target) Harness(unit scop.Unit, options runner.DriverOptions) (runner.Harness, error) {
	options.OnRanks = true
	driver, err := runner.GenerateDriver(unit.Program.Function, options)
	return runner.OnRanks{Driver: driver, Marker: mpi.Marker, OnRoot: t.Gather == ranks.OnRoot}, err
}
