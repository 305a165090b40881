package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/internal/kerneltest"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/scop/depend"
	"polytune/transform"
)

// Random programs some of whose vector loops store past the caches leave the same bytes as the
// original.
func TestStreamed(t *testing.T) {
	seeds := []uint64{3, 16}
	if kerneltest.Long() {
		seeds = append(seeds, 14, 19, 21)
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			sources := streamedVariants(t, seed)
			if len(sources) == 0 {
				t.Fatal("no loop stores past the caches: take another seed")
			}
			if err := subjectOf(t, randomprogram.Stencil(seed)).compareResults(sources); err != nil {
				t.Error(err)
			}
		})
	}
}

// streamedVariants are the variants of a random program in which loops that chance chooses store
// past the caches.
func streamedVariants(t *testing.T, seed uint64) (sources []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 11))
	s := subjectOf(t, randomprogram.Stencil(seed))
	structures, err := s.namedStructures()
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	for _, from := range structures {
		err := s.within(func(g *depend.Graph) error {
			recipe, err := transform.TransformNest(g, from.nest, transform.Options{CacheBytes: cacheBytes, Original: true})
			if err != nil {
				return err
			}
			if recipe = withStreams(g, recipe, random); !strings.Contains(recipe.Text(g.Model.Program), "\nstream ") {
				return nil
			}
			code, err := codegen.Program(g, recipe, s.target.Unit)
			if err == nil && strings.Contains(string(code), "tune_stream") {
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
