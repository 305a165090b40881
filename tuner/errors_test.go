package tuner

import (
	"fmt"
	"testing"

	"polytune/runner"
	"polytune/store"
)

// An original that does not compute the same twice is no fault of a variant.
func TestStatusOf(t *testing.T) {
	wrong := &runner.Mismatch{Array: "x"}
	for _, test := range []struct {
		err  error
		want store.Status
	}{
		{wrong, store.WrongResult},
		{fmt.Errorf("at n=4: %w", wrong), store.WrongResult},
		{&BaselineError{Err: fmt.Errorf("two runs differ: %w", wrong)}, ""},
		{fmt.Errorf("at n=4: %w", &BaselineError{Err: wrong}), ""},
		{&runner.RunError{Kind: runner.Timeout}, store.Timeout},
		{&runner.RunError{Kind: runner.DeviceFailed}, store.DeviceFailed},
		{&runner.SharedMemoryError{}, store.DeviceFailed},
		{&runner.DeviceReports{}, store.WrongResult},
		{fmt.Errorf("no such file"), ""},
	} {
		if got := StatusOf(test.err); got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}
