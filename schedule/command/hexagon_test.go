package command

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop/depend"
)

// sheared are the rows of jacobi-1d and jacobi-2d with time as the loop that carries all
// dependences.
const (
	sheared1 = "classes {S0 S1}\nband c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]\n"
	sheared2 = "classes {S0 S1}\nband c0 S0[t, i, j] -> [2t, i, j]; S1[t, i, j] -> [2t + 1, i, j]\n"
)

// A hexagon's text is read and written, with slopes in lowest terms, and makes a loop over time
// tiles and two phases with loops of their own.
func TestHexagonTree(t *testing.T) {
	for _, test := range []struct{ kernel, start, line, written, loops string }{
		{"jacobi-1d", sheared1, "hexagon c0.1 c0.2 by 4 8 slopes 1 1", "", "c0: c0.1h; c0p0: c0p0.2h c0p0.1 c0p0.2; c0p1: c0p1.2h c0p1.1 c0p1.2"},
		{"jacobi-1d", sheared1, "hexagon c0.1 c0.2 by 4 8 slopes 6/4 0/7", "hexagon c0.1 c0.2 by 4 8 slopes 3/2 0", "c0: c0.1h; c0p0: c0p0.2h c0p0.1 c0p0.2; c0p1: c0p1.2h c0p1.1 c0p1.2"},
		{"jacobi-2d", sheared2, "hexagon c0.1 c0.2 c0.3 by 2 3 16 slopes 1 1 2", "",
			"c0: c0.1h; c0p0: c0p0.2h c0p0.3h c0p0.1 c0p0.2 c0p0.3; c0p1: c0p1.2h c0p1.3h c0p1.1 c0p1.2 c0p1.3"},
		{"jacobi-2d", sheared2, "hexagon c0.1 c0.2 by 2 3 slopes 1 1", "", "c0: c0.1h; c0p0: c0p0.2h c0p0.1 c0p0.2 c0p0.3; c0p1: c0p1.2h c0p1.1 c0p1.2 c0p1.3"},
		{"jacobi-1d", sheared1 + "split c0 {S0} {S1}\n", "hexagon c0.1 c0.2 by 1 1 slopes 1 1", "",
			"c0: c0.1h; c0p0: c0p0.2h c0p0.1 c0p0.2; c0p0_0: ; c0p0_1: ; c0p1: c0p1.2h c0p1.1 c0p1.2; c0p1_0: ; c0p1_1: "},
	} {
		p := kerneltest.File(t, "polybench/"+test.kernel).Regions[0].Program
		recipe, err := Parse(p, test.start+test.line)
		if err != nil {
			t.Fatal(err)
		}
		want := test.written
		if want == "" {
			want = test.line
		}
		if got := schedule.Text(recipe[len(recipe)-1], p); got != want {
			t.Errorf("%s is written %s, want %s", test.line, got, want)
		}
		tree, err := recipe.Replay(p)
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		var nodes []string
		tree.Walk(func(n *schedule.Node) bool {
			var names []string
			for _, l := range n.Loops {
				names = append(names, l.Name)
			}
			nodes = append(nodes, fmt.Sprint(n.Name, ": ", strings.Join(names, " ")))
			return true
		})
		if got := strings.Join(nodes, "; "); got != test.loops {
			t.Errorf("%s\ngot  %s\nwant %s", test.line, got, test.loops)
		}
	}
}

