package boxes

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Fill gives the marks of boxes in a schedule their sides: the smallest that hold what the code
// below uses. Marks of what has no such box get none.
func Fill(model *scop.Model, schedule mark.Schedule) {
	for _, kernel := range Kernels(schedule.Tree.Root(), schedule.Marks) {
		found, err := In(model, schedule.Marks, kernel)
		if err != nil {
			continue
		}
		for _, box := range found {
			if err := box.fill(model); err == nil {
				schedule.Marks.Replace(box.Name, box.Box)
			}
		}
	}
}

// fill finds the sides of a box, and how far it moves.
func (b *Box) fill(model *scop.Model) (err error) {
	if b.Sides, err = b.sides(model.Context); err != nil {
		return err
	}
	b.Box.Moves = b.move()
	if b.Box.Moves.Distance == 0 {
		return nil
	}
	loaded, err := b.Loaded(model)
	if err != nil {
		return err
	}
	if moves, err := b.Moves(model, loaded); err != nil || !moves {
		b.Box.Moves = mark.BoxMove{}
		return err
	}
	return nil
}

// sides are those of the smallest box, nil for none.
func (b *Box) sides(context *isl.Context) (sides []mark.BoxSide, err error) {
	all := b.Touched()
	if all == nil {
		return nil, nil
	}
	if b.Memory == mark.Kept { // which stays where it is
		all = b.blocks("=", "and", context).ApplyRange(all).Coalesce()
	}
	if b.Overlapped != nil { // isl finds no bounds of tiles that use different elements in turn, as every second one does of two arrays
		all = all.Wrap().SimpleHull().ToSet().RemoveDivs().Unwrap()
	}
	for d := range all.Dim(isl.DimOut) {
		side, err := b.side(context, all, d)
		if side == nil || err != nil {
			return nil, err
		}
		sides = append(sides, *side)
	}
	return sides, nil
}

// side is the smallest along a dimension of the array, nil for none. In private memory the numbers
// of threads may be taken out.
func (b *Box) side(context *isl.Context, all *isl.Map, d int) (best *mark.BoxSide, err error) {
	subscripts := all.ProjectOut(isl.DimOut, d+1, all.Dim(isl.DimOut)-d-1).ProjectOut(isl.DimOut, 0, d)
	for thread := -1; thread < Dimensions; thread++ {
		if thread >= 0 && b.Memory != mark.Own {
			break
		}
		side, err := b.sideFrom(context, subscripts, thread)
		if err != nil {
			return nil, err
		}
		if side != nil && (best == nil || side.Extent < best.Extent) {
			best = side
		}
	}
	return best, nil
}

// sideFrom is the smallest side that subscripts less the number of a thread along a dimension have;
// less nothing for -1.
func (b *Box) sideFrom(context *isl.Context, subscripts *isl.Map, thread int) (*mark.BoxSide, error) {
	stride, less := int64(1), "s"
	if thread >= 0 {
		stride, less = b.Threads[thread], fmt.Sprintf("s - i%d", b.Depth+thread)
	}
	relation := b.applied(context, subscripts, less)
	residue, isOne, err := residueOf(context, relation, stride)
	if !isOne || err != nil {
		return nil, err
	}
	relation = relation.ApplyRange(context.ReadMap(fmt.Sprintf("{ [s] -> [q] : s = %d q + %d }", stride, residue))).Coalesce()
	found, err := rangeOf(relation)
	if found == nil || err != nil {
		return nil, err
	}
	origin := found.row.Plus(found.row, stride-1)
	origin.Constant += residue
	side := &mark.BoxSide{Origin: origin, Stride: stride, Extent: found.extent, Thread: thread}
	if thread < 0 {
		err = takeStride(context, relation, found.corner, side)
	}
	return side, err
}

// interval is where the numbers of a relation's range are: as many as its extent, from the one on
// that the corner relates to its domain, whose row that is.
type interval struct {
	corner *isl.Map
	row    scop.Row
	extent int64
}

