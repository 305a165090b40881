package transform

import (
	"cmp"
	"slices"

	"polytune/schedule/command"
	"polytune/scop"
	"polytune/transform/facts"
)

// windowInside leaves the last loop of a band to the compiler, inside of vectors.
func (v View) windowInside() (*Plan, Reason, error) {
	if v.outermost {
		return nil, "a class of several statements shares it", nil
	}
	if window, err := v.endsInWindow(v.shared, v.start.found); !window || err != nil {
		return nil, "its last loop is no short one that sums up in order inside of vectors", err
	}
	band := *v.shared
	band.CutTail()
	band.HadWindow = true
	return &Plan{Band: &band}, "", nil
}

// tailApart leaves out the last loop of a band where it is one statement's tiny loop, skewed
// along a long one, as that over p in
//
//	for (x = 0; x < SITES; x++)
//	  for (p = 0; p < 3; p++)
//	    b += u[x][p] * d[x][(p + 1) % 3];
//
// As 2 x + p it could be tiled with the loop over x, which is worth less than that the compiler
// unrolls it where no loop of the band is one for vectors and some carries nothing, as those over
// other subscripts of b. Tiramisu's baryon takes 34 ms so on two threads of an AMD EPYC with
// AVX-512, 159 skewed, and 61 as it is written.
func (v View) tailApart() (*Plan, Reason, error) {
	band, found := *v.shared, v.start.found
	last := len(band.Rows) - 1
	if v.outermost || last < 1 || len(band.Rows[last]) > 1 || !facts.IsSkewed(band.Rows[last]) || !slices.Contains(band.Coincident, true) {
		return nil, "its last loop is not one statement's, skewed inside of one that carries nothing", nil
	}
	if vectors, err := v.hasVectors(&band, found); vectors || err != nil {
		return nil, "it has a loop for vectors", err
	}
	for s := range band.Rows[last] {
		if isTail, err := v.isTail(s, &band, found); !isTail || err != nil {
			return nil, "its last loop is long, or no tiny loop skewed along a long one", err
		}
	}
	band.CutTail()
	band.HadTail = true
	return &Plan{Band: &band}, "", nil
}

// endsInWindow says whether the last loop of a band is one that compilers unroll and that sums up
// in order, such as the taps of a filter, where another one is a vector loop around it and blocks
// do not fit: the sums of a vector stay in registers then, where a loop over the taps outside of
// the vectors loads and stores all sums for each. A filter of 31 taps over 64 rows of 20,000
// doubles with the sums of its squares takes 4.4 ms so on two threads of a virtual AMD Zen 4 (gcc
// 12), and took 5.7.
func (p *planner) endsInWindow(band *facts.Band, found map[int][][]int64) (bool, error) {
	last := len(band.Rows) - 1
	if last < 1 || !band.Permutable || band.Coincident[last] {
		return false, nil
	}
	whole, err := p.placed(band, found)
	if err != nil || whole.lengths[last] > facts.MostUnrolled {
		return false, err
	}
	if blocks, err := registersOf(p.graph, &p.options, whole.band, whole.moves, whole.lengths, nil); blocks != nil || err != nil {
		return false, err
	}
	around := *band
	around.CutTail()
	outside, err := p.placed(&around, found)
	if err != nil {
		return false, err
	}
	candidate, err := p.vectorCandidate(outside.band, outside.moves, outside.lengths, placing{innermost: true, parallel: true})
	return candidate >= 0, err
}

// isTail says whether the last loop of a band with one statement is the tiny loop that the others
// leave, skewed along long ones alone.
func (p *planner) isTail(s int, band *facts.Band, found map[int][][]int64) (bool, error) {
	last := len(band.Rows) - 1
	around := map[int][][]int64{s: slices.Clone(found[s])}
	for _, rows := range band.Rows[:last] {
		facts.AppendRows(around, rows)
	}
	left := rowsLeft(p.graph, s, around)
	if tiny, err := p.isTiny(s, around); !tiny || err != nil || len(left) != 1 {
		return false, err
	}
	for k, c := range band.Rows[last][s].Iterators {
		if c == 0 || left[0].Iterators[k] != 0 {
			continue
		}
		along := &facts.Band{Rows: []map[int]scop.Row{facts.IteratorRows(p.graph, []int{s}, k)}, Outer: found}
		if lengths, err := p.lengths(along); err != nil || lengths[0] <= facts.MostTiny {
			return false, err
		}
	}
	return true, nil
}

// hasVectors says whether a band that has no place in the tree yet has a loop for vectors if it is
// tiled.
func (p *planner) hasVectors(band *facts.Band, found map[int][][]int64) (bool, error) {
	d, err := p.placed(band, found)
	if err != nil {
		return false, err
	}
	candidate, err := p.vectorCandidate(d.band, d.moves, d.lengths, placing{innermost: true, tiled: true, parallel: true})
	return candidate >= 0, err
}

// placed is what is known of a band that has no place in the tree yet, inside the loops found.
func (p *planner) placed(band *facts.Band, found map[int][][]int64) (d decision, err error) {
	inside := *band
	inside.Outer, inside.Loops = found, make([]string, len(band.Rows))
	d.band = &inside
	if d.moves, err = facts.Movements(p.graph, &inside); err == nil {
		d.lengths, err = p.lengths(&inside)
	}
	return d, err
}

// sinkInOrder brings the loops in the tiles of a band without a vector loop into an order: columns
// with channels, and loops with others inside, into that of the array's subscripts, and those
// around a tail into that of the source. Points of a tile then go through memory as it lies:
// likelihoods of 15 nodes of a tree at each of 4,000 sites take 0.65 of the time with the sites of
// a tile inside (AMD EPYC (Zen 4), gcc 12).
func (p *planner) sinkInOrder(d *decision) {
	switch {
	case d.columns && d.inner.loop < 0:
		p.sinkAll(d.band, byDepth(d))
	case d.band.HadTail:
		p.sinkAll(d.band, bySource(d.band))
	case !d.innermost && d.band.Permutable && d.inner.loop < 0 && !slices.ContainsFunc(d.band.Rows, facts.IsSkewed):
		p.sinkAll(d.band, byDepth(d))
	}
}

// bySource are the loops of a band of one statement in the order of the source.
func bySource(band *facts.Band) []int {
	order := placesOf(band)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(facts.FirstIterator(band.Rows[a]), facts.FirstIterator(band.Rows[b]))
	})
	return order
}

// placesOf are the places of a band's loops from the outside in.
func placesOf(band *facts.Band) []int {
	loops := make([]int, len(band.Loops))
	for k := range loops {
		loops[k] = k
	}
	return loops
}

// sinkAll brings the loops of a band into an order.
func (p *planner) sinkAll(band *facts.Band, order []int) {
	if slices.IsSorted(order) {
		return
	}
	for _, k := range order[1:] {
		p.emit(command.Sink{Loop: band.Loops[k]})
	}
}
