package command

import (
	"fmt"
	"strings"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Unroll has so many iterations of a loop one after the other in the code, where the loop stands,
// and a loop for those that are left:
//
//	unroll c0.3 by 4
//
//	for c0.3  -->  for c0.3 by 4 { c0.3; c0.3 + 1; c0.3 + 2; c0.3 + 3 }
//	               for the rest
//
// Without a number it is all iterations, of which there is a constant number; in a kernel of a
// device the compiler unrolls them. The order of instances is the same.
type Unroll struct {
	Loop string
	By   int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "unroll LOOP [by COUNT]",
	Doc:     "a loop that is unrolled",
	Example: "unroll c0.3 by 4",
	OnLine:  unrollsOn,
	New:     func() schedule.Command { return Unroll{} },
	Random:  schedule.Chosen[Unroll],
	Say:     sayUnroll,
	Without: withoutUnroll,
})

// unrollsOn is what the code of a line runs on.
func unrollsOn(line string) schedule.Runner {
	if strings.Contains(line, " by ") {
		return schedule.Processors
	}
	return schedule.Anywhere
}

// Apply marks the loop.
func (c Unroll) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	switch who := sharedBy(l); {
	case who != "" && !mark.Has[mark.Thread](l.Marks):
		return fmt.Errorf("the iterations of loop %q are shared by %s; only loops that one thread runs can be unrolled", c.Loop, who)
	case l.Unrolled || l.Block:
		return fmt.Errorf("loop %q is one of register blocks, which unroll it", c.Loop)
	case c.By != 0 && (c.By < 2 || c.By > mostUnrolled):
		return fmt.Errorf("%d iterations one after the other are not from 2 to %d", c.By, mostUnrolled)
	}
	l.Marks = l.Marks.With(mark.Unroll{By: c.By})
	return nil
}

var withoutUnroll = schedule.Lacking[mark.Unroll]("not unrolled")

// sayUnroll says that a loop is unrolled.
func sayUnroll(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	m, is := mark.Of[mark.Unroll](l.Marks)
	if !is {
		return nil
	}
	if m.By > 0 {
		return t.SayOr(l.Name, withoutUnroll, schedule.AboutLanesHow, fmt.Sprintf("unrolled by %d", m.By))
	}
	return t.SayOr(l.Name, withoutUnroll, schedule.AboutLanesHow, "unrolled")
}
