package registry_test

import (
	"os/exec"
	"testing"

	"polytune/target/registry"
	"polytune/target/targettest"
)

// Each target passes the suite, and has a name of its own.
func TestTargets(t *testing.T) {
	names := map[string]bool{}
	for _, on := range registry.All() {
		if names[on.Name()] {
			t.Errorf("two targets are called %s", on.Name())
		}
		names[on.Name()] = true
		t.Run(on.Name(), func(t *testing.T) {
			if _, err := exec.LookPath("mpicc"); on.Name() == "mpi" && err != nil {
				t.Skip("there is no mpicc: install libopenmpi-dev and openmpi-bin")
			}
			targettest.Run(t, on)
		})
	}
	if !names["openmp"] || !names["interpreter"] || registry.Default().Name() != "openmp" {
		t.Errorf("the targets are %v", names)
	}
}