// rangeOf is the smallest interval that has all numbers of a relation's range: that of its convex
// sets, which are simple, where their corners are a number apart, and else that of the whole
// relation; nil where there is none.
func rangeOf(relation *isl.Map) (found *interval, err error) {
	for _, convex := range relation.BasicMaps() {
		own, err := fixedInterval(convex.Wrap().ToSet().Unwrap())
		if err != nil {
			return nil, err
		}
		if own == nil || found != nil && !areApart(own.row, found.row) {
			return fixedInterval(relation)
		}
		if found == nil {
			found = own
			continue
		}
		end := max(found.row.Constant+found.extent, own.row.Constant+own.extent)
		if own.row.Constant < found.row.Constant {
			found = own
		}
		found.extent = end - found.row.Constant
	}
	return found, nil
}

// Side is the smallest interval that has all numbers of a relation's range: as many as its extent,
// from the one on that the row says for an element of the domain. known is false where there is none.
func Side(relation *isl.Map) (origin scop.Row, extent int64, known bool, err error) {
	found, err := rangeOf(relation)
	if found == nil || err != nil {
		return origin, 0, false, err
	}
	return found.row, found.extent, true, nil
}

// areApart says that two rows are a number apart.
func areApart(a, b scop.Row) bool {
	return slices.Equal(a.Iterators, b.Iterators) && slices.Equal(a.Parameters, b.Parameters)
}

// fixedInterval is what isl finds for a relation as a whole.
func fixedInterval(relation *isl.Map) (*interval, error) {
	corner, extents, ok, err := relation.FixedBox()
	if !ok || err != nil {
		return nil, err
	}
	rows, err := scop.Subscripts(corner)
	if rows == nil || err != nil {
		return nil, err
	}
	return &interval{corner, rows[0], extents[0]}, nil
}

// applied relates the values of the loops around to what an expression of a subscript s, and of the
// loops' values and the threads' numbers i0, i1 and so on, is.
func (b *Box) applied(context *isl.Context, subscripts *isl.Map, expression string) *isl.Map {
	names := make([]string, b.Depth+Dimensions)
	for k := range names {
		names[k] = fmt.Sprint("i", k)
	}
	key := strings.Join(names, ", ")
	apply := context.ReadMap(fmt.Sprintf("{ [[%s] -> [s]] -> [[%s] -> [%s]] }", key, key, expression))
	return subscripts.Wrap().Apply(apply).Unwrap().ProjectOut(isl.DimIn, b.Depth, Dimensions).Coalesce()
}

// residueOf is the remainder that all numbers in a relation's range have modulo another number;
// isOne is false where there are several.
func residueOf(context *isl.Context, relation *isl.Map, modulo int64) (residue int64, isOne bool, err error) {
	if modulo == 1 {
		return 0, true, nil
	}
	all := relation.Range()
	point, any := all.ProjectOut(isl.DimParam, 0, all.Dim(isl.DimParam)).Point()
	if !any {
		return 0, false, context.Err()
	}
	residue = (point[0]%modulo + modulo) % modulo
	isOne, err = all.IsSubset(context.ReadSet(fmt.Sprintf("{ [s] : s mod %d = %d }", modulo, residue)))
	return residue, isOne, err
}

// takeStride takes out the stride of a side: all subscripts are multiples of it behind the first.
func takeStride(context *isl.Context, relation, corner *isl.Map, side *mark.BoxSide) error {
	distances := relation.Reverse().ApplyRange(corner).Deltas()
	for stride := side.Extent - 1; stride > 1; stride-- {
		if (side.Extent-1)%stride != 0 {
			continue
		}
		multiples := context.ReadSet(fmt.Sprintf("{ [d] : d mod %d = 0 }", stride))
		if is, err := distances.IsSubset(multiples); is || err != nil {
			side.Stride, side.Extent = stride, (side.Extent-1)/stride+1
			return err
		}
	}
	return nil
}
