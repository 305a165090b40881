package flow_test

import (
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop/flow"
)

// Where values come from is found once for a model and an array, and is known after what was made
// meanwhile is released; another array is another question.
func TestFlowIsFoundOnce(t *testing.T) {
	m := kerneltest.Fresh(t, "polybench/gemm").Model
	mark := m.Context.Mark()
	first, err := flow.Of(m, "C")
	if err != nil {
		t.Fatal(err)
	}
	text := first.Through.String()
	m.Context.Release(mark)
	m.Context.SetMaxOperations(1)
	again, err := flow.Of(m, "C")
	if err != nil {
		t.Errorf("it is computed again: %v", err)
	}
	if _, err := flow.Of(m, "A"); err == nil {
		t.Error("another array's is found without an operation")
	}
	m.Context.TakeErr()
	m.Context.SetMaxOperations(0)
	if again.Through.String() != text {
		t.Errorf("%s instead of %s", again.Through, text)
	}
	if other, err := flow.Of(m, "A"); err != nil || other.Through.String() == text {
		t.Errorf("%v, of another array: %s", err, other.Through)
	}
}
