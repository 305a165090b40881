package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/space/variant"
	"polytune/transform/facts"
)

// wholeStencil is the canonical form of all statements of a benchmark.
func wholeStencil(t *testing.T, bench string) (*planner, *stencil) {
	t.Helper()
	p := &planner{graph: kerneltest.Graph(t, bench), options: Options{Device: &Device{}}}
	var all []int
	for s := range p.graph.Model.Statements {
		all = append(all, s)
	}
	f, err := stencilOf(p.graph, all, facts.DependencesOf(p.graph, all))
	if err != nil {
		t.Fatal(err)
	}
	return p, f
}

// shaped is the recipe that gives all statements of a program tiles of a shape on a device.
func shaped(g *depend.Graph, shape Stencil) (schedule.Recipe, error) {
	recipe, _, err := OnDevice(g, space.Nest{make(space.Partition, len(g.Model.Statements))}, Options{Stencil: shape})
	return recipe, err
}

// What a tile has in shared memory is known without isl: as many bytes as the boxes that isl finds,
// or hardly more where statements of one step do not reach all sides.
func TestTileDataIsThatOfBoxes(t *testing.T) {
	for bench, list := range map[string][][]int64{
		"hex/heat-2d":         {{7, 5, 40}, {4, 8, 32}, {1, 1, 32}},
		"polybench/jacobi-2d": {{4, 8, 32}, {3, 5, 16}, {1, 2, 8}},
		"hex/fdtd-2d":         {{4, 8, 32}, {3, 4, 17}}, // the last is that of short tests
	} {
		p, f := wholeStencil(t, bench)
		if !kerneltest.Long() {
			list = list[len(list)-1:]
		}
		for _, sizes := range list {
			m := &deviceMapper{planner: p, device: &Device{}}
			recipe, err := shaped(p.graph, Stencil{Shape: HexagonShape, Sizes: sizes})
			if err != nil {
				t.Fatal(err)
			}
			m.recipe = recipe[:slices.IndexFunc(recipe, func(c schedule.Command) bool {
				barrier, is := c.(command.Barrier)
				return is && barrier.Of == "c0p0.3h"
			})]
			bytes, err := m.tileBytes("c0", f, tiledArrays(m.graph, f.statements))
			if err != nil {
				t.Fatal(err)
			}
			var all int64
			for _, own := range bytes {
				all += own
			}
			if data := hexagonData(p.graph, f, sizes); data.shared < all || data.shared > all+all/50 {
				t.Errorf("%s at %v: %d bytes, and boxes have %d %v", bench, sizes, data.shared, all, bytes)
			}
		}
	}
}

// The model's sizes are the best of all that fit: no width, height or strip has more instances for
// each byte that is loaded.
func TestHexagonSizesAreBest(t *testing.T) {
	for _, bench := range []string{"hex/heat-2d", "polybench/jacobi-2d", "hex/fdtd-2d"} {
		p, f := wholeStencil(t, bench)
		best := hexagonShape{}.sizes(p, f)
		data := hexagonData(p.graph, f, best)
		if err := (hexagonShape{}).refusal(p, f, best); err != nil || data.loaded == 0 || best[0]%f.steps != 0 {
			t.Fatalf("%s: %v: %v %v", bench, best, data, err)
		}
		for height := f.steps; height <= 16; height += f.steps {
			for width := int64(1); width <= facts.MostWidth; width++ {
				for _, strips := range stripSizes(len(f.space) - 1) {
					sizes := append([]int64{height, width}, strips...)
					own := hexagonData(p.graph, f, sizes)
					if own.shared > room(&p.options) {
						continue // refusal says the same, and takes longer
					}
					if (hexagonShape{}).refusal(p, f, sizes) != nil || !p.isEven(f, sizes, own) {
						continue
					}
					if own.points*data.loaded > data.points*own.loaded {
						t.Fatalf("%s: %v has %v, and %v has %v", bench, best, data, sizes, own)
					}
				}
			}
		}
	}
}

