package harness

import (
	"context"
	"fmt"
	"io"

	"polytune/configs"
	"polytune/runner"
)

// Place is where variants run.
type Place struct {
	Machine   runner.Machine
	Toolchain runner.Toolchain
	Settings  configs.Settings
	Threads   int
	Peaks     *runner.Peaks
}

// LockTiming waits for the right to time on this machine, and says so.
func LockTiming(ctx context.Context, stderr io.Writer) (*runner.TimingLock, error) {
	return runner.LockTiming(ctx, func(int) {
		fmt.Fprintln(stderr, "tune: a tuner is timing on this machine; waiting for its end")
	})
}
