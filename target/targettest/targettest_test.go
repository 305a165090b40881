package targettest

import (
	"bytes"
	"testing"

	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/target"
	"polytune/target/gpu"
	"polytune/target/interpreter"
	"polytune/target/openmp"
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

// Code that computes something else does not pass.
func TestWrongCode(t *testing.T) {
	for _, on := range []target.Target{openmp.Target{}, gpu.CUDA, interpreter.Target{}} {
		for isWrong, on := range map[bool]target.Target{false: on, true: wrong{on}} {
			err := subjectOf(t, on, "polybench/gemm").check(t, transform.Options{CacheBytes: 32 << 10, Device: &transform.Device{}})
			if isWrong != (err != nil) {
				t.Errorf("%s, wrong %v: %v", on.Name(), isWrong, err)
			}
		}
	}
}
