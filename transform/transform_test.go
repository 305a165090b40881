package transform

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/space"
	"polytune/transform/facts"
)

// Recipes that were worked out by hand.
func TestByHand(t *testing.T) {
	for _, test := range []struct {
		about, kernel, partition, want string
	}{
		{"reuse of C along k only: the two parallel loops come first", "gemm", "none", `
classes {S0} {S1}
band c0 permutable S0[i, j] -> [i, j]
parallel c0.1
vectorize c0.2
band c1 permutable S1[i, k, j] -> [i, j, k]
tile c1.1 c1.2 c1.3 by 64 128 64
parallel c1.1t
separate c1.3t
sink c1.2
vectorize c1.2
`},
		{"the initialisation stands still at k = 0", "gemm", "max", `
classes {S0 S1}
band c0 permutable S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]
split c0 {S0} {S1}
tile c0.1 c0.2 c0.3 by 64 128 64
parallel c0.1t
separate c0.3t
sink c0.2
vectorize c0.2
`},
		{"the skew j+k of the SC'10 paper's Figure 2", "2mm", "max", `
classes {S0 S1 S2 S3}
band c0 permutable S0[i, j] -> [i, j]; S1[i, j, k] -> [i, j]; S2[i, j] -> [i, j]; S3[i, j, k] -> [i, j + k]
split c0 {S0} {S1} {S2} {S3}
band c0_1 permutable S1[i, j, k] -> [k]
band c0_3 permutable S3[i, j, k] -> [j]
tile c0.1 c0.2 by 48 48
parallel c0.1t
`},
		{"y[j] is cleared in iteration j and updated from iteration j on", "atax", "max", `
classes {S0 S1 S2 S3}
band c0 permutable S0[i] -> [i]; S1[i] -> [i]; S2[i, j] -> [i]; S3[i, j] -> [i + j]
split c0 {S0} {S1} {S2} {S3}
band c0_2 permutable S2[i, j] -> [j]
band c0_3 permutable S3[i, j] -> [i]
parallel c0_3.2
threads c0_3.2 from 5957
`},
		{"time, then skewed by one step per row and two per time step", "seidel-2d", "none", `
classes {S0}
band c0 permutable S0[t, i, j] -> [t, t + i, 2t + i + j]
tile c0.1 c0.2 c0.3 by 72 72 72
wavefront c0.1t c0.2t
parallel c0.2t
separate c0.3t
`},
		{"the second half step is one later along the skewed row", "jacobi-1d", "none", `
classes {S0 S1}
band c0 permutable S0[t, i] -> [t, 2t + i]; S1[t, i] -> [t, 2t + i + 1]
split c0 {S0} {S1}
tile c0.1 c0.2 by 64 256
wavefront c0.1t c0.2t
parallel c0.2t
separate c0.2t
distribute c0.2
vectorize c0_0.2
vectorize c0_1.2
`},
		{"A row by row: a reduction along j; A by columns: i sinks to unit stride", "mvt", "none", `
classes {S0} {S1}
band c0 permutable S0[i, j] -> [i, j]
tile c0.1 c0.2 by 72 72
parallel c0.1t
separate c0.2t
band c1 permutable S1[i, j] -> [i, j]
tile c1.1 c1.2 by 128 64
parallel c1.1t
separate c1.2t
sink c1.1
vectorize c1.1
`},
	} {
		g := kerneltest.Graph(t, test.kernel)
		got := recipeOf(t, g, chosen(t, g, test.partition), fixed)
		if got != test.want[1:] {
			t.Errorf("%s, %s: %s\ngot\n%swant%s", test.kernel, test.partition, test.about, got, test.want)
		}
	}
}

