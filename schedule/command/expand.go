package command

import (
	"errors"
	"fmt"

	"polytune/schedule"
	"polytune/scop"
)

// Expand says that the recipe is for a program whose temporaries have elements for
// each iteration of loops, in arrays that take at most so many bytes:
//
//	expand 1073741824
//
// Iterations of outermost loops may share the elements of some arrays, so many as stand behind the
// array's name, and with the word sums temporaries are left alone that no statement uses often in
// one iteration of the loops that have values of their own:
//
//	expand 1073741824 sums sharing d_1 1 d_2 1
//
// With the word outermost, iterations of the outermost loop alone have elements, and what may be
// private has none:
//
//	expand 1073741824 outermost
//
// It comes first, or right behind inplace. depend.Expand makes the program; the command itself
// changes nothing.
type Expand struct{ Room scop.Room }

var _ = All.Add(schedule.Spec{
	Syntax:  "expand ROOM",
	Doc:     "the memory of expanded arrays",
	Example: "expand 2000000 sums outermost sharing t_1 2",
	New:     func() schedule.Command { return Expand{} },
	Random:  schedule.Chosen[Expand],
	Say:     schedule.Silent,
	Most:    schedule.MaxNumber,
})

// Apply checks that the tree's program is one of these.
func (c Expand) Apply(t *schedule.Tree) error {
	switch {
	case t.Classes != nil || t.Cuts > 0:
		return errors.New("it comes in front of all other commands")
	case len(t.Program.Expansions) == 0:
		return errors.New("the program has no expanded arrays; ask for them with --expand")
	case t.Program.Room.Bytes != c.Room.Bytes:
		return fmt.Errorf("the program's expanded arrays take at most %d bytes", t.Program.Room.Bytes)
	case t.Program.Room.Sums != c.Room.Sums, t.Program.Room.Outermost != c.Room.Outermost:
		return errors.New("the program has other expanded arrays")
	case !t.Program.Room.Equal(c.Room):
		return errors.New("the program's expanded arrays have other dimensions")
	}
	return nil
}

// Expands is what a recipe's text says of expanded arrays; no bytes where
// it does not ask for any. A program that has them is needed for Parse to read the
// rest.
func Expands(text string) Expand {
	for _, line := range beginning(text) {
		if c, err := All.ReadLine(nil, line); err == nil {
			if expand, is := c.(Expand); is {
				return expand
			}
		}
	}
	return Expand{}
}
