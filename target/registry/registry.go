// Package registry lists the targets.
package registry

import (
	"fmt"
	"strings"

	"polytune/target"
	"polytune/target/gpu"
	"polytune/target/interpreter"
	"polytune/target/mpi"
	"polytune/target/openmp"
)

// targets are all of them, the default in front.
var targets = []target.Target{
	openmp.Target{},
	gpu.CUDA,
	gpu.OpenCL,
	mpi.Target{},
	interpreter.Target{},
}

// Processors is what people call the target of processors.
const Processors = "cpu"

// named are those that people choose by name.
var named = []struct {
	name string
	is   target.Target
}{{Processors, openmp.Target{}}, {"cuda", gpu.CUDA}, {"opencl", gpu.OpenCL}, {"mpi", mpi.Target{}}}

// Find is the target that people call so; the error lists the names there are.
func Find(name string) (target.Target, error) {
	for _, n := range named {
		if n.name == name {
			return n.is, nil
		}
	}
	return nil, fmt.Errorf("there is no target %q; there are %s", name, strings.Join(Names(), ", "))
}

// Names are what people call the targets.
func Names() (names []string) {
	for _, n := range named {
		names = append(names, n.name)
	}
	return names
}

// All are the targets, the default in front.
func All() []target.Target { return targets }

// Default is the target of programs for which nobody says another.
func Default() target.Target { return targets[0] }
