package transform

import (
	"maps"
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// fillsCache says whether what each iteration of a band uses again of arrays, because the band's
// loops do not move the accesses, is known to be more than the first cache has, as the matrix of
//
//	for (b = 0; b < B; b++)
//	  for (t = 0; t < T; t++) {
//	    for (g = 0; g < 512; g++)
//	      for (k = 0; k < 128; k++)
//	        gate[g] += U[g][k] * h[b][k];
//	    ...
//
// Nothing else stays there from one iteration to the next in tiles, which would leave 16 sequences
// to one thread.
func (p *planner) fillsCache(d *decision) (bool, error) {
	elements := map[string]float64{}
	for _, m := range d.moves {
		boxes, err := p.boxesInside(d.band, m)
		if err != nil {
			return false, err
		}
		for a, box := range boxes {
			if facts.AccessRank(m.Steps[a]) == 0 && box.elements < facts.Unlimited {
				name := arrayOf(p.graph, m, a).Name
				elements[name] = max(elements[name], box.elements)
			}
		}
	}
	return facts.BytesOf(p.graph, elements) > float64(p.options.CacheBytes), nil
}

// boxInside is what an access touches in one iteration of a band: elements are their number,
// extents those of the box around them by dimension, nil where nobody knows.
type boxInside struct {
	elements float64
	extents  map[int]float64
}

// boxesInside are those of a statement's accesses; nil for a statement without loops inside.
func (p *planner) boxesInside(band *facts.Band, m facts.Movement) (boxes []boxInside, err error) {
	inside := &facts.Band{Outer: maps.Clone(band.Outer)}
	for _, rows := range band.Rows {
		facts.AppendRows(inside.Outer, rows)
	}
	for _, row := range rowsLeft(p.graph, m.Statement, inside.Outer) {
		inside.Rows = append(inside.Rows, map[int]scop.Row{m.Statement: row})
	}
	if len(inside.Rows) == 0 {
		return nil, nil
	}
	lengths, err := p.lengthsOfRun(inside)
	if err != nil {
		return nil, err
	}
	moves, err := facts.MovementIn(p.graph, inside, m.Statement)
	if err != nil {
		return nil, err
	}
	for _, steps := range moves.Steps {
		box := boxInside{elements: facts.BoxOf(moves.Loops, steps, lengths)}
		if extents, known := facts.ExtentsOf(moves.Loops, steps, lengths); known {
			box.extents = extents
		}
		boxes = append(boxes, box)
	}
	return boxes, nil
}

// arrayOf is the array of an access.
func arrayOf(g *depend.Graph, m facts.Movement, access int) *scop.Array {
	return g.Model.Program.Array(g.Model.Statements[m.Statement].Statement.Accesses[access].Array)
}

// isApart says whether no iteration of a loop around touches an element of another one's box, by
// the access's step along the loop.
func (b boxInside) isApart(s facts.Step) bool {
	for d, v := range s.Subscripts {
		if s.Known && b.extents != nil && float64(max(v, -v)) >= max(1, b.extents[d]) {
			return true
		}
	}
	return false
}

// usesAgainOutside says whether elements are used again along other loops of a band than its last
// one, more of them than stay in the first cache in any case: with loops inside of that, what
// stands still along it alone is used again as soon as it can be, as the fields of a column in each
// step of
//
//	for (j = 0; j < J; j++)
//	  for (s = 0; s < S; s++) {
//	    for (k = 0; k < K; k++)
//	      ...
//	  }
func (p *planner) usesAgainOutside(d *decision) (bool, error) {
	for _, m := range d.moves {
		boxes, err := p.boxesInside(d.band, m)
		if err != nil {
			return false, err
		}
		for a, steps := range m.Steps {
			if boxes == nil {
				boxes = slices.Repeat([]boxInside{{elements: 1, extents: map[int]float64{}}}, len(m.Steps))
			}
			box, outside := boxes[a], []facts.Step{}
			for k, s := range steps {
				if s.Distance() != 0 {
					box.elements *= float64(d.lengths[m.Loops[k]])
				}
				if m.Loops[k] < len(d.lengths)-1 {
					outside = append(outside, s)
				}
			}
			if len(outside) > 0 && isUsedAgain(p.graph, &p.options, arrayOf(p.graph, m, a), outside, box) {
				return true, nil
			}
		}
	}
	return false, nil
}

// isUsedAgain says whether an access uses elements again along loops with these steps, and more
// than a small part of the first cache has in all iterations.
func isUsedAgain(g *depend.Graph, o *Options, array *scop.Array, steps []facts.Step, box boxInside) bool {
	if len(array.Extents) == 0 || facts.IsPrivate(g, array) || box.elements*float64(array.Size)*facts.ShareOfStill <= float64(o.CacheBytes) {
		return false
	}
	return facts.AccessRank(steps) < len(steps) || slices.ContainsFunc(steps, func(s facts.Step) bool { return !box.isApart(s) })
}
