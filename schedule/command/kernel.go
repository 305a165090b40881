package command

import (
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Kernel has a device run all of a loop, or of a node, in one kernel of one block of threads:
//
//	kernel c0.1
//	thread c0.2 by 64
//	barrier c0.1
//
//	for c0.1 = t             kernel, one block
//	  for c0.2 = i    -->      for c0.1 = t
//	                             for c0.2 = i, those with i mod 64 = threadIdx.x
//	                             all threads wait
type Kernel struct{ Of string }

var _ = All.Add(schedule.Spec{
	Syntax:  "kernel NODE",
	Doc:     "what a device runs in one kernel of one block",
	Example: "kernel c0.1",
	On:      schedule.Devices,
	New:     func() schedule.Command { return Kernel{} },
	Random:  randomKernel,
	Say:     sayKernel,
	Without: withoutKernel,
})

// Apply marks the loop, or the node.
func (c Kernel) Apply(t *schedule.Tree) error {
	marks, err := marksOf(t, c.Of)
	if err != nil {
		return err
	}
	*marks = marks.With(mark.Kernel{Loop: c.Of})
	return nil
}

// marksOf are the marks of a loop or a node by its name.
func marksOf(t *schedule.Tree, name string) (*mark.Set, error) {
	if n, err := t.Node(name); err == nil {
		return &n.Marks, nil
	}
	n, place, err := t.Loop(name)
	if err != nil {
		return nil, err
	}
	return &n.Loops[place].Marks, nil
}

// randomKernel is a kernel of a loop.
func randomKernel(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	return []schedule.Command{Kernel{Of: pick(random, n.Loops).Name}}
}

var withoutKernel = schedule.Lacking[mark.Kernel]("without a kernel of its own")

// sayKernel says that a loop is a kernel of one block.
func sayKernel(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !mark.Has[mark.Kernel](l.Marks) {
		return nil
	}
	return t.SayOr(l.Name, withoutKernel, schedule.AboutStart, "in a kernel of one block")
}
