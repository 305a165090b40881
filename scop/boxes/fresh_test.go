package boxes_test

import (
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/schedule/command"
	"polytune/scop/boxes"
)

// Nothing is loaded where each execution of the code writes all that it reads before, and only
// there.
func TestWrittenFirst(t *testing.T) {
	const zeroed = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { C[i][j] = 0; for (int k = 0; k < n; k++) C[i][j] += A[i][k] * A[k][j]; }"
	const tiles = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j, 0]; S1[i, j, k] -> [i, j, k]\nsplit c0 {S0} {S1}\ntile c0.1 c0.2 c0.3 by 8 8 4\n" +
		"block c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 4 4\n"
	for _, test := range []struct {
		name, region, recipe string
		loads                bool
	}{
		{"a sum from zero", zeroed, tiles + "copy C at c0.2t to private\n", false},
		{"a sum from zero in shared memory", zeroed, tiles + "copy C at c0.2t to shared\n", false},
		{"a sum from zero in the first tile", zeroed, tiles + "copy C at c0.3t to private\n", true},
		{"a sum from what is there", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { C[i][j] = C[i][j] * 2; for (int k = 0; k < n; k++) C[i][j] += A[i][k] * A[k][j]; }",
			tiles + "copy C at c0.2t to private\n", true},
		{"some from zero", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { if (i > 2) C[i][j] = 0; for (int k = 0; k < n; k++) C[i][j] += A[i][k] * A[k][j]; }",
			tiles + "copy C at c0.2t to private\n", true},
		{"a sum that begins with a value", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) C[i][j] = A[i][j]; for (int j = 0; j < n; j++) for (int k = 0; k < 1; k++) C[i][j] += C[i][j] * A[j][i]; }",
			tiles + "copy C at c0.2t to private\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			file, err := frontend.Parse("f.c", []byte("void f(int n, double A[restrict n][n], double C[restrict n][n])\n{\n#pragma scop\n"+test.region+"\n#pragma endscop\n}\n"), frontend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			g := kerneltest.Analyze(t, file.Regions[0].Program)
			recipe, err := command.Parse(g.Model.Program, test.recipe)
			if err != nil {
				t.Fatal(err)
			}
			_, proven, err := recipe.Prove(g)
			if err != nil {
				t.Fatal(err)
			}
			found, err := boxes.In(g.Model, proven.Marks, boxes.Kernels(proven.Tree.Root(), proven.Marks)[0])
			if err != nil || len(found) != 1 {
				t.Fatal(found, err)
			}
			loaded, err := found[0].Loaded(g.Model)
			if err != nil || (loaded != nil) != test.loads {
				t.Errorf("loads %v, want %v (%v)", loaded, test.loads, err)
			}
		})
	}
}