// The axis of shapes has sizes that fit alone, at any setting that is drawn; by default the
// model's; and no shape where no class is a stencil.
func TestStencilSettings(t *testing.T) {
	for _, test := range []struct {
		bench, setting, refused string
		want                    Stencil
	}{
		{"hex/heat-2d", "", "", Stencil{}},
		{"hex/heat-2d", "stencil=model", "", Stencil{}},
		{"hex/heat-2d", "stencil=plain", "", Stencil{Shape: PlainShape}},
		{"hex/heat-2d", "stencil=hexagon height=4 width=8 tile.1=32", "", Stencil{Shape: HexagonShape, Sizes: []int64{4, 8, 32}}},
		{"hex/heat-2d", "stencil=hexagon height=16 width=256 tile.1=256", "shared memory", Stencil{}},
		{"hex/heat-2d", "stencil=hexagon height=16 width=64 tile.1=128 shared=off", "", Stencil{Shape: HexagonShape, Sizes: []int64{16, 64, 128}}},
		{"hex/heat-2d", "stencil=hexagon early=on columns=on", "", Stencil{Shape: HexagonShape, Sizes: []int64{9, 6, 32}, Early: true, Columns: true}},
		{"hex/heat-2d", "stencil=overlapped early=on", "", Stencil{Shape: OverlappedShape, Sizes: []int64{9, 6, 32}, Early: true}},
		{"hex/heat-2d", "stencil=overlapped columns=on", "stencil=hexagon", Stencil{}},
		{"hex/heat-2d", "stencil=streamed early=on", "stencil=hexagon or", Stencil{}},
		{"hex/heat-2d", "stencil=hexagon height=4 width=8 tile.1=32 shared=off early=on", "shared", Stencil{}},
		{"hex/heat-2d", "height=4", "stencil=hexagon", Stencil{}},
		{"hex/laplacian-3d", "stencil=hexagon height=1 width=2 tile.1=2 tile.2=64", "", Stencil{Shape: HexagonShape, Sizes: []int64{1, 2, 2, 64}}},
		{"polybench/gemm", "stencil=hexagon", "S1", Stencil{}},
		{"polybench/seidel-2d", "stencil=hexagon", "S0", Stencil{}},
	} {
		g := kerneltest.Graph(t, test.bench)
		shared, err := variant.New(slices.Concat(DeviceAxes(), MemoryAxes()), nil)
		if err != nil {
			t.Fatal(err)
		}
		models, err := variant.NewModels(shared, variant.Family{When: Shaped, Axes: func(p space.Partition) ([]variant.Axis, []variant.Constraint, error) {
			return StencilAxes(g, space.Nest{p}, Options{})
		}})
		if err != nil {
			t.Fatal(err)
		}
		s, err := models.Parse(SourceLoops(g.Model.Program), test.setting)
		if err != nil {
			if test.refused == "" || !strings.Contains(err.Error(), test.refused) {
				t.Errorf("%s, %q: %v", test.bench, test.setting, err)
			}
			continue
		}
		got := DeviceOptionsOf(s, Options{}).Stencil
		if test.refused != "" || got.Shape != test.want.Shape || got.Early != test.want.Early || got.Columns != test.want.Columns || !slices.Equal(got.Sizes, test.want.Sizes) {
			t.Errorf("%s, %q: %v", test.bench, test.setting, got)
		}
	}
}

// A number of sizes that no tile has is an error of its own, and what does not fit names the limit.
func TestHexagonRefusals(t *testing.T) {
	g := kerneltest.Graph(t, "hex/heat-2d")
	for _, test := range []struct {
		sizes []int64
		want  string
	}{
		{[]int64{4, 8}, "have 3 sizes"},
		{[]int64{4, 8, 32, 32}, "have 3 sizes"},
		{[]int64{16, 64, 256}, "the limit of a block's shared memory, 49152 bytes"},
	} {
		_, _, err := OnDevice(g, space.Nest{{0}}, Options{Stencil: Stencil{Shape: HexagonShape, Sizes: test.sizes}})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v", test.sizes, err)
		}
	}
}

