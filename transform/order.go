package transform

import (
	"polytune/schedule/command"
	"polytune/transform/facts"
)

// Order is the model that chooses the innermost loop of a band.
type Order int

const (
	// OrderStride is the cost metric of section V-B of the SC'10 paper: the
	// parallel loop with the smallest stride, if that is at most one.
	OrderStride Order = iota
	// OrderScore is the score of the Pluto compiler: the loop along which most
	// accesses are near each other, whether or not it is a vector loop.
	OrderScore
)

// orders are the models by the names that they have in points.
var orders = []string{OrderStride: "stride", OrderScore: "score"}

// String is the model's name.
func (o Order) String() string { return orders[o] }

// innermostLoop is the band's loop to be sunk, and what becomes of it.
func (p *planner) innermostLoop(band *facts.Band, moves []facts.Movement, lengths []int64, place placing) (innerLoop, error) {
	if p.options.Order == OrderScore {
		loop, vector, err := p.bestScore(band, moves, lengths, place)
		return innerLoop{loop: loop, vector: vector}, err
	}
	shared, err := p.vectorCandidate(band, moves, lengths, place)
	if err != nil {
		return innerLoop{}, err
	}
	if shared >= 0 {
		if together, err := runTogether(p.graph, band, place.parts); together || err != nil {
			return innerLoop{loop: shared, vector: true}, err
		}
	}
	apart, err := p.apartLoop(band, moves, lengths, place)
	if apart < 0 || err != nil {
		return innerLoop{loop: shared, vector: true}, err
	}
	inner := innerLoop{loop: apart, vector: true, apart: true, overlap: make([]command.Overlapping, len(place.parts))}
	if inner.block, err = canRunInBlocks(p.graph, band, apart, place.parts); err != nil {
		return inner, err
	}
	for i, part := range place.parts {
		if inner.overlap[i], err = overlapping(p.graph, &p.options, band, apart, inner.block, part); err != nil {
			return inner, err
		}
	}
	return inner, nil
}

// bestScore is the loop with the best score, or -1, and whether it is to be
// vectorised.
func (p *planner) bestScore(band *facts.Band, moves []facts.Movement, lengths []int64, place placing) (loop int, vector bool, err error) {
	best, loop := 0, -1
	if !place.innermost || !p.options.Uses(vectorAxis) {
		return loop, false, nil
	}
	for k := range band.Loops {
		movable, err := p.isMovable(band, k, place)
		if err != nil {
			return -1, false, err
		}
		if !movable {
			continue
		}
		free, err := freeInnermost(p.graph, band, moves, k)
		if err != nil {
			return -1, false, err
		}
		score, near := scoreOf(moves, k, free)
		if loop < 0 || score > best {
			best, loop, vector = score, k, free && near && lengths[k] >= facts.MinimumLanes
		}
	}
	return loop, vector, nil
}

// scoreOf is Pluto's score of a loop as the innermost one,
//
//	(2s + 4t + 8v - 16(a - s - t)) · statements,
//
// where of the a accesses of the statements s are near along the loop and t
// stand still, and v is 1 when the loop is parallel and all are either; near
// says the latter.
func scoreOf(moves []facts.Movement, loop int, parallel bool) (score int, near bool) {
	accesses, spatial, still := 0, 0, 0
	for _, m := range moves {
		place := m.PlaceOf(loop)
		for _, steps := range m.Steps {
			accesses++
			switch {
			case place < 0 || steps[place].Distance() == 0:
				still++
			case steps[place].Distance() <= facts.Nearby:
				spatial++
			}
		}
	}
	near = accesses == spatial+still
	score = 2*spatial + 4*still - 16*(accesses-spatial-still)
	if parallel && near {
		score += 8
	}
	return score * len(moves), near
}
