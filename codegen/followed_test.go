package codegen

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// followedCases are programs with recipes whose loops have steps, tiles, phases or blocks.
var followedCases = []struct{ name, source, recipe string }{
	{"hexagons", threeSteps, "classes {S0 S1 S2}\nband c0 S0[t, i] -> [3t, i]; S1[t, i] -> [3t + 1, i]; S2[t] -> [3t + 2, 0]\nhexagon c0.1 c0.2 by 3 4 slopes 1 1\n"},
	{"overlapped tiles", "polybench/jacobi-1d", "classes {S0 S1}\nband c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]\noverlapped c0.1 c0.2 by 3 4 slopes 1 rest 1\n" +
		"block c0p0.2o\nthread c0p0.2 by 8\nbarrier c0p0.1\ncopy A at c0p0.2o to shared\ncopy B at c0p0.2o to shared\nblock c0p1.2\n"},
	{"phases", "polybench/lu", "classes {S0 S1 S2}\nband c0 permutable S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, j]; S2[i, j, k] -> [i, j, k]\nsplit c0 {S0} {S1} {S2}\n" +
		"tile c0.1 c0.2 c0.3 by 4 4 4\nsink c0.2t\nsink c0.1t\nphases c0.3t\n"},
	{"waves", threeSteps, "classes {S0 S1 S2}\nband c0 permutable S0[t, i] -> [3t, 3t + i]; S1[t, i] -> [3t + 1, 3t + i + 1]; S2[t] -> [3t + 2, 3t + 2]\ntile c0.1 c0.2 by 4 5\nwavefront c0.1t c0.2t\n"},
}

const threeSteps = `void f(int T, int n, double p[n], double q[n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      p[i] = q[i - 1] + q[i + 1];
    for (int i = 1; i < n - 1; i++)
      q[i] = p[i] + 1;
    q[0] = p[1];
  }
#pragma endscop
}
`

// followedRecipe is a case's program, and its schedule.
func followedRecipe(t *testing.T, source, text string) (*depend.Graph, *schedule.Tree, mark.Schedule) {
	t.Helper()
	var g *depend.Graph
	if strings.HasPrefix(source, "polybench/") {
		g = kerneltest.Graph(t, source)
	} else {
		file, err := frontend.Parse("f.c", []byte(source), frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g = kerneltest.Analyze(t, file.Regions[0].Program)
	}
	recipe, err := command.Parse(g.Model.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	tree, proven, err := recipe.Prove(g)
	if err != nil {
		t.Fatal(err)
	}
	return g, tree, proven
}

// Loops as isl makes them run instances in the order of their trees, and all of them: with the parts
// of a block the other way round they do not.
func TestInOrder(t *testing.T) {
	for _, c := range followedCases {
		g, tree, proven := followedRecipe(t, c.source, c.recipe)
		wrong := func(p *loopir.Program, e *Env) (err error) {
			for _, values := range smallValues {
				if err == nil {
					err = inOrderFor(e, p.Code, values)
				}
			}
			return err
		}
		breaks := 0
		check := Pass{"check", func(p *loopir.Program, e *Env) error {
			if err := wrong(p, e); err != nil {
				t.Errorf("%s: %v\n%s", c.name, err, p)
			}
			loopir.Walk(p.Code, func(s loopir.Stmt) {
				for _, body := range loopir.Bodies(s) {
					if len(*body) > 1 {
						slices.Reverse(*body)
						if wrong(p, e) != nil {
							breaks++
						}
						slices.Reverse(*body)
					}
				}
			})
			return nil
		}}
		if _, err := Lower(g.Model, proven, Options{Tree: tree, Passes: []Pass{Loops, check}}, nil); err != nil {
			t.Fatal(err)
		}
		if breaks == 0 {
			t.Errorf("%s: no block that is the other way round is found", c.name)
		}
	}
}

// Where isl shifts statements of loops with steps against each other by what two of them do not have
// together, nothing is printed.
func TestShiftedStatements(t *testing.T) {
	const source = `void f(int T, int n, double p[n][n], double q[n][n], double r[n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 3; i < n - 2; i++)
      for (int j = 1; j < n - 1; j++)
        p[i][j] = r[i - 2][j - 1] + r[i][j - 1] + q[i + 2][j - 1];
    for (int i = 3; i < n - 2; i++)
      for (int j = 1; j < n - 1; j++)
        q[i][j] = p[i + 1][j] + p[i + 2][j - 1] + r[i][j + 1];
    for (int j = 0; j < n; j++)
      q[0][j] = 0.5;
    for (int i = 2; i < n - 2; i++)
      for (int j = 1; j < n - 2; j++)
        r[i][j] = q[i][j] + q[i - 2][j - 1];
  }
#pragma endscop
}
`
	const recipe = "classes {S0 S1 S2 S3}\nband c0 S0[t, i, j] -> [3t, i, j]; S1[t, i, j] -> [3t + 1, i, j]; S2[t, j] -> [3t, 0, j]; S3[t, i, j] -> [3t + 2, i, j]\nhexagon c0.1 c0.2 c0.3 by 3 7 8 slopes 2 2 1\n"
	g, tree, proven := followedRecipe(t, source, recipe)
	if _, err := Lower(g.Model, proven, Options{Tree: tree, Passes: []Pass{Loops}}, nil); err != nil {
		t.Error(err)
	}
	guards := regexp.MustCompile(`\n *child:\n *guard: .*`)
	text := proven.Tree.String()
	loose := g.Model.Context.ReadSchedule(guards.ReplaceAllString(text, ""))
	if !guards.MatchString(text) {
		t.Fatalf("no guard is in the schedule:\n%s", text)
	}
	_, err := Lower(g.Model, mark.Schedule{Tree: loose, Marks: proven.Marks}, Options{Tree: tree, Passes: []Pass{Loops}}, nil)
	if err == nil || !strings.Contains(err.Error(), "which the schedule has later") {
		t.Errorf("isl may shift statements against each other: %v", err)
	}
}
