package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"polytune/internal/randomprogram"
	"polytune/scop"
)

// firstSeed and seedCount look at other programs than the fixed ones.
var (
	firstSeed = flag.Uint64("seed", 0, "seed of the first random program; 0 takes the fixed ones")
	seedCount = flag.Uint64("seeds", 1, "number of random programs from -seed on")
)

// fixedSeeds make programs of all kinds whose variants are found soon.
var fixedSeeds = []uint64{2, 3, 7, 11, 12, 18, 30}

// Random programs go through all stages without a failure.
func TestRandomPrograms(t *testing.T) {
	seeds, variants := fixedSeeds, 8
	if *firstSeed > 0 {
		seeds, variants = nil, 20
		for k := range *seedCount {
			seeds = append(seeds, *firstSeed+k)
		}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p := programOf(seed)
			if r := check(p, variants); r.Stage != stageNothing || r.TooSlow {
				t.Errorf("%+v\n%s", r, p.Source(randomprogram.NewLayout(p, runSizes)))
			}
		})
	}
}

// savedVariants are enough to meet again what failed in the saved programs.
const savedVariants = 48

// Saved programs, which failed once, fail no more.
func TestSavedPrograms(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "programs", "*.c"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("POLYTUNE_LONG") != "" {
		long, err := filepath.Glob(filepath.Join("testdata", "programs", "long", "*.c"))
		if err != nil || len(long) == 0 {
			t.Errorf("%d programs for long tests: %v", len(long), err)
		}
		paths = append(paths, long...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			p, err := load(path)
			if err != nil {
				t.Fatal(err)
			}
			if r := check(p, savedVariants); r.Stage != stageNothing || r.TooSlow {
				t.Errorf("%+v", r)
			}
		})
	}
}

// sum is the program A[i] += 0.5 * A[i - 1] for i from 1 to N - 1.
func sum() *randomprogram.Program {
	at := func(c int) *randomprogram.Reference {
		return &randomprogram.Reference{Array: "A", Subscripts: []randomprogram.Integer{iterator(c)}}
	}
	assignment := &randomprogram.Assignment{Target: *at(0), Operator: "+=", Values: []randomprogram.Value{{Factor: "0.5", Element: at(-1)}}}
	return &randomprogram.Program{
		Arrays: []randomprogram.Array{{Name: "A", Type: "double", Dimensions: 1}},
		Body: []randomprogram.Node{{Loop: &randomprogram.Loop{
			Iterator: "i", Start: randomprogram.Integer{Constant: 1}, Step: 1,
			Tests: []randomprogram.Condition{{Operator: "<", Left: iterator(0), Right: randomprogram.Integer{Terms: []randomprogram.Term{{Factor: 1, Variable: "N"}}}}},
			Body:  []randomprogram.Node{{Assignment: assignment}},
		}}},
	}
}

func iterator(plus int) randomprogram.Integer {
	return randomprogram.Integer{Terms: []randomprogram.Term{{Factor: 1, Variable: "i"}}, Constant: plus}
}

// subjectOf is a program behind the front end.
func subjectOf(t *testing.T, p *randomprogram.Program) *subject {
	t.Helper()
	s, err := newSubject(p)
	if err != nil {
		t.Fatal(err)
	}
	s.patience = 2 * time.Minute // isl's limit of operations holds, which is the same on a busy machine
	return s
}

// A variant that computes something else is found and named.
func TestWrongVariant(t *testing.T) {
	s := subjectOf(t, sum())
	right := strings.TrimPrefix(s.source, s.prelude)
	wrong := strings.Replace(right, "i < N", "i < N - 4", 1)
	if err := s.compareResults([]string{right, right}); err != nil {
		t.Errorf("equal variants: %v", err)
	}
	err := s.compareResults([]string{right, wrong})
	var f failed
	if !errors.As(err, &f) || f.stage != stageResult || !strings.HasPrefix(f.err.Error(), "variant 1 at N=") {
		t.Errorf("got %v", err)
	}
}

