package command

import (
	"fmt"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Unroll has the compiler unroll a loop of a kernel, whose number of iterations is a constant:
//
//	unroll c0.4
type Unroll struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "unroll LOOP",
	Doc:     "a loop of a kernel that is unrolled",
	Example: "unroll c0.4",
	On:      schedule.Devices,
	New:     func() schedule.Command { return Unroll{} },
	Random:  schedule.Chosen[Unroll],
	Say:     sayUnroll,
	Without: withoutUnroll,
})

// Apply marks the loop.
func (c Unroll) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if who := sharedBy(l); who != "" && !mark.Has[mark.Thread](l.Marks) {
		return fmt.Errorf("the iterations of loop %q are shared by %s; only loops that one thread runs can be unrolled", c.Loop, who)
	}
	l.Marks = l.Marks.With(mark.Unroll{})
	return nil
}

var withoutUnroll = schedule.Lacking[mark.Unroll]("not unrolled")

// sayUnroll says that a loop is unrolled.
func sayUnroll(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !mark.Has[mark.Unroll](l.Marks) {
		return nil
	}
	return t.SayOr(l.Name, withoutUnroll, schedule.AboutLanesHow, "unrolled")
}
