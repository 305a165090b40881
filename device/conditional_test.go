package device_test

import (
	"testing"

	"polytune/device"
	"polytune/loopir"
)

// conditional are the conditions of some code under which threads of a block wait, but for those
// around a whole tile with its copies, and those of full tiles, whose code has one.
func conditional(code loopir.Code) (all []*loopir.If) {
	loopir.Walk(code, func(s loopir.Stmt) {
		choice, is := s.(*loopir.If)
		if !is || !loopir.Waits(loopir.Code{s}) {
			return
		}
		whole := false
		loopir.Walk(loopir.Code{s}, func(s loopir.Stmt) {
			_, isBox := s.(*loopir.Box)
			_, isCore := s.(*loopir.Core)
			whole = whole || isBox || isCore
		})
		if !whole {
			all = append(all, choice)
		}
	})
	return all
}

// behindRow has two fields, the second of which has a boundary row behind the sweeps, with slopes
// of 2: threads wait there where only some tiles have instances.
const behindRow = `void f(int T, int n, double p[n][n], double q[n][n], double r[n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 2; i < n; i++)
      for (int j = 0; j < n - 1; j++)
        p[i][j] -= 0.25 * (q[i][j + 1] - q[i - 2][j]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 1; j < n; j++)
        q[i][j] = q[i][j] - 0.5 * (p[i + 1][j] - p[i][j - 1]) + r[i][j];
    for (int j = 0; j < n; j++)
      q[0][j] = 0.125 * p[1][j];
  }
#pragma endscop
}
`

const behindRowTiles = "classes {S0 S1 S2}\nband c0 S0[t, i, j] -> [3t, i, j]; S1[t, i, j] -> [3t + 1, i, j]; S2[t, j] -> [3t + 2, 0, j]\nhexagon c0.1 c0.2 c0.3 by 2 6 4 slopes 2 2 1/2\n" +
	"block c0p0.2h\nthread c0p0.2 c0p0.3 by 2 2\nbarrier c0p0.1\nblock c0p1.2h\nthread c0p1.2 c0p1.3 by 2 2\nbarrier c0p1.1\nbarrier c0p0.3h\ncopy q at c0p0.3h to shared\n" +
	"copy r at c0p0.3h to shared\nbarrier c0p1.3h\ncopy q at c0p1.3h to shared\ncopy r at c0p1.3h to shared\n"

// Where a language has no barrier of the grid, threads wait under no condition, and all that they
// wait for has been done, whatever the condition was.
func TestBarriersUnderNoCondition(t *testing.T) {
	g := graphOf(t, behindRow)
	recipe := madeRecipe(t, g, behindRowTiles)
	if len(conditional(lowered(t, g, recipe, device.Passes).Code)) == 0 {
		t.Error("no barrier is under a condition anyway")
	}
	if program := lowered(t, g, recipe, device.PassesByStep); len(conditional(program.Code)) > 0 {
		t.Errorf("threads wait under conditions:\n%s", program)
	}
}

// Pieces of code in shared memory that is written are apart where each statement is in one of them:
// isl has the hexagons of a boundary row, in front of all those of the sweep, in a loop of its own.
func TestPiecesApart(t *testing.T) {
	g := graphOf(t, "void f(int T, int n, double p[2][n][n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {\nfor (int i = 2; i < n - 2; i++) for (int j = 1; j < n - 1; j++) "+
		"p[(t + 1) % 2][i][j] = p[t % 2][i - 2][j] + p[t % 2][i + 2][j];\nfor (int j = 0; j < n; j++) p[(t + 1) % 2][0][j] = p[t % 2][1][j];\n}\n#pragma endscop\n}\n")
	const tiles = "classes {S0 S1}\nband c0 S0[t, i, j] -> [t, i, j]; S1[t, j] -> [t, 0, j]\nhexagon c0.1 c0.2 c0.3 by 2 5 4 slopes 2 2 1\nblock c0p0.2h\nthread c0p0.2 c0p0.3 by 2 2\nbarrier c0p0.1\n" +
		"block c0p1.2h\nthread c0p1.2 c0p1.3 by 2 2\nbarrier c0p1.1\nbarrier c0p0.3h\ncopy p at c0p0.3h to shared\nbarrier c0p1.3h\ncopy p at c0p1.3h to shared\n"
	boxes := map[string]int{}
	loopir.Walk(lowered(t, g, madeRecipe(t, g, tiles), device.Passes).Code, func(s loopir.Stmt) {
		if box, is := s.(*loopir.Box); is {
			boxes[box.Of.String()]++
		}
	})
	pieces := 0
	for _, count := range boxes {
		pieces = max(pieces, count)
	}
	if pieces < 2 {
		t.Errorf("no copy has several pieces of code anyway: %v", boxes)
	}
}
