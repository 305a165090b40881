package command

import (
	"fmt"
	"maps"
	"math/rand/v2"

	"polytune/schedule"
)

// Shift has some statements of a node run later along a loop than others, by so many iterations
// (loop shifting, or retiming: Darte and Huard, "Loop shifting for loop compaction", 2000):
//
//	shift c0.1 S1 by 1
//
//	for c0.1 = k { S0[k]; S1[k] }  -->  for c0.1 = k { S0[k]; S1[k - 1] }
//
// So a statement meets, in one iteration, what another one does in the next. Iterations in which
// only some of the statements run, the first and the last ones, have code of their own, without
// conditions.
type Shift struct {
	Loop       string
	Statements []int
	By         int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "shift LOOP STATEMENTS by NUMBER",
	Doc:     "shifting",
	Example: "shift c0.1 S1 by 1",
	New:     func() schedule.Command { return Shift{} },
	Random:  randomShift,
	Say:     schedule.Silent,
	Most:    schedule.MaxNumber,
})

// mostShifted bounds the iterations, so that rows stay far from overflowing.
const mostShifted = 1024

// Apply changes the rows of the statements.
func (c Shift) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	switch {
	case c.By == 0 || max(c.By, -c.By) > mostShifted:
		return fmt.Errorf("a shift by %d iterations is none, or not between -%d and %[2]d", c.By, mostShifted)
	case l.Level > 0 || len(l.Terms) != 1 || l.Block:
		return fmt.Errorf("loop %q is no plain loop over points", l.Name)
	case l.IsParallel() || l.IsVector() || l.Unrolled || startsBlock(l):
		return fmt.Errorf("loop %q is marked already; shift before", l.Name)
	}
	rows := maps.Clone(l.Terms[0].Rows)
	for _, s := range c.Statements {
		row, ok := rows[s]
		if !ok {
			return fmt.Errorf("statement %s is not inside loop %q", t.Program.Statements[s].Spelling(), l.Name)
		}
		row.Constant += c.By
		rows[s] = row
	}
	l.Terms, l.Shifted = []schedule.Term{{Rows: rows, Size: 1}}, true
	return nil
}

// randomShift is one of several statements that runs earlier or later along a loop.
func randomShift(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool { return len(n.Statements) > 1 && len(n.Loops) > 0 })
	if n == nil {
		return nil
	}
	c := Shift{Loop: pick(random, n.Loops).Name, Statements: []int{pick(random, n.Statements)}, By: 1 + random.Int64N(3)}
	if random.IntN(3) == 0 {
		c.By = -c.By
	}
	return []schedule.Command{c}
}
