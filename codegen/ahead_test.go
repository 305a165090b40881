package codegen_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/schedule/command"
)

// readAhead is a request for elements of a buffer.
var readAhead = regexp.MustCompile(`__builtin_prefetch\(\(const void \*\) \(\(__UINTPTR_TYPE__\) &(tune_packed\d)\[[^\]]*\] \+ (\d+)\)\);`)

// TestStreamAhead are register blocks of gemm with what their streams ask for: the bytes behind the
// first element of each buffer that the present iteration reads.
func TestStreamAhead(t *testing.T) {
	const packed = `classes {S0} {S1}
band c0 permutable S0[i, j] -> [i, j]
band c1 permutable S1[i, k, j] -> [i, j, k]
tile c1.1 c1.2 c1.3 by 48 96 64
sink c1.1t
registers c1.1 c1.2 by %s
sink c1.1r
pack S1 A[i][k] at c1.1t
pack S1 B[k][j] at c1.3t
`
	b, err := benchmarks.Find("polybench/gemm")
	if err != nil {
		t.Fatal(err)
	}
	gemm := builtinOf(t, b)
	for block, want := range map[string]string{
		"8 24 ahead lanes 8": "tune_packed0: 512; tune_packed1: 1536 1600 1664",
		"6 8 ahead lanes 4":  "tune_packed0: 384; tune_packed1: 512",
		"8 24 lanes 8":       "",
		// Four operations load four vectors and elements: there is room for nothing more.
		"2 16 ahead lanes 8": "",
	} {
		recipe, err := command.Parse(gemm.graph.Model.Program, fmt.Sprintf(packed, block))
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string][]string{}
		for _, match := range readAhead.FindAllStringSubmatch(gemm.code(t, recipe), -1) {
			if !slices.Contains(asked[match[1]], match[2]) {
				asked[match[1]] = append(asked[match[1]], match[2])
			}
		}
		var got []string
		for _, buffer := range slices.Sorted(maps.Keys(asked)) {
			got = append(got, buffer+": "+strings.Join(asked[buffer], " "))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: asks for %q, want %q", block, strings.Join(got, "; "), want)
		}
	}
}

// A block asks for the rows that the next one keeps where they are: an array with one subscript has
// no rows of which C knows the size, and an element in one of several vectors that share an array
// begins behind that.
func TestAheadOfLinearArrays(t *testing.T) {
	const function = `void f(int n, double *restrict a, double *restrict b, double *restrict c, double v[3 * n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            BODY
#pragma endscop
}
`
	for _, test := range []struct{ about, body, recipe, want string }{
		{"a product of matrices", "for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];",
			"band c0 permutable S0[i, j, k] -> [i, j, k]\nregisters c0.1 c0.2 by 4 8 ahead lanes 4\n", "&c_rows[4 * c0][8 * c1] + 8 * (long) sizeof(c[0])"},
		{"the same, columns outside", "for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];",
			"band c0 permutable S0[i, j, k] -> [i, j, k]\nregisters c0.1 c0.2 by 4 8 ahead lanes 4\nsink c0.1r\n", "&c_rows[4 * c1][8 * c0] + 4 * (long) sizeof(c[0]) * (n)"},
		{"a part of a vector", "v[2 * n + i] += a[i * n + j] * v[j];",
			"band c0 permutable S0[i, j] -> [i, j]\nregisters c0.1 by 8 ahead lanes 4\n", "&v_rows[2][8 * c0] + 8 * (long) sizeof(v[0])"},
	} {
		b := benchmarks.Benchmark{File: "f.c", Source: []byte(strings.Replace(function, "BODY", test.body, 1))}
		built := builtinOf(t, b)
		recipe, err := command.Parse(built.graph.Model.Program, "classes {S0}\n"+test.recipe)
		if err != nil {
			t.Fatal(test.about, err)
		}
		if code := built.code(t, recipe); !strings.Contains(code, test.want+"), 1);") {
			t.Errorf("%s: no %q in\n%s", test.about, test.want, code)
		}
	}
}
