package command

import (
	"fmt"

	"polytune/schedule"
)

// Separate splits full tiles from partial ones at the innermost tile loop:
//
//	separate c0.3t
type Separate struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "separate LOOP",
	Doc:     "the separation of full tiles from partial ones",
	Example: "separate c0.3t",
	New:     func() schedule.Command { return Separate{} },
	Random:  schedule.Chosen[Separate],
	Say:     saySeparate,
})

// Apply marks the loop, which must be the innermost tile loop of its band.
func (c Separate) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if l.Level == 0 {
		return fmt.Errorf("loop %q is not a tile loop", c.Loop)
	}
	if place+1 < len(n.Loops) && n.Loops[place+1].Level == l.Level {
		return fmt.Errorf("loop %q is not the innermost tile loop", c.Loop)
	}
	l.Separate = true
	return nil
}

// saySeparate says that full tiles of a loop have code of their own.
func saySeparate(l *schedule.Loop, _ schedule.Telling) []schedule.Phrase {
	if !l.Separate {
		return nil
	}
	return schedule.Say(schedule.Tiles, "full tiles apart from partial ones")
}
