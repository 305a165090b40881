// Package target says what polytune has to know of something that code is made for: the threads of
// a machine, later a device or several machines. Each target is a folder and a line in package
// registry; package targettest is the suite that all of them pass.
//
// # Where to find what
//
//   - what a target is: target.go; a folder for each: target/openmp/, target/gpu/, target/mpi/,
//     target/interpreter/; their list: target/registry/registry.go; the suite that each passes:
//     target/targettest/targettest.go
//   - why so: docs/decisions/0002-targets.md
package target

import (
	"polytune/codegen"
	"polytune/configs"
	"polytune/device"
	"polytune/loopir"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform"
)

// Target is something that code is made for.
type Target interface {
	// Name is what people call it.
	Name() string
	// Describe says what the models know of a machine.
	Describe(runner.Machine) Machine
	// Passes make the program that is printed of a schedule's loops, in their order.
	Passes() []codegen.Pass
	// Print proves that the recipe is legal for the graph's program, which is the unit's, and makes
	// its code. It is an error that the recipe is not legal, or that something in it cannot be
	// printed; there is no code then.
	Print(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit) (Code, error)
	// Toolchains are the compilers that the settings choose, the first one first; none where
	// nothing is built.
	Toolchains(configs.Settings) []runner.ToolchainSpec
	// Runtime is what its programs need of their environment, nil for nothing.
	Runtime() runner.Runtime
	// Harness calls the function of a unit, with what the options say of its data. It is an error
	// that nothing is built.
	Harness(scop.Unit, runner.DriverOptions) (runner.Harness, error)
}

// Machine is a machine as models see it.
type Machine struct {
	// Threads run beside each other.
	Threads int
	// Vector is what one thread has for several numbers at once; nothing where that does not pay.
	Vector transform.VectorUnit
	// Caches are the bytes that a thread has in the caches, the nearest first: its share of the
	// first two, all of the third. There is one at least.
	Caches []int
}

// Code is what a target makes of a schedule: text, or something that is run as it is.
type Code struct {
	// Text is the unit's text with the code in its place, Notes what was noted when it was printed.
	Text  []byte
	Notes codegen.Notes
	// Device is the text for a device beside it, nil for none.
	Device *Device
	// Run runs code that is no text with values of the program's parameters, in one of the ways
	// that loopir.Machine can. It gives what elements of arrays are in the end, by their names. It
	// may be called as long as the graph's isl context is open, and is nil for text.
	Run func(values map[string]int64, way loopir.Machine) (map[string]uint64, error)
}

// Device is text that a device's compiler reads.
type Device struct {
	// Suffix is that of its file's name.
	Suffix string
	Text   []byte
	Report device.Report
}
