package command

import (
	"polytune/schedule"
)

// Name gives a loop a name, by which later commands may call it, too:
//
//	name c0.1t rows
type Name struct{ Loop, As string }

var _ = All.Add(schedule.Spec{
	Syntax:  "name LOOP NAME",
	Doc:     "a loop's name",
	Example: "name c0.1t rows",
	New:     func() schedule.Command { return Name{} },
	Random:  schedule.Chosen[Name],
	Say:     schedule.Silent,
})

// Apply gives the loop its name.
func (c Name) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	return t.Give(n.Loops[place:place+1], []string{c.As})
}
