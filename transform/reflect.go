package transform

import (
	"errors"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// Where the ends of space depend on each other, as in periodic stencils, distances grow with the
// size. Of statements that are cut in the middle (index-set splitting) one half may run through
// space backwards: then both ends are at one place, and so are both sides of the cut (Bondhugula,
// Bandishti, Cohen, Potron, Vasilache: Tiling and optimizing time-iterated computations over
// periodic domains, PACT 2014).

// reflectBand has statements run backwards along those dimensions of space along which dependences have
// no bound otherwise: r becomes least + largest - r. It says whether any does.
func reflectBand(g *depend.Graph, f *stencil, active []*depend.Dependence) (isAny bool, err error) {
	for d, rows := range f.space {
		turned, err := turned(g, f, rows)
		if turned == nil || err != nil {
			return false, err
		}
		chosen, err := directions(g, f, rows, turned, active)
		if err != nil {
			return false, err
		}
		for _, s := range f.statements {
			isAny = isAny || !chosen[s].Equal(rows[s])
		}
		f.space[d] = chosen
	}
	return isAny, nil
}

// directions are the rows of statements, or those that are turned, by which as many dependences as
// are needed to get from the first one to each have a bound.
func directions(g *depend.Graph, f *stencil, rows, turned map[int]schedule.Row, active []*depend.Dependence) (map[int]schedule.Row, error) {
	chosen := map[int]schedule.Row{f.statements[0]: rows[f.statements[0]]}
	for count := 0; count < len(chosen); {
		count = len(chosen)
		for _, d := range active {
			for _, other := range []int{d.Source, d.Target} {
				_, isSource := chosen[d.Source]
				_, isTarget := chosen[d.Target]
				if isSource == isTarget {
					continue
				}
				if _, is := chosen[other]; is {
					continue
				}
				chosen[other] = rows[other]
				bounded, err := isBounded(g, f, d, chosen)
				if err != nil {
					return nil, err
				}
				if !bounded {
					chosen[other] = turned[other]
				}
			}
		}
	}
	for _, s := range f.statements {
		if _, is := chosen[s]; !is {
			chosen[s] = rows[s]
		}
	}
	return chosen, nil
}

// isBounded says whether a dependence goes a bounded distance in space for each step of time.
func isBounded(g *depend.Graph, f *stencil, d *depend.Dependence, rows map[int]schedule.Row) (bool, error) {
	for _, sign := range []int64{1, -1} {
		_, err := slopeOf(g, d, f.time, rows, sign)
		if errors.As(err, new(*NoStencil)) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return true, nil
}

// turned are rows that run backwards between the least and the largest value that one of a
// stencil's instances has; nil where these are no sums of parameters.
func turned(g *depend.Graph, f *stencil, rows map[int]schedule.Row) (map[int]schedule.Row, error) {
	var all *isl.Set
	for _, s := range f.statements {
		own := g.Model.Statements[s].Domain.Apply(g.Time(s, rows[s]))
		if all == nil {
			all = own
		} else {
			all = all.Union(own)
		}
	}
	all = all.Coalesce()
	var ends []schedule.Row
	for _, end := range []*isl.Set{all.Lexmin(), all.Lexmax()} {
		found, err := scop.Subscripts(end.Apply(g.Model.Context.ReadMap("{ [v] -> [[] -> [v]] }")).Unwrap())
		if found == nil || err != nil {
			return nil, err
		}
		ends = append(ends, found[0])
	}
	turned := map[int]schedule.Row{}
	for s, row := range rows {
		none := schedule.Row{Iterators: make([]int64, len(row.Iterators)), Parameters: make([]int64, len(row.Parameters))}
		turned[s] = none.Plus(ends[0], 1).Plus(ends[1], 1).Plus(row, -1)
	}
	return turned, g.Model.Context.Err()
}
