package prooftest

import (
	"fmt"
	"strings"
	"testing"

	"polytune/scop/depend"
)

func TestPlace(t *testing.T) {
	const head, update = "double s;", "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { s = A[i][j]; for (int k = 0; k < j; k++) s -= A[i][k] * A[k][j]; A[i][j] = s / A[j][j]; }"
	const sum = "for (int i = 0; i < n; i++) { s = 0; for (int j = 0; j < n; j++) s += A[i][j]; B[i] = s; }"
	for _, test := range []struct{ name, head, region, tail, want string }{
		{"an update in place", head, update, "", "A[i][j]: S1 A[i][j] -= A[i][k] * A[k][j]; S2 A[i][j] = A[i][j] / A[j][j];"},
		{"a sum", head, sum, "", "B[i]: S0 B[i] = 0; S1 B[i] += A[i][j];"},
		{"in two nests", head, sum + update, "", "B[i] A[i][j]: S0 B[i] = 0; S1 B[i] += A[i][j]; S4 A[i][j] -= A[i][k] * A[k][j]; S5 A[i][j] = A[i][j] / A[j][j];"},
		{"downwards, with a parameter", head, "for (int i = n - 1; i >= 0; i--) { s = B[n - 1 - i]; for (int j = 0; j < i; j++) s -= A[i][j]; B[n - 1 - i] = s; }", "", "B[n - 1 - i]: S1 B[n - 1 - i] -= A[i][j];"},
		{"declared by each iteration", "", "for (int i = 0; i < n; i++) { double s = B[i]; for (int j = 0; j < n; j++) s += A[i][j]; B[i] = s; }", "", "B[i]: S1 B[i] += A[i][j];"},
		{"of which an element gets a copy", head, "for (int i = 0; i < n; i++) { s = A[i][i]; B[i] = s; A[0][i] = s + 1; }", "", "A[0][i]: S0 A[0][i] = A[i][i]; S1 B[i] = A[0][i]; S2 A[0][i] = A[0][i] + 1;"},
		{"where the element is needed", head, strings.ReplaceAll(sum, "A[i][j]", "A[i][j] * B[i]"), "", ""},
		{"where another element is needed later", head, strings.ReplaceAll(sum, "A[i][j]", "B[j]"), "", ""},
		{"where the other is another's own", head, strings.ReplaceAll(sum, "j < n; j++) s += A[i][j]", "j < i; j++) s += B[j]"), "", "B[i]: S0 B[i] = 0; S1 B[i] += B[j];"},
		{"into one element for all", head, strings.ReplaceAll(sum, "B[i]", "B[0]"), "", ""},
		{"under a condition", head, strings.ReplaceAll(sum, "B[i] = s", "if (i > 3) B[i] = s"), "", ""},
		{"under a condition on data", head, strings.ReplaceAll(sum, "B[i] = s", "if (x > 3) B[i] = s"), "", ""},
		{"into an inner loop's elements", head, "for (int i = 0; i < n; i++) { s = B[i]; for (int j = 0; j < n; j++) A[i][j] = s; }", "", ""},
		{"of another type", "float s;", sum, "", ""},
		{"read behind the region", head, sum, "B[0] = s;", ""},
		{"a value that goes on", head, "s = 0; for (int i = 0; i < n; i++) { s += A[i][i]; B[i] = s; }", "", ""},
		{"of a function's value", head, strings.ReplaceAll(sum, "B[i] = s", "B[i] = s > x ? s : x"), "", ""},
		{"an element of an inner array", head, strings.ReplaceAll(sum, "B[i] = s", "double t[2]; t[1] = s; B[i] = t[1]"), "", ""},
	} {
		_, model := regionOf(t, "", test.head, test.region, test.tail)
		p, err := depend.Place(model)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, l := range p.Placements {
			words = append(words, l.Element)
		}
		got := strings.Join(words, " ")
		if got != "" {
			got += ":"
			for _, s := range p.Statements {
				got += fmt.Sprintf(" %s %s", s.Name, s.Source)
			}
		}
		if got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
	}
}
