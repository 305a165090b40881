package transform

import (
	"math"
	"strings"
	"testing"

	"polytune/schedule"
	"polytune/space/variant"
)

// Statements that walk through one matrix in both ways share strips of its rows, where
// those may run one after the other, whatever the loops are called.
func TestStrips(t *testing.T) {
	const shared, relay, team = "blocks c0 S0[i, j] -> [i]; S1[i, j] -> [i] by ", "relay c0.1t hands c0_0.3 shares c0_1.2r from 32 ahead\n", "team c0.1t\n"
	for _, test := range []struct{ about, body, want, threads string }{
		{"sums of rows, and what they are for", `
for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * x[j];
for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[j] += A[i][j] * y[i];`, shared + "16", relay},
		{"independent ones, the second along columns as it is written", `
for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * x[j];
for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[i] += A[j][i] * x[j];`, "blocks c0 S0[i, j] -> [i]; S1[i, j] -> [j] by 16", relay},
		{"a sum of rows that the sums need as a whole", `
for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[j] += A[i][j] * x[i];
for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * z[j];`, "", ""},
		{"a sum of rows before what changes its factors", `
for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[j] += A[i][j] * y[i];
for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * x[j];`, shared + "32\nsplit c0 {S0} {S1}", team},
		{"a sum of rows before the sums", `
for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[j] += A[i][j] * x[i];
for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * x[j];`, shared + "16\nsplit c0 {S1} {S0}", relay},
		{"zeros in between", `
for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * x[j];
for (j = 0; j < N; j++) z[j] = 0;
for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[j] += A[i][j] * y[i];`, "blocks c1 S0[i, j] -> [i]; S2[i, j] -> [i] by 16", strings.ReplaceAll(relay, "c0", "c1")},
		{"what the sums are needed for in between", `
for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * x[j];
for (j = 0; j < N; j++) z[j] = y[j];
for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[j] += A[i][j] * y[i];`, "", ""},
		{"two matrices", `
for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * x[j];
for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[j] += B[i][j] * y[i];`, "", ""},
		{"sums of rows twice", `
for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * x[j];
for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[i] += A[i][j] * y[j];`, "", ""},
	} {
		source := "void f(int N, double x[N], double y[N], double z[N], double A[N][N], double B[N][N])\n{\nint i, j;\n#pragma scop" + test.body + "\n#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		options := fixed
		options.Vector = VectorUnit{256, 16}
		text := recipeOf(t, g, chosen(t, g, "smart"), options)
		if !strings.Contains(text, test.want) || test.want == "" && strings.Contains(text, "blocks") {
			t.Errorf("%s: want %q in\n%s", test.about, test.want, text)
		}
		if !strings.HasSuffix(text, test.threads) {
			t.Errorf("%s: no %q in\n%s", test.about, test.threads, text)
		}
	}
}

