package prooftest

import (
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// overlapping is a recipe for jacobi-1d with overlapped tiles.
const overlapping = `classes {S0 S1}
band c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]
overlapped c0.1 c0.2 by 3 16 slopes 1 rest 1
block c0p0.2o
thread c0p0.2 by 8
barrier c0p0.1
copy A at c0p0.2o to shared
copy B at c0p0.2o to shared
tile c0p1.2 by 16
block c0p1.2t
thread c0p1.2 by 8
`

// Overlapped tiles are legal where each tile computes all that it reads, loads what nobody stores
// meanwhile, and one tile stores what is read later; each fault is found and named.
func TestOverlapped(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-1d")
	for _, test := range []struct{ name, from, to, want string }{
		{"as it is", "", "", ""},
		{"five steps", "by 3 16", "by 5 16", ""},
		{"one step", "by 3 16", "by 1 16", ""},
		{"steeper", "slopes 1", "slopes 5/2", ""},
		{"more steps left", "rest 1", "rest 4", ""},
		{"no halo", "slopes 1", "slopes 0", "a tile computes instances of S1 and not those of S0 that they read"},
		{"a halo one too small", "by 3 16 slopes 1 ", "by 3 16 slopes 1/2 ", "a tile computes instances of S1 and not those of S0 that they read"},
		{"stores into what others load", "by 3 16", "by 4 16", "a tile stores elements of A that others of the same launch may not have loaded yet"},
		{"no barrier of the steps", "barrier c0p0.1\n", "", "there is no barrier between them"},
		{"an array in global memory", "copy B at c0p0.2o to shared\n", "", "S0 touches elements of B, which blocks write, in global memory"},
		{"an array in private memory", "copy B at c0p0.2o to shared\n", "copy B at c0p0.2o to private\n", "illegal schedule"},
		{"a copy for each step", "copy B at c0p0.2o to shared\n", "copy B at c0p0.1 to shared\n", "is not in shared memory for all of a tile"},
		{"no blocks", "block c0p0.2o\n", "kernel c0p0.2o\n", "they are no blocks of a kernel"},
		{"launches as blocks", "block c0p0.2o\n", "block c0p0.1o\n", "are blocks"},
		{"both statements at once", "[2t + 1, i]", "[2t, i]", "illegal schedule"},
		{"the steps in the wrong order", "S1[t, i] -> [2t + 1, i]", "S1[t, i] -> [2t - 1, i]", "illegal schedule"},
	} {
		if longAlone[test.name] && !kerneltest.Long() {
			continue
		}
		text := strings.Replace(overlapping, test.from, test.to, 1)
		checkMarked(t, g, test.name, text, test.want, func(o mark.Overlapped) mark.Overlapped { return o })
	}
}

// longAlone are recipes and marks that differ from others of their test by their numbers, or by the
// phase: whole proofs take longest, and long tests have these as well.
var longAlone = map[string]bool{
	"five steps": true, "steeper": true, "more steps left": true,
	"the step before": true, "one element less": true, "loads of the tile's own points": true,
	"an odd number of steps": true, "one grid of h": true, "no slope to the right": true, "no barrier of the second phase": true,
}

// What the mark says of loads and stores is proven, too.
func TestOverlappedMark(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-1d")
	step := func(number int, more string) string {
		return fmt.Sprintf("[TSTEPS, N] -> { S0[T, X, Y, t, i] : 2t = 3T + %[1]d%[2]s; S1[T, X, Y, t, i] : 2t + 1 = 3T + %[1]d%[2]s }", number, more)
	}
	const own, halo = " and 16X <= i < 16X + 16", " and 16X - 1 <= i <= 16X + 16"
	for _, test := range []struct{ name, stored, first, want string }{
		{"the step before", step(1, own), step(0, ""), "a tile stores elements of A that others of the same launch may not have loaded yet"},
		{"elements of the halo", strings.Replace(step(2, own), "}", "; "+step(0, halo)[len("[TSTEPS, N] -> { "):], 1), step(0, ""), "and other tiles overwrite it later"},
		{"a step that is overwritten", strings.Replace(step(2, own), "}", "; "+step(0, own)[len("[TSTEPS, N] -> { "):], 1), step(0, ""), ""},
		{"nothing", "{ }", step(0, ""), "no tile stores what"},
		{"one element less", step(2, " and 16X <= i < 16X + 15"), step(0, ""), "no tile stores what"},
		{"loads of the second step alone", step(2, own), step(1, ""), "a tile does not load all elements"},
		{"no loads", step(2, own), "{ }", "illegal schedule"},
		{"loads of the tile's own points", step(2, own), step(0, own), "a tile does not load all elements"},
	} {
		if longAlone[test.name] && !kerneltest.Long() {
			continue
		}
		checkMarked(t, g, test.name, overlapping, test.want, func(o mark.Overlapped) mark.Overlapped {
			o.Stored, o.First = test.stored, test.first
			return o
		})
	}
}

// checkMarked proves the schedule of a recipe with another mark of overlapped tiles.
func checkMarked(t *testing.T, g *depend.Graph, name, text, want string, change func(mark.Overlapped) mark.Overlapped) {
	t.Helper()
	recipe, err := command.Parse(g.Model.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		t.Fatal(err)
	}
	schedule := tree.Schedule(g.Model)
	for k, m := range *schedule.Marks {
		if o, is := m.(mark.Overlapped); is {
			(*schedule.Marks)[k] = change(o)
		}
	}
	err = g.Check(schedule)
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: %v, want %s", name, err, want)
	case want != "" && !depend.IsIllegal(err) && strings.HasPrefix(want, "a "):
		t.Errorf("%s: %v is no proof that the schedule is illegal", name, err)
	}
}

