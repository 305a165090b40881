package device_test

import (
	"testing"

	"polytune/device"
	"polytune/internal/kerneltest"
)

// The estimate is what its words say: of gemm, 16 registers, 6 for three addresses, 6 for loops, 8
// for four sums and 8 for a statement's three elements and its factor.
func TestOccupancy(t *testing.T) {
	for kernel, want := range map[string]device.Occupancy{
		"jacobi-2d": {Registers: 36, Blocks: 6, Part: 0.75, LimitedBy: "registers"},
		"gemm":      {Registers: 44, Blocks: 5, Part: 0.625, LimitedBy: "registers"},
		"syr2k":     {Registers: 48, Blocks: 5, Part: 0.625, LimitedBy: "registers"},
		"atax":      {Registers: 34, Blocks: 9, Part: 0.5625, LimitedBy: "shared memory"},
	} {
		code := codeOf(t, kerneltest.File(t, "polybench/"+kernel), device.CUDA)
		if got := code.Report.Kernels[0].Estimate; got != want {
			t.Errorf("%s: %+v, want %+v", kernel, got, want)
		}
	}
}
