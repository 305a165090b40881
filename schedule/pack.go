package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
	"polytune/scop/mark"
)

// MostShared bounds the elements of a copy that threads share, and MostOwn those of one of each thread's own, which is on
// its stack; larger ones are not made.
const MostShared, MostOwn = 1 << 22, 1 << 16

// LoopsInParts are the loops around a statement in the parts of a node, from the outside, up to
// where its instances are in several phases.
func (n *Node) LoopsInParts(s int) []*Loop {
	for _, part := range n.Parts {
		if part.Phase == nil && slices.Contains(part.Statements, s) {
			return append(slices.Clip(part.Loops), part.LoopsInParts(s)...)
		}
	}
	return nil
}

// PackedReference is a statement's reference whose elements are packed, in front of the loop
// that has it or in each of its iterations.
type PackedReference struct {
	Statement, Reference int
	Around               bool
}

// Text is an operand of an assignment as the source has it, without blanks; ""
// for others.
func (r PackedReference) Text(p *scop.Program) string {
	s := &p.Statements[r.Statement]
	a := p.Assignment(s)
	if a == nil || r.Reference >= len(a.Operands) {
		return ""
	}
	return s.Compact(a.Operands[r.Reference])
}

// referenceOf is the place among a statement's accesses of the one that reads an element with that text.
func referenceOf(p *scop.Program, statement int, text string) (int, error) {
	s := &p.Statements[statement]
	if p.Assignment(s) == nil {
		return 0, fmt.Errorf("%s is not an assignment of sums and products of elements of one type, whose elements could be packed", s.Spelling())
	}
	var names []string
	for k, access := range s.Accesses {
		name := PackedReference{Statement: statement, Reference: k}.Text(p)
		if name == text && !access.Write {
			return k, nil
		}
		names = append(names, name)
	}
	return 0, fmt.Errorf("%s reads no %s; its elements are %s", s.Spelling(), text, strings.Join(names, " "))
}

// packSides are the loops inside a mark that are tiled by loops
// around it; coordinate is the place of a tile coordinate among those of the statement.
func packSides(around, inside []*Loop, s int, p *scop.Program, coordinate func(*Loop) int) []mark.PackSide {
	same := func(a, b *Loop) bool {
		return len(a.Terms) == 1 && a.Terms[0].Rows[s].Iterators != nil && len(b.Terms) == 1 && b.Terms[0].Rows[s].Iterators != nil &&
			p.RowsText(s, a.Terms[0].Rows[s]) == p.RowsText(s, b.Terms[0].Rows[s])
	}
	var sides []mark.PackSide
	for k, point := range inside {
		if point.Level > 0 || point.Block || len(point.Terms) != 1 {
			continue
		}
		side := mark.PackSide{Loop: len(around) + k, Tile: -1, Block: -1}
		for _, tile := range around {
			if (tile.Level > 0 || tile.Block) && same(tile, point) {
				side.Tile, side.Size = coordinate(tile), max(1, tile.Terms[0].Size)
			}
		}
		for _, block := range inside[:k] {
			if size := block.Terms[0].Size; block.Block && same(block, point) && side.Size > 0 && side.Size%size == 0 {
				side.Block, side.BlockSize = coordinate(block), size
			}
		}
		if side.Size > 0 {
			sides = append(sides, side)
		}
	}
	return sides
}

// CanPack says whether some loops inside have a fixed number of iterations for a statement, given the loops around.
func (t *Tree) CanPack(around, inside []*Loop, s int) bool {
	return len(packSides(around, inside, s, t.Program, func(*Loop) int { return 0 })) > 0
}

// packMarks are the marks of the references that are packed in each iteration of the loop right
// outside of some loops of a node, the last ones of its chain, or in front of the first of these.
func (l *lowering) packMarks(n *Node, loops []*Loop) []mark.Mark {
	var packs []PackedReference
	if last := len(l.around) - 1; last >= 0 {
		packs = slices.DeleteFunc(slices.Clone(l.around[last].Packs), func(p PackedReference) bool { return p.Around })
	}
	for _, packed := range loops[0].Packs {
		if packed.Around {
			packs = append(packs, packed)
		}
	}
	var marks []mark.Mark
	for _, packed := range packs {
		if _, inside := loops[0].Terms[0].Rows[packed.Statement]; !inside {
			continue
		}
		inside := append(slices.Clip(loops), n.LoopsInParts(packed.Statement)...)
		shared := !l.isOnThreads() && slices.ContainsFunc(inside, func(inner *Loop) bool { return inner.IsParallel() })
		coordinate := func(tile *Loop) int {
			return l.tree.coordinate(l.tiles[packed.Statement], tileTerm{tile.Terms[0].Rows[packed.Statement], tile.Terms[0].Size}, packed.Statement)
		}
		marks = append(marks, mark.Pack{Statement: l.tree.Program.Statements[packed.Statement].Name, Reference: packed.Reference, Shared: shared,
			Sides: packSides(l.around, inside, packed.Statement, l.tree.Program, coordinate)})
	}
	return marks
}
