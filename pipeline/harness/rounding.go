package harness

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/device"
	"polytune/pipeline"
	"polytune/runner"
	"polytune/scop"
)

// IsReordered says that results of the target with that program may be rounded in several ways, so
// that they are compared within a tolerance: by sums in another order, or by functions of a device,
// which is nothing for programs without.
func IsReordered(t *pipeline.Target, program *scop.Program, device runner.Device) bool {
	return program.MayRound() || t.Region.ReducesElsewhere || len(RoundedOn(device, program)) > 0
}

// RoundedOn are the functions of math.h in a program that a device may round otherwise than the C
// library, in the order of the source. What stands in for a device on the processor has the C
// library's, but for Oclgrind.
func RoundedOn(on runner.Device, program *scop.Program) (names []string) {
	if !on.IsReal() && on.Kind != runner.Oclgrind {
		return nil
	}
	for i := range program.Statements {
		for _, name := range device.Rounded(&program.Statements[i]) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// RoundedNote says what of a program is compared within the tolerance for doubles because of a
// device's functions, "" where nothing is.
func RoundedNote(on runner.Device, program *scop.Program, tolerance runner.Tolerance) string {
	names := RoundedOn(on, program)
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of the device may be rounded otherwise than the C library's: what is computed with them is compared within %g of the largest magnitude in an array", strings.Join(names, ", "), tolerance.Double)
}

// Reordered are the variables whose values may depend on the order of reductions, or on functions
// of the device, when the function returns, or in a whole program the first time behind the region;
// nil for all. Names tell them only where the function does nothing else behind the region, and
// where no pointer leads to a part of another variable.
func Reordered(t *pipeline.Target, program *scop.Program, on runner.Device) *runner.Arrays {
	if t.Region.ReducesElsewhere || !t.IsProgram && !t.Region.IsLast {
		return nil
	}
	names := program.DependingOn(func(s *scop.Statement) bool {
		return program.Rounds(s) || RoundedOn(on, program) != nil && device.Rounded(s) != nil
	})
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
			if program.Rounds(s) {
				names = append(names, cmp.Or(program.Array(access.Array).Variable, access.Array))
			}
		}
	}
	if names == nil {
		return nil
	}
	return runner.NewArrays(names...)
}
