package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Team starts the threads of all parallel loops inside a sequential loop once, at that
// loop, instead of at each of them. All threads run the loop, and wait for each other behind
// each parallel one:
//
//	blocks c0 ...
//	parallel c0_0.2
//	parallel c0_1.2
//	team c0.1t
//
//	for c0.1t                      #pragma omp parallel
//	  #pragma omp parallel for     for c0.1t {
//	  for c0_0.2              ->     #pragma omp for
//	  #pragma omp parallel for       for c0_0.2
//	  for c0_1.2                     #pragma omp for
//	                                 for c0_1.2 }
//
// It changes nothing about the order of instances. Regions inside have no threads of
// their own then.
type Team struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "team LOOP",
	Doc:     "where the threads of all parallel loops inside start",
	Example: "team c0.1",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Team{} },
	Random:  randomTeam,
	Say:     sayTeam,
	Without: withoutTeam,
})

// Apply notes the team at the loop.
func (c Team) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	switch {
	case l.IsParallel() || l.IsVector() || mark.Has[mark.Region](l.Marks):
		return fmt.Errorf("loop %q is marked already; a team runs a sequential loop", c.Loop)
	case !anyParallel(n.Loops[place+1:], n.Parts):
		return fmt.Errorf("there is no parallel loop inside %q; say so before", c.Loop)
	}
	l.Marks = l.Marks.With(mark.Team{})
	return nil
}

// anyParallel says whether one of the loops, or one in the nodes, is parallel.
func anyParallel(loops []*schedule.Loop, nodes []*schedule.Node) bool {
	for _, l := range loops {
		if l.IsParallel() {
			return true
		}
	}
	for _, n := range nodes {
		if anyParallel(n.Loops, n.Parts) {
			return true
		}
	}
	return false
}

// randomTeam are parallel loops in the parts of a node, and a team at a loop of the node.
func randomTeam(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool { return len(n.Loops) > 0 && n.PartsHaveLoops() })
	if n == nil {
		return nil
	}
	var commands []schedule.Command
	for _, part := range n.Parts {
		if len(part.Loops) == 0 {
			continue
		}
		l := pick(random, part.Loops)
		commands = append(commands, onThreads(l)...)
		if random.IntN(2) == 0 {
			commands = append(commands, threadsOf(random, t, l.Name))
		}
	}
	return append(commands, Team{Loop: pick(random, n.Loops).Name})
}

var withoutTeam = schedule.Lacking[mark.Team](withoutThreads)

// sayTeam says that threads start at a loop.
func sayTeam(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !mark.Has[mark.Team](l.Marks) {
		return nil
	}
	return t.SayOr(l.Name, withoutTeam, schedule.AboutStart, startsThreads)
}
