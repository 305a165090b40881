package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

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

var _ = All.Add(schedule.Spec{
	Syntax:  "pack STATEMENT REFERENCE at|around LOOP",
	Doc:     "packing",
	Example: "pack S1 A[i][k] at c0.3t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Pack{} },
	Random:  randomPack,
	Say:     sayPack,
	Without: withoutPack,
})

// Apply notes the copy at the loop.
func (c Pack) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if !l.Runs(c.Statement) {
		return fmt.Errorf("loop %q does not run %s", c.Loop, t.Program.Statements[c.Statement].Spelling())
	}
	first := place
	if !c.Around {
		first++
	}
	if first == len(n.Loops) {
		return fmt.Errorf("there is no loop of %s inside %q that could use a packed element again", n.Name, c.Loop)
	}
	inside := append(slices.Clip(n.Loops[first:]), n.LoopsInParts(c.Statement)...)
	if len(packSides(append(t.Outside(n), n.Loops[:first]...), inside, c.Statement, t.Program, func(*schedule.Loop) int { return 0 })) == 0 {
		return fmt.Errorf("no loop inside %q has a fixed number of iterations there; tile it, or pack further inside", c.Loop)
	}
	l.Ask(c)
	return nil
}

// Stands is in front of the loop, or above those right inside.
func (c Pack) Stands() schedule.Standing {
	if c.Around {
		return schedule.InFrontOfLoop
	}
	return schedule.InEachIteration
}

// Of is the statement that reads the elements.
func (c Pack) Of() int { return c.Statement }

// For is the same for another statement.
func (c Pack) For(statement int) schedule.Request {
	c.Statement = statement
	return c
}

// Marks have the tiles that the loops inside run over.
func (c Pack) Marks(at *schedule.Place) []mark.Mark {
	if len(at.Inside) == 0 || !at.Inside[0].Runs(c.Statement) {
		return nil
	}
	p := at.Tree.Program
	inside := append(slices.Clip(at.Inside), at.Node.LoopsInParts(c.Statement)...)
	shared := !at.IsOnThreads() && slices.ContainsFunc(inside, (*schedule.Loop).IsParallel)
	coordinate := func(tile *schedule.Loop) int { return at.Coordinate(tile, c.Statement) }
	return []mark.Mark{mark.Pack{Statement: p.Statements[c.Statement].Name, Reference: c.Reference, Shared: shared,
		Sides: packSides(at.Around, inside, c.Statement, p, coordinate)}}
}

// packSides are the loops inside a mark that are tiled by loops
// around it; coordinate is the place of a tile coordinate among those of the statement.
func packSides(around, inside []*schedule.Loop, s int, p *scop.Program, coordinate func(*schedule.Loop) int) []mark.PackSide {
	same := func(a, b *schedule.Loop) bool {
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
			if block.Block && same(block, point) && side.Size > 0 && side.Size%block.Terms[0].Size == 0 {
				side.Block, side.BlockSize = coordinate(block), block.Terms[0].Size
			}
		}
		if side.Size > 0 {
			sides = append(sides, side)
		}
	}
	return sides
}

// randomPack are copies of some of what a statement of a node reads.
func randomPack(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	s := pick(random, n.Statements)
	statement := &t.Program.Statements[s]
	if t.Program.Assignment(statement) == nil {
		return nil
	}
	for k, access := range statement.Accesses {
		readable := schedule.ReferenceText(t.Program, s, k) != ""
		if readable && !access.Write && random.IntN(3) > 0 {
			commands = append(commands, Pack{Statement: s, Reference: k, Loop: pick(random, n.Loops).Name, Around: random.IntN(3) == 0})
		}
	}
	return commands
}

// sayPack says which operands a loop has copies of.
func sayPack(l *schedule.Loop, t schedule.Telling) (phrases []schedule.Phrase) {
	for _, packed := range schedule.Requested[Pack](l) {
		operand := schedule.ReferenceText(t.Program, packed.Statement, packed.Reference)
		text := "with a copy of " + operand + " in the order of use"
		for _, d := range t.Declined {
			m, is := d.Mark.(mark.Pack)
			if is && m.Statement == t.Program.Statements[packed.Statement].Name && m.Reference == packed.Reference {
				text = "without a copy of " + operand + " in the order of use, because " + d.Reason
				break
			}
		}
		phrases = append(phrases, schedule.Say(schedule.AboutPacks, text)...)
	}
	return phrases
}

func withoutPack(m mark.Mark) string {
	if pack, is := m.(mark.Pack); is {
		return "without a copy of an operand of " + pack.Statement + " in the order of use"
	}
	return ""
}
