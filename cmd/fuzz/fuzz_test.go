package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"polytune/internal/kerneltest"
	"polytune/internal/passed"
	"polytune/internal/randomprogram"
	"polytune/scop"
)

// firstSeed and seedCount look at other programs than the fixed ones.
var (
	firstSeed = flag.Uint64("seed", 0, "seed of the first random program; 0 takes the fixed ones")
	seedCount = flag.Uint64("seeds", 1, "number of random programs from -seed on")
)

var update = flag.Bool("update", false, "write the table of programs that are right anew")

// right are the programs, of originals and variants, that found no difference.
var right *passed.Table

func TestMain(m *testing.M) {
	begin := func(tables []*passed.Table) { right, judge = tables[0], judgeOnce }
	os.Exit(passed.Tests(m, update, begin, filepath.Join("testdata", "right")))
}

// judgeOnce is buildAndRun for programs that the table does not spare.
func judgeOnce(program string) error {
	name := passed.Name(passed.Compiler(), program)
	if right.Spares(name) {
		return nil
	}
	err := buildAndRun(program)
	if err == nil {
		right.Note(name)
	}
	return err
}

// fixedSeeds make programs of all kinds whose variants are found soon; those of longerSeeds take
// longer.
var fixedSeeds, longerSeeds = []uint64{2, 3, 7, 18}, []uint64{11, 12, 30}

// Random programs go through all stages without a failure; the long test has longerSeeds, too, and
// more variants of each.
func TestRandomPrograms(t *testing.T) {
	seeds, variants := fixedSeeds, 2
	if kerneltest.Long() {
		seeds, variants = slices.Concat(fixedSeeds, longerSeeds), 8
	}
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
			if r := check(p, "", variants); r.Stage != stageNothing || r.TooSlow {
				t.Errorf("%+v\n%s", r, p.Source(randomprogram.NewLayout(p, runSizes)))
			}
		})
	}
}

// Layer I of random programs says what their C leaves, and wrong C is found.
func TestLayerOfPrograms(t *testing.T) {
	t.Parallel()
	seeds, evaluated := uint64(4), 0
	if kerneltest.Long() {
		seeds = 200
	}
	for seed := range seeds {
		is, err := subjectOf(t, programOf(seed)).compareLayer()
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if is {
			evaluated++
		}
	}
	if evaluated < int(seeds)/4 {
		t.Errorf("Layer I of %d programs of %d is evaluated: too few to tell anything", evaluated, seeds)
	}
	wrong := subjectOf(t, sum())
	wrong.source = strings.Replace(wrong.source, "0.5", "0.25", 1)
	if _, err := wrong.compareLayer(); err == nil || !strings.Contains(err.Error(), "of A is") {
		t.Errorf("the C is wrong: %v", err)
	}
}

