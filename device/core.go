package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// mostPoints is the largest number of points of a thread in a full tile, each of which is a line of
// text.
const mostPoints = 512

// full are tiles of a phase of hexagons all of whose points are instances (RR-8339, sections 4.3.2
// and 4.4): the code of their points has loops of constant lengths, so that there need be none. The
// first thread has the first point, and the points of a thread are next to each other, but along x,
// where neighbours are those of neighbouring threads.
type full struct {
	model *scop.Model
	phase *schedule.HexagonPhase
	// points are the loops over the points of a step of time, and statements those of their node.
	points     []*schedule.Loop
	statements []int
	// values are those of the tile's coordinates.
	values []*loopir.Expr
}

// withCore is the code below the innermost copy of a tile, with other code where the tile is full;
// as it is where there is none such.
func (m *mapper) withCore(of *boxes.Box, body loopir.Code, c context) (loopir.Code, error) {
	f := m.fullTiles(of, c)
	if f == nil {
		return body, m.env.Model().Context.Err()
	}
	core, tiles := f.core(m.threads), m.tilesOf(f)
	if core == nil || tiles == nil {
		return body, m.env.Model().Context.Err()
	}
	if err := f.reuse(core, tiles); err != nil {
		return nil, err
	}
	return loopir.Code{&loopir.If{Cond: f.condition(of, tiles), Then: loopir.Code{core}, Else: body}}, m.env.Model().Context.Err()
}

// fullTiles are those of the loop of a copy; nil where it is not over hexagonal tiles whose time
// threads share step by step, waiting behind each.
func (m *mapper) fullTiles(of *boxes.Box, c context) *full {
	n, place, err := m.env.Tree().Loop(of.Loop)
	if err != nil {
		return nil
	}
	phase, is := n.Phase.(*schedule.HexagonPhase)
	if !is || len(n.Parts) > 0 || n.Loops[place].Hexagon == nil || of.Depth != len(phase.Of.Sizes) || len(n.Loops) != place+2+len(phase.Of.Space) {
		return nil
	}
	time, points := n.Loops[place+1], n.Loops[place+2:]
	isDealt := func(l *schedule.Loop) bool { return len(l.Terms) == 1 && mark.Has[mark.Thread](l.Marks) }
	if !mark.Has[mark.Barrier](time.Marks) || len(time.Terms) != 1 || slices.ContainsFunc(points, func(l *schedule.Loop) bool { return !isDealt(l) }) {
		return nil
	}
	for _, s := range n.Statements {
		isHere := slices.Contains(c.alone, m.env.Model().Statements[s].Name)
		if !isHere || !time.Terms[0].Rows[s].Equal(phase.Of.Time[s]) || len(m.env.Model().Program.Privates()) > 0 {
			return nil
		}
	}
	return &full{model: m.env.Model(), phase: phase, points: points, statements: n.Statements, values: c.values[:of.Depth]}
}

// tilesOf are the tiles of a phase that are full, which are found once for all of its copies.
func (m *mapper) tilesOf(f *full) *isl.Set {
	tiles, known := m.full[f.phase]
	if !known {
		tiles = f.tiles()
		if m.full == nil {
			m.full = map[*schedule.HexagonPhase]*isl.Set{}
		}
		m.full[f.phase] = tiles
	}
	return tiles
}

// tiles are those that are full; nil where none is, or that takes many conditions.
func (f *full) tiles() *isl.Set {
	context := f.model.Context
	all := context.ReadSet(fmt.Sprintf("%s{ [%s] }", f.model.Program.ParametersText(), strings.Join(f.names("tune_l"), ", ")))
	for _, s := range f.statements {
		points, domain := f.phase.Points(f.model, s, 0, f.phase.Of.Steps()), f.model.Statements[s].Domain
		some := points.Reverse().IntersectDomain(domain).Range()
		if len(f.iterators(s)) == f.model.Statements[s].Depth()-1 {
			some = points.Subtract(points.Reverse().IntersectDomain(domain).Reverse()).Domain()
		}
		all = all.Subtract(some.RemoveDivs())
	}
	all = all.Coalesce()
	if none, err := all.IsEmpty(); none || err != nil || len(all.BasicSets()) > 1 {
		return nil
	}
	return all
}

// condition says that a tile is one of those that are full.
func (f *full) condition(of *boxes.Box, tiles *isl.Set) *loopir.Expr {
	values := map[string]*loopir.Expr{}
	for k, name := range f.names("tune_l") {
		values[name] = f.values[k]
	}
	known := f.ofParameters(of.Executions()).Intersect(f.model.Parameters)
	return settled(expressionOf(isl.NewAstBuild(known).ExprFromSet(f.ofParameters(tiles).Gist(known))).Substituted(values))
}

// ofParameters is a set of tiles as one of parameters that have the values of their coordinates.
func (f *full) ofParameters(tiles *isl.Set) *isl.Set {
	return asParameters(f.model, tiles, f.names("tune_l"))
}

// asParameters is a set as one of parameters that have the values of its dimensions.
func asParameters(m *scop.Model, set *isl.Set, parameters []string) *isl.Set {
	var names, equal []string
	for k, parameter := range parameters {
		names, equal = append(names, fmt.Sprint("tune_at", k)), append(equal, fmt.Sprintf("tune_at%d = %s", k, parameter))
	}
	all := strings.Join(append(slices.Clone(m.Program.Parameters), parameters...), ", ")
	return set.Apply(m.Context.ReadMap(fmt.Sprintf("[%s] -> { [%s] -> [] : %s }", all, strings.Join(names, ", "), strings.Join(equal, " and ")))).Params()
}

