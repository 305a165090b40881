package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/scop/depend"
	"polytune/transform"
)

// Random programs with expanded temporaries that have elements for one tile alone, where that is proven, leave
// the same bytes as the original.
func TestContracted(t *testing.T) {
	contracted := 0
	for seed := range uint64(24) {
		sources := contractedVariants(t, seed)
		if len(sources) == 0 {
			continue
		}
		contracted++
		if err := subjectOf(t, randomprogram.WithTemporaries(seed)).compareResults(sources); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	if contracted < 3 {
		t.Errorf("arrays of %d programs are contracted: take more", contracted)
	}
}

// contractedVariants are the variants of a random program whose expanded arrays can be contracted at
// loops that chance chooses.
func contractedVariants(t *testing.T, seed uint64) (sources []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 9))
	s := subjectOf(t, randomprogram.WithTemporaries(seed))
	if count, err := s.expand(); err != nil || count == 0 {
		return nil
	}
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
			before := len(recipe)
			if recipe = withContracts(g, recipe, random); len(recipe) == before {
				return nil
			}
			code, err := codegen.Program(g, recipe, s.file, s.region)
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
