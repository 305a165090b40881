package transform

import (
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop/depend"
)

// TestTiny are loops over pictures with nests of few iterations inside, and whether the last loops
// stay as they are written and the loops around the nests have tiles. All recipes are proven.
func TestTiny(t *testing.T) {
	const filter = "for (int y = 0; y < %d; y++) for (int x = 0; x < 3; x++) s += in[2 * i + y][2 * j + x] * f[y][x];"
	for _, test := range []struct {
		name, body       string
		asWritten, tiled bool
	}{
		{"a filter", "double s = 0.0; " + fmt.Sprintf(filter, 3) + " out[i][j] = s;", true, false},
		{"a filter of several statements", "double s = 0.0, r = 1.0; " + strings.Replace(fmt.Sprintf(filter, 5), "s += in", "{ double d = in[i + y][j + x] - in[i][j]; r += d * d; s += in", 1) + " } out[i][j] = s / r;", true, false},
		{"nests behind each other", "double s = 0.0, r = 1.0; " + fmt.Sprintf(filter, 3) + strings.Replace(fmt.Sprintf(filter, 3), "s +=", "r += s *", 1) + " out[i][j] = r;", true, false},
		{"a long one", "double s = 0.0; " + fmt.Sprintf(filter, 40) + " out[i][j] = s;", false, true},
		{"a picture that lies down", "double s = 0.0; " + fmt.Sprintf(filter, 3) + " out[j][i] = s;", true, true},
		{"a nest of parameters", "double s = 0.0; for (int y = 0; y < N; y++) for (int x = 0; x < 3; x++) s += in[i + y][j + x] * f[y][x]; out[i][j] = s;", false, true},
	} {
		source := fmt.Sprintf("void f(int N, double in[N][N], double f[N][3], double out[N][N])\n{\n#pragma scop\nfor (int i = 0; i < N; i++)\nfor (int j = 0; j < N; j++) {\n%s\n}\n#pragma endscop\n}\n", test.body)
		g := graphOf(t, "f", []byte(source))
		recipe := recipeOf(t, g, chosen(t, g, "max"), fixed)
		if got := strings.Contains(recipe, "-> [y]\n") && strings.Contains(recipe, "-> [x]\n") && !strings.Contains(recipe, "y + x]"); got != test.asWritten {
			t.Errorf("%s: as written %v, want %v:\n%s", test.name, got, test.asWritten, recipe)
		}
		if got := strings.Contains(recipe, "tile "); got != test.tiled {
			t.Errorf("%s: tiled %v, want %v:\n%s", test.name, got, test.tiled, recipe)
		}
	}
}

// Compilers unroll loops over a window around each point of a picture that are shorter than a
// vector, and would not as vector loops.
func TestTinyVectors(t *testing.T) {
	const window = "void f(int N, double p[N][N], double q[N][N], double w[5][5])\n{\ndouble s;\n#pragma scop\nfor (int i = 0; i < N - 5; i++) for (int j = 0; j < N - 5; j++) {\n" +
		"for (int a = 0; a < 5; a++) for (int b = 0; b < 5; b++) w[a][b] = p[i + a][j + b];\ns = 0;\nfor (int a = 0; a < 5; a++) for (int b = 0; b < 5; b++) s += w[a][b];\nq[i][j] = s; }\n#pragma endscop\n}\n"
	g := graphOf(t, "f", []byte(window))
	if recipe := recipeOf(t, g, chosen(t, g, "smart"), fixed); strings.Contains(recipe, "vectorize ") {
		t.Errorf("a vector loop of five iterations in\n%s", recipe)
	}
}

// TestLoopsShorterThanVectors are products of small matrices of constant sizes in each of many
// iterations, in which loops are shorter than a vector and than tiles and blocks of rows.
func TestLoopsShorterThanVectors(t *testing.T) {
	options := fixed
	options.Vector = VectorUnit{Bits: 512, Registers: 32}
	for _, test := range []struct {
		length string
		absent []string
		some   string
	}{
		{"6", []string{"vectorize c0_1", "tile c0_1", "registers c0"}, ""},
		{"100", nil, "tile c0_1"},
	} {
		source := strings.ReplaceAll("void f(int n, int m, double F[L][L], double P[n][L][L], double x[n][L], double y[n][L])\n{\n#pragma scop\nfor (int b = 0; b < n; b++) for (int t = 0; t < m; t++) {\n"+
			"for (int i = 0; i < L; i++) for (int j = 0; j < L; j++) y[b][i] += P[b][i][j];\nfor (int i = 0; i < L; i++) for (int j = 0; j < L; j++) for (int k = 0; k < L; k++) P[b][i][j] += F[i][k] * x[b][k];\n"+
			"for (int i = 0; i < L; i++) for (int k = 0; k < L; k++) x[b][i] += F[i][k] * y[b][k];\nfor (int i = 0; i < L; i++) y[b][i] = x[b][i]; }\n#pragma endscop\n}\n", "L", test.length)
		g := graphOf(t, "f", []byte(source))
		recipe := recipeOf(t, g, chosen(t, g, "max"), options)
		for _, command := range test.absent {
			if strings.Contains(recipe, command) {
				t.Errorf("loops of %s have %q in\n%s", test.length, command, recipe)
			}
		}
		if !strings.Contains(recipe, test.some) {
			t.Errorf("loops of %s have no %q in\n%s", test.length, test.some, recipe)
		}
	}
}

