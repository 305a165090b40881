package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/space"
)

// copiesFor are the copies of the models' recipe for one class of all statements of a kernel, or for such classes, one a line.
func copiesFor(t *testing.T, kernel string, classes ...int) string {
	t.Helper()
	g := kerneltest.Graph(t, kernel)
	if len(classes) == 0 {
		classes = make([]int, len(g.Model.Statements))
	}
	recipe, _, err := OnDevice(g, space.Nest{classes}, Options{})
	if err == nil {
		_, _, err = recipe.Prove(g)
	}
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range strings.Split(recipe.Text(g.Model.Program), "\n") {
		if strings.HasPrefix(line, "copy ") {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// References that touch other elements than those beside them are in boxes of their own, and what only one thread reads is in its registers.
func TestGroups(t *testing.T) {
	for kernel, want := range map[string]string{
		"polybench/syrk":  "copy A of A[i][k] at c0.3t to shared\ncopy A of A[j][k] at c0.3t to shared\ncopy C at c0.2t to private",
		"polybench/syr2k": "copy A of A[i][k] at c0.3t to shared\ncopy A of A[j][k] at c0.3t to shared\ncopy B of B[i][k] at c0.3t to shared\ncopy B of B[j][k] at c0.3t to shared\ncopy C at c0.2t to private",
		"polybench/gemm":  "copy A at c0.3t to shared\ncopy B at c0.3t to shared\ncopy C at c0.2t to private",
		"polybench/mvt":   "copy A of A[i][j] at c0.2t to shared\ncopy x1 at c0.1t to private\ncopy x2 at c0.1t to private\ncopy y_1 at c0.2t to shared\ncopy y_2 at c0.2t to shared",
	} {
		if got := copiesFor(t, kernel); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", kernel, got, want)
		}
	}
}
