package main

import (
	"cmp"
	"maps"
	"slices"

	"polytune/runner"
	"polytune/scop"
)

// isReordered says that results of the target with that program may be rounded in several ways, so that they are compared within
// a tolerance.
func (t *target) isReordered(program *scop.Program) bool {
	return program.MayReassociate() || t.region.ReducesElsewhere
}

// reordered are the variables whose values may depend on the order of reductions when the function returns, or
// in a whole program the first time behind the region; nil for all. Names tell them only where the function does nothing else
// behind the region, and where no pointer leads to a part of another variable.
func (t *target) reordered(program *scop.Program) *runner.Arrays {
	if t.region.ReducesElsewhere || !t.isProgram && !t.region.IsLast {
		return nil
	}
	names := program.Reordered()
	leadsElsewhere := func(a scop.Array) bool { return a.Elsewhere && names[cmp.Or(a.Variable, a.Name)] }
	if !t.isProgram && slices.ContainsFunc(program.Arrays, leadsElsewhere) {
		return nil
	}
	return runner.NewArrays(append(slices.Collect(maps.Keys(names)), runner.ResultName)...)
}

// terms are the variables that sums in any order are made of, with the sums; nil for all.
func (t *target) terms(program *scop.Program) *runner.Arrays {
	if t.region.ReducesElsewhere {
		return nil
	}
	var names []string
	for i := range program.Statements {
		s := &program.Statements[i]
		for _, access := range s.Accesses {
			if program.InAnyOrder(s) {
				names = append(names, cmp.Or(program.Array(access.Array).Variable, access.Array))
			}
		}
	}
	if names == nil {
		return nil
	}
	return runner.NewArrays(names...)
}
