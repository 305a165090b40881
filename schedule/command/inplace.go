package command

import (
	"errors"
	"slices"

	"polytune/schedule"
)

// Inplace says that the recipe is for a program whose temporaries have their values in elements of
// the arrays that these are assigned to in the end, where they can:
//
//	inplace
//
// It comes first. depend.Place makes the program; the command itself changes nothing.
type Inplace struct{}

var _ = All.Add(schedule.Spec{
	Syntax:  "inplace",
	Doc:     "the use of elements of arrays for temporaries",
	Example: "inplace",
	New:     func() schedule.Command { return Inplace{} },
	Random:  schedule.Chosen[Inplace],
	Say:     schedule.Silent,
})

// Apply checks that the tree's program is one of these.
func (c Inplace) Apply(t *schedule.Tree) error {
	switch {
	case t.Classes != nil || t.Cuts > 0:
		return errors.New("it comes in front of all other commands")
	case len(t.Program.Placements) == 0:
		return errors.New("the program has no temporaries in the elements of arrays; ask for them with --inplace")
	}
	return nil
}

// IsInplace says whether a recipe's text asks for a program with temporaries in elements of arrays,
// in which Parse can read the rest.
func IsInplace(text string) bool {
	return slices.Contains(beginning(text), schedule.Name(Inplace{}))
}
