package boxes

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// Kept are the elements of a box in resident memory, by the values of the loops around and the
// numbers of a thread. Of what a block reads there may be more than it does, so that there are few
// conditions: it is in the array, and what a block loads for nothing it neither uses nor stores.
type Kept struct {
	// Own are those that the block writes in some execution, and Start these and those that it
	// reads and nobody writes: it has them all the time.
	Own, Start *isl.Map
	// Halo are those that an execution reads and other blocks write, nil where it reads nothing;
	// Through are those that an execution writes and other blocks read, nil where it writes
	// nothing.
	Halo, Through *isl.Map
}

// KeptBy is what a box in resident memory, some of whose elements are written, has in the
// executions of a piece of its code.
func (b *Box) KeptBy(piece *Box) (k Kept) {
	written := b.Elements(Written)
	inBlock := b.blocks("=", "and", written.Context())
	k.Own = inBlock.ApplyRange(written).Coalesce()
	k.Start = k.Own
	all := b.Elements(Read)
	if all == nil {
		return k
	}
	all = hullOf(all)
	byAnybody := all.Domain().MapTo(written.Range().Coalesce())
	k.Start = k.Own.Union(hullOf(inBlock.ApplyRange(all)).Subtract(b.blocks("", "", written.Context()).ApplyRange(byAnybody))).Coalesce()
	if read := piece.Elements(Read); read != nil {
		k.Halo = hullOf(read).Intersect(byAnybody).Subtract(k.Own).Coalesce()
	}
	if own := piece.Elements(Written); own != nil {
		k.Through = own.Intersect(b.blocks("!=", "or", written.Context()).ApplyRange(all)).Coalesce()
	}
	return k
}

// hullOf is a relation with few constraints around another one.
func hullOf(m *isl.Map) *isl.Map { return m.Wrap().SimpleHull().ToSet().Unwrap() }

// blocks relates the values of the loops around and the numbers of a thread to those of the same
// block, or of others: the values of the loops of blocks compare so; without operator to those of
// all blocks.
func (b *Box) blocks(operator, joined string, context *isl.Context) *isl.Map {
	var from, to, conditions []string
	for d := range b.Depth + Dimensions {
		from, to = append(from, fmt.Sprint("a", d)), append(to, fmt.Sprint("b", d))
		if operator != "" && slices.Contains(b.Blocks, d) {
			conditions = append(conditions, fmt.Sprintf("a%d %s b%d", d, operator, d))
		}
	}
	where := ""
	if len(conditions) > 0 {
		where = " : " + strings.Join(conditions, " "+joined+" ")
	}
	return context.ReadMap(fmt.Sprintf("{ [%s] -> [%s]%s }", strings.Join(from, ", "), strings.Join(to, ", "), where))
}

// ByBlock relates the values of the loops of blocks alone to elements.
func (b *Box) ByBlock(elements *isl.Map) *isl.Map {
	for d := b.Depth + Dimensions - 1; d >= 0; d-- {
		if !slices.Contains(b.Blocks, d) {
			elements = elements.ProjectOut(isl.DimIn, d, 1)
		}
	}
	return elements.Coalesce()
}

// BlockOf relates the values of the loops around and the numbers of a thread to those of the loops
// of blocks.
func (b *Box) BlockOf(context *isl.Context) *isl.Map {
	var all, blocks []string
	for d := range b.Depth + Dimensions {
		all = append(all, fmt.Sprint("a", d))
		if slices.Contains(b.Blocks, d) {
			blocks = append(blocks, all[d])
		}
	}
	return context.ReadMap(fmt.Sprintf("{ [%s] -> [%s] }", strings.Join(all, ", "), strings.Join(blocks, ", ")))
}
