// Package registry lists the targets.
package registry

import (
	"polytune/target"
	"polytune/target/interpreter"
	"polytune/target/openmp"
)

// targets are all of them, the default in front.
var targets = []target.Target{
	openmp.Target{},
	interpreter.Target{},
}

// All are the targets, the default in front.
func All() []target.Target { return targets }

// Default is the target of programs for which nobody says another.
func Default() target.Target { return targets[0] }
