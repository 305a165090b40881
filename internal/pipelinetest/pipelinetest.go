// Package pipelinetest has what tests of the pipeline's packages and of the commands share.
package pipelinetest

import (
	"slices"
	"testing"

	"polytune/configs"
	"polytune/internal/quicklink"
	"polytune/pipeline/harness"
	"polytune/runner"
)

// Somewhere is a machine of two cores whose peaks are known.
func Somewhere() harness.Place {
	m := runner.Machine{ID: "0123456789ab", CPU: "Example CPU", CPUs: []int{0, 1}, Siblings: [][]int{{0}, {1}}, Cores: 2, Caches: []runner.Cache{
		{Level: 1, Kind: "Data", Size: 32 << 10, Line: 64, Associativity: 8, SharedBy: []int{0}},
		{Level: 2, Kind: "Unified", Size: 512 << 10, Line: 64, Associativity: 8, SharedBy: []int{0}},
		{Level: 3, Kind: "Unified", Size: 32 << 20, Line: 64, Associativity: 16, SharedBy: []int{0, 1}},
	}}
	rate := func(threads float64) runner.Rate {
		return runner.Rate{Threads: int(threads), Double: 50e9 * threads, Single: 100e9 * threads, Bandwidths: []runner.Bandwidth{
			{Level: 1, Rate: 150e9 * threads}, {Level: 2, Rate: 80e9 * threads}, {Level: 3, Rate: 40e9 * threads}, {Rate: 20e9}}}
	}
	return harness.Place{Machine: m, Toolchain: runner.Toolchain{Name: "gcc", Version: "12.2.0"}, Threads: 2, Peaks: &runner.Peaks{Rates: []runner.Rate{rate(1), rate(2)}}}
}

// StrictSettings are the built-in ones with code that stops at sums and products that do not
// fit, at shifts that C has no answer for, and at addresses that are none of their type.
func StrictSettings(t *testing.T) configs.Settings {
	t.Helper()
	loader, err := configs.NewLoader()
	if err != nil {
		t.Fatal(err)
	}
	settings, err := loader.Load("")
	if err != nil {
		t.Fatal(err)
	}
	gcc := settings.Toolchains["gcc"]
	gcc.CheckFlags = []string{"-O0", "-ffp-contract=off", "-fopenmp", "-fsanitize=signed-integer-overflow,shift,alignment", "-fno-sanitize-recover=all"}
	gcc.Libraries = slices.Concat(quicklink.Options(), gcc.Libraries)
	settings.Toolchains["gcc"] = gcc
	settings.Toolchain, settings.Jobs = "gcc", 1
	return settings
}
