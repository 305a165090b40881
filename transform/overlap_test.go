package transform

import (
	"strings"
	"testing"

	"polytune/space/variant"
)

// Each statement of a stencil has blocks of rows for itself, in vectors that overlap: as many rows
// at once as there are registers for pointers, where none of them depends on another, and
// statements that are no sums of other elements stay as they are.
func TestOverlap(t *testing.T) {
	const five = "for (i = 1; i < N - 1; i++) for (j = 1; j < N - 1; j++) B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j]);\n"
	const back = "for (i = 1; i < N - 1; i++) for (j = 1; j < N - 1; j++) A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i - 1][j] + B[i + 1][j]);\n"
	const update = "for (i = 1; i < N - 1; i++) for (j = 1; j < N - 1; j++) A[i][j] = A[i][j] + B[i][j] - B[i - 1][j];\n"
	const nine = "for (i = 1; i < N - 1; i++) for (j = 1; j < N - 1; j++) A[i][j] = B[i][j] + B[i - 1][j] + D[2 * i][j] + D[2 * i + 1][j] + D[3 * i][j];\n"
	for _, test := range []struct {
		about, body, rows string
		bits, size        int
		wants, lacks      []string
	}{
		{"two statements", five + back, "model", 256, 1000, []string{"distribute c0.2 c0.3", "overlap c0_0.3 by 4 lanes 4", "overlap c0_1.3 by 4 lanes 4"}, nil},
		{"longer vectors", five + back, "model", 512, 1000, []string{"overlap c0_0.3 by 4 lanes 8"}, nil},
		{"no vectors", five + back, "model", 0, 1000, []string{"distribute c0.2 c0.3"}, []string{"overlap"}},
		{"nobody wants it", five + back, "off", 256, 1000, []string{"distribute c0.2 c0.3"}, []string{"overlap"}},
		{"one row is wanted", five + back, "1", 256, 1000, []string{"overlap c0_0.3 lanes 4"}, nil},
		{"two rows are wanted", five + back, "2", 256, 1000, []string{"overlap c0_0.3 by 2 lanes 4"}, nil},
		{"an update", five + update, "model", 256, 1000, []string{"overlap c0_0.3 by 4 lanes 4", "vectorize c0_1.3"}, []string{"overlap c0_1.3"}},
		{"many rows", five + nine, "model", 256, 1000, []string{"overlap c0_0.3 by 4 lanes 4", "overlap c0_1.3 by 2 lanes 4"}, nil},
		{"rows that share sets", five + back, "model", 512, 1024, []string{"overlap c0_0.3 by 2 lanes 8", "overlap c0_1.3 by 2 lanes 8"}, nil},
		{"rows that share half of the sets", five + back, "model", 512, 256, []string{"overlap c0_0.3 by 4 lanes 8"}, nil},
	} {
		source := "void f(int T, int N, double A[N][N], double B[N][N], double D[3 * N][N])\n{\nint t, i, j;\n#pragma scop\nfor (t = 0; t < T; t++) {\n" + test.body + "}\n#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		options := fixed
		options.Vector, options.CacheBytes = VectorUnit{test.bits, 16}, 32<<10
		options.Run.Parameters = map[string]int{"T": 100, "N": test.size}
		options = OptionsOf(variant.Setting{overlapAxis: variant.Word(test.rows)}, options)
		text := recipeOf(t, g, chosen(t, g, "max"), options)
		for _, want := range test.wants {
			if !strings.Contains(text, want+"\n") {
				t.Errorf("%s: no %q in\n%s", test.about, want, text)
			}
		}
		for _, lack := range test.lacks {
			if strings.Contains(text, lack) {
				t.Errorf("%s: %q in\n%s", test.about, lack, text)
			}
		}
	}
}
