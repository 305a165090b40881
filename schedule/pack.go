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

// Pack copies the elements that a statement reads through one of its
// references in one iteration of a loop into a buffer, of the thread's own where
// the loop is inside a parallel one and shared by the threads where one is inside, in
// the order in which register blocks inside the loop use them, and lets full
// blocks read them there (array packing, as in BLIS and in section IV of the Tiramisu
// paper):
//
//	pack S1 A[i][k] at c1.3t
//
//	for c1.3t { … A[i][k] … }  -->  for c1.3t { copy A's elements; … buffer … }
//
// A product with scalars in front of another factor is stored in place of the
// element, such as alpha * A[i][k]. depend.Graph.Check proves that nothing writes
// an element between its copy and its use.
//
// With "around" in the place of "at" the copy is made once in front of the loop, which is how
// something is packed for all tiles of a loop that has no loop for itself around it:
//
//	pack S5 Q[i][k] around c1p1.2t
type Pack struct {
	// Statement is an index into the program's statements, Reference one of its
	// accesses.
	Statement, Reference int
	// Around says that the copy is made in front of the loop, not in each of its iterations.
	Around bool
	Loop   string
}

var _ = register(Spec{
	Syntax:  "pack STATEMENT REFERENCE at|around LOOP",
	Doc:     "packing",
	Example: "pack S1 A[i][k] at c0.3t",
	New:     func() Command { return Pack{} },
})

// Apply notes the copy at the loop.
func (c Pack) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if _, inside := l.Terms[0].Rows[c.Statement]; !inside {
		return fmt.Errorf("loop %q does not run %s", c.Loop, t.Program.Statements[c.Statement].Spelling())
	}
	first := place
	if !c.Around {
		first++
	}
	if first == len(n.Loops) {
		return fmt.Errorf("there is no loop of %s inside %q that could use a packed element again", n.Name, c.Loop)
	}
	inside := append(slices.Clip(n.Loops[first:]), n.loopsInParts(c.Statement)...)
	anywhere := func(*Loop) int { return 0 }
	if len(packSides(append(t.outside(n), n.Loops[:first]...), inside, c.Statement, t.Program, anywhere)) == 0 {
		return fmt.Errorf("no loop inside %q has a fixed number of iterations there; tile it, or pack further inside", c.Loop)
	}
	l.Packs = append(l.Packs, PackedReference{c.Statement, c.Reference, c.Around})
	return nil
}

// loopsInParts are the loops around a statement in the parts of a node, from the outside, up to
// where its instances are in several phases.
func (n *Node) loopsInParts(s int) []*Loop {
	for _, part := range n.Parts {
		if part.Phase == nil && slices.Contains(part.Statements, s) {
			return append(slices.Clip(part.Loops), part.loopsInParts(s)...)
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
		inside := append(slices.Clip(loops), n.loopsInParts(packed.Statement)...)
		shared := !l.isOnThreads() && slices.ContainsFunc(inside, func(inner *Loop) bool { return inner.IsParallel() })
		coordinate := func(tile *Loop) int {
			return l.tree.coordinate(l.tiles[packed.Statement], tileTerm{tile.Terms[0].Rows[packed.Statement], tile.Terms[0].Size}, packed.Statement)
		}
		marks = append(marks, mark.Pack{Statement: l.tree.Program.Statements[packed.Statement].Name, Reference: packed.Reference, Shared: shared,
			Sides: packSides(l.around, inside, packed.Statement, l.tree.Program, coordinate)})
	}
	return marks
}
