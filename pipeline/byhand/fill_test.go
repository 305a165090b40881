package byhand

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/pipeline"
	"polytune/runner"
	"polytune/schedule/refusal"
	"polytune/scop/depend"
	"polytune/transform"
)

const (
	product = `void gemm(int n, double A[n][n], double B[n][n], double C[n][n])
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
`
	steps = `void jac(int T, int N, double A[N], double B[N])
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
`
	pictures = `void blur(int N, int M, float in[N][M], float bx[N][M], float by[N][M])
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M - 2; j++)
            bx[i][j] = (in[i][j] + in[i][j+1] + in[i][j+2]) / 3;
    for (int i = 0; i < N - 2; i++)
        for (int j = 0; j < M - 2; j++)
            by[i][j] = (bx[i][j] + bx[i+1][j] + bx[i+2][j]) / 3;
#pragma endscop
}
`
	loops   = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j, k] -> [i, k, j]\n"
	inTime  = "classes {S0 S1}\nband c0 permutable S0[t, i] -> [t, i]; S1[t, i] -> [t, i]\n"
	inTiles = "split c0 {S0} {S1}\ntile c0.1 c0.2 by 4 8\nwavefront c0.1t c0.2t\nparallel c0.2t\n"
)

// Holes have what is chosen for them, or the first value, or what the models or a proof find; the
// result is proven.
func TestFilling(t *testing.T) {
	for _, test := range []struct {
		name, source, recipe, choices string
		// want are lines of the result, unwanted words that it has not, notes words of what was
		// chosen.
		want, unwanted, notes []string
	}{
		{"first values", product, loops + "tile c1.1 c1.2 by {16,32} {4..8}\n", "", []string{"tile c1.1 c1.2 by 16 4"}, nil, []string{"r:4: chosen: tile c1.1 c1.2 by 16 4"}},
		{"chosen values", product, loops + "tile c1.1 c1.2 by {16,32} {4..8}\n", "hole.1=32 hole.2=8", []string{"tile c1.1 c1.2 by 32 8"}, nil, nil},
		{"the models' size", product, loops + "tile c1.1 c1.2 c1.3 by 16 ? 32\n", "", []string{"tile c1.1 c1.2 c1.3 by 16 "}, []string{"?", " 1 32"}, []string{"the models choose"}},
		{"a number for the models' size", product, loops + "tile c1.1 c1.2 c1.3 by 16 ? 32\n", "hole.1=5", []string{"tile c1.1 c1.2 c1.3 by 16 5 32"}, nil, nil},
		{"the models behind what is computed elsewhere", pictures, "original\ntile S1.i S1.j by {4,8} ?\ntry compute S0 at S1.jt\ntry inline S1\ntry vectorize S0.1.j\ncomplete\n", "hole.1=8", []string{"tile S1.i S1.j by 8 ", "compute S0 at S1.jt", "vectorize S0.1.j", "parallel c1.1"}, []string{"inline"}, []string{"r:4: inline S1 is left out"}},
		{"tries", product, loops + "try parallel c1.2\ntry parallel c1.1\n", "", []string{"parallel c1.1"}, []string{"parallel c1.2", "try"}, []string{"r:4: parallel c1.2 is left out: it is not legal"}},
		{"a try of a loop that is not there", product, loops + "try parallel c9.1\nparallel c1.1\n", "", []string{"parallel c1.1"}, []string{"c9"}, []string{"c9.1 is left out"}},
		{"the first of two commands", product, loops + "either sink c1.1 | sink c1.2\n", "", []string{"sink c1.1"}, []string{"sink c1.2", "either"}, []string{"chosen: sink c1.1"}},
		{"the second of two commands", product, loops + "either sink c1.1 | tile c1.2 by {2,3}\n", "hole.1=2 hole.2=3", []string{"tile c1.2 by 3"}, []string{"sink"}, nil},
		{"the smallest factor", steps, strings.Replace(inTime, "S1[t, i] -> [t, i]", "S1[t, i] -> [t, i + 1]", 1) + "skew c0.2 by ? c0.1\n" + inTiles, "", []string{"skew c0.2 by 2 c0.1"}, nil, []string{"the smallest that is legal: skew c0.2 by 2 c0.1"}},
		{"the smallest factor and shift", steps, inTime + "shift c0.2 S1 by ?\nskew c0.2 by ? c0.1\n" + inTiles, "", []string{"shift c0.2 S1 by 1", "skew c0.2 by 2 c0.1"}, nil, nil},
		{"the rest", product, loops + "complete\n", "", []string{"parallel c0.1", "vectorize c0.2", "parallel c1.1t"}, []string{"complete"}, []string{"r:4: the models add: parallel c1.1t"}},
		{"the rest of what has tiles", product, loops + "tile c1.1 c1.2 c1.3 by 8 8 8\ncomplete\n", "", []string{"tile c1.1 c1.2 c1.3 by 8 8 8", "parallel c1.1t", "parallel c0.1"}, []string{"tile c1.1t", "registers"}, nil},
		{"the rest of what has threads inside", product, loops + "parallel c1.3\ncomplete\n", "", []string{"parallel c1.3", "parallel c0.1", "tile c1.1 c1.2 by "}, []string{"parallel c1.1", "tile c1.3", "vectorize c1.3"}, nil},
		{"the rest of what has threads outside", product, loops + "parallel c1.1\ncomplete\n", "", []string{"tile c1.2 c1.3 by ", "vectorize c1.3"}, []string{"tile c1.1", "parallel c1.2", "registers"}, nil},
		{"the rest of what has lanes", product, loops + "vectorize c1.3\ncomplete\n", "", []string{"tile c1.1 c1.2 by ", "parallel c1.1t"}, []string{"sink", "registers"}, nil},
		{"the lanes of what has tiles", product, loops + "tile c1.1 c1.2 by 16 16\ncomplete\n", "", []string{"parallel c1.1t", "vectorize c1.3"}, []string{"tile c1.3", "tile c1.1t"}, nil},
		{"the rest of what has its order", product, loops + "interchange c1.2 c1.3\ncomplete\n", "", []string{"tile c1.1 c1.3 c1.2 by ", "parallel c1.1t"}, []string{"sink", "registers", "vectorize c1"}, nil},
		{"the rest with the models' settings", product, loops + "parallel c1.1\ncomplete\n", "tile=untiled vector=off", nil, []string{"tile", "vectorize"}, nil},
		{"the rest with sizes", product, loops + "parallel c1.1\ncomplete\n", "tile=sizes tile.1=8 tile.2=64", []string{"tile c1.2 c1.3 by 8 64"}, nil, nil},
		{"names of the source, what fusion finds, the smallest factor", steps, "original\nfuse S0.i S1.i shifting\nskew S0.i by ? S0.t\ntile S0.t S0.i by 4 8 as t0 i0 t1 i1\nwavefront t0 i0\nparallel i0\n", "", []string{"skew S0.i by 2 S0.t"}, nil, []string{"r:3: the smallest that is legal: skew S0.i by 2 S0.t"}},
		{"names of the source, the models' size", product, "original\ndistribute S0.i S0.j\ntile S1.i S1.j S1.k by {16,32,64} {16,64} ?\ninterchange S1.j S1.k\ntry parallel S1.k\nparallel S1.it\nvectorize S1.j\n", "", []string{"tile S1.i S1.j S1.k by 16 16 "}, []string{"?", "try", "parallel S1.k"}, []string{"r:3: the models choose: tile"}},
		{"names of the source, the rest", product, "original\ndistribute S0.i S0.j\ninterchange S1.j S1.k\ncomplete\n", "", []string{"interchange S1.j S1.k", "parallel c"}, []string{"complete"}, nil},
	} {
		r, err := Read("r", test.recipe)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		target := targetOf(t, test.source)
		choices, err := r.ParseChoices(target, test.choices)
		if err != nil {
			t.Fatal(err)
		}
		filled, err := r.Fill(t.Context(), target, choices, modelOptions(t))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		text := "\n" + filled.Recipe.Text(filled.Target.Unit.Program)
		notes := strings.Join(filled.Notes, "\n")
		for _, line := range test.want {
			if !strings.Contains(text, "\n"+line) {
				t.Errorf("%s: the recipe lacks %q:%s", test.name, line, text)
			}
		}
		for _, word := range test.unwanted {
			if strings.Contains(text, word) {
				t.Errorf("%s: the recipe has %q:%s", test.name, word, text)
			}
		}
		for _, word := range test.notes {
			if !strings.Contains(notes, word) {
				t.Errorf("%s: the notes lack %q:\n%s", test.name, word, notes)
			}
		}
		if err := filled.Target.WithGraph(t.Context(), func(g *depend.Graph) error {
			settled, _, err := filled.Recipe.Settled(g)
			if err == nil {
				_, _, err = settled.Prove(g)
			}
			return err
		}); err != nil {
			t.Errorf("%s: the recipe is not legal: %v%s", test.name, err, text)
		}
		if len(filled.Lines) != len(filled.Recipe) {
			t.Errorf("%s: %d lines for %d commands", test.name, len(filled.Lines), len(filled.Recipe))
		}
	}
}

