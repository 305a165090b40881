package report

import (
	"testing"

	"polytune/runner"
)

func TestRate(t *testing.T) {
	rate := runner.Rate{Threads: 2, Double: 237e9, Single: 4.745e11, Bandwidths: []runner.Bandwidth{{Level: 1, Rate: 8e11}, {Rate: 7.05e10}}}
	if got, want := Rate(rate), "2 threads: 237 GFLOP/s of doubles, 474 GFLOP/s of floats, L1 800 GB/s, memory 70.5 GB/s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Rate(runner.Rate{Threads: 1}), "1 thread: 0 GFLOP/s of doubles, 0 GFLOP/s of floats"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