// TestUsesAgainFar are small products for each of many points: what moves along tiny loops stays in
// a cache without tiles.
func TestUsesAgainFar(t *testing.T) {
	for _, test := range []struct {
		extent string
		tiled  bool
	}{{"4", false}, {"N", true}} {
		source := strings.ReplaceAll("void f(int N, double p[L][L][N], double q[L][L][N], double f[L][L])\n{\n#pragma scop\nfor (int i = 0; i < L; i++) for (int j = 0; j < L; j++) for (int b = 0; b < N; b++) {\ndouble s = 0.0; for (int k = 0; k < 4; k++) s += f[i][k] * p[k][j][b]; q[i][j][b] = s; }\n#pragma endscop\n}\n", "L", test.extent)
		g := graphOf(t, "f", []byte(source))
		recipe := recipeOf(t, g, chosen(t, g, "max"), fixed)
		if got := strings.Contains(recipe, "tile "); got != test.tiled {
			t.Errorf("%s by %s products: tiled %v, want %v:\n%s", test.extent, test.extent, got, test.tiled, recipe)
		}
	}
}

// TestUsesAgainAround are products of small matrices at each point of a grid, which use nothing
// again from one point to the next, and those of one matrix with all others, and with the points
// along lines.
func TestUsesAgainAround(t *testing.T) {
	for _, test := range []struct {
		left, right string
		tiled       bool
	}{{"p[x][y][i][k]", "q[x][y][k][j]", false}, {"p[0][0][i][k]", "q[x][y][k][j]", true}, {"t[i][k][x][y]", "t[k][j][x][y]", true}} {
		source := "void f(double p[20][30][3][3], double q[20][30][3][3], double r[20][30][3][3], double t[3][3][20][30])\n{\n#pragma scop\nfor (int x = 0; x < 20; x++) for (int y = 0; y < 30; y++)\n" +
			"for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) r[x][y][i][j] += " + test.left + " * " + test.right + ";\n#pragma endscop\n}\n"
		g := graphOf(t, "f", []byte(source))
		recipe := recipeOf(t, g, chosen(t, g, "max"), fixed)
		if got := strings.Contains(recipe, "tile "); got != test.tiled {
			t.Errorf("%s * %s: tiled %v, want %v:\n%s", test.left, test.right, got, test.tiled, recipe)
		}
	}
}

// TestTinyTrees are products of small matrices along a tree at each of many sites, with a maximum
// of them: the nest inside stays as it is written, though its statements have two and three loops,
// and the sites of a tile are inside of the nodes, as their values lie behind each other.
func TestTinyTrees(t *testing.T) {
	g := graphOf(t, "f", []byte(`
void f(int n, double part[32][n][4][4], double P[32][4][4][4])
{
#pragma scop
for (int v = 15; v >= 1; v--)
  for (int s = 0; s < n; s++) {
    double big = 0.0;
    for (int r = 0; r < 4; r++)
      for (int a = 0; a < 4; a++) {
        double left = 0.0;
        for (int b = 0; b < 4; b++)
          left += P[2 * v][r][a][b] * part[2 * v][s][r][b] * part[2 * v + 1][s][r][b];
        part[v][s][r][a] = left;
        if (left > big)
          big = left;
      }
    if (big < 1e-3)
      part[v][s][0][0] *= 1024.0;
  }
#pragma endscop
}
`))
	recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), Options{CacheBytes: 32 << 10, SecondCacheBytes: 1 << 20})
	checkTexts(t, "a tree", recipe.Text(g.Model.Program), []string{" -> [r]; ", " -> [a]; ", "tile c0.1 c0.2 by", "sink c0.1\n"}, []string{"r + a]"})
}