// Hexagons that are not written as they should be, or cannot be, are refused with the line and the
// reason.
func TestHexagonRefusals(t *testing.T) {
	const steep = "slopes 3 3"
	for _, test := range []struct{ text, want string }{
		{"hexagon c0.1 c0.2 by 4 2 " + steep, "the width 2 is too small for the slopes 3 and 3 and the height 4: it is 3 at least (RR-8339, equation (1))"},
		{"hexagon c0.1 c0.2 by 3 1 slopes 0 5/3", "it is 2 at least"},
		{"hexagon c0.1 c0.2 by 0 8 slopes 1 1", "recipe line 3: hexagon c0.1 c0.2 by 0 8 slopes 1 1: the size 0 is not positive"},
		{"hexagon c0.1 c0.2 by -4 8 slopes 1 1", "is not positive"},
		{"hexagon c0.1 c0.2 by 4 0 slopes 1 1", "is not positive"},
		{"hexagon c0.1 c0.2 by 65537 8 slopes 1 1", "65537 is too large"},
		{"hexagon c0.1 c0.2 by 4 8", "hexagonal tiles in time and space is written: hexagon LOOPS by SIZES slopes SLOPES"},
		{"hexagon c0.1 c0.2 slopes 1 1", "is written: hexagon LOOPS by SIZES slopes SLOPES"},
		{"hexagon c0.1 c0.2 by 4 8 slopes", "is written: hexagon LOOPS by SIZES slopes SLOPES"},
		{"hexagon c0.1 c0.2 by 4 slopes 1 1", "1 sizes for 2 loops"},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1", "1 slopes for 2 loops: there are two for the first dimension of space"},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1 1", "3 slopes for 2 loops"},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 -1", `"-1" is no slope: it is a number from 0 to 1024`},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1/0", `"1/0" is no slope`},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1/-2", `"1/-2" is no slope`},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 0.5", "no slope"},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1025", "1025"},
		{"hexagon c0.1 by 4 slopes 1", "a hexagon has a loop over time and one over space"},
		{"hexagon c0.2 c0.1 by 4 8 slopes 1 1", `loop "c0.1" does not come right inside "c0.2"`},
		{"hexagon c0.1 c9.1 by 4 8 slopes 1 1", `there is no loop "c9.1"`},
		{"tile c0.2 by 2\nhexagon c0.1 c0.2 by 4 8 slopes 1 1", "c0.2"},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1\nhexagon c0p0.2h c0p0.1 by 2 2 slopes 1 1", "is no plain loop over points"},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1\nskew c0p0.2h by 1 c0p0.2", "is no plain loop over points"},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1\nphases c0.1h", "is no tile loop with one to 3 others of its band right inside it"},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1\npack S0 A[i] around c0p0.2h", "c0p0.2h"},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1\nhexagon c0.1 c0.2 by 4 8 slopes 1 1", `there is no loop "c0.1"`},
		{"hexagon c0.1 c0.2 by 4 8 slopes 1 1\nparallel c0.1", `there is no loop "c0.1" any more: line 3, hexagon c0.1 c0.2 by 4 8 slopes 1 1, has taken it away; there are c0.1h c0p0.1`},
		{"hexagon c0.1 c0.2 c0.3 by 4 8 8 slopes 1 1 1\nphases c0p0.2h", `loop "c0p0.2h" runs over hexagons, which have phases already`},
		{"hexagon c0.1 c0.2 c0.3 by 4 8 8 slopes 1 1 1\nwavefront c0p0.2h c0p0.3h", `"c0p0.2h" is in a band that is not permutable`},
		{"hexagon c0.1 c0.2 c0.3 by 4 8 8 slopes 1 1 1\ntile c0p0.2h by 2", "a loop over hexagons"},
		{"hexagon c0.1 c0.2 c0.3 by 4 8 8 slopes 1 1 1\ndiamond c0p0.2h S0[t, i, j] -> [i]; S1[t, i, j] -> [i]", "name the loop over points"},
		{"hexagon c0.1 c0.2 c0.3 by 4 8 8 slopes 1 1 1\nregisters c0p0.2h by 2", "is not a point loop"},
		{"hexagon c0.1 c0.2 c0.3 by 4 8 8 slopes 1 1 1\nshift c0p0.2h S0 by 1", "is no plain loop over points"},
		{"parallel c0.2\nhexagon c0.1 c0.2 by 4 8 slopes 1 1", `loop "c0.2" is no plain loop over points`},
		{"block c0.2\nhexagon c0.1 c0.2 by 4 8 slopes 1 1", `loop "c0.2" is no plain loop over points`},
		{"tile c0.1 by 4\nhexagon c0.1 c0.2 by 4 8 slopes 1 1", "c0.1"},
	} {
		kernel, start := "polybench/jacobi-1d", sheared1
		if strings.Contains(test.text, "c0.3 by") {
			kernel, start = "polybench/jacobi-2d", sheared2
		}
		p := kerneltest.File(t, kernel).Regions[0].Program
		recipe, err := Parse(p, start+test.text)
		if err == nil {
			_, err = recipe.Replay(p)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\ngot %v, want %s", test.text, err, test.want)
		}
	}
}

// Slopes that are too small, and marks of the phases that claim too much, are refused by the proof,
// which blames the line.
func TestHexagonProof(t *testing.T) {
	const good, behind = "hexagon c0.1 c0.2 by 2 3 slopes 1 1\n", "parallel c0p0.2h\nparallel c0p1.2h\n"
	for text, blamed := range map[string]string{
		good + behind + "vectorize c0p1.2\n":                                             "",
		"hexagon c0.1 c0.2 by 2 3 slopes 3/2 2\n":                                        "",
		"hexagon c0.1 c0.2 by 1 1 slopes 0 0\n":                                          "",
		"hexagon c0.1 c0.2 by 4 4 slopes 1 1\nhexagon c0p0.1 c0p0.2 by 1 2 slopes 1 1\n": "",
		"hexagon c0.1 c0.2 by 2 3 slopes 0 1\n":                                          "hexagon c0.1 c0.2 by 2 3 slopes 0 1",
		"hexagon c0.1 c0.2 by 2 3 slopes 1 0\n":                                          "hexagon c0.1 c0.2 by 2 3 slopes 1 0",
		"hexagon c0.1 c0.2 by 3 3 slopes 1 1/2\n":                                        "hexagon c0.1 c0.2 by 3 3 slopes 1 1/2",
		good + "parallel c0.1h\n":                                                        "parallel c0.1h",
		good + "parallel c0p1.1\n":                                                       "parallel c0p1.1",
	} {
		if (strings.Contains(text, "slopes 3/2 2") || strings.Contains(text, "slopes 1 0")) && !kerneltest.Long() {
			continue // steeper, and the other side
		}
		g := kerneltest.Graph(t, "polybench/jacobi-1d")
		recipe, err := Parse(g.Model.Program, sheared1+text)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = recipe.Prove(g)
		var command *schedule.CommandError
		switch {
		case blamed == "":
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
		case !depend.IsIllegal(err) || !errors.As(err, &command) || command.Text != blamed:
			t.Errorf("%s: got %v, want %q blamed", text, err, blamed)
		}
	}
}
