package codegen

import (
	"strings"
	"testing"
)

// Clang is told of no vectors for loops with functions that it has none for, and warns of none.
func TestSerialLoops(t *testing.T) {
	const vector = "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\nvectorize c0.2\n"
	for _, c := range []struct{ about, body, recipe, want, lacks string }{
		{"fabs", "b[i][j] = __builtin_fabs(a[i][j]);", vector, "#pragma omp simd\n", "tune_serial"},
		{"sqrt", "b[i][j] = __builtin_sqrt(a[i][j]);", vector, "#pragma omp simd tune_serial_errno\n", ""},
		{"atan", "b[i][j] = __builtin_atan(a[i][j]);", vector, "#pragma omp simd tune_serial\n", "__NO_MATH_ERRNO__"},
		{"both", "b[i][j] = __builtin_atan(__builtin_sqrt(a[i][j]));", vector, "#pragma omp simd tune_serial\n", "__NO_MATH_ERRNO__"},
		{"asked for lanes", "b[i][j] = __builtin_sqrt(a[i][j]);", vector + "simdlen c0.2 8\n", "#pragma omp simd simdlen(8) tune_serial_errno\n", ""},
		{"left to gcc", "b[i][j] = __builtin_sqrt(a[i][j]);", vector + "ivdep c0.2\n", `_Pragma("omp simd tune_serial_errno")`, ""},
		{"several threads", "b[i][j] = __builtin_sqrt(a[i][j]);", vector + "parallel c0.2\nthreads c0.2 from 4 of m\n", "#pragma omp parallel for simd tune_serial_errno\n", ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			code := transposing{about: c.about, element: "double", loop: forwards, body: c.body, recipe: c.recipe}
			text := code.code(t)
			if !strings.Contains(text, c.want) || c.lacks != "" && strings.Contains(text, c.lacks) {
				t.Errorf("no %q, or %q, in\n%s", c.want, c.lacks, text)
			}
		})
	}
}
