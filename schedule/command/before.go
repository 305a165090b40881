package command

import (
	"math/rand/v2"

	"polytune/schedule"
)

// Before has a statement share the loops of another one down to one of these, and run in front of
// all that the other one does there. It is After otherwise:
//
//	before S1 S0 at c0.1
type Before struct {
	Statement, Other int
	At               string
}

var _ = All.Add(schedule.Spec{
	Syntax:  "before STATEMENT STATEMENT at LOOP",
	Doc:     "the place of a statement in front of another one",
	Example: "before S1 S0 at root",
	New:     func() schedule.Command { return Before{} },
	Random:  func(random *rand.Rand, t *schedule.Tree) []schedule.Command { return randomPlace(random, t, false) },
	Say:     schedule.Silent,
})

// Apply moves the statement.
func (c Before) Apply(t *schedule.Tree) error { return place(t, c.Statement, c.Other, c.At, 0) }
