package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
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
	inside := append(slices.Clip(n.Loops[first:]), n.LoopsInParts(c.Statement)...)
	if !t.CanPack(append(t.Outside(n), n.Loops[:first]...), inside, c.Statement) {
		return fmt.Errorf("no loop inside %q has a fixed number of iterations there; tile it, or pack further inside", c.Loop)
	}
	l.Packs = append(l.Packs, schedule.PackedReference{Statement: c.Statement, Reference: c.Reference, Around: c.Around})
	return nil
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
		readable := (schedule.PackedReference{Statement: s, Reference: k}).Text(t.Program) != ""
		if readable && !access.Write && random.IntN(3) > 0 {
			commands = append(commands, Pack{Statement: s, Reference: k, Loop: pick(random, n.Loops).Name, Around: random.IntN(3) == 0})
		}
	}
	return commands
}

// sayPack says which operands a loop has copies of.
func sayPack(l *schedule.Loop, t schedule.Telling) (phrases []schedule.Phrase) {
	for _, packed := range l.Packs {
		operand := packed.Text(t.Program)
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
