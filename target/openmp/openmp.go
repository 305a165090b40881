// Package openmp is the target of threads that share memory, with vectors in each: C with OpenMP.
package openmp

import (
	"polytune/codegen"
	"polytune/configs"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/target"
	"polytune/target/openmp/omp"
	"polytune/transform"
)

// Target is the target.
type Target struct{}

// Name is "openmp".
func (Target) Name() string { return "openmp" }

// Describe takes the caches of the processors that programs are timed on.
func (Target) Describe(machine runner.Machine) target.Machine {
	caches, _ := machine.DataCaches()
	cpus := machine.TimingCPUs(0)
	m := target.Machine{
		Threads: machine.Cores, Caches: []int{int(caches[0].Share(cpus))},
		Vector: transform.VectorUnit{Bits: machine.Vector.Bits, Registers: machine.Vector.Registers},
	}
	if len(caches) > 1 {
		m.Caches = append(m.Caches, int(caches[1].Share(cpus)))
	}
	if len(caches) > 2 {
		m.Caches = append(m.Caches, int(caches[2].Size))
	}
	return m
}

// Passes are all that there are.
func (Target) Passes() []codegen.Pass { return codegen.Passes }

// Print prints C.
func (t Target) Print(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit) (code target.Code, err error) {
	code.Text, code.Notes, err = codegen.ProgramWithNotes(g, recipe, unit, t.Passes())
	return code, err
}

// Toolchains are C compilers.
func (t Target) Toolchains(settings configs.Settings) (list []runner.ToolchainSpec) {
	for _, s := range settings.SelectedToolchains() {
		list = append(list, runner.ToolchainSpec{
			Name: s.Name, Command: s.Command, Flags: s.Flags, CheckFlags: s.CheckFlags, Libraries: s.Libraries, Modules: s.Modules, Runtime: t.Runtime(),
		})
	}
	return list
}

// Runtime is that of OpenMP.
func (Target) Runtime() runner.Runtime { return omp.Runtime{} }

// Harness is a driver in C.
func (Target) Harness(unit scop.Unit, options runner.DriverOptions) (runner.Harness, error) {
	return runner.GenerateDriver(unit.Program.Function, options)
}
