package transform

import (
	"polytune/schedule/command"
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
	uneven, err := facts.IsUneven(p.graph, band, k)
	p.emitSharing(name, uneven)
	return err
}
