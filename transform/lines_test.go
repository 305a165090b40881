package transform

import (
	"strings"
	"testing"

	"polytune/schedule/command"
)

// Lines that are swept forwards and then backwards are fused with nothing that would
// leave them the loop over lines alone, inside of other loops and outermost; what runs in
// the same direction stays together.
func TestKeepsLines(t *testing.T) {
	const sweeps = `
for (int i = 0; i < N; i++) {
  for (int j = 1; j < N; j++) {
    x[i][j] = 1.0 / (x[i][j - 1] + 2.0);
    y[i][j] = (u[j][i] - y[i][j - 1]) / x[i][j - 1];
  }
  for (int j = N - 2; j >= 0; j--)
    z[i][j] = x[i][j] * z[i][j + 1] + y[i][j];
}`
	const recurrence = `
for (int i = 0; i < N; i++)
  for (int j = N - 2; j >= 0; j--)
    x[i][j] = 0.5 * x[i][j + 1] + y[i][j];
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++)
    z[i][j] = x[i][j];`
	for _, test := range []struct{ about, body, want string }{
		{"sweeps in steps of time", "\nfor (int t = 0; t < N; t++) {" + sweeps + "\nfor (int i = 0; i < N; i++)\nfor (int j = 0; j < N; j++)\nu[i][j] = z[i][j];\n}",
			"split c0 {S0 S1} {S2} {S3}\nband c0_0 permutable S0[t, i, j] -> [i, j]; S1[t, i, j] -> [i, j]\n"},
		{"what a recurrence against the other loop gives", recurrence, "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, -j + N - 2]\n"},
		{"a recurrence in the direction of the other loop", strings.NewReplacer("j = N - 2; j >= 0; j--", "j = 1; j < N; j++", "j + 1", "j - 1").Replace(recurrence),
			"classes {S0 S1}\n"},
		{"no recurrence", strings.ReplaceAll(recurrence, "j + 1", "j"), "classes {S0 S1}\n"},
	} {
		source := "void f(int N, double x[N][N], double y[N][N], double z[N][N], double u[N][N])\n{\n#pragma scop" + test.body + "\n#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		if text := recipeOf(t, g, chosen(t, g, "smart"), fixed); !strings.Contains(text, test.want) {
			t.Errorf("%s: no %s in\n%s", test.about, test.want, text)
		}
	}
}

// A statement that may write or not, as data decide, counts nowhere.
func TestBesideUnderConditions(t *testing.T) {
	source := `void f(int N, double x[N][N], double most[N])
{
#pragma scop
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++)
    if (x[j][i] > most[i])
      most[i] = x[j][i];
#pragma endscop
}
`
	g := graphOf(t, "f", []byte(source))
	recipe, err := command.Parse(g.Model.Program, "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\nregisters c0.1 by 8\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ConcurrencyOf(g.Model, recipe); err != nil || got.Beside != 0 {
		t.Errorf("%d statements (%v)", got.Beside, err)
	}
}

// Lanes along a loop in longer steps than one have their elements far from each other, and count
// nowhere.
func TestBesideInSteps(t *testing.T) {
	const source = `void f(int N, double x[N][N], double y[N][N])
{
#pragma scop
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j += STEP)
    y[i][j / STEP] = 2 * x[i][j];
#pragma endscop
}
`
	for step, want := range map[string]int{"4": 0, "1": 1} {
		g := graphOf(t, "f", []byte(strings.ReplaceAll(source, "STEP", step)))
		recipe, err := command.Parse(g.Model.Program, "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\nvectorize c0.2\n")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ConcurrencyOf(g.Model, recipe); err != nil || got.Beside != want {
			t.Errorf("steps of %s: %d statements (%v), not %d", step, got.Beside, err, want)
		}
	}
}

// Statements in register blocks and in vector loops count, those of largest depth alone, and twice
// where blocks stay in registers.
func TestBeside(t *testing.T) {
	source := `void f(int N, double x[N][N], double y[N])
{
#pragma scop
for (int i = 0; i < N; i++)
  y[i] = 0.0;
for (int i = 0; i < N; i++)
  for (int j = 1; j < N; j++)
    x[i][j] = 0.5 * x[i][j - 1] + x[i][j];
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++)
    x[i][j] = x[i][j] * y[i];
#pragma endscop
}
`
	g := graphOf(t, "f", []byte(source))
	for _, test := range []struct {
		recipe string
		want   int
	}{
		{"classes {S0} {S1} {S2}\nband c0 S0[i] -> [i]\nband c1 permutable S1[i, j] -> [i, j]\nband c2 S2[i, j] -> [i, j]\nvectorize c0.1\nregisters c1.1 by 8\nvectorize c2.2\n", 3},
		{"classes {S0} {S1} {S2}\nband c0 S0[i] -> [i]\nband c1 permutable S1[i, j] -> [i, j]\nband c2 permutable S2[i, j] -> [i, j]\nregisters c2.1 c2.2 by 2 8 lanes 4\n", 1},
		{"classes {S0} {S1} {S2}\nband c0 S0[i] -> [i]\nband c1 permutable S1[i, j] -> [i, j]\nband c2 S2[i, j] -> [i, j]\nvectorize c0.1\nparallel c1.1\n", 0},
	} {
		recipe, err := command.Parse(g.Model.Program, test.recipe)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ConcurrencyOf(g.Model, recipe); err != nil || got.Beside != test.want {
			t.Errorf("%d statements (%v), not %d, of\n%s", got.Beside, err, test.want, test.recipe)
		}
	}
}