// TestUsesAgainOutside are steps over the planes of a field with loops inside, and whether the band
// of steps and planes is tiled: only what iterations of the outer loop share pays for that.
func TestUsesAgainOutside(t *testing.T) {
	const sweep = "float g[96]; for (int i = 0; i < 96; i++) g[i] = p[j][0][i]; for (int k = 1; k < 40; k++) for (int i = 0; i < 96; i++) { g[i] *= %s; w[j][k][i] = w[j][k - 1][i] * g[i]; }"
	for name, test := range map[string]struct {
		factor string
		tiled  bool
	}{
		"each plane for itself": {"p[j][k][i]", false},
		"with the same row":     {"r[k]", false},
		"with the same plane":   {"q[s][k][i]", true},
		"with the next planes":  {"p[j + k][k][i]", true},
	} {
		source := "void f(int n, float w[58][40][96], float p[98][40][96], float q[n][40][96], float r[40])\n{\n#pragma scop\nfor (int s = 0; s < n; s++) for (int j = 0; j < 58; j++) {\n" + fmt.Sprintf(sweep, test.factor) + "\n}\n#pragma endscop\n}\n"
		checkTiled(t, name, source, "max", "tile c0.1 c0.2 by", test.tiled)
	}
}

// TestUsesRowsAlone are steps over rows, of each of a batch or of one alone, and over matrices, and
// which of them are tiled.
func TestUsesRowsAlone(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		tiled  bool
	}{
		"a batch":                {"for (int o = 0; o < n; o++) for (int t = 0; t < n; t++) for (int j = 0; j < n - t; j++) v[o][j] = 0.5 * (v[o][j] + v[o][j + 1]);", false},
		"a batch of recurrences": {"for (int o = 0; o < n; o++) for (int t = 0; t < n; t++) for (int j = 1; j < n; j++) v[o][j] = 0.5 * (v[o][j - 1] + v[o][j + 1]);", true},
		"a batch of columns":     {"for (int o = 0; o < n; o++) for (int t = 0; t < n; t++) for (int j = 0; j < n - t; j++) v[j][o] = 0.5 * (v[j][o] + v[j + 1][o]);", true},
		"one row":                {"for (int t = 0; t < n; t++) for (int j = 0; j < n - t; j++) v[0][j] = 0.5 * (v[0][j] + v[0][j + 1]);", true},
		"a batch of long rows":   {"for (int o = 0; o < n; o++) for (int t = 0; t < 300; t++) for (int j = 0; j < 300000; j++) w[o][j] = 0.5 * (w[o][j] + w[o][j + 1]);", true},
		"a batch of matrices":    {"for (int o = 0; o < n; o++) for (int t = 0; t < n; t++) for (int i = 0; i < n - t; i++) for (int j = 0; j < n - t; j++) m[o][i][j] = 0.5 * (m[o][i + 1][j] + m[o][i][j + 1]);", true},
	} {
		source := "void f(int n, double v[n][n + 1], double w[n][300001], double m[n][n + 1][n + 1])\n{\n#pragma scop\n" + test.source + "\n#pragma endscop\n}\n"
		checkTiled(t, name, source, "smart", "tile ", test.tiled)
	}
}

// checkTiled checks whether the recipe of a partition has the beginning of a command for tiles.
func checkTiled(t *testing.T, name, source, partition, command string, want bool) {
	t.Helper()
	g := graphOf(t, "f", []byte(source))
	recipe := recipeOf(t, g, chosen(t, g, partition), fixed)
	if got := strings.Contains(recipe, command); got != want {
		t.Errorf("%s: tiled %v in\n%s", name, got, recipe)
	}
}

// TestNarrow are factorizations of matrices with few diagonals or many, and whether they are tiled,
// and in phases. The long test is farther from the border on its lower side, too.
func TestNarrow(t *testing.T) {
	options := fixed
	options.Vector, options.Run.Threads = VectorUnit{Bits: 512, Registers: 32}, 2
	for _, test := range []struct {
		diagonals     int
		tiled, phases bool
	}{{20, false, false}, {60, false, false}, {100, true, false}, {400, true, true}} {
		if test.diagonals == 20 && !kerneltest.Long() {
			continue
		}
		source := fmt.Sprintf("double a[4000][%d];\nvoid f(void)\n{\n#pragma scop\nfor (int k = 0; k < 4000 - %[2]d; k++) {\na[k][%[2]d] = a[k][%[2]d] * 0.5;\n"+
			"for (int i = k + 1; i <= k + %[2]d; i++) a[i][k - i + %[2]d] /= a[k][%[2]d];\nfor (int i = k + 1; i <= k + %[2]d; i++)\nfor (int j = k + 1; j <= i; j++)\n"+
			"a[i][j - i + %[2]d] -= a[i][k - i + %[2]d] * a[j][k - j + %[2]d];\n}\n#pragma endscop\n}\n", test.diagonals+1, test.diagonals)
		g := graphOf(t, "f", []byte(source))
		recipe := recipeOf(t, g, chosen(t, g, "smart"), options)
		if got := strings.Contains(recipe, "tile "); got != test.tiled {
			t.Errorf("%d diagonals: tiled %v in\n%s", test.diagonals, got, recipe)
		}
		if got := strings.Contains(recipe, "phases "); got != test.phases {
			t.Errorf("%d diagonals: in phases %v in\n%s", test.diagonals, got, recipe)
		}
	}
}

