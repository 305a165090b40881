package transform

import (
	"strings"
	"testing"

	"polytune/space/variant"
)

// Nests store past the caches where they write long rows of more data than the last cache keeps,
// which nothing has read and nothing reads; and wherever it can be where somebody wants it.
func TestStores(t *testing.T) {
	const large, stream = 10000, "stream c0.2 lanes 4"
	for _, test := range []struct {
		about, body, stores string
		n                   int
		want                string
	}{
		{"a copy", "A[i][j] = B[i][j];", "model", large, stream},
		{"a copy that stays in the caches", "A[i][j] = B[i][j];", "model", 1000, ""},
		{"a copy that is wanted so", "A[i][j] = B[i][j];", "stream", 1000, stream},
		{"a copy that is not wanted so", "A[i][j] = B[i][j];", "plain", large, ""},
		{"a copy in a run that nobody knows", "A[i][j] = B[i][j];", "model", 0, ""},
		{"zeros", "A[i][j] = 0;", "model", large, stream},
		{"a mean of two", "A[i][j] = 0.5 * (B[i][j] + C[i][j]);", "model", large, stream},
		{"three operands", "A[i][j] = B[i][j] + C[i][j] + C[i][j + 1];", "model", large, ""},
		{"three operands where it is wanted", "A[i][j] = B[i][j] + C[i][j] + C[i][j + 1];", "stream", large, stream},
		{"in place", "A[i][j] = 2 * A[i][j];", "stream", large, ""},
		{"an update", "A[i][j] += B[i][j];", "stream", large, ""},
		{"a call", "A[i][j] = sqrt(B[i][j]);", "stream", large, ""},
		{"short rows", "if (j < 64) A[i][j] = B[i][j];", "model", large * large, ""},
		{"what is read behind it", "A[i][j] = B[i][j]; }\nfor (i = 1; i < N; i++) for (j = 0; j < N; j++) { C[i][j] += A[i - 1][j];", "model", large, ""},
	} {
		source := "double sqrt(double);\nvoid f(int N, double A[N][N], double B[N][N], double C[N][N + 1])\n{\nint i, j;\n#pragma scop\n" +
			"for (i = 0; i < N; i++) for (j = 0; j < N; j++) { " + test.body + " }\n#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		options := fixed
		options.Vector = VectorUnit{256, 16}
		options.SecondCacheBytes, options.ThirdCacheBytes = 512<<10, 32<<20
		if test.n > 0 {
			options.Run = Run{Parameters: map[string]int{"N": test.n}, Threads: 1}
		}
		options = OptionsOf(variant.Setting{storesAxis: variant.Word(test.stores)}, options)
		text := recipeOf(t, g, chosen(t, g, "none"), options)
		if !strings.Contains(text, test.want) || test.want == "" && strings.Contains(text, "stream") {
			t.Errorf("%s: want %q in\n%s", test.about, test.want, text)
		}
	}
}
