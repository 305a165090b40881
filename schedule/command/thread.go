package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Thread deals the iterations of one to three loops out to the threads of a block, in turn, so that
// neighbours along x stay neighbours. The last loop is x:
//
//	thread c0.2 c0.3 by 8 32
//
//	for c0.2 = i             for c0.2 = i, those with i mod 8 = threadIdx.y
//	  for c0.3 = j    -->      for c0.3 = j, those with j mod 32 = threadIdx.x
type Thread struct {
	Loops []string
	Sizes []int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "thread LOOPS by SIZES",
	Doc:     "the loops whose iterations threads of a block share",
	Example: "thread c0.2 c0.3 by 8 32",
	On:      schedule.Devices,
	New:     func() schedule.Command { return Thread{} },
	Random:  randomThread,
	Say:     sayThread,
	Without: withoutThread,
})

// maxThreads is the largest number of threads of a block on all devices of CUDA.
const maxThreads = 1024

// Apply marks the loops.
func (c Thread) Apply(t *schedule.Tree) error {
	n, first, err := deviceLoops(t, c.Loops)
	if err != nil {
		return err
	}
	if len(c.Sizes) != len(c.Loops) {
		return fmt.Errorf("there are %d numbers of threads for %d loops", len(c.Sizes), len(c.Loops))
	}
	all := int64(1)
	for _, size := range c.Sizes {
		if all *= min(size, maxThreads+1); all > maxThreads {
			return fmt.Errorf("a block has at most %d threads", maxThreads)
		}
	}
	for k, size := range c.Sizes {
		l := n.Loops[first+k]
		l.Marks = l.Marks.With(mark.Thread{Dimension: len(c.Loops) - 1 - k, Count: size})
	}
	return nil
}

// randomThread are one or two loops of a node among threads.
func randomThread(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	c := Thread{Loops: randomChain(random, t)}
	if len(c.Loops) == 0 {
		return nil
	}
	for range c.Loops {
		c.Sizes = append(c.Sizes, 1+random.Int64N(8))
	}
	return []schedule.Command{c}
}

var withoutThread = schedule.Lacking[mark.Thread]("without threads of a block")

// sayThread says how many threads of a block share a loop.
func sayThread(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	m, is := mark.Of[mark.Thread](l.Marks)
	if !is {
		return nil
	}
	text := fmt.Sprintf("dealt out to %d threads along %s of a block", m.Count, dimensionNames[m.Dimension])
	return t.SayOr(l.Name, withoutThread, schedule.AboutThreads, text)
}
