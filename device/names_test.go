package device_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"polytune/device"
	"polytune/internal/kerneltest"
)

// sized is a stencil with an edge, or without one, from a step on up to another one, in arrays of a
// length.
const sized = `void f(int oldest, int steps, int length, double p[length], double q[length], double c[length])
{
#pragma scop
  for (int t = oldest; t < steps; t++) {
    for (int i = 1; i < length - 1; i++)
      p[i] = q[i - 1] + c[i] * q[i + 1];
    for (int i = 1; i < length - 1; i++)
      q[i] = p[i];%s
  }
#pragma endscop
}
`

// sizedTiles are its hexagons.
const sizedTiles = "classes {S0 S1%s}\nband c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]%s\nhexagon c0.1 c0.2 by 2 5 slopes 1 1\n" +
	"block c0p0.2h\nthread c0p0.2 by 4\nbarrier c0p0.1\nblock c0p1.2h\nthread c0p1.2 by 4\nbarrier c0p1.1\n" +
	"copy q at c0p0.2h to shared%[3]s\ncopy p at c0p0.2h to shared%[3]s\ncopy c at c0p0.2h to shared\ncopy q at c0p1.2h to shared%[3]s\ncopy p at c0p1.2h to shared%[3]s\ncopy c at c0p1.2h to shared\n"

// What a parameter is called changes nothing: in isl's sets, dimensions of the names that parameters
// have would be these. With a size a0 or i0 kernels computed something else, and with l0, t0, e0 or
// k0 the proof refused them.
func TestNamesOfParameters(t *testing.T) {
	file := regexp.MustCompile(`tune_gpu_[0-9a-f]{8}`)
	own := []string{"oldest", "steps", "length"}
	made := func(source, recipe string) string {
		parsed := parsed(t, source)
		g := kerneltest.Analyze(t, parsed.Regions[0].Program)
		code, err := device.Program(g, madeRecipe(t, g, recipe), parsed.Unit(&parsed.Regions[0]), device.CUDA)
		if err != nil {
			t.Fatalf("%v, of\n%s", err, source)
		}
		return file.ReplaceAllString(string(code.Device), "")
	}
	for _, program := range []struct{ source, recipe string }{
		{fmt.Sprintf(sized, "\n    q[0] = p[1];"), fmt.Sprintf(sizedTiles, " S2", "; S2[t] -> [2t + 1, 0]", "")},
		{fmt.Sprintf(sized, ""), fmt.Sprintf(sizedTiles, "", "", " early")},
	} {
		want := made(program.source, program.recipe)
		for _, names := range [][]string{{"l0", "t0", "i0"}, {"a0", "e0", "k0"}, {"x0", "l1", "e"}, {"s", "r", "a1"}} {
			var renamed []string
			for k, name := range names {
				renamed = append(renamed, own[k], name)
			}
			rename := strings.NewReplacer(renamed...)
			got, lines := strings.Split(made(rename.Replace(program.source), program.recipe), "\n"), strings.Split(rename.Replace(want), "\n")
			for k := range min(len(got), len(lines)) {
				if got[k] != lines[k] {
					t.Errorf("with parameters %q line %d of the kernels is\n%s\nand not\n%s", names, k+1, got[k], lines[k])
					break
				}
			}
		}
	}
}