// A model with too many or too few instances or dependences is found.
func TestWrongModel(t *testing.T) {
	for _, test := range []struct {
		change func(*scop.Statement)
		want   string
	}{
		{func(*scop.Statement) {}, ""},
		{func(s *scop.Statement) { s.Domain = "[N] -> { S0[i] : 1 <= i <= N }" }, "instances of S0 at N=1, M=0: [1] is in the model"},
		{func(s *scop.Statement) { s.Domain = "[N] -> { S0[i] : 2 <= i < N }" }, "instances of S0 at N=2, M=3: [1] is found"},
		{func(s *scop.Statement) { s.Accesses[1].Relation = "{ S0[i] -> A[i - 2] }" }, "pairs of RAW S0 -> S0 at"},
		{func(s *scop.Statement) { s.Accesses[1].Relation = "{ S0[i] -> A[j] }" }, "is in the model but not found"},
		{func(s *scop.Statement) { s.Accesses[1].Relation, s.Accesses[1].May = "{ S0[i] -> A[j] }", true }, ""},
		{func(s *scop.Statement) { s.Loops[0].Descending = true }, "pairs of"},
	} {
		s := subjectOf(t, sum())
		test.change(&s.file.Regions[0].Program.Statements[0])
		err := s.within(s.compareDependences)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

// A failing program can be saved and read again.
func TestSave(t *testing.T) {
	path, err := save(t.TempDir(), sum(), report{Stage: stageResult, Message: "a\nb"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := load(path)
	if err != nil || !bytes.Equal(p.Encode(), sum().Encode()) {
		t.Errorf("got %v %v", p, err)
	}
}

// Structures are drawn from all spaces, in turn, and none twice; those that an
// earlier space has are not drawn from a later one.
func TestStructures(t *testing.T) {
	const signedSeed = 14 // some of its loops can be fused when one is reversed
	s := subjectOf(t, randomprogram.Random(signedSeed))
	structures, err := s.structures(1000)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var kinds []string
	for _, from := range structures[3:] {
		if seen[from.nest.String()] {
			t.Errorf("%s is drawn twice", from)
		}
		seen[from.nest.String()] = true
		kinds = append(kinds, fmt.Sprint(len(from.nest), from.options.Signed))
	}
	turn := []string{"1 false", "2 false", "1 true", "2 true"}
	if len(kinds) < 8 || !slices.Equal(kinds[:8], append(turn, turn...)) {
		t.Errorf("levels and signs: %q", kinds)
	}
}

// Random programs have temporaries that become private, or are expanded, and
// ones that must not; the flow of values is compared for all of them.
func TestTemporaries(t *testing.T) {
	private, expanded, none := 0, 0, 0
	for seed := range uint64(30) {
		count, err := subjectOf(t, randomprogram.WithTemporaries(seed)).privatize()
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		arrays, err := subjectOf(t, randomprogram.WithTemporaries(seed)).expand()
		if err != nil {
			t.Errorf("seed %d, expanded: %v", seed, err)
		}
		private += count
		expanded += arrays
		if count == 0 {
			none++
		}
	}
	if private < 8 || expanded < 8 || none < 5 {
		t.Errorf("%d private variables, %d expanded, %d programs without: too few to tell anything", private, expanded, none)
	}
}

// Random programs have temporaries whose values can be in elements of arrays, and ones that can not;
// what they compute then is what the original does.
func TestPlaces(t *testing.T) {
	placed, none := 0, 0
	for seed := range uint64(24) {
		s := subjectOf(t, randomprogram.WithPlaces(seed))
		count, err := s.place()
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		placed += count
		if count == 0 {
			none++
			continue
		}
		structures, err := s.namedStructures()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sources, err := s.variants(structures, draw(seed, streamOptions), 2, &report{})
		if err == nil {
			err = s.compareResults(sources)
		}
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	if placed < 6 || none < 6 {
		t.Errorf("%d temporaries in elements, %d programs without: too few to tell anything", placed, none)
	}
}
