package device_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/device"
	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform"
)

// mapped are recipes for devices with blocks so small that small arrays have several.
var mapped = []struct{ kernel, recipe string }{
	{"jacobi-1d", stencil1 + "tile c0.2 by 5\nblock c0.2t\nthread c0.2 by 2\n"},
	{"jacobi-1d", stencil1 + "kernel c0\nthread c0.2 by 3\nbarrier c0.1\n"},
	{"jacobi-1d", parts + "barrier c0.1\nbarrier after c0_0\n"},
	{"jacobi-2d", stencil2 + "tile c0.2 c0.3 by 3 4\nblock c0.2t c0.3t\nthread c0.2 c0.3 by 2 3\n"},
	{"jacobi-2d", stencil2 + "kernel c0.1\nthread c0.2 c0.3 by 2 3\nbarrier c0.1\n"},
	{"gemm", product + "tile c0.1 c0.2 by 3 4\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 2 2\n"},
	{"gemm", product + "tile c0.1 c0.2 c0.3 by 3 4 2\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 3 4\nunroll c0.3\n"},
	{"gemm", firstThread},
	{"lu", lastColumn},
	{"jacobi-1d", resident1},
	{"jacobi-1d", resident1 + "copy A at c0.2t to resident\ncopy B at c0.2t to resident\n"},
	{"jacobi-1d", residentParts},
	{"jacobi-2d", resident2},
	{"jacobi-2d", resident2 + "copy B at c0.3t to resident\n"},
	{"jacobi-2d", resident2 + "copy A at c0.3t to resident\ncopy B at c0.3t to resident\n"},
}

const (
	stencil1 = "classes {S0 S1}\nband c0 S0[t, i] -> [2t]; S1[t, i] -> [2t + 1]\nband c0 permutable S0[t, i] -> [i]; S1[t, i] -> [i]\n"
	stencil2 = "classes {S0 S1}\nband c0 S0[t, i, j] -> [2t]; S1[t, i, j] -> [2t + 1]\nband c0 permutable S0[t, i, j] -> [i, j]; S1[t, i, j] -> [i, j]\n"
	parts    = "classes {S0 S1}\nband c0 S0[t, i] -> [t]; S1[t, i] -> [t]\nsplit c0 {S0} {S1}\nband c0_0 S0[t, i] -> [i]\nband c0_1 S1[t, i] -> [i]\nkernel c0.1\nthread c0_0.2 by 3\nthread c0_1.2 by 3\n"
	// Resident kernels: of tiles, and of parts whose blocks have one iteration each.
	resident1     = stencil1 + "tile c0.2 by 2\nresident c0.1\nblock c0.2t\nthread c0.2 by 2\nbarrier grid c0.1\n"
	resident2     = stencil2 + "tile c0.2 c0.3 by 2 3\nresident c0.1\nblock c0.2t c0.3t\nthread c0.2 c0.3 by 2 2\nbarrier grid c0.1\n"
	residentParts = "classes {S0 S1}\nband c0 S0[t, i] -> [t]; S1[t, i] -> [t]\nsplit c0 {S0} {S1}\nband c0_0 S0[t, i] -> [i]\nband c0_1 S1[t, i] -> [i]\nresident c0.1\nblock c0_0.2\nblock c0_1.2\n" +
		"barrier grid after c0_0\nbarrier grid c0.1\n"
	// lastColumn has a copy inside of a loop that runs once, whose value is a quotient.
	lastColumn = "classes {S0 S1 S2}\nband c0 permutable S0[i, j, k] -> [k]; S1[i, j] -> [j]; S2[i, j, k] -> [k]\nsplit c0 {S1} {S0 S2}\nband c0_0 permutable S1[i, j] -> [i, j]\ntile c0_0.2 c0_0.3 by 3 4\n" +
		"block c0_0.2t c0_0.3t\nthread c0_0.2 c0_0.3 by 2 3\ncopy A of A[j][j] at c0_0.3t to shared\nband c0_1 permutable S0[i, j, k] -> [i, j]; S2[i, j, k] -> [i, j]\nblock c0_1.2 c0_1.3\n"
	product = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]\nsplit c0 {S0} {S1}\n"
	// firstThread has thread 0 scale a row, and all add to it.
	firstThread = "classes {S0 S1}\nband c0 S0[i, j] -> [i]; S1[i, k, j] -> [i]\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j] -> [j]\nband c0_1 permutable S1[i, k, j] -> [k, j]\n" +
		"block c0.1\nthread c0_1.3 by 3\nbarrier after c0_0\n"
)

// modelled are kernels that the models map: stencils, products, sums, factorizations, waves, and
// what has no free loop.
var modelled = []string{
	"jacobi-1d", "jacobi-2d", "heat-3d", "seidel-2d", "fdtd-2d", "gemm", "2mm", "atax", "bicg", "mvt", "gemver", "trmm", "syrk", "syr2k", "symm", "doitgen", "lu", "trisolv", "correlation", "floyd-warshall", "durbin",
}

