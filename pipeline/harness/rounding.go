package harness

import (
	"cmp"
	"maps"
	"slices"

	"polytune/pipeline"
	"polytune/runner"
	"polytune/scop"
)

// IsReordered says that results of the target with that program may be rounded in several ways, so that they are compared within
// a tolerance.
func IsReordered(t *pipeline.Target, program *scop.Program) bool {
	return program.MayReassociate() || t.Region.ReducesElsewhere
}

// Reordered are the variables whose values may depend on the order of reductions when the function returns, or
// in a whole program the first time behind the region; nil for all. Names tell them only where the function does nothing else
// behind the region, and where no pointer leads to a part of another variable.
func Reordered(t *pipeline.Target, program *scop.Program) *runner.Arrays {
	if t.Region.ReducesElsewhere || !t.IsProgram && !t.Region.IsLast {
		return nil
	}
	names := program.Reordered()
	leadsElsewhere := func(a scop.Array) bool { return a.Elsewhere && names[cmp.Or(a.Variable, a.Name)] }
	if !t.IsProgram && slices.ContainsFunc(program.Arrays, leadsElsewhere) {
		return nil
	}
	return runner.NewArrays(append(slices.Collect(maps.Keys(names)), runner.ResultName)...)
}

// Terms are the variables that sums in any order are made of, with the sums; nil for all.
func Terms(t *pipeline.Target, program *scop.Program) *runner.Arrays {
	if t.Region.ReducesElsewhere {
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
