package command

import (
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
)

// elsewhereSources are programs whose statements are computed where they are read.
var elsewhereSources = map[string]string{
	"blur": `void blur(int N, int M, float in[N][M], float by[N][M])
{
    float bx[N][M];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M - 2; j++)
            bx[i][j] = (in[i][j] + in[i][j+1] + in[i][j+2]) / 3;
    for (int i = 0; i < N - 2; i++)
        for (int j = 0; j < M - 2; j++)
            by[i][j] = (bx[i][j] + bx[i+1][j] + bx[i+2][j]) / 3;
#pragma endscop
}
`,
	"stages": `#define CLAMP(x) ((x) < 0 ? 0 : (x) > n - 1 ? n - 1 : (x))
void stages(int n, double a[n], double d[n], double e[n])
{
    double b[n], c[n], t;
#pragma scop
    t = 0.5 * a[0];
    for (int i = 0; i < n; i++)
        b[i] = t * a[i];
    for (int i = 0; i < n; i++)
        c[i] = b[CLAMP(i - 1)] + b[i];
    for (int i = 0; i < n - 2; i++)
        d[i] = c[i] - c[i + 2];
    for (int i = 0; i < n; i++)
        e[n - 1 - i] = b[i] * i;
#pragma endscop
}
`,
	"steps": `void steps(int T, int n, double A[n], double B[n])
{
    double F[n];
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n - 1; i++)
            F[i] = A[i + 1] - A[i];
        for (int i = 1; i < n - 1; i++)
            B[i] = A[i] + (F[i] - F[i - 1]);
        for (int i = 1; i < n - 1; i++)
            A[i] = B[i];
    }
#pragma endscop
}
`,
	"wrong": `void wrong(int n, double A[n], double B[n], double C[n], int k[n])
{
    double s[n], u[n], v[n];
#pragma scop
    for (int i = 0; i < n; i++)
        s[i] = A[i] + 1;
    for (int i = 0; i < n; i++)
        A[i] = s[i] * 2;
    for (int i = 1; i < n; i++)
        B[i] = s[i] + s[i - 1];
    for (int i = 0; i < n; i++)
        u[i] = B[i];
    for (int i = 0; i < n; i += 2)
        u[i] = 0;
    for (int i = 0; i < n; i++)
        C[i] = u[i];
    for (int i = 0; i < n; i++)
        v[k[i]] = i;
    for (int i = 0; i < n; i++)
        C[i] += v[i];
#pragma endscop
}
`,
}

// elsewhereCases are recipes of these programs. Counted is a statement of which instances are counted,
// with all parameters 20, and count how many there are.
var elsewhereCases = []struct {
	source, recipe string
	counted        string
	count          int
}{
	{"blur", "inline S0\n", "", 0},
	{"blur", "compute S0 at S1.j\n", "S0", 3 * 18 * 18},
	{"blur", "compute S0 at S1.i\nparallel S1.i\n", "S0", 3 * 18 * 18},
	{"blur", "tile S1.i S1.j by 8 8 as a b c d\ncompute S0 at b\nparallel a\nvectorize S0.j by 4\n", "S0", (10 + 10 + 4) * 18},
	{"blur", "interchange S1.i S1.j\ncompute S0 at S1.j\n", "S0", 20 * 18},
	{"blur", "skew S1.j by 1 S1.i\ncompute S0 at S1.i\n", "S0", 3 * 18 * 18},
	{"stages", "inline S0\n", "", 0},
	{"stages", "inline S1\ninline S2\n", "", 0},
	{"stages", "compute S2 at S3.i\ncompute S1 at S3.i\n", "S2", 36},
	{"stages", "tile S3.i by 4\ncompute S2 at S3.it\ncompute S1 at S3.it\nparallel S3.it\n", "S1.1", 6 + 3*7 + 5},
	{"stages", "compute S1 at S2.i\ncompute S1 at S4.i\n", "S1", 20},
	{"steps", "compute S0 at S1.i\n", "S0", 20 * 36},
	{"steps", "inline S0\n", "", 0},
	{"steps", "tile S1.i by 4\ncompute S0 at S1.it\n", "S0", 20 * (18 + 5)},
	{"wrong", "inline S0\n", "", 0},
	{"wrong", "inline S3\n", "", 0},
	{"wrong", "inline S6\n", "", 0},
	{"wrong", "compute S0 at S2.i\n", "", 0},
	{"wrong", "compute S3 at S5.i\n", "", 0},
	{"wrong", "compute S7 at S5.i\n", "", 0},
	{"wrong", "compute S0 at S0.i\n", "", 0},
	{"wrong", "compute S1 at S2.i\n", "", 0},
	{"wrong", "parallel S1.i\ncompute S0 at S1.i\n", "", 0},
	{"stages", "inline S1\nafter S1 S2 at root\n", "", 0},
}

// What is computed where it is read makes these nests, of no more instances than are needed, or is
// refused so.
func TestElsewhere(t *testing.T) {
	const golden = "testdata/elsewhere.golden"
	var b strings.Builder
	for _, test := range elsewhereCases {
		file, err := kerneltest.Parse(test.source+".c", elsewhereSources[test.source], test.source)
		if err != nil {
			t.Fatal(err)
		}
		g := kerneltest.Analyze(t, file.Regions[0].Program)
		fmt.Fprintf(&b, "# %s\n%s-->\n", test.source, test.recipe)
		_, settled, err := proven(g, "original\n"+test.recipe)
		if err != nil {
			fmt.Fprintf(&b, "%v\n\n", err)
			continue
		}
		tree, err := settled.Replay(g.Model.Program)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Parse(g.Model.Program, settled.Text(g.Model.Program)); err != nil || again.Text(g.Model.Program) != settled.Text(g.Model.Program) {
			t.Errorf("%s: %s is read as another recipe: %v", test.source, test.recipe, err)
		}
		b.WriteString(picture(tree))
		for k, s := range tree.Program.Statements {
			if !tree.Program.IsLeft(k) {
				fmt.Fprintf(&b, "%s: %s\n", s.Spelling(), s.Source)
			}
			if s.Spelling() == test.counted {
				if got := instancesOf(t, s.Domain); got != test.count {
					t.Errorf("%s: %s%d instances of %s, want %d", test.source, test.recipe, got, s.Spelling(), test.count)
				}
			}
		}
		b.WriteByte('\n')
	}
	kerneltest.Golden(t, golden, b.String(), *update)
}

// instancesOf is how many there are in a domain, with all parameters 20.
func instancesOf(t *testing.T, domain string) int {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	all := ctx.ReadSet(domain)
	for k := range all.Dim(isl.DimParam) {
		all = all.FixSi(isl.DimParam, k, 20)
	}
	points, err := all.Points(100000)
	if err != nil {
		t.Fatal(err)
	}
	return len(points)
}
