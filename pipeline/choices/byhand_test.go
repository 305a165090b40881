package choices

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
	"polytune/tuner/search"
)

const (
	loopsOfProduct = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, k, j] -> [i, k, j]\n"
	sixFillings    = loopsOfProduct + "tile c1.1 c1.2 c1.3 by {16,32,64} {16,64} 32\nparallel c1.1t\n"
	toComplete     = loopsOfProduct + "parallel c1.1\ntile c0.1 by {8,16}\ncomplete\n"
	oneOrTheOther  = loopsOfProduct + "either parallel c1.2 | tile c1.1 by {2..8}\n"
)

// recipesOfProduct are recipes for gemm.
func recipesOfProduct(t *testing.T, fixed string, texts ...string) *ByHand {
	t.Helper()
	targets, err := (&pipeline.Options{Bench: "polybench/gemm"}).All(nil)
	if err != nil {
		t.Fatal(err)
	}
	var files []byhand.File
	for k, text := range texts {
		path := filepath.Join(t.TempDir(), string(rune('a'+k))+" b.recipe")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, byhand.File{Path: path})
	}
	b, err := ReadByHand(t.Context(), targets[0], files, fixed, runner.Machine{Cores: 2, Caches: []runner.Cache{
		{Level: 1, Kind: "Data", Size: 32 << 10, Line: 64, Associativity: 8, SharedBy: []int{0}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Each hole is an axis; all fillings of small recipes are candidates, the first ones in front, and
// the space has them and no others.
func TestFillingsAreASpace(t *testing.T) {
	b := recipesOfProduct(t, "", sixFillings, oneOrTheOther)
	if count := b.Count(); count.Int64() != 10 {
		t.Errorf("%v fillings, not 6 + 1 + 3", count)
	}
	var candidates []string
	for _, c := range b.Candidates() {
		candidates = append(candidates, c.Axis)
	}
	want := []string{"recipe=a_b", "recipe=b_b", "hole.2=64 recipe=a_b", "hole.1=32 recipe=a_b"}
	if len(candidates) != 10 || !slices.Equal(candidates[:3], want[:3]) || !slices.Contains(candidates, want[3]) {
		t.Errorf("candidates %q", candidates)
	}
	space, random := b.Space(nil), rand.New(rand.NewPCG(1, 2))
	var all []search.Point
	for p, err := range space.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	isIn := func(what string, p search.Point, err error) {
		t.Helper()
		if err != nil || !slices.ContainsFunc(all, func(q search.Point) bool { return p.Setting == q.Setting }) {
			t.Errorf("%s: %v is not in the space (%v)", what, p, err)
		}
	}
	for _, p := range all {
		near, err := space.Neighbours(t.Context(), p)
		if err != nil || len(near) == 0 {
			t.Errorf("%v has the neighbours %v (%v)", p, near, err)
		}
		for _, q := range near {
			isIn("a neighbour", q, nil)
		}
		other := all[random.IntN(len(all))]
		child, err := space.Cross(t.Context(), random, p, other)
		isIn("a child", child, err)
		retiled, err := space.Retile(t.Context(), random, p)
		isIn("with other tiles", retiled, err)
		drawn, err := space.Random(t.Context(), random)
		isIn("drawn", drawn, err)
	}
	if len(all) != 10 {
		t.Errorf("%d points", len(all))
	}
}

// A hole that is fixed has one value.
func TestFixedHoles(t *testing.T) {
	b := recipesOfProduct(t, "hole.1=32", sixFillings)
	if count := b.Count(); count.Int64() != 2 {
		t.Errorf("%v fillings, not 2", count)
	}
	v, is, err := b.generate(t.Context(), b.Candidates()[1].Axis)
	if !is || err != nil || !strings.Contains(v.Text, "by 32 64 32\n") {
		t.Errorf("%v %v: %s", is, err, v.Text)
	}
}

// Fillings are made into programs with recipes that have no holes; illegal ones are found out by
// the proof.
func TestFillingsAreGenerated(t *testing.T) {
	b := recipesOfProduct(t, "", sixFillings, oneOrTheOther)
	g := &Generator{Target: b.target, ByHand: b}
	made, err := g.Generate(t.Context(), tuner.Candidate{Partition: []int{0, 1}, Axis: "hole.1=64 recipe=a_b"})
	if err != nil || !strings.Contains(made.Recipe, "tile c1.1 c1.2 c1.3 by 64 16 32\n") || len(made.Source) == 0 {
		t.Errorf("%v: %s", err, made.Recipe)
	}
	var illegal *tuner.IllegalError
	if _, err = g.Generate(t.Context(), tuner.Candidate{Partition: []int{0, 1}, Axis: "recipe=b_b"}); !errors.As(err, &illegal) || !strings.Contains(illegal.Recipe, "parallel c1.2") || !strings.Contains(err.Error(), ":4: parallel c1.2: the loop S1.k carries") {
		t.Errorf("%v", err)
	}
}

// What the models complete has axes, too: those that change something of it, with a value each, are
// searched behind what is said, and a setting of theirs that somebody fixes stays.
func TestCompletionsAreSearched(t *testing.T) {
	b := recipesOfProduct(t, "", toComplete)
	var first []string
	for _, c := range b.Candidates() {
		first = append(first, c.Axis)
	}
	for _, want := range []string{"recipe=a_b", "hole.1=16 recipe=a_b", "tile=untiled recipe=a_b"} {
		if !slices.Contains(first, want) {
			t.Errorf("%q is not among the first candidates %q", want, first)
		}
	}
	if count := b.Count(); count.Int64() < 100 || b.IsSmall() {
		t.Errorf("%v fillings", count)
	}
	for setting, want := range map[string]string{"tile=untiled recipe=a_b": "", "tile=sizes tile.1=8 tile.2=96 recipe=a_b": "tile c1.2 c1.3 by 8 96"} {
		v, is, err := b.generate(t.Context(), setting)
		if !is || err != nil || !strings.Contains(v.Text, "parallel c1.1\n") || strings.Contains(v.Text, "tile c1") != (want != "") || !strings.Contains(v.Text, want) {
			t.Errorf("%s: %v %v: %s", setting, is, err, v.Text)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	drawn, err := b.Space(nil).Random(t.Context(), random)
	if err != nil || !b.Has(drawn.Setting) {
		t.Errorf("drawn: %v, %v", drawn, err)
	}
	fixed := recipesOfProduct(t, "tile=untiled", toComplete)
	for range 5 {
		p, err := fixed.Space(nil).Random(t.Context(), random)
		v, is, failed := fixed.generate(t.Context(), p.Setting)
		if err != nil || !is || failed != nil || strings.Contains(v.Text, "tile c1") {
			t.Errorf("fixed, %v: %v %v %v: %s", p, err, is, failed, v.Text)
		}
	}
}

// Fillings that were found at another size are candidates in the order of their gains, each once;
// settings of other recipes, and what was not timed, are none.
func TestFillingsOfOtherSizes(t *testing.T) {
	p := &Probe{ByHand: recipesOfProduct(t, "", sixFillings, toComplete)}
	recorded := func(setting string, seconds float64) store.Recorded {
		return store.Recorded{Candidate: store.Candidate{Partition: "0-1", Setting: setting}, Seconds: seconds, Original: 2}
	}
	var got []string
	for _, c := range p.Fillings([]store.Recorded{
		recorded("hole.1=32 recipe=a_b", 1.5), recorded("hole.1=64 recipe=a_b", 1), recorded("hole.1=32 recipe=a_b", 0.5),
		recorded("hole.2=64 recipe=a_b", 0), recorded("hole.1=16 recipe=c_b", 0.1), recorded("tile=wide", 0.1), recorded("hole.1=9 recipe=a_b", 0.1),
		recorded("hole.1=16 tile=untiled recipe=b_b", 0.7),
	}) {
		got = append(got, c.Axis)
	}
	if want := []string{"hole.1=32 recipe=a_b", "hole.1=16 tile=untiled recipe=b_b", "hole.1=64 recipe=a_b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
