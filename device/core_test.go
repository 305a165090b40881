package device_test

import (
	"strings"
	"testing"

	"polytune/device"
	"polytune/internal/kerneltest"
	"polytune/loopir"
)

// hexagon1 and hexagon2 are hexagonal tiles so small that small arrays have full ones, whose
// elements are in shared memory.
const (
	hexagon1 = "classes {S0 S1}\nband c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]\nhexagon c0.1 c0.2 by 1 2 slopes 1 1\n" +
		"block c0p0.2h\nthread c0p0.2 by 2\nbarrier c0p0.1\nblock c0p1.2h\nthread c0p1.2 by 2\nbarrier c0p1.1\n" +
		"copy A at c0p0.2h to shared\ncopy B at c0p0.2h to shared\ncopy A at c0p1.2h to shared\ncopy B at c0p1.2h to shared\n"
	hexagon2 = "classes {S0 S1}\nband c0 S0[t, i, j] -> [2t, i, j]; S1[t, i, j] -> [2t + 1, i, j]\nhexagon c0.1 c0.2 c0.3 by 2 1 2 slopes 1 1 1\n" +
		"block c0p0.2h\nthread c0p0.2 c0p0.3 by 1 2\nbarrier c0p0.1\nblock c0p1.2h\nthread c0p1.2 c0p1.3 by 1 2\nbarrier c0p1.1\n" +
		"barrier c0p0.3h\nbarrier c0p1.3h\ncopy A at c0p0.3h to shared\ncopy B at c0p0.3h to shared\ncopy A at c0p1.3h to shared\ncopy B at c0p1.3h to shared\n"
)

// Full tiles have code of their own that does what the loops of the source do; without one of its
// steps, or a barrier between two, something else is left, so that it certainly runs.
func TestFullTilesRun(t *testing.T) {
	for _, test := range []struct{ kernel, recipe string }{{"polybench/jacobi-1d", hexagon1}, {"polybench/jacobi-2d", hexagon2}} {
		g := kerneltest.Graph(t, test.kernel)
		machine, wanted := source(t, g)
		program := passes(t, g, madeRecipe(t, g, test.recipe))
		cores := 0
		loopir.Walk(program.Code, func(s loopir.Stmt) {
			core, is := s.(*loopir.Core)
			if !is {
				return
			}
			cores++
			whole := core.Body
			for k, s := range whole {
				if _, is := s.(*loopir.Barrier); is && k == len(whole)-1 {
					continue // threads wait in front of what stores the box, too
				}
				core.Body = append(append(loopir.Code{}, whole[:k]...), whole[k+1:]...)
				if difference(machine, wanted, program.Code) == "" {
					t.Errorf("%s: nothing is amiss without %T %d of core %d", test.kernel, s, k, cores)
				}
			}
			core.Body = whole
		})
		if cores == 0 {
			t.Errorf("%s has no code for full tiles:\n%s", test.kernel, program)
		}
	}
}

// The code of full tiles has no conditions, remainders and loops, and loads once what several
// points of a thread read; where threads do not divide the points there are conditions, and they
// are counted.
func TestCoreIsCounted(t *testing.T) {
	file := kerneltest.File(t, "hex/heat-2d")
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	const tiles = "classes {S0}\nband c0 S0[t, i, j] -> [t, i, j]\nhexagon c0.1 c0.2 c0.3 by 4 8 32 slopes 1 1 1\nblock c0p0.2h\nthread c0p0.2 c0p0.3 by ROWS 32\nbarrier c0p0.1\nblock c0p1.2h\n" +
		"thread c0p1.2 c0p1.3 by ROWS 32\nbarrier c0p1.1\nbarrier c0p0.3h\ncopy A at c0p0.3h to shared\nbarrier c0p1.3h\ncopy A at c0p1.3h to shared\n"
	for _, test := range []struct {
		rows string
		want device.Core
	}{
		// A thread has 4, 5, 6, 7, 7, 6, 5 and 4 rows of three columns each; n rows read 3 (n + 2)
		// elements, of which it has those in registers that it has computed in the step before: where
		// threads have as many rows as there, 7.
		{"2", device.Core{Unrolled: true, LoadsPerPoint: (3*(44.+8*2) - 7) / 44}},
		// A thread with all rows, 8, 10, 12, 14, 14, 12, 10 and 8, has 8, 10, 12, 14, 14, 12 and 10.
		{"1", device.Core{Unrolled: true, LoadsPerPoint: (3*(88.+8*2) - 80) / 88}},
		// Rows of 10 and 14 points have a rest.
		{"4", device.Core{Unrolled: true, Conditions: 4}},
	} {
		if test.rows == "1" && !kerneltest.Long() {
			continue
		}
		code, err := device.Program(g, madeRecipe(t, g, strings.ReplaceAll(tiles, "ROWS", test.rows)), file.Unit(&file.Regions[0]), device.CUDA)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range code.Report.Kernels {
			if k.Core == nil {
				t.Fatalf("%s has no code for full tiles", k.Name)
			}
			if k.Core.Conditions != test.want.Conditions || k.Core.Modulos != 0 || !k.Core.Unrolled || test.want.LoadsPerPoint > 0 && k.Core.LoadsPerPoint != test.want.LoadsPerPoint {
				t.Errorf("%s on %s rows of threads: %+v, want %+v", k.Name, test.rows, *k.Core, test.want)
			}
		}
	}
}
