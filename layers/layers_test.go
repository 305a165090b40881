package layers_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/layers"
	"polytune/pipeline"
	"polytune/target/registry"
)

var update = flag.Bool("update", false, "write the goldens")

// blur is Figure 2 of Tiramisu's paper without colours.
const blur = `void blur(int N, int M, float in[N][M], float by[N][M])
{
    float bx[N][M];
#pragma scop statements(bx, by)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M - 2; j++)
            bx[i][j] = (in[i][j] + in[i][j+1] + in[i][j+2]) / 3;
    for (int i = 0; i < N - 2; i++)
        for (int j = 0; j < M - 2; j++)
            by[i][j] = (bx[i][j] + bx[i+1][j] + bx[i+2][j]) / 3;
#pragma endscop
}
`

// jacobi has reads of two computations and of what is from before.
const jacobi = `void jacobi(int T, int N, double A[N], double B[N])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < N - 1; i++)
            B[i] = 0.5 * (A[i-1] + A[i+1]);
        for (int i = 1; i < N - 1; i++)
            A[i] = B[i];
    }
#pragma endscop
}
`

// TestLayers compares the layers of the paper's examples with the golden file; -update writes it.
func TestLayers(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, test := range []struct{ what, source, recipe string }{
		{"Figure 2", blur, "original\n"},
		{"Figure 3 a", blur, "original\ntile by.i by.j by 32 32 as i0 j0 i1 j1\ncompute bx at j0\nparallel i0\n"},
		{"section IV: by in [j][i], vectors", blur, "original\ntile by.i by.j by 32 32 as i0 j0 i1 j1\nparallel i0\nvectorize j1\nunroll bx.j by 4\nstore by[i][j] as [j][i]\n"},
		{"section IV: blocks and threads", blur, "original\ntile by.i by.j by 32 32 as i0 j0 i1 j1\nblock i0 j0\nthread i1 j1 by 8 32\n"},
		{"jacobi", jacobi, "original\nparallel S0.i\n"},
		{"Figure 3 c: ranks", blur, "original\nranks bx.i by.i\nparallel bx.i\n"},
		{"jacobi on ranks", jacobi, "original\nranks S0.i S1.i\n"},
	} {
		fmt.Fprintf(&b, "=== %s\n", test.what)
		if err := write(&b, test.source, test.recipe); err != nil {
			t.Errorf("%s: %v", test.what, err)
		}
	}
	kerneltest.Golden(t, filepath.Join("testdata", "layers.golden"), b.String(), *update)
}

// write writes all layers of a function with a recipe, and reads all sets again.
func write(b *strings.Builder, source, recipe string) error {
	options := &pipeline.Options{}
	for word, target := range map[string]string{"block ": "opencl", "ranks ": "mpi"} {
		if !strings.Contains(recipe, word) {
			continue
		}
		var err error
		if options.On, err = registry.Find(target); err != nil {
			return err
		}
	}
	targets, err := options.Regions(&pipeline.Target{Name: "test"}, "test.c", []byte(source))
	if err != nil {
		return err
	}
	c := isl.NewContext()
	defer c.Close()
	m, err := targets[0].Unit.Program.Model(c)
	if err != nil {
		return err
	}
	algorithm, err := layers.AlgorithmOf(m)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "-- I\n%v", algorithm)
	at, commands, err := targets[0].ReadRecipe(recipe)
	if err != nil {
		return err
	}
	tree, err := commands.Replay(at.Unit.Program)
	if err != nil {
		return err
	}
	if m, err = tree.Program.Model(c); err != nil {
		return err
	}
	order, err := layers.OrderOf(m, tree)
	if err != nil {
		return err
	}
	data, err := layers.DataOf(m, tree)
	if err != nil {
		return err
	}
	communication, err := layers.CommunicationOf(m, tree)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "-- II\n%v-- III\n%v-- IV\n%v", order, data, communication)
	for _, p := range order.Computations {
		c.ReadMap(p.Relation)
	}
	for _, r := range data.Relations {
		c.ReadMap(r.Relation)
	}
	for _, o := range communication.Operations {
		c.ReadSet(o.Times)
	}
	return c.Err()
}