// Processors have hexagons on threads, whose recipes are legal.
func TestHexagonsOnThreads(t *testing.T) {
	benches := []string{"hex/heat-2d"}
	if kerneltest.Long() {
		benches = append(benches, "polybench/jacobi-2d")
	}
	for _, bench := range benches {
		g := kerneltest.Graph(t, bench)
		nest := space.Nest{make(space.Partition, len(g.Model.Statements))}
		recipe, err := TransformNest(g, nest, Options{Stencil: Stencil{Shape: HexagonShape}, CacheBytes: 32 << 10})
		if err != nil {
			t.Fatal(err)
		}
		text := recipe.Text(g.Model.Program)
		if _, _, err := recipe.Prove(g); err != nil || !strings.Contains(text, "parallel c0p0.2h") || !strings.Contains(text, "vectorize c0p1.3") {
			t.Errorf("%s: %v\n%s", bench, err, text)
		}
	}
	g := kerneltest.Graph(t, "polybench/gemm")
	if _, err := TransformNest(g, space.Nest{{0, 0}}, Options{Stencil: Stencil{Shape: HexagonShape}}); err == nil || !strings.Contains(err.Error(), "there are no hexagonal tiles") {
		t.Errorf("gemm: %v", err)
	}
	stays := &Device{Host: map[int]string{1: "it is no expression"}}
	jacobi := kerneltest.Graph(t, "polybench/jacobi-2d")
	if _, _, err := OnDevice(jacobi, space.Nest{{0, 0}}, Options{Stencil: Stencil{Shape: HexagonShape}, Device: stays}); err == nil || !strings.Contains(err.Error(), "the device cannot run S1: it is no expression") {
		t.Errorf("a statement of the host: %v", err)
	}
}

// Tiles that store early do so for the arrays that they write, and those of columns have one thread
// along the first dimension of space. That they are legal short tests see of columns: device's run
// the others.
func TestStencilOptions(t *testing.T) {
	for _, test := range []struct {
		bench string
		shape Stencil
		want  []string
		none  string
	}{
		{"hex/fdtd-2d", Stencil{Shape: HexagonShape, Sizes: []int64{2, 2, 32}, Early: true},
			[]string{"copy ex at c0p0.3h to shared early\n", "copy hz at c0p1.3h to shared early\n", "copy drive at c0p0.3h to shared\n", "by 2 32\n"}, "drive at c0p0.3h to shared early"},
		{"hex/heat-2d", Stencil{Shape: HexagonShape, Sizes: []int64{2, 2, 32}, Columns: true}, []string{"thread c0p0.2 c0p0.3 by 1 32\n", "to shared\n"}, "early"},
		{"hex/heat-2d", Stencil{Shape: OverlappedShape, Sizes: []int64{3, 8, 28}, Early: true}, []string{"copy A at c0p0.3o to shared early\n"}, "hexagon"},
	} {
		g := kerneltest.Graph(t, test.bench)
		recipe, err := shaped(g, test.shape)
		if err != nil {
			t.Fatal(err)
		}
		text := recipe.Text(g.Model.Program)
		for _, words := range test.want {
			if !strings.Contains(text, words) {
				t.Errorf("%s lacks %q:\n%s", test.bench, words, text)
			}
		}
		if strings.Contains(text, test.none) {
			t.Errorf("%s has %q:\n%s", test.bench, test.none, text)
		}
		if test.shape.Early && !kerneltest.Long() {
			continue
		}
		if _, _, err := recipe.Prove(g); err != nil {
			t.Errorf("%s: %v", test.bench, err)
		}
	}
}
