package command

import (
	"errors"
	"slices"

	"polytune/schedule"
)

// Untile says that the recipe is for a program without the loops over tiles that the source has,
// where other loops determine their iterators:
//
//	untile
//
// It comes in front of all commands but others of its kind. depend.Untile makes the program; the
// command itself changes nothing.
type Untile struct{}

var _ = All.Add(schedule.Spec{
	Syntax:  "untile",
	Doc:     "loops without the source's own over tiles",
	Example: "untile",
	New:     func() schedule.Command { return Untile{} },
	Random:  schedule.Chosen[Untile],
	Say:     schedule.Silent,
})

// Apply checks that the tree's program is one of these.
func (c Untile) Apply(t *schedule.Tree) error {
	switch {
	case t.Classes != nil || t.Cuts > 0:
		return errors.New("it comes in front of all other commands")
	case len(t.Program.Untiled) == 0:
		return errors.New("the program has no loops over tiles that others determine")
	}
	return nil
}

// IsUntiled says whether a recipe's text is for a program without loops over tiles of the source.
func IsUntiled(text string) bool { return slices.Contains(beginning(text), schedule.Name(Untile{})) }