// The decisions of the models for one loop nest each.
func TestDecisions(t *testing.T) {
	for _, test := range []struct {
		about, body  string
		wants, lacks []string
	}{
		{"a copy reuses nothing", "A[i][j] = B[i][j];", []string{"parallel c0.1\n", "vectorize c0.2"}, []string{"tile", "sink"}},
		{"a copy by columns: i becomes the vector loop, j runs on the threads", "A[j][i] = B[j][i];", []string{"parallel c0.2\n", "sink c0.1\nvectorize c0.1"}, []string{"tile"}},
		{"a transposition has no loop of unit stride", "A[i][j] = B[j][i];", []string{"tile c0.1 c0.2 by 64 8\nparallel c0.1t\n"}, []string{"vectorize"}},
		{"an outer product reuses both vectors", "A[i][j] = x[i] * y[j];", []string{"tile c0.1 c0.2 by 64 128\nparallel c0.1t\nseparate c0.2t\nvectorize c0.2"}, []string{"sink"}},
		{"a scalar is no reuse", "A[i][j] = 2.0 * a;", []string{"parallel c0.1\n", "vectorize c0.2"}, []string{"tile"}},
		{"every other element: not worth vector code", "A[i][2 * j] = 1.0;", []string{"parallel c0.1\n"}, []string{"tile", "vectorize"}},
		{"backwards through memory: a stride of one", "A[i][N - j] = 1.0;", []string{"vectorize c0.2"}, nil},
		{"a diagonal of the data", "x[i] += y[i + j];", []string{"tile c0.1 c0.2", "parallel c0.1t", "sink c0.1\nvectorize c0.1"}, nil},
		{"rows depend on rows: the columns are parallel, and the vector loop in tiles", "A[i + 1][j] = 0.5 * A[i][j];", []string{"S0[i, j] -> [j, i]", "parallel c0.1t\n", "sink c0.1\nvectorize c0.1"}, nil},
		{"both directions carry: a wavefront of tiles", "A[i + 1][j + 1] = A[i][j + 1] + A[i + 1][j];", []string{"S0[i, j] -> [i, j]", "wavefront c0.1t c0.2t\nparallel c0.2t"}, []string{"vectorize"}},
		{"elements move along i+j, which is parallel", "A[i + 1][j] = A[i][j + 1];", []string{"S0[i, j] -> [i + j, i]", "parallel c0.1"}, nil},
		{"nothing can be done", "x[0] = 0.5 * x[0] + A[i][j];", []string{"band c0 permutable S0[i, j] -> [i]\nband c0 permutable S0[i, j] -> [j]"}, []string{"tile", "parallel", "vectorize", "wavefront"}},
	} {
		source := "void f(int N, double a, double A[N][2 * N + 2], double B[N][2 * N], double x[N], double y[2 * N])\n{\n#pragma scop\n" +
			"for (int i = 0; i < N; i++)\nfor (int j = 0; j < N; j++)\n" + test.body + "\n#pragma endscop\n}\n"
		g := graphOf(t, "f", []byte(source))
		got := recipeOf(t, g, chosen(t, g, "none"), fixed)
		for _, want := range test.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s: no %q in\n%s", test.about, test.body, want, got)
			}
		}
		for _, lack := range test.lacks {
			if strings.Contains(got, lack) {
				t.Errorf("%s: %s: %q in\n%s", test.about, test.body, lack, got)
			}
		}
	}
}

// A one-dimensional loop is no nest: the criterion of section V-A-4 asks for
// more loops than one.
func TestOneLoopIsNotTiled(t *testing.T) {
	g := kerneltest.Graph(t, "gemver")
	got := recipeOf(t, g, chosen(t, g, "none"), fixed)
	if !strings.Contains(got, "band c2 permutable S2[i] -> [i]\nparallel c2.1\n") || strings.Contains(got, "tile c2") {
		t.Errorf("got\n%s", got)
	}
}

func TestTileOptions(t *testing.T) {
	for _, test := range []struct {
		about   string
		options Options
		want    string
	}{
		{"the model", Options{CacheBytes: 48 << 10}, "tile c1.1 c1.2 c1.3 by 64 128 64\n"},
		{"given sizes, the last repeated", Options{Tile: Tiling{Sizes: []int64{16, 64}}}, "tile c1.1 c1.2 c1.3 by 16 64 64\n"},
		{"half", Options{CacheBytes: 48 << 10, Tile: Tiling{Scale: 0.5}}, "tile c1.1 c1.2 c1.3 by 32 64 32\n"},
		{"a long vector loop", Options{CacheBytes: 48 << 10, Tile: Tiling{VectorScale: 8}}, "tile c1.1 c1.2 c1.3 by 64 1024 64\n"},
		{"next to nothing", Options{CacheBytes: 48 << 10, Tile: Tiling{Scale: 0.001}}, "tile c1.1 c1.2 c1.3 by 1 1 1\n"},
		{"no cache", Options{}, "tile c1.1 c1.2 c1.3 by 8 128 8\n"},
		{"no tiling", Options{Tile: Tiling{None: true}}, "band c1 permutable S1[i, k, j] -> [i, j, k]\nparallel c1.1\nsink c1.2\nvectorize c1.2\n"},
	} {
		g := kerneltest.Graph(t, "gemm")
		if got := recipeOf(t, g, chosen(t, g, "none"), test.options); !strings.Contains(got, test.want) {
			t.Errorf("%s: no %q in\n%s", test.about, test.want, got)
		}
	}
}

