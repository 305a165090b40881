package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Block has the iterations of one to three loops be blocks of a device's grid. The outermost of
// them begins a kernel; the last one is x:
//
//	block c0.2t c0.3t
//
//	for c0.1 = t            for c0.1 = t           on the host
//	  for c0.2t      -->      kernel: c0.2t is blockIdx.y, c0.3t is blockIdx.x
//	    for c0.3t               ...
type Block struct{ Loops []string }

var _ = All.Add(schedule.Spec{
	Syntax:  "block LOOPS",
	Doc:     "the loops whose iterations are blocks of a grid",
	Example: "block c0.2t c0.3t",
	On:      schedule.Devices,
	New:     func() schedule.Command { return Block{} },
	Random:  randomBlock,
	Say:     sayBlock,
	Without: withoutBlock,
})

// maxDimensions is the number of dimensions of a grid and of a block of threads.
const maxDimensions = 3

// Apply marks the loops.
func (c Block) Apply(t *schedule.Tree) error {
	n, first, err := deviceLoops(t, c.Loops)
	if err != nil {
		return err
	}
	for k := range c.Loops {
		l := n.Loops[first+k]
		l.Marks = l.Marks.With(mark.Block{Dimension: len(c.Loops) - 1 - k})
	}
	return nil
}

// deviceLoops are one to three loops right inside each other that nobody shares yet, the first at a
// place of a node.
func deviceLoops(t *schedule.Tree, names []string) (n *schedule.Node, first int, err error) {
	if len(names) > maxDimensions {
		return nil, 0, fmt.Errorf("there are %d loops, and a device has %d dimensions", len(names), maxDimensions)
	}
	n, first, err = t.Chain(names)
	if err != nil {
		return nil, 0, err
	}
	for _, l := range n.Loops[first : first+len(names)] {
		if who := sharedBy(l); who != "" {
			return nil, 0, fmt.Errorf("the iterations of loop %q are shared by %s already", l.Name, who)
		}
	}
	return n, first, nil
}

// sharedBy says who shares the iterations of a loop, "" for nobody.
func sharedBy(l *schedule.Loop) string {
	switch {
	case mark.Has[mark.Block](l.Marks):
		return "blocks of a grid"
	case mark.Has[mark.Thread](l.Marks):
		return "threads of a block"
	case l.IsParallel() || l.StartsThreads() || l.Collapsed:
		return "threads of processors"
	case l.IsVector() || mark.Has[mark.Beside](l.Marks):
		return "lanes of vectors"
	}
	return ""
}

// randomBlock are one or two loops of a node as blocks.
func randomBlock(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	names := randomChain(random, t)
	if len(names) == 0 {
		return nil
	}
	return []schedule.Command{Block{Loops: names}}
}

// randomChain are the names of one or two loops right inside each other, none where there is no
// loop.
func randomChain(random *rand.Rand, t *schedule.Tree) (names []string) {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	first := random.IntN(len(n.Loops))
	for _, l := range n.Loops[first:min(len(n.Loops), first+1+random.IntN(2))] {
		names = append(names, l.Name)
	}
	return names
}

var withoutBlock = schedule.Lacking[mark.Block]("without blocks of a grid")

// dimensionNames are those of a grid's and a block's dimensions.
var dimensionNames = [maxDimensions]string{"x", "y", "z"}

// sayBlock says along which dimension of the grid a loop runs.
func sayBlock(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	m, is := mark.Of[mark.Block](l.Marks)
	if !is {
		return nil
	}
	return t.SayOr(l.Name, withoutBlock, schedule.AboutThreads, "by blocks along "+dimensionNames[m.Dimension]+" of a grid")
}
