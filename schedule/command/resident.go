package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Resident has a device run all iterations of a loop in one kernel whose blocks, as many as run at
// once, stay as long as the loop runs and wait for each other at barriers of the grid. Loops of
// blocks are inside of it; what is in shared memory of its blocks may stay there, too (copy A at
// LOOP to resident):
//
//	resident c0.1
//	block c0.2t
//	thread c0.2 by 64
//	barrier grid c0.1
//
//	for c0.1 = t             kernel
//	  for c0.2t        -->     for c0.1 = t
//	    for c0.2 = i             those c0.2t that are the block's
//	                               for c0.2 = i, those with i mod 64 = threadIdx.x
//	                             all threads of all blocks wait
//
// Where blocks cannot wait for each other, as in OpenCL 1.2, each barrier of the grid is the end of
// a kernel instead.
type Resident struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "resident LOOP",
	Doc:     "the loop that a device runs in one kernel whose blocks wait for each other",
	Example: "resident c0.1",
	On:      schedule.Devices,
	New:     func() schedule.Command { return Resident{} },
	Random:  randomResident,
	Say:     sayResident,
	Without: withoutResident,
})

// Apply marks the loop.
func (c Resident) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if who := sharedBy(l); who != "" {
		return fmt.Errorf("the iterations of loop %q are shared by %s, and those of a resident kernel run one after the other", c.Loop, who)
	}
	l.Marks = l.Marks.With(mark.Resident{})
	return nil
}

// randomResident is a resident kernel of an outer loop, with a barrier of the grid, and often an
// array whose elements blocks keep.
func randomResident(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(2))
	if n == nil {
		return nil
	}
	place := random.IntN(len(n.Loops) - 1)
	outer, inner := n.Loops[place].Name, n.Loops[place+1].Name
	commands := []schedule.Command{Block{Loops: []string{inner}}, Barrier{Grid: true, Of: outer}}
	if kept := pick(random, t.Program.Arrays); len(kept.Extents) > 0 && random.IntN(2) == 0 {
		commands = append(commands, Copy{Array: kept.Name, Loop: inner, Memory: string(mark.Kept)})
	}
	return append(commands, Resident{Loop: outer})
}

var withoutResident = schedule.Lacking[mark.Resident]("without a resident kernel")

// sayResident says that a loop is a kernel whose blocks stay.
func sayResident(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !mark.Has[mark.Resident](l.Marks) {
		return nil
	}
	return t.SayOr(l.Name, withoutResident, schedule.AboutStart, "in one kernel of as many blocks as run at once")
}
