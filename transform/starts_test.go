package transform

import (
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/schedule"
	"polytune/schedule/command"
)

// TestPartsAside are partitions of kernels with the commands that bring statements of fewer loops
// in front of the blocks of others.
func TestPartsAside(t *testing.T) {
	options := fixed
	options.Vector, options.SecondCacheBytes = VectorUnit{256, 16}, 512<<10
	for _, test := range []struct {
		kernel, partition string
		expanded          bool
		want              string
	}{
		{"polybench/gemm", "0-0", false, "distribute c0.3 c0.1 c0.2"},
		{"polybench/2mm", "0-0-1-1", false, "distribute c0.3 c0.1 c0.2; distribute c1.3 c1.1 c1.2"},
		{"polybench/symm", "smart", true, "distribute c0_0.4 c0_0.2 c0_0.3"},
		{"polybench/doitgen", "smart", true, "distribute c0_0.4 c0_0.2 c0_0.3"},
		// Arrays that a cache may have gain nothing by it, and the divisions of lu go between its
		// updates.
		{"polybench/gemm", "smart", false, ""},
		{"polybench/lu", "smart", false, ""},
	} {
		kernel, err := benchmarks.Find(test.kernel)
		if err != nil {
			t.Fatal(err)
		}
		g := graphOf(t, kernel.Name, kernel.Source)
		if test.expanded {
			g = expandedGraph(t, kernel.Name, kernel.Source)
		}
		recipe, _ := provenRecipe(t, g, chosen(t, g, test.partition), options)
		var got []string
		for _, c := range recipe {
			if d, ok := c.(command.Distribute); ok {
				got = append(got, schedule.Text(d, g.Model.Program))
			}
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s %s: %q, want %q", test.kernel, test.partition, got, test.want)
		}
	}
}

// Statements that share a private variable stay together inside the blocks of their loops.
func TestNothingAsideOfPrivates(t *testing.T) {
	const source = `void f(int N, double a[N][N], double b[N][N], double c[N][N])
{
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0.0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
#pragma endscop
}
`
	options := fixed
	options.Vector = VectorUnit{256, 16}
	g := graphOf(t, "f", []byte(source))
	if text := recipeOf(t, g, chosen(t, g, "max"), options); strings.Contains(text, "distribute") {
		t.Error(text)
	}
}

// TestStarts are bodies of loops over i and j with whether the first of their two statements starts
// the other.
func TestStarts(t *testing.T) {
	const sum = " for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];"
	for body, want := range map[string]bool{
		"c[i][j] = 0;" + sum:                 true,
		"c[i][j] = 2.0 * x;" + sum:           true,
		"c[i][j] *= x;" + sum:                false,
		"c[i][j] = a[i][j];" + sum:           false,
		"c[j][i] = 0;" + sum:                 false, // it takes back sums
		"b[i][j] = 0;" + sum:                 false,
		"c[i][0] = 0;" + sum:                 false,
		sum + " c[i][j] = 0;":                false,
		"c[i][j] = 0; c[i][j] += a[i][j];":   false,
		"if (i > 0) c[i][j] = 0;" + sum:      true,
		"c[i][j] = x > 0 ? 1.0 : 2.0;" + sum: false,
	} {
		source := "void f(int N, double x, double a[N][N], double b[N][N], double c[N][N])\n{\n#pragma scop\n" +
			"for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {" + body + "}\n#pragma endscop\n}\n"
		g := graphOf(t, "f", []byte(source))
		if got := starts(g, []int{0}, []int{1}); got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
}
