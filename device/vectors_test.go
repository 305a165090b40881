package device_test

import (
	"fmt"
	"strings"
	"testing"

	"polytune/device"
	"polytune/internal/kerneltest"
	"polytune/loopir"
	"polytune/scop/depend"
)

// besides is a program whose elements of a type have neighbours along rows of some length.
func besides(kind, length string) string {
	return fmt.Sprintf("void f(int n, %[1]s a[n][%[2]s], %[1]s b[n][%[2]s]) {\n#pragma scop\nfor (int i = 1; i < n; i++) for (int j = 1; j < n - 1; j++) b[i][j] = a[i][j - 1] + a[i][j + 1] + a[i - 1][j];\n#pragma endscop\n}\n", kind, length)
}

const besideRecipe = "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 3 %d\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 2 3\ncopy a at c0.2t to shared\n"

// vectorsIn are how the box of a recipe's first copy is loaded, nil for element by element.
func vectorsIn(t *testing.T, g *depend.Graph, recipe string) (v *loopir.Vectors) {
	t.Helper()
	loopir.Walk(passes(t, g, madeRecipe(t, g, recipe)).Code, func(s loopir.Stmt) {
		if transfer, is := s.(*loopir.Transfer); is && !transfer.Store && v == nil {
			v = transfer.Vectors
		}
	})
	return v
}

// Vectors begin at multiples of their size: where a box does not, its first elements are those of a
// vector that is not loaded as a whole, and where nobody knows where it begins, a condition says.
func TestVectors(t *testing.T) {
	for _, test := range []struct {
		kind, length string
		tile         int
		want         string
	}{
		{"float", "n", 8, "4 elements, 4 vectors, 3 before, if n mod 4 = 0"},
		{"float", "n", 6, "4 elements, 2 vectors, 0 before, if n mod 4 = 0 and (6 * c1 - 1) mod 4 = 0"},
		{"double", "n", 8, "2 elements, 6 vectors, 1 before, if n mod 2 = 0"},
		{"double", "40", 8, "2 elements, 6 vectors, 1 before"},
		{"long", "n + 1", 8, "2 elements, 6 vectors, 1 before, with rows"},
		{"double", "41", 8, "none"},
		{"short", "n", 8, "none"},
		{"double", "n", 1, "none"},
	} {
		v := vectorsIn(t, graphOf(t, besides(test.kind, test.length)), fmt.Sprintf(besideRecipe, test.tile))
		got := "none"
		if v != nil {
			got = fmt.Sprintf("%d elements, %d vectors, %d before", v.Length, v.Count, v.Before)
			if v.Fits != nil {
				got += ", if " + v.Fits.String()
			}
			if v.Rows {
				got += ", with rows"
			}
		}
		if got != test.want {
			t.Errorf("%s in rows of %s, tiles of %d: %s; want %s", test.kind, test.length, test.tile, got, test.want)
		}
	}
}

// Elements of vectors are loaded one by one only where a vector may be no whole one.
func TestVectorsAreWhole(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/gemm")
	v := vectorsIn(t, g, product+"tile c0.1 c0.2 c0.3 by 4 4 4\nblock c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 2 2\ncopy A at c0.3t to shared\nbarrier c0.3t\n")
	if v == nil || v.If == nil || !v.If.IsInt(0) {
		t.Errorf("vectors of whole rows have others: %+v", v)
	}
	if v = vectorsIn(t, graphOf(t, besides("double", "n")), fmt.Sprintf(besideRecipe, 8)); v == nil || v.If != nil && v.If.IsInt(0) {
		t.Errorf("vectors of boxes that begin elsewhere have none: %+v", v)
	}
}

// Vectors that begin elsewhere, that are too few, that are taken to be whole, or whose single
// elements are left out, leave something else, or are none.
func TestBrokenVectors(t *testing.T) {
	g := graphOf(t, besides("double", "40"))
	for name, change := range map[string]func(*loopir.Vectors){
		"early": func(v *loopir.Vectors) { v.Before++ },
		"few":   func(v *loopir.Vectors) { v.Count-- },
		"whole": func(v *loopir.Vectors) { v.Whole = nil },
		"none":  func(v *loopir.Vectors) { v.If = loopir.Int(0) },
	} {
		program := passes(t, g, madeRecipe(t, g, fmt.Sprintf(besideRecipe, 4)))
		loopir.Walk(program.Code, func(s loopir.Stmt) {
			if transfer, is := s.(*loopir.Transfer); is && transfer.Vectors != nil {
				change(transfer.Vectors)
			}
		})
		machine, wanted := source(t, g)
		if difference(machine, wanted, program.Code) == "" {
			t.Errorf("%s vectors leave the same:\n%s", name, program)
		}
	}
}

// Both languages have vectors, with the condition that they need, and the report says so.
func TestVectorText(t *testing.T) {
	file := parsed(t, besides("double", "n + 1"))
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	for language, load := range map[*device.Language]string{&device.CUDA: "*(const double2 *) &a[", &device.OpenCL: "*(__global const double2 *) &a["} {
		code, err := device.Program(g, madeRecipe(t, g, fmt.Sprintf(besideRecipe, 8)), file.Unit(&file.Regions[0]), *language)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(code.Device); !strings.Contains(text, "if (tune_extent0 % 2 == 0) {") || !strings.Contains(text, load) {
			t.Errorf("%s has no vectors:\n%s", language.Name, text)
		}
		if loads := code.Report.Kernels[0].VectorLoads; len(loads) != 1 || loads[0] != (device.VectorReport{Array: "a", Bytes: 16, If: "tune_extent0 % 2 == 0"}) {
			t.Errorf("%s: the report has %+v", language.Name, loads)
		}
	}
}

// The places of elements that only copies have are measured, too: arrays may have more elements
// than numbers of 32 bits count.
func TestCopiesAreMeasured(t *testing.T) {
	source := string(codeOf(t, kerneltest.File(t, "polybench/gemm"), device.CUDA).Source)
	for _, place := range []string{"tune_size_tune_i0 * tune_size_NK", "tune_size_tune_i0 * tune_size_NJ"} {
		if !strings.Contains(source, place) {
			t.Errorf("the host does not compute %s", place)
		}
	}
}
