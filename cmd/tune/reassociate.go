package main

import (
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"polytune/runner"
	"polytune/scop"
)

// reassociateFlag adds --reassociate, which is off by default.
func (o *targetOptions) reassociateFlag(set *pflag.FlagSet) {
	set.BoolVar(&o.reassociate, "reassociate", false, "sums, products, minima and maxima may be computed in any order, so that loops over them can be parallel: floating-point results are rounded differently, and compared with a tolerance")
}

// reordered are the variables whose values may depend on the order of the program's reductions, when the
// function returns, or in a whole program the first time behind the region; nil for all.
func (t *target) reordered(program *scop.Program) *runner.Arrays {
	if !t.isProgram && !t.region.LeavesNamed {
		return nil
	}
	names := slices.Collect(maps.Keys(program.Reordered()))
	return runner.NewArrays(append(names, runner.ResultName)...)
}
