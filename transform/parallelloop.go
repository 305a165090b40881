package transform

import "slices"

// needsWavefront says whether wavefronts of tiles are the only loops of the
// band there can be for several threads.
func (p *planner) needsWavefront(band *bandPlan, parallel bool) bool {
	return !parallel && !p.options.NoWavefront && !slices.Contains(band.coincident, true)
}

// parallelLoop marks the outermost loop of the band that carries no dependence, except the one that
// is to be sunk, and says whether there is one: one that carries reductions only where there is
// none without, and a loop too short for several threads only where there is no longer one, and the
// models choose the loops. names are the band's loops or their tile loops, and lengths their
// numbers of iterations.
func (p *planner) parallelLoop(band *bandPlan, names []string, lengths []int64, inner int) (bool, error) {
	lengths, err := p.lengthsAsNested(band, names, lengths)
	if err != nil {
		return false, err
	}
	k := band.outermostParallel(lengths, inner)
	if k < 0 || p.options.Loops == LoopsSource && lengths[k] < minimumThreads {
		return false, nil
	}
	if err := p.emitParallel(band, k, names[k]); err != nil {
		return true, err
	}
	if p.options.Collapse == CollapseOn {
		p.emitCollapse(band, k, names, inner)
	}
	if len(band.loops) == 1 && names[k] == band.loops[k] {
		return true, nil
	}
	return true, p.emitGrain(names[k], band.statements(), band.outer)
}

// lengthsAsNested are the lengths of loops in the order of the band, each inside one iteration of
// those before; those of loops over tiles stay as they are.
func (p *planner) lengthsAsNested(band *bandPlan, names []string, lengths []int64) ([]int64, error) {
	nested := slices.Clone(lengths)
	for k := range nested {
		if names[k] != band.loops[k] || !band.coincident[k] {
			continue
		}
		inside, err := p.lengthInside(band, k, band.rows[:k])
		if err != nil {
			return nil, err
		}
		nested[k] = min(nested[k], inside)
	}
	return nested, nil
}

// outermostParallel is the loop that parallelLoop marks, or -1.
func (b *bandPlan) outermostParallel(lengths []int64, inner int) int {
	for _, least := range []int64{minimumThreads, 2} {
		for _, reduces := range []bool{false, true} {
			for k, coincident := range b.coincident {
				if coincident && k != inner && lengths[k] >= least && len(b.reductions[k]) > 0 == reduces {
					return k
				}
			}
		}
	}
	return -1
}
