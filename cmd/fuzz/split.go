package main

import (
	"math/rand/v2"

	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/scop/split"
)

// splitShare is the part of the variants that is made again of a program whose
// statements are split.
const splitShare = 2

// splitVariants are variants of the program with its statements split at
// hyperplanes drawn at random: none when there is no loop, or where isl would
// need too long for the pieces.
func (s *subject) splitVariants(limit int, r *report) ([]string, error) {
	cuts := randomprogram.Cuts(s.region.Program, rand.New(rand.NewPCG(s.program.Seed, 2)))
	if len(cuts) == 0 {
		return nil, nil
	}
	program, err := split.Program(s.whole, cuts)
	if err != nil {
		return nil, failed{stageSplit, err}
	}
	pieces, region := *s, *s.region
	region.Program = program
	pieces.region = &region
	structures, err := pieces.structures(limit / splitShare)
	if isl.IsLimit(err) {
		r.Slow++
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	before := r.Variants
	sources, err := pieces.variants(structures, r.Variants+r.Slow+limit/splitShare, r)
	r.Split += r.Variants - before
	return sources, err
}
