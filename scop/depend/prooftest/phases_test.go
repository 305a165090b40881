package prooftest

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule/command"
)

// hexagonal is a recipe for jacobi-1d with hexagonal tiles, whose elements are in shared memory.
const hexagonal = `classes {S0 S1}
band c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]
hexagon c0.1 c0.2 by 4 8 slopes 1 1
block c0p0.2h
thread c0p0.2 by 32
barrier c0p0.1
block c0p1.2h
thread c0p1.2 by 32
barrier c0p1.1
copy A at c0p0.2h to shared
copy B at c0p0.2h to shared
copy A at c0p1.2h to shared
copy B at c0p1.2h to shared
`

// threaded is a recipe for processors with the same tiles.
const threaded = `classes {S0 S1}
band c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]
hexagon c0.1 c0.2 by 4 8 slopes 1 1
parallel c0p0.2h
parallel c0p1.2h
vectorize c0p0.2
`

// What is proven of expanded instances is what is proven of the program's: recipes that are legal
// are by their convex hull alone, which is fast, and those that are not are by neither.
func TestPhasesAgree(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-1d")
	for k, test := range []struct {
		name, recipe, from, to string
		legal                  bool
	}{
		{"as it is", hexagonal, "", "", true},
		{"steeper", hexagonal, "slopes 1 1", "slopes 3/2 2", true},
		{"no slope to the left", hexagonal, "slopes 1 1", "slopes 0 1", false},
		{"no slope to the right", hexagonal, "slopes 1 1", "slopes 1 0", false},
		{"no barrier of the first phase", hexagonal, "barrier c0p0.1\n", "", false},
		{"no barrier of the second phase", hexagonal, "barrier c0p1.1\n", "", false},
		{"the second statement in the time of the first", hexagonal, "[2t + 1, i]", "[2t, i]", false},
		{"on threads", threaded, "", "", true},
		{"on threads without a slope to the left", threaded, "slopes 1 1", "slopes 0 1", false},
		{"on threads that share time", threaded, "parallel c0p1.2h", "parallel c0p1.1", false},
	} {
		if longAlone[test.name] && !kerneltest.Long() {
			continue
		}
		recipe, err := command.Parse(g.Model.Program, strings.Replace(test.recipe, test.from, test.to, 1))
		if err != nil {
			t.Fatal(err)
		}
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			t.Fatal(err)
		}
		schedule := tree.Schedule(g.Model)
		if err := g.Check(schedule); (err == nil) != test.legal {
			t.Errorf("%s: %v", test.name, err)
		}
		for n, hull := range []bool{true, false} {
			if n == k%2 && !kerneltest.Long() {
				continue
			}
			if g.ProvesInPhases(schedule, hull) != test.legal {
				t.Errorf("%s, hull %v: the proof in phases does not say %v", test.name, hull, test.legal)
			}
		}
	}
}