// What cannot be filled is refused with its line in the file.
func TestBadFillings(t *testing.T) {
	for recipe, want := range map[string]string{
		loops + "# a comment\nsink c1.{1,2}\n":        "r:5: ",
		loops + "classes {1,2}\n":                     "r:4: ",
		loops + "parallel {1,2}\n":                    "",
		loops + "\n\nstream c1.3 by ?\n":              "r:6: ",
		loops + "registers c1.1 c1.3 by ? 8\n":        "no model chooses a number of registers",
		loops + "tile c1.1 c1.9 by ? 8\n":             `loop "c1.9" does not come right inside "c1.1"`,
		loops + "try paralel c1.1\n":                  "did you mean parallel?",
		loops + "either sink c1.1 | parallelize c1\n": "",
	} {
		r, err := Read("r", recipe)
		if err == nil {
			_, err = r.Fill(t.Context(), targetOf(t, product), Choices{}, modelOptions(t))
		}
		if want == "" && err == nil {
			continue
		}
		if !errors.As(err, new(*refusal.Refusal)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not a refusal with %q", recipe, err, want)
		}
	}
}

// Choices that are none of the recipe's are errors.
func TestBadChoices(t *testing.T) {
	r, err := Read("r", loops+"tile c1.1 by {8,16}\n")
	if err != nil {
		t.Fatal(err)
	}
	completed, err := Read("r", loops+"complete\n")
	if err != nil {
		t.Fatal(err)
	}
	target := targetOf(t, product)
	for _, text := range []string{"tile=narrow", "wide=tile", "hole.1=8", "map=sizes"} {
		if choices, err := completed.ParseChoices(target, text); err == nil {
			t.Errorf("%s: %v", text, choices)
		}
	}
	for text, want := range map[string]string{
		"tile=wide": `"tile=wide" is no choice for a hole of r; write hole.1=32`,
		"hole.2=8":  "r has no hole 2; it has 1",
		"hole.1=9":  "hole 1 of r has the values 8 16, not 9",
		"hole.1":    `"hole.1" is no choice for a hole of r; write hole.1=32`,
	} {
		if _, err := r.ParseChoices(target, text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %s", text, err, want)
		}
	}
}

func targetOf(t *testing.T, source string) *pipeline.Target {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.c")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	targets, err := (&pipeline.Options{}).All([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	return targets[0]
}

// modelOptions are the models' for a machine that is always the same.
func modelOptions(t *testing.T) transform.Options {
	t.Helper()
	options, err := pipeline.SessionModel.Options(runner.Machine{Cores: 2, Caches: []runner.Cache{
		{Level: 1, Kind: "Data", Size: 32 << 10, Line: 64, Associativity: 8, SharedBy: []int{0}},
		{Level: 2, Kind: "Unified", Size: 512 << 10, Line: 64, Associativity: 8, SharedBy: []int{0}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return options
}
