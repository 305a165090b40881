package command

import (
	"errors"
	"slices"

	"polytune/schedule"
)

// Reassociate says that the recipe is for a program whose reductions may be done
// in any order, so that floating-point numbers are rounded in another way:
//
//	reassociate
//
// It comes first, or right behind inplace and expand. scop.Program.Reassociated makes the program;
// the command itself changes nothing.
type Reassociate struct{}

var _ = All.Add(schedule.Spec{
	Syntax:  "reassociate",
	Doc:     "another order of reductions",
	Example: "reassociate",
	New:     func() schedule.Command { return Reassociate{} },
	Random:  schedule.Chosen[Reassociate],
	Say:     schedule.Silent,
})

// Apply checks that the tree's program is one of these.
func (c Reassociate) Apply(t *schedule.Tree) error {
	switch {
	case t.Classes != nil || t.Cuts > 0:
		return errors.New("it comes in front of all other commands")
	case !t.Program.Reassociate:
		return errors.New("the program's reductions keep their order; allow another one with --reassociate")
	}
	return nil
}

// Reassociates says whether a recipe's text asks for a program whose reductions
// may be done in any order, in which Parse can read the rest.
func Reassociates(text string) bool {
	return slices.Contains(beginning(text), schedule.Name(Reassociate{}))
}