// The tile's edge is the largest multiple of eight that fits, and never
// shrinks as the cache grows.
func TestTileSize(t *testing.T) {
	g := kerneltest.Graph(t, "gemm")
	p := &planner{graph: g}
	plan := &nodePlan{name: "c0", statements: []int{1}}
	if err := p.nest(plan, map[int][][]int64{}, g.Within([]int{1}), 0); err != nil {
		t.Fatal(err)
	}
	moves, err := facts.Movements(p.graph, plan.bands[0])
	if err != nil {
		t.Fatal(err)
	}
	last := int64(0)
	for kilobytes := range 200 {
		p.options.CacheBytes = kilobytes << 10
		edge := tileSize(p.graph, &p.options, moves)
		if edge < last || edge%8 != 0 || edge < 8 || edge > 256 {
			t.Errorf("%d KiB: the edge is %d after %d", kilobytes, edge, last)
		}
		fits := func(e int64) bool { return 3*8*e*e+8 <= int64(kilobytes)<<10 }
		if edge > 8 && !fits(edge) || fits(edge+8) {
			t.Errorf("%d KiB: three matrices of edge %d are not the largest that fit", kilobytes, edge)
		}
		last = edge
	}
}

func TestChoose(t *testing.T) {
	g := kerneltest.Graph(t, "2mm")
	s := spaceOf(t, g)
	for list, want := range map[string]string{
		"max":                                    "0-0-0-0",
		"smart":                                  "0-1-2-3",
		"none, 0-1-1-2":                          "0-1-2-3 0-1-1-2",
		"0-0-1-1,0-0-1-1":                        "0-0-1-1 0-0-1-1",
		"{S0,S1} {S2, S3}":                       "0-0-1-1",
		"{S0} {S1 S2} {S3}, max,{S0 S1},{S2 S3}": "error: partition \"{S0 S1}\": statement S2 is in no class",
		"{S2 S3} {S0 S1}":                        "error: partition {S2 S3} {S0 S1}, which is 1-1-0-0, is not legal: ",
		"1-0":                                    "error: partition 1-0 has 2 class numbers, but the program has 4 statements",
		"1-0-0-0":                                "error: partition 1-0-0-0 is not legal: ",
		"best":                                   `error: partition "best"`,
		"random:0":                               `error: a number from 1 to 2000 is expected in "random:0"`,
		"0-1-1-2,random:x":                       "error: a number from 1 to 2000 is expected",
	} {
		var got []string
		chosen, err := Choose(s, g, list, 1)
		for _, p := range chosen {
			got = append(got, p.String())
		}
		text := strings.Join(got, " ")
		if err != nil {
			text = "error: " + err.Error()
		}
		if text != want && !(err != nil && strings.HasPrefix(want, "error: ") && strings.Contains(text, strings.TrimPrefix(want, "error: "))) {
			t.Errorf("%s: got %q, want %q", list, text, want)
		}
	}
}

// Random partitions are legal, the same for the same seed, different from
// each other, and as many as asked for while there are enough.
// The heuristics' partitions belong to the space whatever its mode and its
// cuts, where any does.
func TestHeuristicsRespectCuts(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	tried := 0
	for _, kernel := range []string{"3mm", "gesummv", "covariance", "correlation"} {
		g := kerneltest.Graph(t, kernel)
		n := len(g.Model.Statements)
		for range 40 {
			options := space.Options{Mode: space.Mode(random.IntN(2))}
			for range 1 + random.IntN(3) {
				pair := random.Perm(n)[:2]
				options.Cuts = append(options.Cuts, space.Cut{Kind: space.CutKind(random.IntN(3)), Statements: pair})
			}
			s, err := space.New(g, options)
			if err != nil {
				continue
			}
			tried++
			if _, err := Choose(s, g, "max,smart,none", 1); err != nil {
				t.Errorf("%s with %+v: %v", kernel, options, err)
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d spaces are not empty", tried)
	}
}

func TestChooseRandom(t *testing.T) {
	g := kerneltest.Graph(t, "2mm")
	s := spaceOf(t, g)
	for _, count := range []int{3, 16, 20} {
		var lists [2][]string
		for k := range lists {
			chosen, err := Choose(s, g, fmt.Sprintf("random:%d", count), 7)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range chosen {
				if ok, _ := s.Contains(p); !ok {
					t.Errorf("%s is not legal", p)
				}
				lists[k] = append(lists[k], p.String())
			}
		}
		distinct := slices.Compact(slices.Sorted(slices.Values(lists[0])))
		if !slices.Equal(lists[0], lists[1]) || len(lists[0]) != min(count, 16) || len(distinct) != min(count, 16) {
			t.Errorf("random:%d: %v, %v", count, lists[0], lists[1])
		}
	}
}