// small are the models' sizes of blocks: small, so that small arrays have several.
var small = &transform.Device{
	Tiles:   map[int][]int64{1: {4}, 2: {3, 4}, 3: {2, 3, 4}},
	Threads: map[int][]int64{1: {3}, 2: {2, 3}, 3: {1, 2, 3}},
}

// Behind each pass the loops of a device leave what those of the source do, whatever the order of
// blocks, and of threads between barriers.
func TestInterpreted(t *testing.T) {
	for k, c := range mapped {
		t.Run(fmt.Sprintf("%d-%s", k, c.kernel), func(t *testing.T) {
			t.Parallel()
			g := kerneltest.Graph(t, "polybench/"+c.kernel)
			passes(t, g, madeRecipe(t, g, c.recipe))
		})
	}
	for _, kernel := range modelled {
		t.Run(kernel, func(t *testing.T) {
			t.Parallel()
			g := kerneltest.Graph(t, "polybench/"+kernel)
			passes(t, g, recipeOf(t, g, small))
		})
	}
}

// A block of a resident kernel has several tiles, one after the other: it waits before it loads the
// box of the next one. One that keeps elements in two levels of time has one tile.
func TestResidentBoxes(t *testing.T) {
	g := graphOf(t, "void f(int T, int n, double a[2][n], double w[n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) a[(t + 1) % 2][i] = w[i] * a[t % 2][i - 1] + w[i + 1] * a[t % 2][i + 1];\n#pragma endscop\n}\n")
	const start = "classes {S0}\nband c0 S0[t, i] -> [t]\nband c0 permutable S0[t, i] -> [i]\ntile c0.2 by 2\nresident c0.1\nblock c0.2t\nthread c0.2 by 2\nbarrier grid c0.1\ncopy w at c0.2t to shared\n"
	passes(t, g, madeRecipe(t, g, start+"barrier c0.2t\n"))
	passes(t, g, madeRecipe(t, g, start+"barrier c0.2t\ncopy a at c0.2t to resident\n"))
	if _, _, err := madeRecipe(t, g, start).Prove(g); !depend.IsIllegal(err) {
		t.Errorf("boxes of tiles of one block are loaded without a barrier: %v", err)
	}
}

// Threads have the iterations that the proof says where isl's loops count otherwise than the
// schedule: by one where that has steps, and two of its iterations in one.
func TestSteps(t *testing.T) {
	g := graphOf(t, "void f(int n, double x[n], double y[n], double u[n], double z[2 * n], double v[n]) {\n#pragma scop\nfor (int i = 0; i < n; i++) y[i] = x[i];\n"+
		"for (int i = 0; i < n; i++) u[i] = y[i];\nfor (int i = 0; i < 2 * n; i++) z[i] = 1;\nfor (int i = 0; i < n; i++) v[i] = z[2 * i + 1];\n#pragma endscop\n}\n")
	for _, recipe := range []string{
		"classes {S0 S1 S2 S3}\nsplit c0 {S0} {S1 S2} {S3}\nband c0_0 S0[i] -> [2i]\nband c0_1 S1[i] -> [2i]; S2[i] -> [i]\nband c0_2 S3[i] -> [2i + 1]\nkernel c0\nthread c0_0.1 by 3\nthread c0_1.1 by 3\nthread c0_2.1 by 3\n",
		"classes {S0 S1 S2} {S3}\nsplit c0 {S0} {S1 S2}\nband c0_0 S0[i] -> [2i + 1]\nband c0_1 S1[i] -> [2i + 1]; S2[i] -> [i]\nkernel c0\nthread c0_0.1 by 4\nthread c0_1.1 by 4\n",
	} {
		passes(t, g, madeRecipe(t, g, recipe))
	}
}

// Threads may wait in the innermost loop of one with steps: what keeps its statements in their steps
// stands below what says so.
func TestWaitingInSteps(t *testing.T) {
	g := graphOf(t, "void f(int T, int n, double p[n], double q[n], double s[n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {\nfor (int i = 1; i < n - 1; i++) p[i] = s[i - 1] + s[i + 1];\n"+
		"for (int i = 1; i < n - 1; i++) q[i] = p[i];\nfor (int i = 1; i < n - 1; i++) s[i] = q[i];\n}\n#pragma endscop\n}\n")
	passes(t, g, madeRecipe(t, g, "classes {S0 S1 S2}\nband c0 S0[t, i] -> [3t]; S1[t, i] -> [3t + 1]; S2[t, i] -> [3t + 2]\nband c0 permutable S0[t, i] -> [i]; S1[t, i] -> [i]; S2[t, i] -> [i]\n"+
		"kernel c0\nbarrier c0.1\nbarrier c0.2\n"))
}

