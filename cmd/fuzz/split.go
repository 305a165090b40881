package main

import (
	"polytune/isl"
)

// splitShare is the part of the variants that is made again of a program whose
// statements are split.
const splitShare = 2

// splitVariants are variants of the program with its statements split by drawCuts:
// none when there is no loop, or where isl would need too long for the pieces.
func (s *subject) splitVariants(limit int, r *report) ([]string, error) {
	cuts, err := s.drawCuts(draw(s.program.Seed, streamCuts))
	if isl.IsLimit(err) {
		r.Slow++
		return nil, nil
	}
	if len(cuts) == 0 || err != nil {
		return nil, err
	}
	pieces, target := *s, *s.target
	if err := target.Cut(cuts); err != nil {
		return nil, failed{stage: stageSplit, err: err}
	}
	pieces.target = &target
	structures, err := pieces.structures(limit / splitShare)
	if isl.IsLimit(err) {
		r.Slow++
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return pieces.variants(structures, draw(s.program.Seed, streamSplitOptions), r.Variants+r.Slow+limit/splitShare, r)
}
