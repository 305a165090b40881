package transform

import (
	"slices"

	"polytune/schedule/command"
	"polytune/scop"
	"polytune/transform/facts"
)

// emitParallel runs a loop of the band, under a name that it has by now, on several
// threads. Threads get its iterations one by one where these differ in their work.
func (p *planner) emitParallel(band *facts.Band, k int, name string) error {
	p.emit(command.Parallel{Loop: name, Reductions: band.Reductions[k]})
	if err := p.emitAdding(name, band.Reductions[k]); err != nil {
		return err
	}
	if len(band.Loops) == 1 || len(band.Reductions[k]) > 0 {
		return nil
	}
	uneven, err := p.isUneven(band, k)
	p.emitSharing(name, uneven)
	return err
}

// isUneven says whether the iterations of loop k of a band differ in their
// work: the loop is that of an iterator, and a condition of some statement's domain
// relates this iterator to another one, which is not that of a loop outside.
func (p *planner) isUneven(band *facts.Band, k int) (bool, error) {
	for s, row := range band.Rows[k] {
		own := facts.UnitOf(row)
		if own < 0 {
			continue
		}
		for _, part := range p.graph.Model.Statements[s].Domain.BasicSets() {
			equalities, inequalities, err := part.Constraints()
			if err != nil {
				return false, err
			}
			for _, condition := range slices.Concat(equalities, inequalities) {
				if condition[own] != 0 && relatesInside(condition, own, band.Outer[s], len(row.Iterators)) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// relatesInside says whether a condition is about an iterator other than own that
// the rows of the loops outside do not determine.
func relatesInside(condition []int64, own int, outer [][]int64, depth int) bool {
	for j := range depth {
		if j == own || condition[j] == 0 {
			continue
		}
		unit := make([]int64, depth)
		unit[j] = 1
		longer := append(slices.Clip(outer), unit)
		if scop.Rank(longer, depth) > scop.Rank(outer, depth) {
			return true
		}
	}
	return false
}
