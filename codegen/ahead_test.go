package codegen_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/schedule"
)

// readAhead is a request for elements of a buffer.
var readAhead = regexp.MustCompile(`__builtin_prefetch\(\(const void \*\) \(\(__UINTPTR_TYPE__\) &(tune_packed\d)\[[^\]]*\] \+ (\d+)\)\);`)

// TestStreamAhead are register blocks of gemm with what their streams ask for: the bytes behind the first element of each buffer that
// the present iteration reads.
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
		recipe, err := schedule.Parse(gemm.graph.Model.Program, fmt.Sprintf(packed, block))
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