func madeRecipe(t *testing.T, g *depend.Graph, text string) schedule.Recipe {
	t.Helper()
	recipe, err := command.Parse(g.Model.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	return recipe
}

// passes compares the loops of a recipe behind each pass with those of the source; those of a
// language whose blocks cannot wait for each other, too, where threads wait under a condition.
func passes(t *testing.T, g *depend.Graph, recipe schedule.Recipe) *loopir.Program {
	t.Helper()
	program := lowered(t, g, recipe, device.Passes)
	if len(conditional(program.Code)) > 0 {
		lowered(t, g, recipe, device.PassesByStep)
	}
	return program
}

// lowered are the loops of a recipe behind some passes, behind each of which they do what the source
// does.
func lowered(t *testing.T, g *depend.Graph, recipe schedule.Recipe, list []codegen.Pass) *loopir.Program {
	t.Helper()
	tree, proven, err := recipe.Prove(g)
	if err != nil {
		t.Fatal(err)
	}
	machine, wanted := source(t, g)
	program, err := codegen.Lower(g.Model, proven, codegen.Options{Tree: tree, Original: "original", Passes: list}, func(pass string, p *loopir.Program) error {
		if where := difference(machine, wanted, p.Code); where != "" {
			t.Errorf("behind pass %s: %s\n%s%s", pass, where, recipe.Text(g.Model.Program), p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// sizes are values of the parameters: different, and no multiples of blocks.
var sizes = []int64{7, 8, 5, 9, 6}

// source is a machine for a program, and what the loops of its source leave.
func source(t *testing.T, g *depend.Graph) (machine *loopir.Machine, wanted map[string]uint64) {
	t.Helper()
	values := map[string]int64{}
	for k, name := range g.Model.Program.Parameters {
		values[name] = sizes[k%len(sizes)]
		if name == "TSTEPS" || name == "T" {
			values[name] = 3
		}
	}
	_, recipe, err := transform.Original(g.Model)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		t.Fatal(err)
	}
	original, err := codegen.Lower(g.Model, tree.Schedule(g.Model), codegen.Options{Tree: tree, Original: "original"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	machine, err = loopir.NewMachine(g.Model, values)
	if err != nil {
		t.Fatal(err)
	}
	machine.Steps *= 10 // overlapped tiles run instances many times
	wanted, err = machine.Run(original.Code)
	if err != nil || len(wanted) == 0 {
		t.Fatalf("%v, %v", wanted, err)
	}
	return machine, wanted
}

// difference says in which way to run it some code leaves something else, "" for none.
func difference(machine *loopir.Machine, wanted map[string]uint64, code loopir.Code) string {
	for _, way := range loopir.Ways {
		machine.Like(way)
		left, err := machine.Run(code)
		if err != nil || !maps.Equal(left, wanted) {
			return fmt.Sprintf("backwards %v, turns %d: %d elements of %d are written: %v", way.Backwards, way.Turns, len(left), len(wanted), err)
		}
	}
	return ""
}

// rows is a recurrence with a neighbour for each of several rows.
const rows = "void f(int n, int m, double a[n][m][m]) {\n#pragma scop\nfor (int i = 0; i < n; i++) for (int t = 1; t < m; t++) for (int j = 1; j < m - 1; j++) a[i][t][j] = a[i][t - 1][j - 1] + a[i][t - 1][j + 1];\n#pragma endscop\n}\n"

const rowsRecipe = "classes {S0}\nband c0 S0[i, t, j] -> [i]\nband c0 S0[i, t, j] -> [t]\nband c0 S0[i, t, j] -> [j]\nblock c0.1\nthread c0.3 by 3\nbarrier c0.2\n"

// Kernels in which something is broken leave something else: where any one barrier is gone, blocks
// and threads have each other's loops, or all threads do what is one thread's. The short test breaks
// one of each kind.
func TestBroken(t *testing.T) {
	rows := graphOf(t, rows)
	for name, c := range map[string]struct {
		graph  *depend.Graph
		recipe string
		broken func(loopir.Stmt) loopir.Stmt
	}{
		"barrier of a loop":   {kerneltest.Graph(t, "polybench/jacobi-1d"), stencil1 + "kernel c0\nthread c0.2 by 3\nbarrier c0.1\n", withoutBarrier},
		"barrier of a plane":  {kerneltest.Graph(t, "polybench/jacobi-2d"), stencil2 + "kernel c0.1\nthread c0.2 c0.3 by 2 3\nbarrier c0.1\n", withoutBarrier},
		"barriers of parts":   {kerneltest.Graph(t, "polybench/jacobi-1d"), parts + "barrier c0.1\nbarrier after c0_0\n", withoutBarrier},
		"barrier of a part":   {kerneltest.Graph(t, "polybench/gemm"), firstThread, withoutBarrier},
		"barrier in blocks":   {rows, rowsRecipe, withoutBarrier},
		"blocks and threads":  {rows, rowsRecipe, swapped},
		"one thread's sums":   {kerneltest.Graph(t, "polybench/gemm"), firstThread, ofAll},
		"barriers of a grid":  {kerneltest.Graph(t, "polybench/jacobi-2d"), resident2, withoutBarrier},
		"barriers of blocks":  {kerneltest.Graph(t, "polybench/jacobi-2d"), resident2, ofBlock},
		"barriers of kept":    {kerneltest.Graph(t, "polybench/jacobi-1d"), resident1 + "copy A at c0.2t to resident\ncopy B at c0.2t to resident\n", withoutGridBarrier},
		"exchanged elements":  {kerneltest.Graph(t, "polybench/jacobi-2d"), strings.Replace(resident2, "by 2 3", "by 3 4", 1) + "copy A at c0.3t to resident\ncopy B at c0.3t to resident\n", withoutTransfer},
		"all threads' shares": {kerneltest.Graph(t, "polybench/gemm"), product + "tile c0.1 c0.2 by 3 4\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 2 2\n", unshared},
	} {
		t.Run(name, func(t *testing.T) {
			recipe := madeRecipe(t, c.graph, c.recipe)
			passes(t, c.graph, recipe)
			tree, proven, err := recipe.Prove(c.graph)
			if err != nil {
				t.Fatal(err)
			}
			machine, wanted := source(t, c.graph)
			breaks := 0
			for place, left := 0, 1; place < left && (place == 0 || kerneltest.Long()); place++ {
				program, err := codegen.Lower(c.graph.Model, proven, codegen.Options{Tree: tree, Original: "original", Passes: device.Passes}, nil)
				if err != nil {
					t.Fatal(err)
				}
				seen := 0
				err = loopir.Rewrite(program.Code, func(s loopir.Stmt) (loopir.Stmt, error) {
					changed := c.broken(s)
					if changed == nil {
						return s, nil
					}
					if seen++; seen-1 != place {
						return s, nil
					}
					breaks++
					return changed, nil
				})
				if err != nil {
					t.Fatal(err)
				}
				left = seen
				if difference(machine, wanted, program.Code) == "" {
					t.Errorf("broken at place %d it leaves the same:\n%s", place, program)
				}
			}
			if breaks == 0 {
				t.Error("there is nothing to break")
			}
		})
	}
}

func graphOf(t *testing.T, text string) *depend.Graph {
	t.Helper()
	file, err := frontend.Parse("f.c", []byte(text), frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return kerneltest.Analyze(t, file.Regions[0].Program)
}

// Statements that are broken, nil for those that cannot be.

func withoutBarrier(s loopir.Stmt) loopir.Stmt {
	if _, is := s.(*loopir.Barrier); is {
		return &loopir.Nothing{}
	}
	return nil
}

// withoutGridBarrier has no barrier of the grid, ofBlock has one of each block in its place.
func withoutGridBarrier(s loopir.Stmt) loopir.Stmt {
	if barrier, is := s.(*loopir.Barrier); is && barrier.Grid {
		return &loopir.Nothing{}
	}
	return nil
}

func ofBlock(s loopir.Stmt) loopir.Stmt {
	if withoutGridBarrier(s) == nil {
		return nil
	}
	return &loopir.Barrier{}
}

// withoutTransfer does not copy what a transfer copies.
func withoutTransfer(s loopir.Stmt) loopir.Stmt {
	if _, is := s.(*loopir.Transfer); is {
		return &loopir.Nothing{}
	}
	return nil
}

// swapped is a kernel whose blocks have the threads' loop, and threads that of the blocks.
func swapped(s loopir.Stmt) loopir.Stmt {
	kernel, is := s.(*loopir.Kernel)
	if !is {
		return nil
	}
	loopir.Walk(kernel.Body, func(s loopir.Stmt) {
		if loop, is := s.(*loopir.For); is && loop.Share != nil {
			loop.Share = &loopir.Share{Threads: !loop.Share.Threads, Count: 3}
		}
	})
	return kernel
}

// ofAll is what one thread runs, run by all of them.
func ofAll(s loopir.Stmt) loopir.Stmt {
	if choice, is := s.(*loopir.If); is && loopir.Mentions(choice.Cond, map[string]bool{"thread.0": true}) {
		return &loopir.Block{Body: choice.Then}
	}
	return nil
}

// unshared is a loop that threads share, run by all of them.
func unshared(s loopir.Stmt) loopir.Stmt {
	if loop, is := s.(*loopir.For); is && loop.On() == loopir.OnThreads {
		changed := *loop
		changed.Share = nil
		return &changed
	}
	return nil
}
