package transform

import (
	"maps"

	"polytune/scop"
)

// fillsCache says whether what each iteration of a band uses again of arrays, because the band's loops do not move the accesses, is known to be more than the first cache
// has, as the matrix of
//
//	for (b = 0; b < B; b++)
//	  for (t = 0; t < T; t++) {
//	    for (g = 0; g < 512; g++)
//	      for (k = 0; k < 128; k++)
//	        gate[g] += U[g][k] * h[b][k];
//	    ...
//
// Nothing else stays there from one iteration to the next in tiles, which would leave 16 sequences to one thread.
func (p *planner) fillsCache(d *decision) (bool, error) {
	outer := maps.Clone(d.band.outer)
	for _, rows := range d.band.rows {
		appendRows(outer, rows)
	}
	elements := map[string]float64{}
	for _, m := range d.moves {
		inside := &bandPlan{outer: outer}
		for _, row := range p.rowsLeft(m.statement, outer) {
			inside.rows = append(inside.rows, map[int]scop.Row{m.statement: row})
		}
		if len(inside.rows) == 0 {
			continue
		}
		lengths, err := p.lengthsOfRun(inside)
		if err != nil {
			return false, err
		}
		moves, err := p.movement(inside, m.statement)
		if err != nil {
			return false, err
		}
		for a, steps := range m.steps {
			if box := boxOf(moves.loops, moves.steps[a], lengths); accessRank(steps) == 0 && box < unlimited {
				name := p.graph.Model.Statements[m.statement].Statement.Accesses[a].Array
				elements[name] = max(elements[name], box)
			}
		}
	}
	return p.bytesOf(elements) > float64(p.options.CacheBytes), nil
}
