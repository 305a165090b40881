package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/boxes"
)

// unlessSpared is the condition under which elements of a box are loaded, without those that a full
// tile writes before it reads them: its steps run in order, and all their points are instances. A
// box that moves has what was written there, as it has what was loaded.
func (m *mapper) unlessSpared(condition *loopir.Expr, of *boxes.Box, c context) *loopir.Expr {
	f := m.fullTiles(of, c)
	if f == nil {
		return condition
	}
	first, tiles := f.writtenFirst(of.Array), m.tilesOf(f)
	if first == nil || tiles == nil {
		return condition
	}
	needed := loopir.Operation(isl.OpOr, loopir.Operation(isl.OpEq, f.condition(of, tiles), loopir.Int(0)), f.outside(first, tiles))
	if condition == nil {
		return needed
	}
	return loopir.Operation(isl.OpAnd, condition, needed)
}

// writtenFirst relates tiles to elements of an array that one step writes, a box of them, and that
// neither this step nor one before it reads; nil for none.
func (f *full) writtenFirst(array string) *isl.Map {
	for step := range f.phase.Of.Steps() {
		for _, s := range f.statements {
			written := f.touched(s, array, step, step+1, func(a scop.Access) bool { return a.Write && !a.May })
			if written == nil {
				continue
			}
			for _, reader := range f.statements {
				if read := f.touched(reader, array, 0, step+1, func(a scop.Access) bool { return a.Read }); read != nil {
					written = written.Subtract(read)
				}
			}
			written = written.Coalesce()
			if none, err := written.IsEmpty(); err != nil || none || len(written.BasicMaps()) > 1 {
				return nil
			}
			return written
		}
	}
	return nil
}

// touched relates tiles to elements of an array that a statement's points in some steps touch by
// some accesses; nil for none.
func (f *full) touched(s int, array string, from, to int64, by func(scop.Access) bool) (all *isl.Map) {
	for k, access := range f.model.Statements[s].Statement.Accesses {
		if access.Array != array || !by(access) {
			continue
		}
		own := f.phase.Points(f.model, s, from, to).ApplyRange(f.model.Statements[s].Accesses[k])
		if all == nil {
			all = own
		} else {
			all = all.Union(own)
		}
	}
	return all
}

// outside says of the subscripts of an element that it is none of those of the tile at hand, which
// is full.
func (f *full) outside(elements *isl.Map, tiles *isl.Set) *loopir.Expr {
	var subscripts, equal []string
	values, names := map[string]*loopir.Expr{}, f.names("tune_l")
	for k, name := range names {
		values[name] = f.values[k]
	}
	for d := range elements.Dim(isl.DimOut) {
		subscripts = append(subscripts, fmt.Sprint("tune_element", d))
		equal = append(equal, fmt.Sprintf("tune_element%d = %s", d, loopir.Subscript(d).Name))
		names = append(names, loopir.Subscript(d).Name)
	}
	for k, name := range f.names("tune_at") {
		equal = append(equal, fmt.Sprintf("%s = %s", name, f.names("tune_l")[k]))
	}
	parameters := strings.Join(append(slices.Clone(f.model.Program.Parameters), names...), ", ")
	inside := elements.Wrap().Apply(f.model.Context.ReadMap(fmt.Sprintf("[%s] -> { [[%s] -> %s[%s]] -> [] : %s }", parameters, strings.Join(f.names("tune_at"), ", "),
		elements.TupleName(isl.DimOut), strings.Join(subscripts, ", "), strings.Join(equal, " and ")))).Params()
	known := f.ofParameters(tiles).Intersect(f.model.Parameters)
	in := expressionOf(isl.NewAstBuild(known).ExprFromSet(inside.Gist(known)))
	return loopir.Operation(isl.OpEq, settled(in.Substituted(values)), loopir.Int(0))
}
