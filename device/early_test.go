package device_test

import (
	"strings"
	"testing"

	"polytune/device"
	"polytune/internal/kerneltest"
	"polytune/loopir"
)

// early is a recipe whose written copies store their elements early.
func early(recipe string) string {
	return strings.ReplaceAll(recipe, " to shared\n", " to shared early\n")
}

// Elements that are stored as soon as they are written for the last time are those that are stored
// behind the code, in full tiles and in others, in boxes that move, and where several statements, or
// a sum, write them. Without these stores something else is left.
func TestEarlyStores(t *testing.T) {
	const sums = product + "tile c0.1 c0.2 by 3 4\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 2 2\ncopy C at c0.2t to shared\n"
	for _, test := range []struct {
		kernel, recipe string
		cores          bool
	}{
		{"polybench/jacobi-1d", hexagon1, true},
		{"polybench/jacobi-2d", hexagon2, true},
		{"polybench/jacobi-2d", moving, true},
		{"polybench/gemm", sums, false},
	} {
		if test.recipe == hexagon2 && !kerneltest.Long() {
			continue
		}
		g := kerneltest.Graph(t, test.kernel)
		program := passes(t, g, madeRecipe(t, g, early(test.recipe)))
		machine, wanted := source(t, g)
		stores, inCores := 0, 0
		loopir.Walk(program.Code, func(s loopir.Stmt) {
			if transfer, is := s.(*loopir.Transfer); is && transfer.Store {
				t.Errorf("%s stores a box behind its code", test.kernel)
			}
			if core, is := s.(*loopir.Core); is {
				for _, run := range loopir.Runs(core.Body) {
					inCores += len(run.Stores)
				}
			}
		})
		for _, run := range loopir.Runs(program.Code) {
			stores += len(run.Stores)
		}
		if stores == 0 || test.cores != (inCores > 0) {
			t.Errorf("%s has %d early stores, %d of them in full tiles:\n%s", test.kernel, stores, inCores, program)
		}
		for _, run := range loopir.Runs(program.Code) {
			run.Stores = nil
		}
		if difference(machine, wanted, program.Code) == "" {
			t.Errorf("%s: nothing is amiss without early stores", test.kernel)
		}
	}
}

// Full tiles ask nothing but the number of a thread of what they store early, and only along the
// dimension of parallelograms.
func TestEarlyStoresOfFullTiles(t *testing.T) {
	file := kerneltest.File(t, "hex/heat-2d")
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	const tiles = "classes {S0}\nband c0 S0[t, i, j] -> [t, i, j]\nhexagon c0.1 c0.2 c0.3 by 4 8 32 slopes 1 1 1\nblock c0p0.2h\nthread c0p0.2 c0p0.3 by 2 32\nbarrier c0p0.1\nblock c0p1.2h\n" +
		"thread c0p1.2 c0p1.3 by 2 32\nbarrier c0p1.1\nbarrier c0p0.3h\ncopy A at c0p0.3h to shared\nbarrier c0p1.3h\ncopy A at c0p1.3h to shared\n"
	code, err := device.Program(g, madeRecipe(t, g, early(tiles)), file.Unit(&file.Regions[0]), device.CUDA)
	if err != nil {
		t.Fatal(err)
	}
	text, cores := string(code.Device), 0
	for begin := strings.Index(text, "float tune_r"); begin >= 0; begin = strings.Index(text, "float tune_r") {
		core, rest, _ := strings.Cut(text[begin:], "else")
		for _, line := range strings.Split(core, "\n") {
			if strings.Contains(line, "if (") && !strings.Contains(line, "tune_threadx") {
				t.Errorf("a full tile asks %s", line)
			}
		}
		text, cores = rest, cores+1
	}
	if cores != 2 {
		t.Errorf("%d kernels have full tiles:\n%s", cores, code.Device)
	}
	for _, k := range code.Report.Kernels {
		if k.Core == nil || k.Core.Modulos != 0 || !k.Core.Unrolled {
			t.Errorf("%s: %+v", k.Name, k.Core)
		}
	}
}
