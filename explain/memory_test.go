package explain

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/pipeline/remedy"
	"polytune/store"
)

const twoPasses = `void blur(int N, int M, float in[N][M], float bx[N][M], float by[N][M])
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

// The memory that the code makes for what is stored elsewhere, or computed again, is explained: how
// large it is, and where it is made.
func TestMemory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "blur.c")
	if err := os.WriteFile(path, []byte(twoPasses), 0o600); err != nil {
		t.Fatal(err)
	}
	const tiles = "original\ntile S1.i S1.j by 32 16\ncompute S0 at S1.jt\n"
	for recipe, want := range map[string]string{
		"original\n":                           "",
		"store in[i][j] as [j][i]\noriginal\n": "memory for in_1[300][200]: 234 KiB, made once, in front of all loops, with in[i][j] at [j][i]",
		"store bx[i][j] as [j][i]\noriginal\n": "memory for bx_1[298][200]: 233 KiB, made once, in front of all loops, with bx[i][j] at [j][i]",
		tiles:                                  "memory for tune_bx_1[34][16]: 2.12 KiB, in each iteration of c1.2t, with values of bx",
		tiles + "parallel S1.it\n":             "memory for tune_bx_1[34][16]: 2.12 KiB, in each iteration of c1.2t, for each thread its own, with values of bx",
		tiles + "allocate bx at S1.it\n":       "memory for tune_bx_1[34][16]: 2.12 KiB, in each iteration of c1.1t, with values of bx",
	} {
		o := &Options{Params: "N=200,M=300"}
		o.Model = pipeline.SessionModel
		o.Recipe.Path, o.Recipe.Text = "r", recipe
		targets, err := o.Target.All([]string{path})
		if err != nil {
			t.Fatal(err)
		}
		at := pipelinetest.Somewhere()
		_, values, err := o.values(t.Context(), targets[0], at, store.TimingQuery{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := o.chosen(t.Context(), targets[0], at, "")
		if err != nil {
			t.Errorf("%s: %v", recipe, err)
			continue
		}
		e, err := o.explanation(targets[0], v, at, values, 0, &remedy.Hinter{})
		if err != nil {
			t.Errorf("%s: %v", recipe, err)
			continue
		}
		var text bytes.Buffer
		e.Text(&text)
		var got []string
		for line := range strings.Lines(text.String()) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "memory ") {
				got = append(got, line)
			}
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q, not %q", recipe, got, want)
		}
	}
}
