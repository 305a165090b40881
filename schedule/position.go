package schedule

import (
	"math"
	"slices"

	"polytune/isl"
	"polytune/scop"
)

// Order says where in the tree's order instances are, for values of the program's parameters.
type Order struct {
	tree       *Tree
	model      *scop.Model
	parameters []int64
	tiles      map[int][]tileTerm
	values     map[loopOf]loopValue
	// last are the last time tiles of overlapped tiles.
	last map[*Overlapped]int64
}

// loopOf is a loop that runs a statement.
type loopOf struct {
	loop *Loop
	s    int
}

// loopValue is the sum of some terms that is a loop's value.
type loopValue []placedTerm

// placedTerm is a factor and a coordinate of an instance's tiles, by its place, or a row for -1.
type placedTerm struct {
	factor int64
	place  int
	row    Row
}

// Order is the tree's order for values of the parameters, one for each of the program's.
func (t *Tree) Order(m *scop.Model, parameters []int64) *Order {
	return &Order{tree: t, model: m, parameters: parameters, tiles: t.tileTerms(), values: map[loopOf]loopValue{}, last: map[*Overlapped]int64{}}
}

// Position is where an instance of a statement is, given by the coordinates of its tiles and behind
// these its iterators: the numbers of the parts that it is in and the values of the loops around it,
// on the way down the tree, one after the other. Those of a loop whose blocks run apart are the end.
func (o *Order) Position(s int, at []int64) (position []int64) {
	nodes := o.tree.Classes
	for len(nodes) > 0 {
		k := slices.IndexFunc(nodes, func(n *Node) bool {
			return slices.Contains(n.Statements, s) && (n.Phase == nil || n.Phase.has(o, s, at))
		})
		if k < 0 {
			return position
		}
		position = append(position, int64(k))
		for _, loop := range nodes[k].Loops {
			if loop.IsDivided() {
				return position
			}
			position = append(position, o.value(loop, s, at))
		}
		nodes = nodes[k].Parts
	}
	return position
}

// value is that of a loop where an instance is.
func (o *Order) value(loop *Loop, s int, at []int64) (sum int64) {
	value, known := o.values[loopOf{loop, s}]
	if !known {
		value = o.valueOf(loop, s)
		o.values[loopOf{loop, s}] = value
	}
	for _, term := range value {
		if term.place >= 0 {
			sum += term.factor * at[term.place]
		} else {
			sum += term.factor * o.row(term.row, s, at)
		}
	}
	return sum
}

// row is the value of a row of an instance.
func (o *Order) row(row Row, s int, at []int64) int64 {
	return row.At(at[len(o.tiles[s]):], o.parameters)
}

// place is that of a coordinate among those of a statement's tiles.
func (o *Order) place(s int, term tileTerm) int { return o.tree.coordinate(o.tiles[s], term, s) }

// valueOf are the terms of a loop's value for a statement.
func (o *Order) valueOf(loop *Loop, s int) (value loopValue) {
	switch {
	case loop.Hexagon != nil:
		return loopValue{{1, o.place(s, tileTerm{hexagon: &HexagonPlace{Of: loop.Hexagon.Of}}) + loop.Hexagon.Place, Row{}}}
	case loop.Overlapped != nil:
		return loopValue{{1, o.place(s, tileTerm{overlapped: &OverlappedPlace{Of: loop.Overlapped.Of}}) + loop.Overlapped.Place, Row{}}}
	case loop.Mapped != nil:
		return loopValue{{1, o.place(s, tileTerm{mapped: &loop.Mapped.MappedPlace}), Row{}}}
	}
	for _, term := range loop.Terms {
		place := -1
		if term.Size > 1 {
			place = o.place(s, tileTerm{row: term.Rows[s], size: term.Size})
		}
		factor := term.Factor
		if factor == 0 {
			factor = 1
		}
		value = append(value, placedTerm{factor, place, term.Rows[s]})
	}
	return value
}

// has says whether an instance is in the phase.
func (f *TilePhase) has(o *Order, s int, at []int64) bool {
	outer := o.value(f.Outer, s, at)
	isElsewhere := func(loop *Loop) bool { return o.value(loop, s, at) != outer }
	return !slices.ContainsFunc(f.At, isElsewhere) && !slices.ContainsFunc(f.Elsewhere, func(loop *Loop) bool { return !isElsewhere(loop) })
}

// has says whether an instance is in the phase.
func (f *HexagonPhase) has(o *Order, s int, at []int64) bool {
	first := o.place(s, tileTerm{hexagon: &HexagonPlace{Of: f.Of}})
	step, place := f.Of.Corner(f.Number, at[first], at[first+1])
	a, b := o.row(f.Of.Time[s], s, at)-step, o.row(f.Of.Space[0][s], s, at)-place
	if a < 0 || a >= f.Of.Steps() {
		return false
	}
	from, to := f.Of.Row(a)
	return from <= b && b <= to
}

// has says whether an instance is in the phase.
func (f *OverlappedPhase) has(o *Order, s int, at []int64) bool {
	last, known := o.last[f.Of]
	if !known {
		last = o.lastTile(f.Of)
		o.last[f.Of] = last
	}
	return (floorDiv(o.row(f.Of.Time[s], s, at), f.Of.Sizes[0]) <= last) == (f.Number == 0)
}

// lastTile is the last time tile of overlapped tiles; one before all where there is none.
func (o *Order) lastTile(of *Overlapped) int64 {
	tiles := of.timeTiles(o.model).IntersectParams(o.model.With(o.parameters))
	last, some := tiles.ProjectOut(isl.DimParam, 0, tiles.Dim(isl.DimParam)).Lexmax().Point()
	if !some {
		return math.MinInt64
	}
	return last[0]
}

// IsStepped says whether isl may have instances of the tree in another order than it has: those of
// loops with steps, and of tiles in time and space.
func (t *Tree) IsStepped() bool {
	is := false
	t.Walk(func(n *Node) bool {
		is = is || slices.ContainsFunc(n.Loops, func(l *Loop) bool {
			return l.Hexagon != nil || l.Overlapped != nil || len(l.Terms) == 1 && l.Terms[0].Size <= 1 && areSteps(l.Terms[0].Rows)
		})
		return !is
	})
	return is
}

// has says whether an instance is in the phase; of a value that is no loop's nobody knows it.
func (f *MappedPhase) has(o *Order, s int, at []int64) bool {
	place := o.place(s, tileTerm{mapped: &f.MappedPlace})
	return place >= 0 && at[place] == f.Number
}
