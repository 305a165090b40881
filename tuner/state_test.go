package tuner

import (
	"context"

	"polytune/runner"
)

// The probe of the processors spins on two of them until both answer, which other tests disturb: on
// a busy machine that is most of a round. It has tests of its own.
func init() {
	stateOf = func(ctx context.Context, cpus []int) (runner.State, error) {
		if len(cpus) < 2 {
			return runner.State{}, ctx.Err()
		}
		return runner.State{RoundTrip: 200e-9}, ctx.Err()
	}
}
