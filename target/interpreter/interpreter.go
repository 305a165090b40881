// Package interpreter is the target whose code no compiler sees: the loop IR itself is run, with
// hashes in place of numbers. It shows that a schedule's code gives each instance what the source
// gives it.
package interpreter

import (
	"errors"

	"polytune/codegen"
	"polytune/configs"
	"polytune/loopir"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/target"
	"polytune/transform"
)

// Target is the target.
type Target struct{}

// Name is "interpreter".
func (Target) Name() string { return "interpreter" }

// cacheBytes is the size of a cache that nothing has.
const cacheBytes = 32 << 10

// Describe says that there are threads, which the interpreter runs in several orders, and the
// machine's vectors.
func (Target) Describe(machine runner.Machine) target.Machine {
	vector := transform.VectorUnit{Bits: machine.Vector.Bits, Registers: machine.Vector.Registers}
	return target.Machine{Threads: machine.Cores, Vector: vector, Caches: []int{cacheBytes}}
}

// Print lowers the schedule.
func (t Target) Print(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit) (target.Code, error) {
	tree, proven, err := recipe.Prove(g)
	if err != nil {
		return target.Code{}, err
	}
	m, err := tree.Model(g.Model)
	if err != nil {
		return target.Code{}, err
	}
	if tree.HasPhases() {
		proven = tree.United(m)
	}
	program, err := codegen.Lower(m, proven, codegen.Options{Tree: tree, Original: unit.Original, Passes: t.Passes()}, nil)
	if err != nil {
		return target.Code{}, err
	}
	return target.Code{Run: func(values map[string]int64, way loopir.Machine) (map[string]uint64, error) {
		machine, err := loopir.NewMachine(m, values)
		if err != nil {
			return nil, err
		}
		machine.Like(way)
		return machine.Run(program.Code)
	}}, nil
}

// Passes are those of OpenMP, whose code it is to run.
func (Target) Passes() []codegen.Pass { return codegen.Passes }

// Toolchains are none.
func (Target) Toolchains(configs.Settings) []runner.ToolchainSpec { return nil }

// Runtime is none.
func (Target) Runtime() runner.Runtime { return nil }

// Harness is none.
func (Target) Harness(scop.Unit, runner.DriverOptions) (runner.Harness, error) {
	return nil, errors.New("code of the interpreter is not built, and so nothing calls it")
}
