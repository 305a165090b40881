package transform

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/space/variant"
)

// axesOf is the model of the axes with tiles of so many loops.
func axesOf(t *testing.T, loops int) *variant.Model {
	t.Helper()
	m, err := variant.New(slices.Concat(Axes(), SizeAxes(loops)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAxesByDefaultLeaveTheModels(t *testing.T) {
	base := Options{CacheBytes: 12345}
	if got := OptionsOf(axesOf(t, 3).Default(), base); !reflect.DeepEqual(got, base) {
		t.Errorf("the default setting means %+v; want %+v", got, base)
	}
}

// Each axis changes the recipe as its value says, and the recipe is proven.
func TestAxesDecide(t *testing.T) {
	for _, test := range []struct {
		kernel, partition, setting string
		wants, lacks               []string
	}{
		{"gemm", "none", "", []string{"tile c1.1 c1.2 c1.3 by 64 128 64", "parallel", "separate", "sink", "vectorize"}, nil},
		{"gemm", "none", "tile=wide", []string{"tile c1.1 c1.2 c1.3 by 64 1024 64"}, nil},
		{"gemm", "none", "tile=half", []string{"tile c1.1 c1.2 c1.3 by 32 64 32"}, nil},
		{"gemm", "none", "tile=untiled", []string{"parallel c1.1\n"}, []string{"tile", "separate"}},
		{"gemm", "none", "tile=sizes", []string{"tile c1.1 c1.2 c1.3 by 32 32 32"}, nil},
		{"gemm", "none", "tile=sizes tile.1=8 tile.3=512", []string{"tile c1.1 c1.2 c1.3 by 8 32 512"}, nil},
		{"gemm", "none", "vector=off", []string{"tile", "parallel", "separate"}, []string{"sink", "vectorize"}},
		{"gemm", "none", "separate=off", []string{"tile", "parallel", "vectorize"}, []string{"separate"}},
		{"gemm", "none", "parallel=off", []string{"tile", "separate", "vectorize"}, []string{"parallel", "wavefront"}},
		{"gemm", "none", "mark=ivdep", []string{"vectorize c1.2\nivdep c1.2\n"}, nil},
		{"gemm", "none", "collapse=on", []string{"parallel c1.1t\ncollapse c1.1t c1.2t\n"}, nil},
		{"seidel-2d", "none", "collapse=on", []string{"parallel c0.2t\n"}, []string{"collapse"}},
		{"gemm", "none", "lanes=x8", []string{"vectorize c0.2\nsimdlen c0.2 8\n"}, nil},
		{"gemm", "none", "mark=none", []string{"sink c1.2\n"}, []string{"vectorize", "ivdep"}},
		{"gemm", "none", "schedule=dynamic", []string{"parallel c1.1t\ndynamic c1.1t\n"}, nil},
		{"syrk", "none", "", []string{"dynamic"}, nil},
		{"syrk", "none", "schedule=static", []string{"parallel c1.1t\n"}, []string{"dynamic"}},
		{"jacobi-1d", "none", "schedule=dynamic mark=ivdep", []string{"dynamic c0.2t\n", "ivdep c0_0.2\n"}, nil},
		{"seidel-2d", "none", "", []string{"wavefront c0.1t c0.2t\nparallel c0.2t"}, nil},
		{"seidel-2d", "none", "wavefront=off", []string{"tile c0.1 c0.2 c0.3"}, []string{"wavefront", "parallel"}},
		{"polybench/adi", "max", "inside=none", []string{" {S13} {S14} {S15} {S16} "}, nil},
		{"gramschmidt", "max", "", []string{"split c0 {S0} {S1} {S2} {S3} {S4} {S5} {S6}\n"}, nil},
		{"gramschmidt", "max", "inside=max", []string{"split c0 {S0} {S1} {S2} {S3 S4} {S5 S6}\n"}, nil},
		{"gemm", "none", "order=score", []string{"sink c1.2\nvectorize c1.2"}, nil},
		{"seidel-2d", "none", "degrees=2", []string{"wavefront c0.1t c0.2t c0.3t\nparallel c0.2t"}, nil},
		{"jacobi-2d", "none", "height=8", []string{" by 8 "}, nil},
		{"seidel-2d", "none", "height=128", []string{" by 128 "}, nil},
		{"gemm", "none", "height=128", nil, []string{"by 128 "}},
		{"seidel-2d", "none", "second_level=on", []string{"tile c0.1t c0.2t c0.3t by 8 8 8\nwavefront c0.1tt c0.2tt\nparallel c0.2tt\nregisters c0.2 by 8\n"}, nil},
		{"seidel-2d", "none", "interleave=off", []string{"separate c0.3t"}, []string{"skew", "registers"}},
		{"seidel-2d", "none", "interleave=4 tile=sizes", []string{"skew c0.3 by 1 c0.2\ntile c0.1 c0.2 c0.3 by 32 32 32", "registers c0.2 by 4"}, nil},
		{"gemm", "none", "second_level=on", []string{"tile c1.1t c1.2t c1.3t by 8 8 8\nparallel c1.1tt\nseparate c1.3t\n"}, nil},
		{"jacobi-2d", "none", "diamond=one", []string{"diamond c0.1 ", "wavefront c0.1t c0.2t\n"}, nil},
		{"jacobi-2d", "none", "diamond=full tile=wide", []string{"diamond c0.1 ", "wavefront c0.1t c0.2t c0.3t\n"}, nil},
		{"jacobi-1d", "none", "diamond=one second_level=on", []string{"diamond c0.1 ", "wavefront c0.1tt c0.2tt\nparallel c0.2tt\nseparate c0.2t\n"}, nil},
		{"seidel-2d", "none", "parallel=off", []string{"tile c0.1 c0.2 c0.3"}, []string{"wavefront", "parallel"}},
	} {
		s, err := axesOf(t, 3).Parse(test.setting)
		if err != nil {
			t.Fatal(err)
		}
		g := kerneltest.Graph(t, test.kernel)
		got := recipeOf(t, g, chosen(t, g, test.partition), OptionsOf(s, Options{CacheBytes: 48 << 10}))
		for _, want := range test.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s %q: no %q in\n%s", test.kernel, test.setting, want, got)
			}
		}
		for _, lack := range test.lacks {
			if strings.Contains(got, lack) {
				t.Errorf("%s %q: %q in\n%s", test.kernel, test.setting, lack, got)
			}
		}
	}
}

// Without wavefronts a band without reuse or a parallel loop is not tiled, as
// there is nothing to gain, and a loop further inside may be parallel.
func TestWithoutWavefront(t *testing.T) {
	source := `void f(int N, double A[N][N][N])
{
#pragma scop
for (int i = 1; i < N; i++)
for (int j = 1; j < N; j++)
for (int k = 0; k < N; k++)
A[i][j][k] = 0.5 * (A[i - 1][j][N - 1 - k] + A[i][j - 1][N - 1 - k]);
#pragma endscop
}
`
	g := graphOf(t, "f", []byte(source))
	with := recipeOf(t, g, chosen(t, g, "none"), fixed)
	without := recipeOf(t, g, chosen(t, g, "none"), Options{CacheBytes: fixed.CacheBytes, Off: []string{wavefrontAxis}})
	if !strings.Contains(with, "wavefront") || strings.Contains(without, "wavefront") || !strings.Contains(without, "parallel c0.3\n") {
		t.Errorf("with wavefronts\n%s\nwithout\n%s", with, without)
	}
}

// Settings drawn by chance give legal recipes (recipeOf proves them), and the
// axes for sizes are those of the widest tiled band.
func TestRandomSettings(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	recipes := map[string]bool{}
	for _, kernel := range []string{"gemm", "atax", "jacobi-1d", "seidel-2d", "trisolv"} {
		g := kerneltest.Graph(t, kernel)
		for _, word := range []string{"max", "none"} {
			p := chosen(t, g, word)
			recipe, _ := provenRecipe(t, g, p, fixed)
			m := axesOf(t, TiledLoops(recipe))
			list, ok := m.Sample(random, 6, 1000)
			if !ok {
				t.Fatal("the settings could not be counted in 1000 steps")
			}
			for _, s := range list {
				recipes[fmt.Sprint(kernel, p, recipeOf(t, g, p, OptionsOf(s, fixed)))] = true
			}
		}
	}
	if len(recipes) < 30 {
		t.Errorf("60 settings gave only %d different recipes", len(recipes))
	}
}

func TestTiledLoops(t *testing.T) {
	for _, test := range []struct {
		kernel, partition string
		want              int
	}{
		{"gemm", "none", 3},
		{"2mm", "max", 2},
		{"atax", "max", 0},
		{"seidel-2d", "none", 3},
	} {
		g := kerneltest.Graph(t, test.kernel)
		recipe, _ := provenRecipe(t, g, chosen(t, g, test.partition), fixed)
		if got := TiledLoops(recipe); got != test.want {
			t.Errorf("%s %s: %d loops are tiled; want %d", test.kernel, test.partition, got, test.want)
		}
	}
}