// TestAroundUnrolled are stencils with a nest over neighbours inside, and whether the loop along
// the rows is one for vectors.
func TestAroundUnrolled(t *testing.T) {
	options := fixed
	options.Vector, options.Run.Threads = VectorUnit{Bits: 512, Registers: 32}, 2
	const nest = "for (int k = 1; k <= %s; k++) s += c[k] * (a[i][j - k] + a[i][j + k]);"
	for _, test := range []struct {
		name, nest, target string
		want               bool
	}{
		{"four neighbours", fmt.Sprintf(nest, "4"), "b[i][j]", true},
		{"too many to unroll", fmt.Sprintf(nest, "40"), "b[i][j]", false},
		{"nobody knows how many", fmt.Sprintf(nest, "R"), "b[i][j]", false},
		{"a row at a time", fmt.Sprintf(nest, "4"), "b[j][i]", false},
		{"elements wait for the one before", fmt.Sprintf(nest, "4"), "a[i][j]", false},
	} {
		source := fmt.Sprintf("void f(int N, int R, double a[N][N], double b[N][N], double c[N])\n{\n#pragma scop\nfor (int i = 0; i < N; i++)\nfor (int j = R; j < N - R; j++) {\n"+
			"double s = c[0] * a[i][j];\n%s\n%s = s;\n}\n#pragma endscop\n}\n", test.nest, test.target)
		g := privateGraph(t, "f", []byte(source))
		recipe := recipeOf(t, g, chosen(t, g, "smart"), options)
		if got := strings.Contains(recipe, "vectorize c0.2\n"); got != test.want {
			t.Errorf("%s: a vector loop %v in\n%s", test.name, got, recipe)
		}
	}
}

// privateGraph has the dependences of a program whose temporaries are private.
func privateGraph(t *testing.T, name string, source []byte) *depend.Graph {
	t.Helper()
	program, _, err := depend.Privatize(kerneltest.Analyze(t, programOf(t, name, source)).Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	return kerneltest.Analyze(t, program)
}

// TestTinyNestBesideShallow is a tiny nest in loops of which a statement beside it has no part any
// more.
func TestTinyNestBesideShallow(t *testing.T) {
	const source = `
void f(int n, int m, float C[restrict 80][80], float x[restrict 80])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 2; j < m; j++) {
      x[j] = 0;
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < 1; l++)
          x[j] += x[k + l];
      C[i][j] += 1 - x[i];
    }
#pragma endscop
}
`
	g := graphOf(t, "f", []byte(source))
	for _, partition := range []string{"smart", "max", "none"} {
		provenRecipe(t, g, chosen(t, g, partition), fixed)
	}
}

// Coefficients of a mask are elements that stand still along all loops of a filter written out: they
// are no reason for tiles, a picture that all planes read is one.
func TestMaskWithoutTiles(t *testing.T) {
	const picture = "void f(int N, float out[3][N][N], float in[3][N + 2][N + 2], float mask[3][3], float all[3][N][N])\n{\n#pragma scop\n" +
		"for (int c = 0; c < 3; c++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)\n" +
		"out[c][i][j] = in[c][i][j] * mask[0][0] + in[c][i + 1][j + 1] * mask[1][1]%s;\n#pragma endscop\n}\n"
	for more, tiled := range map[string]bool{"": false, " + in[c][i + 2][j + 2] * mask[2][2]": false, " + all[0][i][j]": true} {
		g := graphOf(t, "f", []byte(fmt.Sprintf(picture, more)))
		if recipe := recipeOf(t, g, chosen(t, g, "max"), fixed); strings.Contains(recipe, "tile ") != tiled {
			t.Errorf("%q: tiled %v, want %v:\n%s", more, !tiled, tiled, recipe)
		}
	}
}
