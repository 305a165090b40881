package transform

import (
	"slices"

	"polytune/transform/facts"
)

// needsWavefront says whether wavefronts of tiles are the only loops of the
// band there can be for several threads.
func needsWavefront(o *Options, band *facts.Band, parallel bool) bool {
	return !parallel && o.Uses(wavefrontAxis) && !slices.Contains(band.Coincident, true)
}

// parallelLoop marks the outermost loop of the band that carries no dependence, except the one that
// is to be sunk, and says whether there is one: one that carries reductions only where there is
// none without, and a loop too short for several threads only where there is no longer one, and the
// models choose the loops. names are the band's loops or their tile loops, and lengths their
// numbers of iterations.
func (p *planner) parallelLoop(band *facts.Band, names []string, lengths []int64, inner int) (bool, error) {
	lengths, err := p.lengthsAsNested(band, names, lengths)
	if err != nil {
		return false, err
	}
	k := band.OutermostParallel(lengths, inner)
	if k < 0 || p.options.Loops == LoopsSource && lengths[k] < facts.MinimumThreads {
		return false, nil
	}
	if err := p.emitParallel(band, k, names[k]); err != nil {
		return true, err
	}
	if p.options.Collapse == CollapseOn {
		p.emitCollapse(band, k, names, inner)
	}
	if len(band.Loops) == 1 && names[k] == band.Loops[k] {
		return true, nil
	}
	return true, p.emitGrain(names[k], band.Statements(), band.Outer)
}

// lengthsAsNested are the lengths of loops in the order of the band, each inside one iteration of
// those before; those of loops over tiles stay as they are.
func (p *planner) lengthsAsNested(band *facts.Band, names []string, lengths []int64) ([]int64, error) {
	nested := slices.Clone(lengths)
	for k := range nested {
		if names[k] != band.Loops[k] || !band.Coincident[k] {
			continue
		}
		inside, err := p.lengthInside(band, k, band.Rows[:k])
		if err != nil {
			return nil, err
		}
		nested[k] = min(nested[k], inside)
	}
	return nested, nil
}