// Saved programs, which failed once, fail no more: with the recipe that failed and one more, or in
// long tests as many as it takes to meet again what failed in all of them.
func TestSavedPrograms(t *testing.T) {
	variants := 1
	paths, err := filepath.Glob(filepath.Join("testdata", "programs", "*.c"))
	if err != nil {
		t.Fatal(err)
	}
	if kerneltest.Long() {
		long, err := filepath.Glob(filepath.Join("testdata", "programs", "long", "*.c"))
		if err != nil || len(long) == 0 {
			t.Errorf("%d programs for long tests: %v", len(long), err)
		}
		paths, variants = append(paths, long...), 48
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			p, recipe, err := load(path)
			if err != nil {
				t.Fatal(err)
			}
			if r := check(p, recipe, variants); r.Stage != stageNothing || r.TooSlow {
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
	wrong := "/*\n * Generated by polytune for sum:\n * classes {S0}\n */\n" + strings.Replace(right, "i < N", "i < N - 4", 1)
	if err := s.compareResults([]string{right, right}); err != nil {
		t.Errorf("equal variants: %v", err)
	}
	err := s.compareResults([]string{right, wrong})
	var f failed
	if !errors.As(err, &f) || f.stage != stageResult || !strings.HasPrefix(f.err.Error(), "variant 1 at N=") || f.recipe != "classes {S0}\n" {
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
		test.change(&s.target.Whole.Statements[0])
		err := s.within(s.compareDependences)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

// A failing program can be saved and read again.
func TestSave(t *testing.T) {
	const failed = "classes {S0}\nband c0 permutable S0[i] -> [i]\n"
	path, err := save(t.TempDir(), sum(), report{Stage: stageResult, Message: "a\nb", Recipe: failed})
	if err != nil {
		t.Fatal(err)
	}
	p, recipe, err := load(path)
	if err != nil || !bytes.Equal(p.Encode(), sum().Encode()) || recipe != failed {
		t.Errorf("got %v %q %v", p, recipe, err)
	}
	if r := check(p, recipe, 0); r.Stage != stageNothing {
		t.Errorf("the recipe again: %+v", r)
	}
	if r := check(p, "classes {S0}\nband c0 permutable S0[i] -> [-i]\n", 0); r.Stage != stageSchedule || !strings.Contains(r.Recipe, "-i") {
		t.Errorf("an illegal recipe: %+v", r)
	}
	if r := check(p, failed+"kernel c0.1\n", 0); r.Stage != stageNothing {
		t.Errorf("a recipe for devices again: %+v", r)
	}
	if r := check(p, failed+"block c0.1\n", 0); r.Stage != stageSchedule || !strings.Contains(r.Message, "block") {
		t.Errorf("an illegal recipe for devices: %+v", r)
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
	for _, from := range structures[len(strings.Split(namedList, ",")):] {
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
	private, expanded, none, least, seeds := 0, 0, 0, 2, uint64(5)
	if kerneltest.Long() {
		least, seeds = 4, 15
	}
	for seed := range seeds {
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
	if private < least || expanded < least || none < least/2 {
		t.Errorf("%d private variables, %d expanded, %d programs without: too few to tell anything", private, expanded, none)
	}
}

// Random programs have temporaries whose values can be in elements of arrays, and ones that can
// not; what they compute then is what the original does.
func TestPlaces(t *testing.T) {
	placed, none, least, seeds := 0, 0, 1, uint64(4)
	if kerneltest.Long() {
		least, seeds = 3, 12
	}
	for seed := range seeds {
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
	if placed < least || none < least {
		t.Errorf("%d temporaries in elements, %d programs without: too few to tell anything", placed, none)
	}
}

// longestRandomRanks is the time after which no further program is begun.
const longestRandomRanks = 4 * time.Minute

// Random programs run on several ranks, and leave in each what the original leaves.
func TestRandomRanks(t *testing.T) {
	seeds, least := uint64(3), 3
	if kerneltest.Long() {
		seeds, least = 60, 60
	}
	var r report
	began := time.Now()
	for seed := range seeds {
		if time.Since(began) > longestRandomRanks {
			break
		}
		p := randomprogram.Stencil(seed)
		if seed%3 == 0 {
			p = randomprogram.Sweeps(seed)
		}
		if err := subjectOf(t, p).onRanks(3, &r); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, p.Source(randomprogram.NewLayout(p, runSizes)))
		}
	}
	if r.Ranks < least {
		t.Errorf("%d variants on ranks, %d refused, %d too slow: too few to tell anything", r.Ranks, r.RefusedRanks, r.Slow)
	}
}

// Drivers get a value for each size and each element that is a parameter and has one of its own, by
// its name in C. An array with other elements in the region is filled, whatever element is one.
func TestSizesOnDevices(t *testing.T) {
	for name, want := range map[string]map[string]int{
		"dependences-676669085379.c": {"N": 5, "M": 7, "D[0]": 1},
		"result-4401.c":              {"N": 5, "M": 7},
	} {
		p, _, err := load(filepath.Join("testdata", "programs", name))
		if err != nil {
			t.Fatal(err)
		}
		if values := drivenBy(subjectOf(t, p).target.Unit.Program, randomprogram.Size{N: 5, M: 7}); !maps.Equal(values, want) {
			t.Errorf("%s: %v; want %v", name, values, want)
		}
	}
}
