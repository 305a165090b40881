package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Overlap writes a vector loop in vectors of so many elements, of which the second begins at a line
// of memory and the last one ends where the loop does: the first two, and the last two, compute
// some elements twice. No iteration is left that has to run alone. Several rows, iterations of the
// loop around, may run beside each other, so that what one of them reads is read for the others as
// well.
//
//	vectorize c0.3
//	overlap c0.3 by 2 lanes 8
//
//	for c0.2 = i                   for c0.2 = i by 2
//	  simdfor c0.3 = j       -->     for the first vector, those at lines of memory, and the last one
//	    B[i][j] = e(A)                 B[i][j ..] = e(A), B[i+1][j ..] = e(A)
//
// That is the same as once because the statement reads nothing of the array that it writes, and no
// iteration of either loop writes what another one does.
type Overlap struct {
	Loop string
	Overlapping
}

var _ = All.Add(schedule.Spec{
	Syntax:  "overlap LOOP [by COUNT] lanes COUNT",
	Doc:     "a loop in vectors that overlap",
	Example: "overlap c0.3 by 2 lanes 8",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Overlap{Overlapping: Overlapping{Rows: 1}} },
	Random:  randomOverlap,
	Say:     sayOverlap,
	Without: withoutOverlap,
})

// Overlapping is how vectors of a loop overlap: how many rows run beside each other, and the number
// of elements of a vector.
type Overlapping struct{ Rows, Lanes int64 }

// mostRows is the largest number of rows beside each other.
const mostRows = 8

// Apply notes the vectors at the loop, and the rows at the one around it.
func (c Overlap) Apply(t *schedule.Tree) error {
	n, l, err := vectorLoop(t, c.Loop)
	if err != nil {
		return err
	}
	place := len(n.Loops) - 1
	switch {
	case n.Loops[place] != l || n.PartsHaveLoops():
		return fmt.Errorf("loop %q has loops inside", c.Loop)
	case l.IsParallel():
		return fmt.Errorf("threads share the iterations of %q; tile it, and share those of %q instead", c.Loop, c.Loop+"t")
	case len(n.Statements) != 1:
		return fmt.Errorf("loop %q has %d statements; a loop in vectors that overlap has one", c.Loop, len(n.Statements))
	case mark.Has[mark.Stream](l.Marks) || mark.Has[mark.Simdlen](l.Marks) || mark.Has[mark.Ivdep](l.Marks):
		return fmt.Errorf("loop %q has another line that says how its vectors are written", c.Loop)
	case c.Rows < 1 || c.Rows > mostRows:
		return fmt.Errorf("%d rows beside each other are not from 1 to %d", c.Rows, mostRows)
	}
	if err := streams(t.Program, n.Statements[0], c.Lanes); err != nil {
		return err
	}
	if c.Rows > 1 {
		if place == 0 {
			return fmt.Errorf("loop %q has no loop around whose iterations could run beside each other", c.Loop)
		}
		rows := n.Loops[place-1]
		if rows.IsParallel() || rows.Collapsed || rows.Unrolled || startsBlock(rows) || rows.Level > 0 {
			return fmt.Errorf("iterations of loop %q cannot run beside each other: it has another way to run", rows.Name)
		}
		rows.Marks = rows.Marks.With(mark.Beside{})
	}
	l.Marks = l.Marks.With(mark.Overlap{Rows: c.Rows, Lanes: c.Lanes})
	return nil
}

// randomOverlap are vectors that overlap, in the innermost loop of a single statement.
func randomOverlap(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n, loop, before := inLanes(random, t, canStream(t))
	if n == nil {
		return nil
	}
	return append(before, Overlap{Loop: loop, Overlapping: Overlapping{Rows: 1 + random.Int64N(3), Lanes: streamLanes(random, t, n)}})
}

// sayOverlap says how the vectors of a loop overlap.
func sayOverlap(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	m, is := mark.Of[mark.Overlap](l.Marks)
	if !is || t.Lacks(l.Name, withoutLanes) != "" {
		return nil
	}
	if missing := t.Lacks(l.Name, withoutOverlap); missing != "" {
		return schedule.Say(schedule.AboutLanesHow, missing)
	}
	text := fmt.Sprintf("in vectors of %d that overlap at the ends", m.Lanes)
	if m.Rows > 1 {
		text += fmt.Sprintf(", %d rows beside each other", m.Rows)
	}
	return []schedule.Phrase{{Topic: schedule.AboutLanesHow, Text: text, Joint: schedule.Replacing}}
}

func withoutOverlap(m mark.Mark) string {
	switch m.(type) {
	case mark.Overlap:
		return "without vectors that overlap"
	case mark.Beside:
		return "without rows beside each other"
	}
	return ""
}
