package refusal

import (
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sources are the programs of the refusals.
var sources = map[string]string{
	"gemm.c": `void gemm(int n, double A[n][n], double B[n][n], double C[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i][j] = 0;
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
#pragma endscop
}
`,
	"blur.c": `void blur(int N, int M, float in[N][M], float bx[N][M], float by[N][M])
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M - 2; j++)
            bx[i][j] = (in[i][j] + in[i][j+1] + in[i][j+2]) / 3;
    for (int i = 0; i < N - 2; i++)
        for (int j = 0; j < M - 2; j++)
            by[i][j] = (bx[i][j] + bx[ i + 1 ][j] + bx[i+2][j]) / 3;
#pragma endscop
}
`,
	"jac.c": `void jac(int T, int N, double A[N], double B[N])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < N - 1; i++)
            B[i] = 0.33 * (A[i-1] + A[i] + A[i+1]);
        for (int i = 1; i < N - 1; i++)
            A[i] = 0.33 * (B[i-1] + B[i] + B[i+1]);
    }
#pragma endscop
}
`,
	"seidel.c": `void seidel(int T, int N, double A[N])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 1; i < N - 1; i++)
            A[i] = 0.33 * (A[i-1] + A[i] + A[i+1]);
#pragma endscop
}
`,
	"sweep.c": `void sweep(int N, double A[N][N])
{
#pragma scop
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            A[i][j] += A[i-1][j] + A[i][j-1];
#pragma endscop
}
`,
	"slanted.c": `void slanted(int N, double A[N][N])
{
#pragma scop
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            A[i][j] += A[i-1][j-1];
#pragma endscop
}
`,
	"chain.c": `void chain(int N, double A[N])
{
#pragma scop
    for (int i = 1; i < N; i++)
        A[i] += A[i-1];
#pragma endscop
}
`,
	"sum.c": `void sum(int n, const double *x, double *s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        s[0] += x[i];
#pragma endscop
}
`,
}

// Beginnings of recipes.
const (
	product  = "classes {S0 S1}\nband c0 S0[i, j] -> [i, j]; S1[i, j, k] -> [i, j]\nsplit c0 {S0} {S1}\nband c0_1 S1[i, j, k] -> [k]\n"
	pictures = "classes {S0 S1}\nband c0 S0[i, j] -> [i]; S1[i, j] -> [i]\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j] -> [j]\nband c0_1 S1[i, j] -> [j]\n"
	steps    = "classes {S0 S1}\nband c0 permutable S0[t, i] -> [t, i]; S1[t, i] -> [t, i + 1]\nsplit c0 {S0} {S1}\n"
)

// refused are recipes that are refused, by the program.
var refused = []struct{ name, program, recipe string }{
	{"threads over a sum", "gemm.c", product + "parallel c0_1.3\n"},
	{"lanes over a sum", "gemm.c", product + "vectorize c0_1.3\n"},
	{"ranks over time", "jac.c", "original\nranks S0.t\n"},
	{"ranks over a sweep", "sweep.c", "original\nranks S0.i\n"},
	{"ranks over columns of a sweep", "sweep.c", "original\nranks S0.j\n"},
	{"ranks over time in place", "seidel.c", "original\nranks S0.t\n"},
	{"ranks over space in place", "seidel.c", "original\nranks S0.i\n"},
	{"ranks over what is slanted", "slanted.c", "original\nranks S0.i\n"},
	{"ranks over a chain", "chain.c", "original\nranks S0.i\n"},
	{"a sum backwards", "gemm.c", strings.Replace(product, "-> [k]", "-> [-k]", 1)},
	{"use in front of what is used", "gemm.c", "classes {S1} {S0}\nband c0 S1[i, j, k] -> [i, j, k]\nband c1 S0[i, j] -> [i, j]\n"},
	{"parts in the wrong order", "gemm.c", "classes {S0 S1}\nband c0 S0[i, j] -> [i, j]; S1[i, j, k] -> [i, j]\nsplit c0 {S1} {S0}\nband c0_0 S1[i, j, k] -> [k]\n"},
	{"nothing orders them", "gemm.c", "classes {S0 S1}\nband c0 S0[i, j] -> [i, j, 0]; S1[i, j, k] -> [i, j, k]\n"},
	{"rows that are not there yet", "blur.c", pictures},
	{"a shift that is too small, and another command behind it", "blur.c", pictures + "shift c0.1 S1 by 1\nparallel c0_0.2\n"},
	{"a shift mends what is wrong, the next command is at fault", "blur.c", pictures + "shift c0.1 S1 by 2\nparallel c0.1\n"},
	{"tiles of time without skewing", "jac.c", steps + "tile c0.1 c0.2 by 8 8\n"},
	{"threads over time", "jac.c", steps + "skew c0.2 by 1 c0.1\nskew c0.2 by 1 c0.1\ntile c0.1 c0.2 by 8 8\nparallel c0.2t\n"},
	{"a sum that has one loop", "sum.c", "classes {S0}\nband c0 S0[i] -> [i]\nparallel c0.1\n"},
	{"names of the source", "gemm.c", "original\nparallel S1.k\n"},
	{"names of the source, shifted", "blur.c", "original\nafter S1 S0 at S0.i\n"},
	{"names of the source, in front of it", "blur.c", "original\nbefore S1 S0 at root\n"},
	{"names of the source, tiles", "jac.c", "original\nfuse S0.i S1.i shifting\ntile S0.t S0.i by 8 8 as t0 i0 t1 i1\n"},
	{"names of the source, lanes", "gemm.c", "original\nvectorize S1.k by 8\n"},
	{"names of the source, backwards", "gemm.c", "original\ndistribute S0.i S0.j\nreverse S1.k\n"},
	{"names of the source, a map", "gemm.c", "schedule { S0[i, j] -> [1, i, j, 0]; S1[i, j, k] -> [0, i, j, k] }\n"},
	{"a name that is not there", "gemm.c", "original\ntile S1.i S1.x by 8 8\n"},
	{"an update that cannot be inlined", "gemm.c", "original\ninline S1\n"},
	{"what would be read too late, inlined", "jac.c", "original\ninline S0\n"},
	{"what runs behind its reader", "jac.c", "original\ncompute S1 at S0.i\n"},
	{"what would be read too late, computed there", "jac.c", "original\ncompute S0 at S1.i\n"},
	{"a word of another system for that", "blur.c", "original\ncompute_at S0 S1.j\n"},
	{"a loop of a nest that is computed elsewhere, in the wrong order", "blur.c", "original\ncompute S0 at S1.i\nafter S0.1 S1 at S1.i\n"},
	{"a loop that is not there", "gemm.c", product + "tile c0.9 by 3\n"},
	{"a size below one", "gemm.c", product + "tile c0.1 by 0\n"},
	{"a word of another system", "gemm.c", product + "parallelize c0.1\n"},
	{"a word that is spelled otherwise", "gemm.c", product + "vectorise c0.2\nparalel c0.1\n"},
	{"a word that is spelled a little otherwise", "gemm.c", product + "paralel c0.1\n"},
	{"split of a loop", "gemm.c", product + "split c0.1 by 8\n"},
	{"no word at all", "gemm.c", product + "xyzzy\n"},
}

// Each refusal names the line, the references with their places, the smallest example, and what
// would help.
func TestRefusals(t *testing.T) {
	var b strings.Builder
	for _, r := range refused {
		b.WriteString("# " + r.name + "\n")
		refusal := refusalOf(t, r.program, r.recipe)
		if refusal == nil {
			t.Errorf("%s: it is not refused", r.name)
			continue
		}
		b.WriteString(refusal.Error() + "\n\n")
	}
	const path = "testdata/refusals.golden"
	kerneltest.Golden(t, path, b.String(), *update)
}

// A line that is said to help makes the recipe legal where it is said to stand; an example is a
// pair of the dependence.
func TestHelpIsProven(t *testing.T) {
	helped, examples := 0, 0
	for _, r := range refused {
		refusal := refusalOf(t, r.program, r.recipe)
		if refusal == nil {
			continue
		}
		if refusal.Example != "" {
			examples++
		}
		for place, words := range words {
			line, is := strings.CutPrefix(refusal.Help, words)
			if !is {
				continue
			}
			helped++
			lines := strings.Split(strings.TrimSpace(r.recipe), "\n")
			at := refusal.Line - 1
			more := strings.Split(line, andThen)
			own := map[editPlace][]string{behind: append([]string{lines[at]}, more...), inFront: append(slices.Clip(more), lines[at]), instead: more}[place]
			text := strings.Join(slices.Concat(lines[:at], own, lines[at+1:]), "\n") + "\n"
			if again := refusalOf(t, r.program, text); again != nil {
				t.Errorf("%s: with %q it is refused again: %v", r.name, refusal.Help, again)
			}
		}
	}
	if helped < 5 || examples < 9 {
		t.Errorf("%d are helped, %d have examples", helped, examples)
	}
}

// Who took a loop's name away is told by the line of the file, whatever stands between commands.
func TestTakerIsALine(t *testing.T) {
	refusal := refusalOf(t, "gemm.c", "# a comment\noriginal\n\n# another one\ndistribute S0.i S0.j\nparallel c0.2\n")
	if want := `any more: line 5, distribute S0.i S0.j, has taken it away`; refusal == nil || refusal.Line != 6 || !strings.Contains(refusal.Reason, want) {
		t.Errorf("refused with %v, not %s", refusal, want)
	}
}

// A recipe of thousands of lines is refused soon, with the line that is at fault.
func TestLongRecipe(t *testing.T) {
	recipe := product + strings.Repeat("parallel c0.1\n", 1000) + "parallel c0_1.3\n" + strings.Repeat("parallel c0.1\n", 1000)
	if refusal := refusalOf(t, "gemm.c", recipe); refusal == nil || refusal.Line != 1005 || refusal.Help != "legal in its place: parallel S0.i" {
		t.Errorf("refused with %v", refusal)
	}
}

// refusalOf is why a recipe of a program is refused, nil where it is not.
func refusalOf(t *testing.T, program, text string) *Refusal {
	t.Helper()
	file, err := kerneltest.Parse(program, sources[program], "")
	if err != nil {
		t.Fatal(err)
	}
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	source := Source{Recipe: "r", Program: program, Lines: schedule.NumberedLines(text)}
	recipe, err := command.Parse(g.Model.Program, text)
	if err == nil {
		var settled schedule.Recipe
		if settled, _, err = recipe.Settled(g); err == nil {
			_, _, err = settled.Prove(g)
		}
	}
	var at *schedule.CommandError
	switch {
	case err == nil:
		return nil
	case !depend.IsIllegal(err) && errors.As(err, &at):
		return source.OfCommand(err)
	}
	return source.OfProof(g, recipe, func(p *scop.Program, text string) (schedule.Recipe, error) { return command.Parse(p, text) }, err)
}
