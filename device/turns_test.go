package device_test

import (
	"regexp"
	"strings"
	"testing"

	"polytune/device"
	"polytune/internal/kerneltest"
)

// Of two loops with one variable, the first of which has a constant number of turns, the second one
// finds the elements of copies by its variable: the number of the turn is not there.
func TestTurnsInTheirLoops(t *testing.T) {
	const source = `void f(int T, int n, double p[n + 4][n + 4], double q[n + 4][n + 4])
{
#pragma scop
  for (int t = 1; t <= T; t++) {
    for (int j = 0; j < n; j++)
      p[0][j] = 1;
    for (int i = (1 > t - 2 ? 1 : t - 2); i < n - 1 && i < t + 5; i++)
      for (int j = 1; j < n - 2; j++)
        p[i][j] = q[i][j] + 3 * p[i][j];
  }
#pragma endscop
}
`
	const recipe = "classes {S0 S1}\nband c0 permutable S0[t, j] -> [j, 0, t]; S1[t, i, j] -> [i, j, t]\nsplit c0 {S0} {S1}\ntile c0.1 c0.2 c0.3 by 32 32 16\n" +
		"block c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 8 32\ncopy p of p[0][j] at c0.2t to private\ncopy p of p[i][j] at c0.2t to private\n"
	file := parsed(t, source)
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	code, err := device.Program(g, madeRecipe(t, g, recipe), file.Unit(&file.Regions[0]), device.CUDA)
	if err != nil {
		t.Fatal(err)
	}
	turn, used, plain := regexp.MustCompile(`\bc\d+_turn\b`), 0, 0
	var open []string
	for _, line := range strings.Split(string(code.Device), "\n") {
		for _, name := range turn.FindAllString(line, -1) {
			if used++; !strings.Contains(strings.Join(append(open, line), "\n"), "for (int "+name+" ") {
				t.Errorf("%q is outside of the loop over %s", line, name)
			}
		}
		if strings.Contains(line, "tune_p[0][(c") {
			plain++
		}
		switch text := strings.TrimSpace(line); {
		case strings.HasSuffix(text, "{"):
			open = append(open, text)
		case strings.HasPrefix(text, "}") && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if used == 0 || plain == 0 {
		t.Errorf("%d references by the number of a turn, %d by the variable: not both", used, plain)
	}
}
