package transform

import (
	"strings"
	"testing"

	"polytune/transform/facts"
)

// Rows that data choose are gone through along their elements.
func TestChosenRows(t *testing.T) {
	for _, test := range []struct{ about, body, want string }{
		{"rows that are added up", "sums[label[i]][j] += x[i][j];", "sink c0.1\nvectorize c0.1\n"},
		{"rows that are copied", "sums[i][j] = x[label[i]][j];", "vectorize c0.2\n"},
		{"every other element of them", "sums[i][2 * j] = x[label[i]][2 * j];", ""},
		{"elements that data choose", "sums[i][label[j]] = x[i][j];", ""},
	} {
		source := "void f(int n, int d, int label[n + d], double x[n + d][2 * d], double sums[n][2 * d])\n{\n#pragma scop\nfor (int i = 0; i < n; i++)\n  for (int j = 0; j < d; j++)\n    " + test.body + "\n#pragma endscop\n}\n"
		g := graphOf(t, "f", []byte(source))
		recipe := recipeOf(t, g, chosen(t, g, "smart"), fixed)
		if got := strings.Contains(recipe, "vectorize"); got != (test.want != "") || !strings.Contains(recipe, test.want) {
			t.Errorf("%s: no %q in\n%s", test.about, test.want, recipe)
		}
	}
}

// An access has no rank along loops of which there are none around its statement.
func TestAccessRank(t *testing.T) {
	row, column := facts.Step{Known: true, Subscripts: []int64{1, 0}}, facts.Step{Known: true, Subscripts: []int64{0, 1}}
	for want, tests := range map[int][][]facts.Step{0: {nil, {{Known: true, Subscripts: []int64{0, 0}}}}, 1: {{row}, {column, column}, {{}}}, 2: {{row, column}, {{}, row}}} {
		for _, steps := range tests {
			if got := facts.AccessRank(steps); got != want {
				t.Errorf("%v: rank %d, want %d", steps, got, want)
			}
		}
	}
}