// What uses complete sums of rows for what is added up joins both where threads run through them as
// in a relay, and nothing else does.
func TestJoinedForRelays(t *testing.T) {
	const sums, added = "for (i = 0; i < N; i++) for (j = 0; j < N; j++) y[i] += A[i][j] * x[j];\n", "for (i = 0; i < N; i++) for (j = 0; j < N; j++) z[j] += A[i][j] * y[i];\n"
	for _, test := range []struct {
		about, body, setting string
		threads, n           int
		want                 string
	}{
		{"a residual", sums + "for (i = 0; i < N; i++) y[i] = y[i] - b[i];\n" + added, "", 2, 0, "{S0 S1 S2}"},
		{"two of them", sums + "for (i = 0; i < N; i++) y[i] = y[i] - b[i];\nfor (i = 0; i < N; i++) y[i] = y[i] * 2;\n" + added, "", 2, 0, "{S0 S1 S2 S3}"},
		{"on one thread", sums + "for (i = 0; i < N; i++) y[i] = y[i] - b[i];\n" + added, "", 1, 0, "{S0} {S1} {S2}"},
		{"no threads that wait for each other", sums + "for (i = 0; i < N; i++) y[i] = y[i] - b[i];\n" + added, "wavefront", 2, 0, "{S0} {S1} {S2}"},
		{"few columns", sums + "for (i = 0; i < N; i++) y[i] = y[i] - b[i];\n" + added, "", 2, 300, "{S0} {S1} {S2}"},
		{"something else", sums + "for (i = 0; i < N; i++) b[i] = b[i] * 2;\n" + added, "", 2, 0, "{S0 S2} {S1}"},
		{"what the sums need", sums + "for (i = 0; i < N; i++) x[i] = y[i];\n" + strings.ReplaceAll(added, "y[i]", "x[i]"), "", 2, 0, "{S0} {S1} {S2}"},
		{"a sum over all rows", sums + "for (i = 0; i < N; i++) b[0] += y[i];\nfor (i = 0; i < N; i++) for (j = 0; j < N; j++) z[j] += A[i][j] * b[0];\n", "", 2, 0, "{S0} {S1} {S2}"},
	} {
		source := "void f(int N, double x[N], double y[N], double z[N], double b[N], double A[N][N])\n{\nint i, j;\n#pragma scop\n" + test.body + "#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		options := fixed
		options.Vector, options.Run = VectorUnit{256, 16}, Run{Threads: test.threads}
		if test.setting == "wavefront" {
			options = options.WithOff(wavefrontAxis)
		}
		if test.n > 0 {
			options.Run.Parameters = map[string]int{"N": test.n}
		}
		refined, _, err := Refine(g, chosen(t, g, "smart"), options)
		if err != nil {
			t.Fatal(err)
		}
		text := recipeOf(t, g, refined, options)
		if !strings.Contains(text, "classes "+test.want+"\n") || strings.Contains(text, "relay ") != !strings.Contains(test.want, "{S0} {S1}") {
			t.Errorf("%s: want %s in\n%s", test.about, test.want, text)
		}
	}
}

// The axis of tiles has the height of strips, and leaves them out.
func TestHeightOfStrips(t *testing.T) {
	g, options, recipe := withVectors(t, "polybench/mvt")
	for value, want := range map[string]string{"half": " by 16\n", "untiled": ""} {
		changed := OptionsOf(variant.Setting{TileAxis: variant.Word(value)}, options)
		text := recipeOf(t, g, chosen(t, g, "smart"), changed)
		_, line, found := strings.Cut(text, "blocks ")
		line, _, _ = strings.Cut(line, "split")
		if found != (want != "") || !strings.HasSuffix(line, want) {
			t.Errorf("tile=%s: no strips%s in\n%s", value, want, text)
		}
	}
	offered := OfferedAxes([]schedule.Recipe{recipe}, nil)
	if len(offered) == 0 || offered[0].Name != TileAxis {
		t.Errorf("the axis of tiles is not offered: %v", offered)
	}
}

