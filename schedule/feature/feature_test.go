package feature

import (
	"math"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule/command"
	"polytune/scop"
)

func featuresOf(t *testing.T, kernel, recipe string, around Surroundings) map[string]float64 {
	t.Helper()
	program := kerneltest.File(t, kernel).Regions[0].Program
	parsed, err := command.Parse(program, recipe)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parsed.Replay(program)
	if err != nil {
		t.Fatal(err)
	}
	values := Of(tree, around)
	if len(values) != len(Names) {
		t.Fatalf("%d features, %d names", len(values), len(Names))
	}
	features := map[string]float64{}
	for k, name := range Names {
		features[name] = values[k]
	}
	return features
}

const gemm = `classes {S0 S1}
band c0 permutable S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]
`

// In gemm S1 reads and writes C[i, j] and reads A[i, k] and B[k, j]; S0, with a
// loop less, counts for a tenth.
func TestFeaturesOfGemm(t *testing.T) {
	around := Surroundings{Caches: []int64{1 << 10, 1 << 20}, Length: 1000}
	plain := featuresOf(t, "polybench/gemm", gemm, around)
	tiled := featuresOf(t, "polybench/gemm", gemm+"tile c0.1 c0.2 c0.3 by 32 16 8\nparallel c0.1t\n", around)
	for _, c := range []struct {
		name        string
		plain, want float64
	}{
		{"classes", 1, 1}, {"leaves", 1, 1}, {"tiled", 0, 1}, {"parallel", 0, 1}, {"parallel-depth", 3, 0},
		{"tile-outer", 0, 5}, {"wavefront", 0, 0}, {"second-level", 0, 0},
		{"beyond-3", 0, 0},
	} {
		if math.Abs(plain[c.name]-c.plain) > 1e-9 || math.Abs(tiled[c.name]-c.want) > 1e-9 {
			t.Errorf("%s: %v and %v, want %v and %v", c.name, plain[c.name], tiled[c.name], c.plain, c.want)
		}
	}
	// S1 has 12 binary orders of magnitude of points in a tile, S0 has 9.
	if want := (12 + 0.1*9) / 1.1; math.Abs(tiled["tile-volume"]-want) > 1e-9 {
		t.Errorf("tile-volume %v, want %v", tiled["tile-volume"], want)
	}
	// One tile has 32 x 16 elements of C, 32 x 8 of A and 8 x 16 of B, of 8 bytes.
	bytes := math.Log2(1 + 8*(32*16+32*8+8*16))
	own := math.Log2(1 + 8*32*16)
	if want := (bytes + 0.1*own) / 1.1; math.Abs(tiled["bytes"]-want) > 1e-9 {
		t.Errorf("bytes %v, want %v", tiled["bytes"], want)
	}
	if tiled["beyond-1"] <= 0 || tiled["beyond-2"] != 0 || plain["beyond-2"] <= 0 {
		t.Errorf("beyond the caches: tiled %v and %v, plain %v", tiled["beyond-1"], tiled["beyond-2"], plain["beyond-2"])
	}
	// With k inside, A moves by one element, B by a row, and C not at all.
	if plain["no-stride"] <= 0 || plain["unit-stride"] <= 0 || plain["no-stride"]+plain["unit-stride"] >= 1 {
		t.Errorf("strides: %v none, %v one", plain["no-stride"], plain["unit-stride"])
	}
}

func TestFeaturesOfWavefronts(t *testing.T) {
	f := featuresOf(t, "polybench/jacobi-2d", `classes {S0 S1}
band c0 permutable S0[t, i, j] -> [t, 2t + i, 2t + j]; S1[t, i, j] -> [t, 2t + i + 1, 2t + j + 1]
tile c0.1 c0.2 c0.3 by 4 8 8
wavefront c0.1t c0.2t
split c0 {S0} {S1}
sink c0.2
`, Surroundings{Length: 100})
	if f["wavefront"] != 1 || f["leaves"] != 2 || f["classes"] != 1 || f["tiled"] != 1 {
		t.Errorf("features %v", f)
	}
}

func TestReadReference(t *testing.T) {
	for _, c := range []struct {
		relation string
		want     [][]int64
	}{
		{"[N] -> { S0[i, j] -> A[i, j] }", [][]int64{{1, 0}, {0, 1}}},
		{"{ S0[i, j] -> A[2i - 3j, -1 + j] }", [][]int64{{2, -3}, {0, 1}}},
		{"[N, M] -> { S0[i, j] -> A[N - i, 2*M + j + i] : 0 <= i < N }", [][]int64{{-1, 0}, {1, 1}}},
		{"[N] -> { S0[i] -> x[0] }", [][]int64{{0}}},
		{"[N] -> { S0[i] -> s[] }", nil},
		{"[N] -> { S0[i, ii] -> A[ii] }", [][]int64{{0, 1}}},
		{"nonsense", nil},
	} {
		got := readReference(scop.Access{Array: "A", Relation: c.relation}).subscripts
		if !slices.EqualFunc(got, c.want, slices.Equal[[]int64]) {
			t.Errorf("%s: %v, want %v", c.relation, got, c.want)
		}
	}
}

func TestStride(t *testing.T) {
	r := reference{"A", [][]int64{{1, 0}, {0, 1}}}
	for _, c := range []struct {
		direction []int64
		want      int
	}{{[]int64{0, 1}, 1}, {[]int64{0, -1}, 1}, {[]int64{1, 0}, 2}, {[]int64{0, 2}, 2}, {[]int64{0, 0}, 0}, {[]int64{1, 1}, 2}} {
		if got := r.stride(c.direction); got != c.want {
			t.Errorf("along %v: %d, want %d", c.direction, got, c.want)
		}
	}
}
