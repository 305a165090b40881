package device_test

import (
	"strings"
	"testing"

	"polytune/device"
	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/loopir"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// Programs that add up, and what recipes for them begin with.
const (
	dotProgram  = "void f(int n, double a[n], double b[n], double s[3]) {\n#pragma scop\ns[1] = 0;\nfor (int i = 0; i < n; i++) s[1] += a[i] * b[i];\n#pragma endscop\n}\n"
	rowsProgram = "void f(int n, int m, double a[n][m], double s[n]) {\n#pragma scop\nfor (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s[i] += a[i][j];\n#pragma endscop\n}\n"
	bothProgram = "void f(int n, double a[n], double s, double most[1], double b[n]) {\n#pragma scop\nfor (int i = 0; i < n; i++) { s += a[i]; most[0] = a[i] > most[0] ? a[i] : most[0]; b[i] = a[i]; }\n#pragma endscop\n}\n"
	timeProgram = "void f(int n, int m, double a[m][n], double s[m]) {\n#pragma scop\nfor (int t = 0; t < m; t++) for (int i = 0; i < n; i++) s[t] += a[t][i];\nfor (int t = 1; t < m; t++) s[t] = s[t] + s[t - 1];\n#pragma endscop\n}\n"
	// Two sums in one scalar, beside another statement; sums within sums; and sums over loops with
	// steps, over one iteration, and under conditions.
	twoProgram   = "void f(int n, double a[n], double b[n], double s[2]) {\n#pragma scop\nfor (int i = 0; i < n; i++) b[i] = a[i];\nfor (int i = 0; i < n; i++) s[0] += a[i];\nfor (int i = 0; i < n; i++) s[0] -= 2 * a[i];\n#pragma endscop\n}\n"
	innerProgram = "void f(int n, int m, double a[n][m], double s[n], double r[1]) {\n#pragma scop\nfor (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { s[i] += a[i][j]; r[0] += a[i][j]; }\n#pragma endscop\n}\n"
	stepProgram  = "void f(int n, double a[n], double s[1]) {\n#pragma scop\nfor (int i = 0; i < n; i += 3) s[0] += a[i];\n#pragma endscop\n}\n"
	onceProgram  = "void f(double a[3], double s[1]) {\n#pragma scop\nfor (int i = 2; i < 3; i++) s[0] *= a[i];\n#pragma endscop\n}\n"
	someProgram  = "void f(int n, int m, int a[n], int s[1]) {\n#pragma scop\nfor (int i = 0; i < n; i++) if (m > 4 && i < m) s[0] += a[i];\n#pragma endscop\n}\n"

	twoLoops  = "classes {S0 S1 S2}\nsplit c0 {S0} {S1} {S2}\nband c0_0 S0[i] -> [i]\nband c0_1 S1[i] -> [i]\nband c0_2 S2[i] -> [i]\n"
	twoSums   = "reduce c0_1.1 reduction(+:s)\nreduce c0_2.1 reduction(+:s)\n"
	oneLoop   = "classes {S0}\nband c0 S0[i] -> [i]\n"
	innerLoop = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\n"
	innerSums = "thread c0.2 by 3\nreduce c0.1 reduction(+:r)\nreduce c0.2 reduction(+:s)\n"

	dotLoops  = "classes {S0} {S1}\nkernel c0\nband c1 S1[i] -> [i]\n"
	rowsLoops = "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\n"
	bothLoops = "classes {S0 S1 S2}\nband c0 permutable S0[i] -> [i]; S1[i] -> [i]; S2[i] -> [i]\n"
	dotTiles  = dotLoops + "tile c1.1 by 3\n"
	dotShared = "block c1.1t\nthread c1.1 by 2\n"
)

// anyOrder is the graph of a program whose reductions may be done in any order.
func anyOrder(t *testing.T, text string) *depend.Graph {
	t.Helper()
	return kerneltest.Analyze(t, parsed(t, text).Regions[0].Program.Reassociated())
}

func parsed(t *testing.T, text string) *frontend.File {
	t.Helper()
	file, err := frontend.Parse("f.c", []byte(text), frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// What threads add up is what the source does, whatever the order of blocks and threads, in kernels
// of one block, with an element for each block, and of several arrays.
func TestAddUp(t *testing.T) {
	for _, c := range []struct{ program, recipe string }{
		{dotProgram, dotTiles + "reduce c1.1t reduction(+:s)\n" + dotShared},
		{dotProgram, dotLoops + "kernel c1\nthread c1.1 by 3\nreduce c1.1 reduction(+:s)\n"},
		{dotProgram, dotLoops + "kernel c1\nreduce c1.1 reduction(+:s)\n"},
		{dotProgram, dotLoops + "block c1.1\nreduce c1.1 reduction(+:s)\n"},
		{rowsProgram, rowsLoops + "block c0.1\nthread c0.2 by 3\nreduce c0.2 reduction(+:s)\n"},
		{rowsProgram, rowsLoops + "block c0.1 c0.2\nreduce c0.2 reduction(+:s)\n"},
		{rowsProgram, rowsLoops + "tile c0.2 by 2\nsink c0.1\nkernel c0\nthread c0.2 by 2\nreduce c0.2 reduction(+:s)\n"},
		{rowsProgram, rowsLoops + "kernel c0\nthread c0.2 by 3\nreduce c0.2 reduction(+:s)\nbarrier c0.1\n"},
		{bothProgram, bothLoops + "tile c0.1 by 4\nblock c0.1t\nthread c0.1 by 3\nreduce c0.1t reduction(+:s) reduction(max:most)\n"},
		{timeProgram, "classes {S0} {S1}\nband c0 S0[t, i] -> [t]\nband c0 S0[t, i] -> [i]\ntile c0.2 by 2\nblock c0.2t\nthread c0.2 by 2\nreduce c0.2t reduction(+:s)\nband c1 S1[t] -> [t]\nkernel c1\n"},
		{twoProgram, twoLoops + "kernel c0\nthread c0_0.1 by 3\nthread c0_1.1 by 2\n" + twoSums},
		{twoProgram, twoLoops + "block c0_0.1\nkernel c0_1\nblock c0_2.1\nthread c0_1.1 by 3\n" + twoSums},
		{innerProgram, innerLoop + "block c0.1\n" + innerSums},
		{innerProgram, innerLoop + "kernel c0\n" + innerSums},
		{stepProgram, oneLoop + "kernel c0\nthread c0.1 by 4\nreduce c0.1 reduction(+:s)\n"},
		{onceProgram, oneLoop + "kernel c0\nthread c0.1 by 4\nreduce c0.1 reduction(*:s)\n"},
		{someProgram, oneLoop + "tile c0.1 by 3\nblock c0.1t\nthread c0.1 by 2\nreduce c0.1t reduction(+:s)\n"},
	} {
		g := anyOrder(t, c.program)
		program := passes(t, g, madeRecipe(t, g, "reassociate\n"+c.recipe))
		if t.Failed() {
			return
		}
		has := false
		loopir.Walk(program.Code, func(s loopir.Stmt) {
			_, is := s.(*loopir.AddUp)
			has = has || is
		})
		if !has {
			t.Errorf("no thread adds up:\n%s", program)
		}
	}
}

// What is more than updates of one element in any order is refused, and says why.
func TestAddUpRefused(t *testing.T) {
	inOrder, dot, rows, both := graphOf(t, dotProgram), anyOrder(t, dotProgram), anyOrder(t, rowsProgram), anyOrder(t, bothProgram)
	once := anyOrder(t, "void f(double a[1], double s[1]) {\n#pragma scop\nfor (int i = 0; i < 1; i++) s[0] += a[i];\n#pragma endscop\n}\n")
	private := anyOrder(t, "void f(int n, double a[n][n], double b[n]) {\n#pragma scop\nfor (int i = 0; i < n; i++) { double t = 0; for (int j = 0; j < n; j++) t += a[i][j]; b[i] = t; }\n#pragma endscop\n}\n")
	pair := anyOrder(t, "void f(int n, double a[n], double s[2]) {\n#pragma scop\nfor (int i = 0; i < n; i++) { s[0] += a[i]; s[1] += 2 * a[i]; }\n#pragma endscop\n}\n")
	for _, c := range []struct {
		graph         *depend.Graph
		recipe, words string
	}{
		{inOrder, dotLoops + "kernel c1\nreduce c1.1 reduction(+:s)\n", "updates s in order; allow another one with --reassociate"},
		{dot, dotTiles + dotShared, `the loop marked "block 0 c1.1t" carries it`},
		{dot, dotTiles + "reduce c1.1 reduction(+:s)\n" + dotShared, `i >= 0 and i < i' < n and 3*floor((i')/3) > i }; the loop needs reduction(+:s)`},
		{dot, dotTiles + dotShared + "reduce c1.1t reduction(max:s)\n", "no statement is a reduction under reduction(max:s)"},
		{dot, dotLoops + "reduce c1.1 reduction(+:s)\n", "is in no kernel"},
		{dot, "classes {S0 S1}\nband c0 S0[] -> [0]; S1[i] -> [i]\nsplit c0 {S0} {S1}\nkernel c0\nreduce c0.1 reduction(+:s)\n", "S0 does something else with it"},
		{dot, "classes {S0 S1}\nsplit c0 {S0} {S1}\nband c0_1 S1[i] -> [i]\nkernel c0\nthread c0_1.1 by 3\nreduce c0_1.1 reduction(+:s)\nbarrier after c0_0\n", "which S0 uses elsewhere in the kernel"},
		{rows, rowsLoops + "block c0.1 c0.2\nreduce c0.1 reduction(+:s)\n", "the loop updates different elements of s each time it runs"},
		{rows, rowsLoops + "kernel c0\nthread c0.1 by 3\nreduce c0.2 reduction(+:s)\n", "is inside of the loop c0.1, whose iterations threads share"},
		{rows, rowsLoops + "block c0.1\nthread c0.2 by 3\nreduce c0.2 reduction(+:s)\ncopy s at c0.1 to shared\n", "copies s, whose updates may run in any order"},
		{once, "classes {S0}\nband c0 S0[i] -> [i]\nblock c0.1\nreduce c0.1 reduction(+:s)\ncopy s at c0.1 to private\n", "has accumulators for s, of which the mark"},
		{rows, rowsLoops + "tile c0.2 by 2\nblock c0.1\nthread c0.2 by 2\nreduce c0.2t reduction(+:s)\nreduce c0.2 reduction(+:s)\n", "whose threads have accumulators for s already"},
		{private, "classes {S0 S1 S2}\nband c0 S0[i] -> [i]; S1[i, j] -> [i]; S2[i] -> [i]\nsplit c0 {S0} {S1} {S2}\nband c0_1 S1[i, j] -> [j]\nblock c0.1\nreduce c0_1.2 reduction(+:t)\n", "which S0 uses elsewhere in the kernel"},
		{pair, "classes {S0 S1}\nband c0 S0[i] -> [i]; S1[i] -> [i]\nkernel c0\nthread c0.1 by 2\nreduce c0.1 reduction(+:s)\n", "the loop updates different elements of s"},
		{both, bothLoops + "reduce c0.1 reduction(+:s)\nblock c0.1\n", "the loop needs reduction(max:most)"},
	} {
		text := c.recipe
		if c.graph != inOrder {
			text = "reassociate\n" + text
		}
		recipe, err := command.Parse(c.graph.Model.Program, text)
		if err == nil {
			_, _, err = recipe.Prove(c.graph)
		}
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: got %v, want %q", text, err, c.words)
		}
	}
}

// What an iteration has for itself has no element that threads could update.
func TestAddUpPrivate(t *testing.T) {
	file := parsed(t, "void f(int n, double a[n][n], double b[n]) {\n#pragma scop\nfor (int i = 0; i < n; i++) { double t; for (int j = 0; j < n; j++) t += a[i][j]; b[i] = 1; }\n#pragma endscop\n}\n")
	g := kerneltest.Analyze(t, file.Regions[0].Program.Reassociated())
	unit := file.Unit(&file.Regions[0])
	unit.Program = g.Model.Program
	recipe := madeRecipe(t, g, "reassociate\nclasses {S0 S1}\nband c0 S0[i, j] -> [i]; S1[i] -> [i]\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j] -> [j]\nblock c0.1\nthread c0_0.2 by 3\nreduce c0_0.2 reduction(+:t)\n")
	for _, language := range []device.Language{device.CUDA, device.OpenCL} {
		if _, err := device.Program(g, recipe, unit, language); err == nil || !strings.Contains(err.Error(), "threads do not add up t, of which each iteration of a loop has one of its own") {
			t.Errorf("%s: error %v", language.Name, err)
		}
	}
}

// Threads put together what they have added up without atomic operations where each block has an
// element, and functions for these are there for each type and operator once.
func TestAddUpText(t *testing.T) {
	const program = "void f(int n, float a[n], int k[n], float least[1], int all[2], double s[n][1]) {\n#pragma scop\nfor (int i = 0; i < n; i++) least[0] = a[i] < least[0] ? a[i] : least[0];\nfor (int i = 0; i < n; i++) all[1] *= k[i];\n" +
		"for (int i = 0; i < n; i++) all[0] *= k[i];\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[i][0] += a[j];\n#pragma endscop\n}\n"
	const recipe = "classes {S0} {S1} {S2} {S3}\nband c0 S0[i] -> [i]\nband c1 S1[i] -> [i]\nband c2 S2[i] -> [i]\nband c3 permutable S3[i, j] -> [i, j]\nblock c0.1\nreduce c0.1 reduction(min:least)\n" +
		"block c1.1\nreduce c1.1 reduction(*:all)\nblock c2.1\nreduce c2.1 reduction(*:all)\nblock c3.1\nthread c3.2 by 24\nreduce c3.2 reduction(+:s)\n"
	file := parsed(t, program)
	g := kerneltest.Analyze(t, file.Regions[0].Program.Reassociated())
	unit := file.Unit(&file.Regions[0])
	for _, c := range []struct {
		language device.Language
		want     []string
	}{
		{device.CUDA, []string{
			"__device__ void tune_min_float(float *element, float value) {", "__device__ void tune_multiply_int(int *element, int value) {",
			"float tune_own_least = INFINITY;", "tune_min_float(&least[0], tune_own_least);", "tune_multiply_int(&all[1], tune_own_all);", "__shared__ double tune_all0[24];",
			"for (int tune_k = 16; tune_k > 0; tune_k /= 2) {", "s[c0] = s[c0] + tune_all0[0];",
		}},
		{device.OpenCL, []string{"\nvoid tune_min_float(__global float *element, float value) {", "__local double tune_all0[24];"}},
	} {
		code, err := device.Program(g, madeRecipe(t, g, "reassociate\n"+recipe), unit, c.language)
		if err != nil {
			t.Fatal(err)
		}
		text := string(code.Device)
		for _, want := range c.want {
			if strings.Count(text, want) != 1 {
				t.Errorf("%s has %q %d times:\n%s", c.language.Name, want, strings.Count(text, want), text)
			}
		}
		if last := code.Report.Kernels[3]; last.Barriers != 1 || last.Shared != 24*8 || len(last.Reductions) != 1 || last.Reductions[0] != "reduction(+:s)" {
			t.Errorf("%+v", last)
		}
	}
}

// Elements for which devices have no atomic operations are refused, and say what to write.
func TestAddUpSmall(t *testing.T) {
	file := parsed(t, "void f(int n, short a[n], short s[1]) {\n#pragma scop\nfor (int i = 0; i < n; i++) s[0] += a[i];\n#pragma endscop\n}\n")
	g := kerneltest.Analyze(t, file.Regions[0].Program.Reassociated())
	recipe := madeRecipe(t, g, "reassociate\nclasses {S0}\nband c0 S0[i] -> [i]\nblock c0.1\nreduce c0.1 reduction(+:s)\n")
	if _, err := device.Program(g, recipe, file.Unit(&file.Regions[0]), device.CUDA); err == nil || !strings.Contains(err.Error(), "no atomic operations for the 2 bytes") {
		t.Errorf("got %v", err)
	}
}