// Strips fit the run: as many rows as threads have blocks in their caches, and blocks in
// wavefronts where the matrix is larger than the threads' second caches and statements allow that.
func TestStripsFitTheRun(t *testing.T) {
	const inWaves, pieces, whole, relay = "c0 permutable ", "permutable ", "wavefront=off", "; S1[i, j] -> [j] by "
	for _, test := range []struct {
		kernel, setting string
		n, threads      int
		want            string
	}{
		{"polybench/mvt", "", 8000, 2, inWaves + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 128 4000"},
		{"polybench/mvt", "", 8000, 3, inWaves + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 128 2672"},
		{"polybench/mvt", "height=64", 8000, 2, inWaves + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 64 4000"},
		{"polybench/mvt", "", 20000, 2, inWaves + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 128 2000"},
		{"polybench/mvt", whole, 8000, 2, "S1[i, j] -> [j] by 32"},
		{"polybench/mvt", "", 8000, 1, pieces + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 16 16"},
		{"polybench/mvt", "", 0, 1, pieces + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 16 16"},
		{"polybench/mvt", "tile=half", 8000, 1, pieces + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 16 8"},
		{"polybench/mvt", "registers=12x2", 8000, 1, pieces + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 12 16"},
		{"polybench/mvt", "registers=4x3", 8000, 1, pieces + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 4 12"},
		{"polybench/mvt", "parallel=off", 8000, 2, pieces + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 16 16"},
		{"polybench/atax", "", 8000, 1, "S3[i, j] -> [i] by 16"},
		{"polybench/mvt", "", 2100, 2, inWaves + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 128 1056"},
		{"polybench/mvt", "", 2000, 2, relay + "16"},
		{"polybench/mvt", "tile=half", 2000, 2, relay + "16"},
		{"polybench/mvt", "", 1500, 2, relay + "16"},
		{"polybench/mvt", "registers=8x2", 1500, 2, relay + "8"},
		{"polybench/mvt", "", 520, 2, relay + "16"},
		{"polybench/mvt", "", 512, 2, relay + "8"},
		{"polybench/mvt", "", 8192, 1, pieces + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 8 16"},
		{"polybench/mvt", "registers=12x2", 8192, 1, pieces + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 12 16"},
		{"polybench/mvt", "", 500, 2, inWaves + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 48 256"},
		{"polybench/mvt", "", 300, 2, "S1[i, j] -> [j] by 192"},
		{"polybench/mvt", "", 0, 2, relay + "16"},
		{"polybench/mvt", whole, 0, 2, "S1[i, j] -> [j] by 32"},
		{"polybench/mvt", "", 8000, 0, "S1[i, j] -> [j] by 32"},
		{"polybench/mvt", "", math.MaxInt32, 2, inWaves + "S0[i, j] -> [i, j]; S1[i, j] -> [j, i] by 128 4096"},
		{"polybench/atax", "", 8000, 2, "S3[i, j] -> [i] by 16"},
		{"polybench/atax", "", 2000, 2, "S3[i, j] -> [i] by 16"},
		{"polybench/atax", "", 300, 2, "S3[i, j] -> [i] by 192"},
		{"polybench/atax", whole, 8000, 2, "S3[i, j] -> [i] by 32"},
		{"polybench/atax", whole, 8000, 64, "S3[i, j] -> [i] by 1024"},
	} {
		g, options, _ := withVectors(t, test.kernel)
		options.SecondCacheBytes, options.ThirdCacheBytes = 512<<10, 32<<20
		options.Run = Run{Threads: test.threads}
		if test.n > 0 {
			options.Run.Parameters = map[string]int{"M": test.n, "N": test.n}
		}
		setting := variant.Setting{}
		if name, value, given := strings.Cut(test.setting, "="); given {
			setting[name] = variant.Word(value)
		}
		text := recipeOf(t, g, chosen(t, g, "smart"), OptionsOf(setting, options))
		_, line, _ := strings.Cut(text, "blocks ")
		line, _, _ = strings.Cut(line, "\n")
		if !strings.HasSuffix(line, test.want) {
			t.Errorf("%s, N = %d on %d threads, %q: want %q in\n%s", test.kernel, test.n, test.threads, test.setting, test.want, text)
		}
		if waves := strings.Contains(text, "wavefront "); waves != strings.HasPrefix(test.want, inWaves) {
			t.Errorf("%s, N = %d on %d threads, %q: wavefronts are %t in\n%s", test.kernel, test.n, test.threads, test.setting, waves, text)
		}
		if inside := strings.Contains(text, "by 16 16\nsplit"); strings.HasPrefix(test.want, inWaves) && !inside {
			t.Errorf("%s, N = %d on %d threads, %q: wavefronts without pieces in\n%s", test.kernel, test.n, test.threads, test.setting, text)
		}
		if parallel := strings.Contains(text, "parallel ") || strings.Contains(text, "relay "); parallel == strings.HasPrefix(test.want, pieces) {
			t.Errorf("%s, N = %d on %d threads, %q: a parallel loop is %t in\n%s", test.kernel, test.n, test.threads, test.setting, parallel, text)
		}
	}
}

// What waits for the memory is first, where another one need not be before it.
func TestSumsOfRowsComeFirst(t *testing.T) {
	for kernel, want := range map[string]string{
		"polybench/bicg": "split c2 {S3} {S2}",
		"polybench/mvt":  "split c0 {S0} {S1}",
		"polybench/atax": "split c2 {S2} {S3}",
	} {
		g, options, _ := withVectors(t, kernel)
		if text := recipeOf(t, g, chosen(t, g, "smart"), options); !strings.Contains(text, want+"\n") {
			t.Errorf("%s: want %q in\n%s", kernel, want, text)
		}
	}
}
