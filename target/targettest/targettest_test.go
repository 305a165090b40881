package targettest

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/target"
	"polytune/target/gpu"
	"polytune/target/interpreter"
	"polytune/target/openmp"
	"polytune/target/registry"
	"polytune/transform"
)

// wrong is a target that computes something else.
type wrong struct{ target.Target }

func (w wrong) Print(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit) (target.Code, error) {
	code, err := w.Target.Print(g, recipe, unit)
	code.Text = bytes.ReplaceAll(code.Text, []byte("*= beta"), []byte("+= beta"))
	if code.Device != nil {
		code.Device.Text = bytes.ReplaceAll(code.Device.Text, []byte("*= beta"), []byte("+= beta"))
	}
	if run := code.Run; run != nil {
		code.Run = func(values map[string]int64, way loopir.Machine) (map[string]uint64, error) {
			left, err := run(values, way)
			if way.Backwards {
				clear(left)
			}
			return left, err
		}
	}
	return code, err
}

// Code that computes something else does not pass; what is right does, as TestTargets shows.
func TestWrongCode(t *testing.T) {
	for _, on := range []target.Target{openmp.Target{}, gpu.CUDA, interpreter.Target{}} {
		s := subjectOf(t, on, "polybench/gemm")
		s.on = wrong{on}
		err := s.check(t, transform.Options{CacheBytes: 32 << 10, Device: &transform.Device{}})
		if err == nil || !strings.Contains(err.Error(), "C[0") {
			t.Errorf("%s: what is said of a wrong C[0][0] is %v", on.Name(), err)
		}
	}
}

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
			Run(t, on)
		})
	}
	if !names["openmp"] || !names["interpreter"] || registry.Default().Name() != "openmp" {
		t.Errorf("the targets are %v", names)
	}
}
