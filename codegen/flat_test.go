package codegen_test

import (
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/transform"
)

// Two loops over neighbouring elements become one where nothing else needs their variables.
func TestFlatLoops(t *testing.T) {
	const rows, colours = "for (int i = 0; i < n; i++) for (int j = 1; j < m - 1; j++) ", "for (int c = 0; c < 3; c++) "
	for _, test := range []struct{ name, loops, want, lacks string }{
		{"a copy", rows + colours + "a[i][j][c] = b[i][j][c];", "for (long c1 = 3; c1 < 3 * (long) (m - 1); c1++) (&a[c0][0][0])[c1] = (&b[c0][0][0])[c1]; ", "c2"},
		{"neighbours", rows + colours + "a[i][j][c] = b[i][j - 1][c] + b[i][j+1][c];", "(&a[c0][0][0])[c1] = (&b[c0][0][0])[c1 - 3] + (&b[c0][0][0])[c1 + 3];", "c2"},
		{"the other way round", rows + "for (int c = 2; c >= 0; c--) a[i][j][c] = b[i][j][c];", "a[c0][c1][2 - c2] = b[c0][c1][2 - c2];", "&a"},
		{"two statements", rows + colours + "{ a[i][j][c] = 2 * b[i][j][c]; b[i][j][c] = 1; }", "(&a[c0][0][0])[c1] = 2 * (&b[c0][0][0])[c1];", "c2"},
		{"two subscripts", "for (int j = 0; j < m; j++) for (int c = 0; c < 2; c++) q[j][c] = 1;", "(&q[0][0])[c0] = 1;", "c1"},
		{"rows from data", rows + colours + "a[i][j][c] = b[k[i]][j][c];", "(&a[c0][0][0])[c1] = (&b[k[c0]][0][0])[c1];", "c2"},
		{"vectors that are not full", rows + "for (int c = 0; c < 4; c++) r[i][j][c] = 2 * s[i][j][c];", "(&r[c0][0][0])[c1] = 2 * (&s[c0][0][0])[c1];", "c2"},
		{"vectors that are full", rows + "for (int c = 0; c < 8; c++) e[i][j][c] = 2 * e[i][j][c];", "e[c0][c1][c2] = 2 * e[c0][c1][c2];", "&e"},
		{"a value for each colour", rows + colours + "a[i][j][c] = w[c];", "[c2]", "&a"},
		{"a colour in the sum", rows + colours + "a[i][j][c] = c + b[i][j][c];", "(int) c2 + b[c0][c1][c2]", "&a"},
		{"a column in the sum", rows + colours + "a[i][j][c] = j + b[i][j][c];", "(int) c1 + b[c0][c1][c2]", "&a"},
		{"some of the colours", rows + "for (int c = 0; c < 2; c++) a[i][j][c] = 1;", "[c1][c2] = 1", "&a"},
		{"another colour", rows + "for (int c = 0; c < 2; c++) a[i][j][c + 1] = 1;", "[c2 + 1] = 1", "&a"},
		{"planes of colours", rows + colours + "t[i][c][j] = a[i][j][c];", "t[c0][c2][c1] = a[c0][c1][c2];", "&a"},
		{"a column twice as far", "for (int i = 0; i < n; i++) for (int j = 0; j < m / 2; j++) " + colours + "a[i][j][c] = b[i][2 * j][c];", "b[c0][2 * c1][c2]", "&a"},
		{"a triangle", "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) " + colours + "a[i][j][c] = 1;", "for (long c1 = 0; c1 < 3 * (c0 + 1); c1++) (&a[c0][0][0])[c1] = 1; ", "c2"},
		{"members of the name", rows + colours + "v.a[i][j][c] = a[i][j][c];", "v.a[c0][c1][c2] = a[c0][c1][c2];", "&a"},
		{"words in a comment", rows + colours + "a[i][j][c] = /* a[c1][c1][c2] */ b[i][j][c];", "(&a[c_0][0][0])[c_1] = /* a[c1][c1][c2] */ (&b[c_0][0][0])[c_1];", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "struct members { float a[9][9][3]; };\nvoid f(struct members v, int n, int m, float a[n][m][3], float b[n][m][3], float w[3], float t[n][3][m], float q[m][2], float r[n][m][4], float s[n][m][4], double e[n][m][8], int k[n]) {\n#pragma scop\n" +
				test.loops + "\n#pragma endscop\n}\n"
			k := builtinOf(t, benchmarks.Benchmark{Name: "f", File: "f.c", Source: []byte(source)})
			code := k.code(t, k.recipe(t, k.partitions(t, "max")[0], transform.Options{Tile: transform.Tiling{None: true}, Off: []string{"parallel"}}))
			code = strings.Join(strings.Fields(code[strings.Index(code, "*/"):]), " ")
			if !strings.Contains(code, test.want) || test.lacks != "" && strings.Contains(code, test.lacks) {
				t.Errorf("want %q, not %q, in\n%s", test.want, test.lacks, code)
			}
		})
	}
}