// names are names for the tile's coordinates.
func (f *full) names(prefix string) (names []string) {
	for k := range f.phase.Of.Sizes {
		names = append(names, fmt.Sprint(prefix, k))
	}
	return names
}

// iterators are those that the loops over points have the values of, but for a number, by the
// loops; nil where a loop has no such.
func (f *full) iterators(s int) (iterators []int) {
	for _, loop := range f.points {
		row := loop.Terms[0].Rows[s]
		k := slices.IndexFunc(row.Iterators, func(factor int64) bool { return factor != 0 })
		if k < 0 || row.Iterators[k] != 1 || slices.ContainsFunc(row.Iterators[k+1:], func(factor int64) bool { return factor != 0 }) {
			return nil
		}
		iterators = append(iterators, k)
	}
	return iterators
}

// core is the code of a full tile: its steps, behind each of which all threads wait; nil where it
// has too many points, or they are no boxes.
func (f *full) core(threads [3]int64) *loopir.Core {
	core, count := &loopir.Core{}, 0
	for step := range f.phase.Of.Steps() {
		var all loopir.Code
		for _, s := range f.statements {
			points, ok := f.pointsOf(s, step, threads)
			if !ok {
				return nil
			}
			all = append(all, points...)
		}
		if len(all) == 0 {
			continue
		}
		if count += len(loopir.Runs(all)); count > mostPoints {
			return nil
		}
		core.Body = append(core.Body, &loopir.Step{Number: step, Body: all}, &loopir.Barrier{})
	}
	return core
}

// pointsOf are a thread's points of a statement in a step; ok is false where nobody knows them.
func (f *full) pointsOf(s int, step int64, threads [3]int64) (code loopir.Code, ok bool) {
	iterators := f.iterators(s)
	if len(iterators) != f.model.Statements[s].Depth()-1 {
		return nil, true // its instances are in no full tile
	}
	points := f.phase.Points(f.model, s, step, step+1)
	if none, err := points.IsEmpty(); none || err != nil {
		return nil, err == nil
	}
	corner, extents, ok := f.boxOf(points, s)
	if !ok {
		return nil, false
	}
	run := &loopir.Run{Statement: &f.model.Statements[s], Tiles: f.values}
	for _, row := range corner {
		run.At = append(run.At, f.at(row))
	}
	code = loopir.Code{run}
	for d, loop := range f.points {
		thread, _ := mark.Of[mark.Thread](loop.Marks)
		if thread.Count != threads[thread.Dimension] {
			return nil, false
		}
		code = shared(code, iterators[d], extents[iterators[d]], thread)
	}
	return code, true
}

// boxOf is the box that points are: its corner, by the tile's coordinates, and its extents; ok is
// false where they are none.
func (f *full) boxOf(points *isl.Map, s int) (corner []scop.Row, extents []int64, ok bool) {
	least, extents, ok, err := points.FixedBox()
	if err != nil || !ok {
		return nil, nil, false
	}
	corner, err = scop.Subscripts(least)
	if err != nil || corner == nil {
		return nil, nil, false
	}
	var inside []string
	names := f.model.Program.IteratorNames(s)
	for k, row := range corner {
		first := row.Text(f.names("tune_l"), f.model.Program.Parameters)
		inside = append(inside, fmt.Sprintf("%s <= %s < %s + %d", first, names[k], first, extents[k]))
	}
	box := f.model.Context.ReadMap(fmt.Sprintf("%s{ [%s] -> %s : %s }", f.model.Program.ParametersText(), strings.Join(f.names("tune_l"), ", "), f.model.Program.InstanceText(s), strings.Join(inside, " and ")))
	isBox, err := box.IsEqual(points)
	return corner, extents, isBox && err == nil
}

// at is the value of a row of the tile's coordinates.
func (f *full) at(row scop.Row) *loopir.Expr {
	sum := newLinear()
	sum.constant = row.Constant
	for k, factor := range row.Iterators {
		sum.add(f.values[k], factor)
	}
	for k, factor := range row.Parameters {
		sum.add(loopir.Named(f.model.Program.Parameters[k]), factor)
	}
	return sum.expression()
}

// shared are a thread's instances of those along an iterator, of which some code has the first.
func shared(code loopir.Code, iterator int, extent int64, thread mark.Thread) (all loopir.Code) {
	index := loopir.Index(thread.Dimension)
	if thread.Count == 1 {
		index = loopir.Int(0)
	}
	for turn := int64(0); turn*thread.Count < extent; turn++ {
		distance := loopir.Operation(isl.OpAdd, index, loopir.Int(turn*thread.Count))
		if each := extent / thread.Count; extent%thread.Count == 0 && thread.Dimension > 0 {
			distance = loopir.Operation(isl.OpAdd, loopir.Operation(isl.OpMul, loopir.Int(each), index), loopir.Int(turn))
		}
		own := moved(code, iterator, distance)
		if left := extent - turn*thread.Count; left < thread.Count {
			own = loopir.Code{&loopir.If{Cond: loopir.Operation(isl.OpLt, index, loopir.Int(left)), Then: own}}
		}
		all = append(all, own...)
	}
	return all
}

// moved are the instances of some code at other values of an iterator.
func moved(code loopir.Code, iterator int, distance *loopir.Expr) (all loopir.Code) {
	for _, s := range code {
		switch s := s.(type) {
		case *loopir.Run:
			own := *s
			own.At = slices.Clone(s.At)
			own.At[iterator] = linearOf(loopir.Operation(isl.OpAdd, s.At[iterator], distance)).expression()
			all = append(all, &own)
		case *loopir.If:
			all = append(all, &loopir.If{Cond: s.Cond, Then: moved(s.Then, iterator, distance)})
		}
	}
	return all
}
