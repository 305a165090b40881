package device_test

import (
	"fmt"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/device"
	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/scop/depend"
)

// Programs whose recipes are near the border of what is right.
const (
	matrix  = "double A[8][8], double B[8][8] | for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) A[i][j] = B[j][i] + A[i][j];"
	updates = "int n, double x[n], double a[n], double b[n] | for (int i = 0; i < n; i++) x[i] += a[i]; for (int i = 0; i < n; i++) x[n - 1 - i] += b[i];"
	mirror  = "double A[8], double B[8], double C[8] | for (int i = 0; i < 8; i++) B[i] = A[i] + A[7 - i]; for (int i = 0; i < 8; i++) A[i] = C[i];"
	lone    = "double A[60], double B[60], double C[60] | for (int i = 0; i < 8; i++) C[i] = C[i] + 1; for (int k = 20; k < 21; k++) A[k] = A[k] * 2 + B[k];"
	some    = "int n, int m, double C[n + 2][n + 2] | for (int i = 2; i < m; i++) for (int j = i + 1; j < n; j++) C[i][j] -= 2 * i < m + j ? 1 : C[i - 1][i + 1];"
	same    = "double A[60], double B[60] | for (int t = 0; t < 12; t++) for (int i = 0; i < 30; i++) A[i] = A[i] + B[i];"
	evens   = "int n, int T, double A[2 * n], double B[2 * n], double C[n] | for (int t = 0; t < T; t++) { for (int i = 0; i < n; i++) A[2 * i] = A[2 * i] + C[i]; for (int k = 0; k < 2 * n; k++) B[k] = A[k] + B[k]; }"
)

// Recipes for them, in front of what decides.
const (
	squares   = "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 2 2\nblock c0.1t c0.2t\n"
	reversed  = "reassociate\nclasses {S0 S1}\nsplit c0 {S1} {S0}\nband c0_0 S1[i] -> [i]\nband c0_1 S0[i] -> [i]\nkernel c0\nthread c0_0.1 by 2\nthread c0_1.1 by 2\n"
	reading   = "classes {S0 S1}\nsplit c0 {S0} {S1}\nband c0_0 S0[i] -> [0]\nband c0_0 S0[i] -> [i]\nband c0_1 S1[i] -> [i]\nkernel c0\nthread c0_0.2 by 2\nthread c0_1.1 by 2\n"
	writing   = "classes {S0 S1}\nsplit c0 {S0} {S1}\nband c0_0 S0[i] -> [i]\nband c0_1 S1[i] -> [0]\nband c0_1 S1[i] -> [i]\nkernel c0\nthread c0_0.1 by 2\nthread c0_1.2 by 2\n"
	hexagons  = "classes {S0}\nband c0 S0[t, i] -> [t, i]\nhexagon c0.1 c0.2 by 2 4 slopes 1 1\nkernel c0.1h\nthread c0p0.2 by 2\n"
	twoCounts = "classes {S0 S1}\nband c0 S0[t, i] -> [t]; S1[t, k] -> [t]\nsplit c0 {S0} {S1}\nband c0_0 S0[t, i] -> [%s]\nband c0_1 S1[t, k] -> [%s]\nresident c0.1\nblock c0_0.2\nblock c0_1.2\nbarrier grid c0.1\n"
)

// What is wrong in a little is refused, in the proof or where its loops are made, and what is right
// beside it leaves what the source does.
func TestBorders(t *testing.T) {
	for _, test := range []struct{ name, program, recipe, refused string }{
		{"blocks that all store a box", matrix, squares + "copy A at c0.1t to shared\n", "all of whose blocks would store the box; copy A at c0.2t"},
		{"blocks that all store a box in registers", matrix, squares + "copy A at c0.1t to private\n", "all of whose blocks would store the box"},
		{"blocks that all load a box", matrix, squares + "copy B at c0.1t to shared\n", ""},
		{"blocks that all wait for a box", matrix, squares + "thread c0.2 by 2\ncopy B at c0.1t to shared\n", ""},
		{"one block alone has a box", lone, "classes {S0 S1}\nband c0 S0[i] -> [i]; S1[k] -> [k]\nblock c0.1\ncopy A at c0.1 to shared\n", ""},
		{"one block alone has registers", lone, "classes {S0 S1}\nband c0 S0[i] -> [i]; S1[k] -> [k]\nblock c0.1\ncopy A at c0.1 to private\n", ""},
		{"phases with as many threads", same, hexagons + "thread c0p1.2 by 2\n", ""},
		{"phases with other numbers of threads", same, hexagons + "thread c0p1.2 by 3\n", "no barrier between them"},
		{"phases with other numbers of threads that wait", same, hexagons + "thread c0p1.2 by 3\nbarrier after c0p0\nbarrier c0.1h\n", ""},
		{"a phase of one thread", same, hexagons, "no barrier between them"},
		{"what some instances read", some, "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\nhexagon c0.1 c0.2 by 1 1 slopes 1 1\nblock c0p0.2h\nblock c0p1.1\n", ""},
		{"a box of each block", matrix, squares + "copy A at c0.2t to shared\n", ""},
		{"updates the other way round, and a barrier behind both", updates, reversed + "barrier after c0_1\n", "no barrier between them"},
		{"updates the other way round, and a barrier between them", updates, reversed + "barrier after c0_0\n", ""},
		{"a box of one of two references", mirror, reading + "copy A of A[i] at c0_0.1 to shared\n", "references 0 and 2"},
		{"a box of the other one", mirror, reading + "copy A of A[-i+7] at c0_0.1 to shared\n", ""},
		{"a box of both", mirror, reading + "copy A at c0_0.1 to shared\n", ""},
		{"what is stored behind a box", mirror, writing + "copy A at c0_1.1 to shared\n", ""},
		{"what is stored early while others read it", mirror, writing + "copy A at c0_1.1 to shared early\n", "no barrier between them"},
		{"what is stored early behind a barrier", mirror, writing + "barrier after c0_0\ncopy A at c0_1.1 to shared early\n", ""},
		{"blocks two apart, by their values", evens, fmt.Sprintf(twoCounts, "2i", "k"), ""},
		{"odd blocks, by their values", evens, fmt.Sprintf(twoCounts, "2i + 1", "k + 1"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			arguments, region, _ := strings.Cut(test.program, "|")
			file, err := frontend.Parse("f.c", []byte("void f("+arguments+") {\n#pragma scop\n"+region+"\n#pragma endscop\n}\n"), frontend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			program := file.Regions[0].Program
			if strings.HasPrefix(test.recipe, "reassociate") {
				program = program.Reassociated()
			}
			g := kerneltest.Analyze(t, program)
			if test.refused == "" {
				passes(t, g, madeRecipe(t, g, test.recipe))
				return
			}
			if err := refusal(t, g, test.recipe); err == nil || !strings.Contains(err.Error(), test.refused) {
				t.Errorf("got %v, want %q", err, test.refused)
			}
		})
	}
}

// refusal is why a recipe has no kernels.
func refusal(t *testing.T, g *depend.Graph, text string) error {
	t.Helper()
	tree, proven, err := madeRecipe(t, g, text).Prove(g)
	if err != nil {
		return err
	}
	_, err = codegen.Lower(g.Model, proven, codegen.Options{Tree: tree, Original: "original", Passes: device.Passes}, nil)
	return err
}