// Arrays with one grid have a second one that takes its place, of which each launch stores the same
// elements; each fault is found and named.
func TestSwapped(t *testing.T) {
	const inPlace = `classes {S0 S1}
band c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]
overlapped c0.1 c0.2 by 4 16 slopes 1 rest 1 keeping 2 swapping e h
block c0p0.2o
thread c0p0.2 by 8
barrier c0p0.1
copy e at c0p0.2o to shared
copy h at c0p0.2o to shared
block c0p1.2
`
	const source = `void f(int T, int n, double e[n], double h[n])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            e[i] += h[i] - h[i - 1];
        for (int i = %s; i < n - 1; i++)
            h[i] += e[i + 1] - e[i];
    }
#pragma endscop
}
`
	for _, test := range []struct{ name, begins, from, to, want string }{
		{"as it is", "1", "", "", ""},
		{"an odd number of steps", "1", "by 4 16", "by 3 16", ""},
		{"one grid", "1", " swapping e h", "", "that others of the same launch may not have loaded yet"},
		{"one grid of h", "1", " swapping e h", " swapping e", "a tile stores elements of h that others of the same launch may not have loaded yet"},
		{"values of the last step alone", "1", " keeping 2", "", "no tile stores what"},
		{"fewer elements in later steps", "t + 1", "", "", "each launch has to store the same elements of h"},
	} {
		if longAlone[test.name] && !kerneltest.Long() {
			continue
		}
		file, err := kerneltest.Parse("swapped.c", fmt.Sprintf(source, test.begins), "")
		if err != nil {
			t.Fatal(err)
		}
		g := kerneltest.Analyze(t, file.Regions[0].Program)
		checkMarked(t, g, test.name, strings.Replace(inPlace, test.from, test.to, 1), test.want, func(o mark.Overlapped) mark.Overlapped { return o })
	}
}

// A barrier that nothing needs is found in kernels of overlapped tiles, too, and those that
// something needs stay.
func TestOverlappedIdleBarriers(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-1d")
	recipe, err := command.Parse(g.Model.Program, overlapping+"barrier c0p0.2o\n")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		t.Fatal(err)
	}
	idle, err := g.IdleBarriers(tree.Schedule(g.Model))
	if err != nil || len(idle) != 1 || idle[0].Loop != "c0p0.2o" {
		t.Errorf("%v, %v", idle, err)
	}
}

// Each array that tiles read has to be loaded, one behind an array that they only write, too.
func TestOverlappedLoadsOfEachArray(t *testing.T) {
	const source = `void f(int T, int n, double A[n], double B[n], double W[n])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            B[i] = A[i - 1] + A[i + 1];
        for (int i = 1; i < n - 1; i++)
            A[i] = B[i - 1] + B[i + 1];
        for (int i = 1; i < n - 1; i++)
            W[i] = B[i];
    }
#pragma endscop
}
`
	file, err := kerneltest.Parse("written.c", source, "")
	if err != nil {
		t.Fatal(err)
	}
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	text := strings.NewReplacer("{S0 S1}", "{S0 S1 S2}", "[2t + 1, i]\n", "[2t + 1, i]; S2[t, i] -> [2t + 1, i]\n",
		"copy A at", "copy W at c0p0.2o to shared\ncopy A at").Replace(overlapping)
	const first = "[T, n] -> { S0[C, X, Y, t, i] : 2t = 3C + %[1]d; S1[C, X, Y, t, i] : 2t + 1 = 3C + %[1]d; S2[C, X, Y, t, i] : 2t + 1 = 3C + %[1]d }"
	for step, want := range []string{"", "a tile does not load all elements of A"} {
		checkMarked(t, g, fmt.Sprint("loads of step ", step), text, want, func(o mark.Overlapped) mark.Overlapped {
			o.First = fmt.Sprintf(first, step)
			return o
		})
	}
}
