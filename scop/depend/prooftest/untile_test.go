package prooftest

import (
	"fmt"
	"strings"
	"testing"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

const tiles = `#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
`

// Loops over tiles go where other loops determine their iterators, nothing uses these, and no
// dependence needs their order.
func TestUntile(t *testing.T) {
	const product = `for (int ii = 0; ii < n; ii += 4) for (int jj = 0; jj < n; jj += 4) for (int kk = 0; kk < n; kk += 3)
  for (int i = ii; i < MIN(ii + 4, n); i++) for (int j = jj; j < MIN(jj + 4, n); j++) for (int k = kk; k < MIN(kk + 3, n); k++)
    A[i][j] += x * A[i][k];`
	for _, test := range []struct{ name, head, region, want string }{
		{"sums", "", strings.ReplaceAll(product, "A[i][k]", "B[k]"), "S0[i j k] 0 0 0 0; without ii jj kk"},
		{"what is read in another order than it is written", "", product, "S0[ii jj kk i j k] 0 0 0 0 0 0 0"},
		{"two levels", "", `for (int a = 0; a < n; a += 16) for (int b = a; b < MIN(a + 16, n); b += 4) for (int i = b; i < MIN(b + 4, n); i++) B[i] += x;`, "S0[i] 0 0; without a b"},
		{"several loops in a tile", "", `for (int ii = 0; ii < n; ii += 4) {
  for (int i = ii; i < MIN(ii + 4, n); i++) B[i] = 0;
  for (int kk = 0; kk < n; kk += 4) for (int i = ii; i < MIN(ii + 4, n); i++) for (int k = kk; k < MIN(kk + 4, n); k++) B[i] += A[i][k];
}
for (int i = 0; i < n; i++) B[i] *= x;`, "S0[i] 0 0; S1[i k] 1 0 0; S2[i] 2 0; without ii kk"},
		{"triangles", "", `for (int ii = 0; ii < n; ii += 4) for (int jj = ii; jj < n; jj += 4) for (int i = ii; i < MIN(ii + 4, n); i++) for (int j = MAX(i, jj); j < MIN(jj + 4, n); j++) A[i][j] *= x;`,
			"S0[i j] 0 0 0; without ii jj"},
		{"rows in tiles of columns", "", `for (int jj = 0; jj < n; jj += 4) for (int i = 1; i < n; i++) for (int j = jj; j < MIN(jj + 4, n); j++) A[i][j] += A[i - 1][j];`, "S0[i j] 0 0 0; without jj"},
		{"a variable in a tile of each row", "", `for (int ii = 0; ii < n; ii += 4) for (int t = 0; t < n; t++) for (int i = ii; i < MIN(ii + 4, n); i++) B[0] = B[0] * x + A[t][i];`, "S0[ii t i] 0 0 0 0"},
		{"an iterator that is used", "", `for (int ii = 0; ii < n; ii += 4) for (int i = ii; i < MIN(ii + 4, n); i++) B[i] = ii;`, "S0[ii i] 0 0 0"},
		{"an iterator that one of two uses", "", `for (int ii = 0; ii < n; ii += 4) { for (int i = ii; i < MIN(ii + 4, n); i++) B[i] = x; A[0][ii] = x; }`, "S0[ii i] 0 0 0; S1[ii] 0 1"},
		{"steps", "", `for (int t = 0; t < 9; t++) for (int i = 1; i < n; i++) B[i] += B[i - 1];`, "S0[t i] 0 0 0"},
		{"a variable of each instance", "", `for (int ii = 0; ii < n; ii += 4) for (int i = ii; i < MIN(ii + 4, n); i++) { double s = x; B[i] = s; }`, "S0[i] 0 0; S1[i] 0 1; without ii"},
		{"a variable of each tile", "", `for (int jj = 0; jj < n; jj += 4) { double s[4]; for (int i = 0; i < n; i++) for (int j = jj; j < MIN(jj + 4, n); j++) { s[j - jj] = A[i][j]; B[j] += s[j - jj]; } }`,
			"S0[jj i j] 0 0 0 0; S1[jj i j] 0 0 0 1"},
		{"a sum of each tile", "", `for (int jj = 0; jj < n; jj += 4) { double s; for (int i = 0; i < n; i++) for (int j = jj; j < MIN(jj + 4, n); j++) { s = A[i][j]; B[j] += s; } }`,
			"S0[jj i j] 0 0 0 0; S1[jj i j] 0 0 0 1"},
	} {
		_, m := regionOf(t, tiles, test.head, test.region, "")
		p, err := depend.Untile(m)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var words []string
		for s := range p.Statements {
			own := &p.Statements[s]
			words = append(words, fmt.Sprintf("%s[%s] %s", own.Name, strings.Join(p.IteratorNames(s), " "), strings.Trim(fmt.Sprint(own.Position), "[]")))
		}
		if len(p.Untiled) > 0 {
			words = append(words, "without "+strings.Join(p.Untiled, " "))
			sameInstances(t, test.name, m, p)
		}
		if got := strings.Join(words, "; "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// sameInstances checks with n = 11 that both programs touch the same elements as often, and that the
// iterators in the statements' texts are the loops that are left.
func sameInstances(t *testing.T, name string, m *scop.Model, p *scop.Program) {
	t.Helper()
	after, err := p.Model(m.Context)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for s := range after.Statements {
		names := p.Statements[s].Iterators()
		scop.Walk(p.Statements[s].Value, func(e scop.Expr) bool {
			if ref, is := e.(*scop.Ref); is && ref.Loop >= 0 && (ref.Loop >= len(names) || names[ref.Loop] != ref.Name) {
				t.Errorf("%s, S%d: %s is loop %d of %q", name, s, ref.Name, ref.Loop, names)
			}
			return true
		})
		for a := range after.Statements[s].Accesses {
			if was, is := touched(t, m, s, a), touched(t, after, s, a); was != is {
				t.Errorf("%s, reference %d of S%d: %s, was %s", name, a, s, is, was)
			}
		}
	}
}

// touched are the numbers of instances and of elements of a reference with n = 11, and the
// elements.
func touched(t *testing.T, m *scop.Model, s, access int) string {
	t.Helper()
	own := &m.Statements[s]
	at := m.Context.ReadSet("[n] -> { : n = 11 }")
	instances, err := own.Domain.IntersectParams(at).ProjectOut(isl.DimParam, 0, own.Domain.Dim(isl.DimParam)).Points(2000)
	if err != nil {
		t.Fatal(err)
	}
	elements := own.Accesses[access].IntersectDomain(own.Domain).IntersectParams(at).Range()
	points, err := elements.ProjectOut(isl.DimParam, 0, elements.Dim(isl.DimParam)).Points(2000)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(len(instances), " instances, elements ", points)
}
