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

// Toolchains are the compilers of processors.
func (Target) Toolchains(settings configs.Settings) []runner.ToolchainSpec {
	return openmp.Target{}.Toolchains(settings)
}

// Runtime is that of OpenMP.
func (Target) Runtime() runner.Runtime { return openmp.Target{}.Runtime() }

// Harness is a driver in C.
func (Target) Harness(unit scop.Unit, options runner.DriverOptions) (runner.Harness, error) {
	return openmp.Target{}.Harness(unit, options)
}
