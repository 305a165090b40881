package transform

import (
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	inmemory "polytune/scop/boxes"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// touch is an access of a stencil's statement to an array, by what its subscripts follow.
type touch struct {
	statement int
	array     string
	reads     bool
	places    []touchPlace
}

// touchPlace is what one subscript follows, and how far it is ahead of that.
type touchPlace struct {
	follows follows
	// first and last are the distances ahead, or the first and the last value of a fixed subscript.
	first, last int64
}

// follows are the kinds of subscripts: a dimension of space by its number from 0 on, or one of
// these.
type follows int

const (
	followsNothing follows = -1 - iota // its values are the same in all tiles
	followsTime                        // the loop over time of the source
	followsOther
)

// findTouches finds the accesses of a stencil to arrays with subscripts.
func findTouches(g *depend.Graph, f *stencil) error {
	for _, s := range f.statements {
		statement := &g.Model.Statements[s]
		for a, access := range statement.Statement.Accesses {
			array := g.Model.Program.Array(access.Array)
			if array == nil || len(array.Extents) == 0 || array.Linear || access.May || isChosen(g, f.statements, access.Array) {
				continue
			}
			own := touch{statement: s, array: access.Array, reads: access.Read}
			rows, err := statement.EachSubscript(a)
			if err != nil {
				return err
			}
			for d := range array.Extents {
				place, err := placeOf(g, f, s, statement.Accesses[a], d, rows[d])
				if err != nil {
					return err
				}
				own.places = append(own.places, place)
			}
			f.touches = append(f.touches, own)
		}
	}
	return nil
}

// isChosen says whether data decide which elements of an array some of the statements touch, so that
// no tile can load them all: the others may be none of the array's.
func isChosen(g *depend.Graph, statements []int, array string) bool {
	return slices.ContainsFunc(statements, func(s int) bool {
		statement := g.Model.Statements[s].Statement
		return slices.ContainsFunc(statement.Accesses, func(a scop.Access) bool {
			return a.Array == array && (a.May || scop.Chooses(statement.Value))
		})
	})
}

// placeOf is what a subscript of an access follows, whose row is nil where it has none.
func placeOf(g *depend.Graph, f *stencil, s int, access *isl.Map, d int, row *schedule.Row) (touchPlace, error) {
	if row != nil {
		for k, space := range f.space {
			if ahead, is := aheadOf(*row, space[s]); is {
				return touchPlace{follows(k), ahead, ahead}, nil
			}
		}
		if ahead, is := aheadOf(*row, outermost(g, s)); is {
			return touchPlace{followsTime, ahead, ahead}, nil
		}
	}
	subscript := access.ProjectOut(isl.DimOut, d+1, access.Dim(isl.DimOut)-d-1).ProjectOut(isl.DimOut, 0, d)
	corner, extents, ok, err := subscript.ProjectOut(isl.DimIn, 0, subscript.Dim(isl.DimIn)).FixedBox()
	if err != nil || !ok {
		return touchPlace{follows: followsOther}, err
	}
	rows, err := scop.Subscripts(corner)
	if err != nil || len(rows) != 1 || slices.ContainsFunc(rows[0].Parameters, func(v int64) bool { return v != 0 }) {
		return touchPlace{follows: followsOther}, err
	}
	return touchPlace{followsNothing, rows[0].Constant, rows[0].Constant + extents[0] - 1}, nil
}

// aheadOf is how far a row is ahead of another one, where that is the same everywhere.
func aheadOf(row, of schedule.Row) (ahead int64, is bool) {
	return row.Constant - of.Constant, slices.Equal(row.Iterators, of.Iterators) && slices.Equal(row.Parameters, of.Parameters)
}

// tileData is what one tile inside of a stencil computes, and has in shared memory.
type tileData struct {
	// points is the number of its instances, loaded that of the bytes that it reads from global
	// memory, and shared that of the bytes of its boxes.
	points, loaded, shared int64
}

// span are the first and the last of some numbers.
type span struct{ first, last int64 }

// with is the least span around two.
func (s span) with(o span) span { return span{min(s.first, o.first), max(s.last, o.last)} }

// extent is the number of numbers.
func (s span) extent() int64 { return s.last - s.first + 1 }

// hexagonData is what one hexagonal tile of a stencil has. Where tiles do not all begin with the
// same statement, it is the most that one of them has.
func hexagonData(g *depend.Graph, f *stencil, sizes []int64) (most tileData) {
	shape := &schedule.Hexagon{Sizes: sizes, Slopes: f.slopes}
	for begin := range f.steps {
		points, hulls := hullsOf(g, f, shape, begin)
		loaded, shared := boxesOf(g, f, hulls, sizes[len(sizes)-1])
		most = tileData{max(most.points, points), max(most.loaded, loaded), max(most.shared, shared)}
	}
	return most
}

// hullsOf are the spans of the instances of each statement in a tile along each dimension of space,
// and behind them along the loop over time, by the statement's number; and the number of all. begin
// is the number of the step of an iteration of the loop over time that the tile begins with.
func hullsOf(g *depend.Graph, f *stencil, shape *schedule.Hexagon, begin int64) (points int64, hulls map[int][]span) {
	hulls = map[int][]span{}
	for step := range 2 * shape.Sizes[0] {
		first, last := shape.Row(step)
		if last < first {
			continue
		}
		spans, row := []span{{first, last}}, last-first+1
		for d := 1; d < len(f.space); d++ {
			first, last := shape.Strip(d, step)
			spans, row = append(spans, span{first, last}), row*(last-first+1)
		}
		for _, s := range f.statements {
			at := step + begin - (f.time[s].Constant - f.steps*outermost(g, s).Constant)
			if at%f.steps != 0 {
				continue
			}
			if g.Model.Statements[s].Depth() > len(f.space) { // others are at the border
				points += row
			}
			own := append(slices.Clip(spans), span{at / f.steps, at / f.steps})
			for d, known := range hulls[s] {
				own[d] = own[d].with(known)
			}
			hulls[s] = own
		}
	}
	return points, hulls
}

// boxesOf are the bytes that instances load and that their boxes have, by the spans of the
// instances. An array without a box is in global memory. Boxes move along the last of several
// dimensions, by its tiles' width, and keep what the tile before has left there; they do not where
// the width is 0.
func boxesOf(g *depend.Graph, f *stencil, hulls map[int][]span, width int64) (loaded, shared int64) {
	sides, follow, reads := map[string][]span{}, map[string][]follows{}, map[string]bool{}
	for _, t := range f.touches {
		hull := hulls[t.statement]
		if hull == nil {
			continue
		}
		reads[t.array] = reads[t.array] || t.reads
		own, kinds := make([]span, len(t.places)), make([]follows, len(t.places))
		for d, place := range t.places {
			own[d], kinds[d] = span{place.first, place.last}, place.follows
			if place.follows != followsNothing {
				along := hull[len(hull)-1]
				if place.follows >= 0 {
					along = hull[place.follows]
				}
				own[d] = span{along.first + place.first, along.last + place.last}
			}
			if known := sides[t.array]; known != nil {
				own[d] = own[d].with(known[d])
				if follow[t.array][d] != kinds[d] {
					kinds[d] = followsOther
				}
			}
		}
		sides[t.array], follow[t.array] = own, kinds
	}
	for array, own := range sides {
		if slices.Contains(follow[array], followsOther) {
			continue
		}
		box, elements := mark.Box{Memory: mark.Shared}, int64(1)
		for d, side := range own {
			box.Sides = append(box.Sides, mark.BoxSide{Extent: side.extent()})
			if moves := len(f.space) > 1 && follow[array][d] == follows(len(f.space)-1); moves && side.extent() <= 2*width {
				elements *= min(width, side.extent())
			} else {
				elements *= side.extent()
			}
		}
		size := int64(g.Model.Program.Array(array).Size)
		shared += inmemory.Bytes(box, size)
		if reads[array] {
			loaded += elements * size
		}
	}
	return loaded, shared
}
