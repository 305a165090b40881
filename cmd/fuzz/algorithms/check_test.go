package algorithms

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/algorithm"
	"polytune/internal/kerneltest"
	"polytune/internal/randomalgorithm"
	"polytune/language"
	"polytune/transform"
)

// plain are options that chance does not choose.
func plain(*rand.Rand) (transform.Options, error) {
	return transform.Options{CacheBytes: 1 << 10, Tile: transform.Tiling{Sizes: []int64{3, 2}}}, nil
}

// oneOfEach are seeds of algorithms of all kinds, and those that have failed: a number that C knows,
// and an array that small sizes have not.
var oneOfEach = []uint64{0, 2, 5003, 7105}

// TestAlgorithms takes random algorithms through everything; the long test takes more of them.
func TestAlgorithms(t *testing.T) {
	t.Parallel()
	seeds, evaluated := slices.Clone(oneOfEach), 0
	if kerneltest.Long() {
		for seed := range uint64(60) {
			seeds = append(seeds, seed)
		}
	}
	for _, seed := range seeds {
		d := randomalgorithm.New(seed).Description()
		r := Check(d, rand.New(rand.NewPCG(seed, 1)), plain)
		if r.Stage != "" {
			t.Errorf("seed %d: %s: %s\n%s", seed, r.Stage, r.Message, r.Code)
		}
		if r.Refusal == "" && r.Slow == 0 {
			evaluated++
		}
	}
	if evaluated == 0 {
		t.Error("Layer I evaluates none of them")
	}
}

// TestLanguage has many random algorithms be right, of all kinds of declarations and types.
func TestLanguage(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for seed := range uint64(80) {
		d := randomalgorithm.New(seed).Description()
		if _, err := language.Compile(d); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, Text(d))
		}
		for _, one := range d.Declarations {
			seen[string(one.Kind)], seen[string(one.Type)] = true, true
		}
	}
	for _, kind := range []algorithm.Kind{algorithm.KindInput, algorithm.KindConstant, algorithm.KindComputation, algorithm.KindUpdate, algorithm.KindWhere, algorithm.KindInPlace, algorithm.KindOutput, algorithm.KindTogether} {
		if !seen[string(kind)] {
			t.Errorf("there is no %s", kind)
		}
	}
}

// TestWrongLayer has C that computes something else than the layer says be found.
func TestWrongLayer(t *testing.T) {
	t.Parallel()
	f := algorithm.New("f", "N", "M")
	f.Input("a", algorithm.Float64, "N")
	f.Computation("b[i]", algorithm.Float64, "0 <= i < N", "a(i) * 2.0")
	f.Output("b", "N")
	p, err := language.Compile(f.Description())
	if err != nil {
		t.Fatal(err)
	}
	source, err := sourceOf(p)
	if err != nil {
		t.Fatal(err)
	}
	for size, after := range map[int]string{1: "0000000000000040", 2: "0000000000000840"} {
		printed := strings.Repeat("size N 0 M 0\n", len(runSizes)-1) + fmt.Sprintf("size N 1 M 1\nbefore a 1 1 .000000000000f03f\nbefore b 1 1 .%s\nafter b 1 1 .%s\n", after, after)
		difference, err := compare(source, printed)
		if err != nil || (difference == "") != (size == 1) {
			t.Errorf("%q, %v", difference, err)
		}
	}
}
