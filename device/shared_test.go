package device_test

import (
	"strings"
	"testing"

	"polytune/device"
	"polytune/internal/kerneltest"
	"polytune/schedule/command"
)

// large has more shared memory than all devices give a block.
const large = product + "tile c0.1 c0.2 c0.3 by 64 64 64\nblock c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 8 32\ncopy A at c0.3t to shared\ncopy B at c0.3t to shared\nbarrier c0.3t\n"

// Launches of CUDA ask for more shared memory than all devices give, and hosts of OpenCL ask how
// much the device has, where the recipe allows as much; else there is no program.
func TestMoreShared(t *testing.T) {
	file := kerneltest.File(t, "polybench/gemm")
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	made := func(recipe string, language device.Language) (device.Code, error) {
		return device.Program(g, madeRecipe(t, g, recipe), file.Unit(&file.Regions[0]), language)
	}
	for _, recipe := range []string{large, "shared 60000\n" + large} {
		if _, err := made(recipe, device.CUDA); err == nil || !strings.Contains(err.Error(), "have 66560 bytes") || !strings.Contains(err.Error(), "the command shared allows more") {
			t.Errorf("%s: error %v", recipe, err)
		}
	}
	cuda, err := made("shared 98304\n"+large, device.CUDA)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"TUNE_SHARED(tune_shared, 66560);", "double (&tune_B)[64][65] = *(double (*)[64][65]) (tune_shared + 33280);", "dim3(32, 8, 1), 66560, (", "cudaFuncAttributeMaxDynamicSharedMemorySize"} {
		if !strings.Contains(string(cuda.Device), text) {
			t.Errorf("%q is not in\n%s", text, cuda.Device)
		}
	}
	opencl, err := made("shared 98304\n"+large, device.OpenCL)
	if err != nil || !strings.Contains(string(opencl.Device), "__local double tune_A[64][65];") || !strings.Contains(string(opencl.Source), "shared < 66560") {
		t.Errorf("%v:\n%s", err, opencl.Source)
	}
	if small := string(codeOf(t, file, device.CUDA).Device); strings.Contains(small, "TUNE_SHARED") {
		t.Errorf("kernels ask for what all devices give:\n%s", small)
	}
}

// No device has so much, and it is said once.
func TestSharedRefused(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/gemm")
	for recipe, words := range map[string]string{
		"shared 232449\n" + large:              "the most that there is are 232448",
		"shared 0\n" + large:                   "no device gives a block 0 bytes",
		"shared 98304\nshared 98304\n" + large: "at most 98304 bytes already",
	} {
		parsed, err := command.Parse(g.Model.Program, recipe)
		if err == nil {
			_, _, err = parsed.Prove(g)
		}
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: got %v, want %q", recipe, err, words)
		}
	}
}
