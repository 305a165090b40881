package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop/depend"
	"polytune/space"
)

// Where only some statements of a kernel have a sequential loop, sums are in registers, and what
// they are of in shared memory: without the statements at the end that use the sums' elements
// otherwise, which have a kernel of their own.
func TestCopiesInParts(t *testing.T) {
	for _, test := range []struct {
		kernel  string
		classes []int
		want    string
	}{
		{"correlation", []int{0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3},
			"copy corr of corr[i][j] at c3.2t to private\ncopy data of data[k][i] at c3_2.3t to shared\ncopy data of data[k][j] at c3_2.3t to shared\ncopy mean at c0.1t to private\ncopy mean at c1_0.1t to private\ncopy mean at c2.2t to shared\ncopy stddev at c1_0.1t to private\ncopy stddev at c2.2t to shared"},
		{"covariance", []int{0, 0, 0, 1, 2, 2, 2, 2},
			"copy cov at c2_0.2t to private\ncopy data of data[k][i] at c2_0_1.3t to shared\ncopy data of data[k][j] at c2_0_1.3t to shared\ncopy mean at c0.1t to private\ncopy mean at c1.2t to shared"},
		{"gemver", []int{0, 1, 1, 2}, "copy A at c2.2t to shared\ncopy u1 at c0.2t to shared\ncopy u2 at c0.2t to shared\ncopy v1 at c0.2t to shared\ncopy v2 at c0.2t to shared\ncopy w at c2.1t to private\ncopy x at c1.1t to private\ncopy x at c2.2t to shared\ncopy y at c1_0.2t to shared"},
	} {
		if got := copiesFor(t, kerneltest.Graph(t, "polybench/"+test.kernel), test.classes...); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.kernel, got, test.want)
		}
	}
}

// copiesFor are the copies of the models' recipe for some classes of statements, one of all where
// there are none, one a line.
func copiesFor(t *testing.T, g *depend.Graph, classes ...int) string {
	t.Helper()
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

// Statements at the end that others need in the next step have no kernel behind all steps.
func TestNeededInTheWay(t *testing.T) {
	file, err := kerneltest.Parse("edge.c", `void f(int T, int n, double p[n][n], double q[n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 2; i++)
      for (int j = 1; j < n - 2; j++)
        p[i][j] -= p[i][j] + q[i + 1][j];
    for (int i = 1; i < n - 2; i++)
      for (int j = 1; j < n - 2; j++)
        q[i][j] += p[i][j];
    for (int i = 0; i < n; i++)
      q[i][1] = 1;
  }
#pragma endscop
}
`, "")
	if err != nil {
		t.Fatal(err)
	}
	copiesFor(t, kerneltest.Analyze(t, file.Regions[0].Program))
}

// References that touch other elements than those beside them are in boxes of their own, and what
// only one thread reads is in its registers.
func TestGroups(t *testing.T) {
	for kernel, want := range map[string]string{
		"polybench/syrk":  "copy A of A[i][k] at c0.3t to shared\ncopy A of A[j][k] at c0.3t to shared\ncopy C at c0.2t to private",
		"polybench/syr2k": "copy A of A[i][k] at c0.3t to shared\ncopy A of A[j][k] at c0.3t to shared\ncopy B of B[i][k] at c0.3t to shared\ncopy B of B[j][k] at c0.3t to shared\ncopy C at c0.2t to private",
		"polybench/gemm":  "copy A at c0.3t to shared\ncopy B at c0.3t to shared\ncopy C at c0.2t to private",
		"polybench/mvt":   "copy A of A[i][j] at c0.2t to shared\ncopy x1 at c0.1t to private\ncopy x2 at c0.1t to private\ncopy y_1 at c0.2t to shared\ncopy y_2 at c0.2t to shared",
	} {
		if got := copiesFor(t, kerneltest.Graph(t, kernel)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", kernel, got, want)
		}
	}
}

// What each thread reads of a vector for itself, again and again, is in its registers and not in
// shared memory.
func TestOwnVector(t *testing.T) {
	g := graphOf(t, "f", []byte("void f(int n, double y[n], const double x[n], const double z[n], double a[n][n]) {\n#pragma scop\n"+
		"for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\ny[i] += x[i] * z[j] * a[i][j];\n#pragma endscop\n}\n"))
	const want = "copy a at c0.2t to shared\ncopy x at c0.1t to private\ncopy y at c0.1t to private\ncopy z at c0.2t to shared"
	if got := copiesFor(t, g); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

// Where threads run no loop by themselves, a block has together what its threads read again: the
// row and the column of a step of a factorization, and not the neighbours in a stencil, nor one
// element for all.
func TestCopiesOfBlocks(t *testing.T) {
	for kernel, want := range map[string]string{
		"polybench/lu":        "copy A of A[i][k] at c0_1.3t to shared\ncopy A of A[k][j] at c0_1.3t to shared",
		"polybench/cholesky":  "copy A of A[i][k] at c0_2.3t to shared\ncopy A of A[j][k] at c0_2.3t to shared",
		"polybench/jacobi-2d": "",
		"polybench/fdtd-2d":   "",
	} {
		if got := copiesFor(t, kerneltest.Graph(t, kernel)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", kernel, got, want)
		}
	}
	g := kerneltest.Graph(t, "polybench/lu")
	recipe, _, err := OnDevice(g, space.Nest{{0, 0, 0}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(recipe.Text(g.Model.Program), "\n") {
		if strings.HasPrefix(line, "barrier ") {
			t.Errorf("a block that loads once waits again: %s", line)
		}
	}
}
