package codegen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// declining is a region, a recipe for it, and what its code lacks of that: "KIND LOOP: reason", as
// far as it is given.
type declining struct {
	name, body, recipe string
	wants              []string
}

const (
	squareBand = "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\n"
	lineBand   = "classes {S0}\nband c0 S0[i] -> [i]\n"
	both       = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) "
)

var decliningCases = []declining{
	{"a sum at places from data", both + "z[k[i]] += a[i][j];", squareBand + "parallel c0.1 reduction(+:z)\ndynamic c0.1\nthreads c0.1 from 9\n",
		[]string{"parallel c0.1 reduction(+:z): each thread would add up in a copy of z, and which of its elements the loop updates is not known"}},
	{"rows that gcc mixes", "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) b[j][i] = b[j][i - 1] + 1;", squareBand + "vectorize c0.2\nsimdlen c0.2 4\n",
		[]string{"vector c0.2: it uses elements of an array in several rows at once"}},
	{"rows that gcc mixes, on threads", "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) b[j][i] = b[j][i - 1] + 1;", squareBand + "parallel c0.2\nvectorize c0.2\n",
		[]string{"vector c0.2: it uses elements"}},
	{"one iteration", "for (int i = 0; i < 1; i++) for (int j = 0; j < m; j++) a[i][j] = 1;", squareBand + "parallel c0.1\nvectorize c0.2\n",
		[]string{"parallel c0.1: the code has no loop of its own for it"}},
	{"one iteration more", "for (int i = 0; i < 1; i++) for (int j = 0; j < m; j++) a[i][j] = 1;\nfor (int i = 1; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 2;",
		"classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nparallel c0.1\n", nil},
	{"colours", both + "for (int c = 0; c < 3; c++) p[i][j][c] = q[i][j][c];", "classes {S0}\nband c0 permutable S0[i, j, c] -> [i, j, c]\nparallel c0.1\nvectorize c0.3\n",
		[]string{"vector c0.3: its 3 iterations fill no vector"}},
	{"a sum under a condition", both + "{ a[i][j] = m; if (i % 2 == 0) x[i / 2] += b[j][i]; }",
		"classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nsplit c0 {S0} {S1}\nvectorize c0.2 reduction(+:x)\n",
		[]string{"vector c0.2 reduction(+:x): it adds up under a condition"}},
	{"nothing for ivdep", "for (int i = 0; i < n; i++) y[0] += x[i];", lineBand + "vectorize c0.1\nivdep c0.1\nvectorize c0.1 reduction(+:y)\n",
		[]string{"vector c0.1 reduction(+:y): ivdep says nothing of accumulators"}},
	{"ivdep for threads", "for (int i = 0; i < n; i++) x[i] = 1;", lineBand + "parallel c0.1\nvectorize c0.1\nivdep c0.1\n",
		[]string{"vector c0.1: threads share its iterations, of which ivdep says nothing"}},
	{"threads and lanes that add up", "for (int i = 0; i < n; i++) y[0] += x[i];", lineBand + "parallel c0.1 reduction(+:y)\nvectorize c0.1 reduction(+:y)\n",
		[]string{"parallel c0.1 reduction(+:y): its lanes add up in accumulators"}},
	{"sums one by one", both + "y[j] += a[i][j];", squareBand + "parallel c0.1 reduction(+:y)\ndynamic c0.1\n",
		[]string{"dynamic c0.1: threads that add up"}},
	{"vectors one by one", "for (int i = 0; i < n; i++) x[i] = 1;", lineBand + "parallel c0.1\nvectorize c0.1\ndynamic c0.1\n",
		[]string{"dynamic c0.1: threads share whole vectors"}},
	{"a region one by one", both + "y[j] += a[i][j];", squareBand + "parallel c0.2\ndynamic c0.2\nregion c0.1 around c0.2\n",
		[]string{"dynamic c0.2: the threads start outside"}},
	{"vectors of our own", both + "a[i][j] = x[j];", squareBand + "vectorize c0.2\nsimdlen c0.2 8\nstream c0.2 lanes 2\n",
		[]string{"simdlen 8 c0.2: the code has vectors of its own there"}},
	{"no stretch apart", "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) x[i] -= x[j];",
		squareBand + "tile c0.1 c0.2 by 8 8\nregisters c0.1 by 4 lanes 4\n", nil},
	{"full tiles", both + "a[i][j] = x[j];", squareBand + "tile c0.1 c0.2 by 8 8\nparallel c0.1t\nseparate c0.2t\nvectorize c0.2\n", nil},
	{"register blocks", both + "for (int l = 0; l < n; l++) a[i][j] += b[l][j] * x[i];",
		"classes {S0}\nband c0 permutable S0[i, j, l] -> [i, j, l]\ntile c0.1 c0.2 c0.3 by 8 8 8\nparallel c0.1t\nseparate c0.3t\nregisters c0.1 c0.2 by 2 4 lanes 4\n", nil},
}

// written is a function around a region whose sums may be in any order, its dependences, and a
// recipe for it.
func written(t *testing.T, body, text string) (*frontend.File, *depend.Graph, schedule.Recipe) {
	t.Helper()
	source := "void f(int n, int m, int k[restrict n], double a[restrict n][m], double b[restrict m][n], double p[restrict n][m][3], double q[restrict n][m][3], double x[restrict n + 1], double y[restrict m], double *restrict z) {\n" +
		"#pragma scop\n" + body + "\n#pragma endscop\n}\n"
	file, err := frontend.Parse("f.c", []byte(source), frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	region := &file.Regions[0]
	region.Program = region.Program.Reassociated()
	recipe, err := command.Parse(region.Program, "reassociate\n"+text)
	if err != nil {
		t.Fatal(err)
	}
	return file, kerneltest.Analyze(t, region.Program), recipe
}

// What code lacks of its schedule is told with a reason, and nothing else is.
func TestDeclined(t *testing.T) {
	for _, d := range decliningCases {
		t.Run(d.name, func(t *testing.T) {
			file, graph, recipe := written(t, d.body, d.recipe)
			code, notes, err := codegen.ProgramWithNotes(graph, recipe, file.Unit(&file.Regions[0]), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range notes.Declined {
				got = append(got, fmt.Sprintf("%s: %s", m.Mark, m.Reason))
			}
			if !slices.EqualFunc(got, d.wants, strings.HasPrefix) {
				t.Errorf("declined are\n%s\nwant\n%s\nin\n%s", strings.Join(got, "\n"), strings.Join(d.wants, "\n"), code)
			}
		})
	}
}
