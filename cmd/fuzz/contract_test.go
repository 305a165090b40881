package main

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/internal/kerneltest"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform"
)

// Random programs with expanded temporaries that have elements for one tile alone, where that is
// proven, leave the same bytes as the original.
func TestContracted(t *testing.T) {
	compareSome(t, 24, 3, func(seed uint64) (*randomprogram.Program, []string) {
		p := randomprogram.WithTemporaries(seed)
		s := subjectOf(t, p)
		if count, err := s.expand(); err != nil || count == 0 {
			return p, nil
		}
		return p, localVariants(t, s, seed, withContracts)
	})
}

// Random programs that use copies of the elements of arrays in some loops, where that is proven,
// leave the same bytes as the original.
func TestCopied(t *testing.T) {
	compareSome(t, 40, 8, func(seed uint64) (*randomprogram.Program, []string) {
		p := randomprogram.Sweeps(seed)
		sources := localVariants(t, subjectOf(t, p), seed, withCopies)
		return p, slices.DeleteFunc(sources, func(source string) bool { return !strings.Contains(source, "tune_copy") })
	})
}

// Random programs in which the copies of an array's elements have memory side by side, where that
// is proven, leave the same bytes as the original.
func TestLaidOut(t *testing.T) {
	compareSome(t, 100, 4, func(seed uint64) (*randomprogram.Program, []string) {
		p := randomprogram.Sweeps(seed)
		if p.Arrays[0].Dimensions < 2 {
			return p, nil
		}
		sources := localVariants(t, subjectOf(t, p), seed, withLayouts)
		return p, slices.DeleteFunc(sources, func(source string) bool { return !inLayout.MatchString(source) })
	})
}

// inLayout is the name of an array for its tile of a layout.
var inLayout = regexp.MustCompile(`__restrict \w+\)?(\[\d+\])* = tune_copy\d+ \+ `)

// compareSome compares the variants of random programs, of which so many at least have some, with
// the originals. The short test ends behind a fourth of them.
func compareSome(t *testing.T, seeds, least int, variants func(seed uint64) (*randomprogram.Program, []string)) {
	t.Helper()
	if !kerneltest.Long() {
		least = (least + 3) / 4
	}
	some := 0
	for seed := range uint64(seeds) {
		p, sources := variants(seed)
		if len(sources) == 0 {
			continue
		}
		if err := subjectOf(t, p).compareResults(sources); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if some++; some == least && !kerneltest.Long() {
			break
		}
	}
	if some < least {
		t.Errorf("%d programs have variants: take more", some)
	}
}

// localVariants are the variants of a random program with commands that give arrays memory of their
// own at loops that chance chooses.
func localVariants(t *testing.T, s *subject, seed uint64, with func(*depend.Graph, schedule.Recipe, *rand.Rand) schedule.Recipe) (sources []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 9))
	structures, err := s.namedStructures()
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	for _, from := range structures {
		err := s.within(func(g *depend.Graph) error {
			recipe, err := transform.TransformNest(g, from.nest, transform.Options{CacheBytes: cacheBytes, Grain: grain, Tile: transform.Tiling{Sizes: []int64{3, 2}}})
			if err != nil {
				return err
			}
			if random.IntN(2) == 0 {
				recipe = withStrips(g, recipe, random)
			}
			recipe = with(g, recipe, random)
			if !has[command.Copy](recipe) && !has[command.Contract](recipe) {
				return nil
			}
			code, err := codegen.Program(g, recipe, s.target.Unit)
			if err == nil {
				sources = append(sources, strings.TrimPrefix(string(code), s.prelude))
			}
			return err
		})
		if err != nil && !isl.IsLimit(err) {
			t.Errorf("seed %d, structure %s: %v", seed, from, err)
		}
	}
	return sources
}
