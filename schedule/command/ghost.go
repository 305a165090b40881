package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Ghost has ranks tell each other nothing inside an iteration of a loop: each computes the values of
// others that it needs there again, and is told those of earlier iterations in front (ghost zones).
// With a loop over time tiles of h steps there are messages every h steps, with halos that are h
// times as long:
//
//	tile S0.t by 4 as tt tp
//	ranks S0.i S1.i
//	ghost tt
//
//	for tt                   for tt
//	  for tp                   exchange of the rows that 4 steps need
//	    exchange       -->     for tp
//	    for i                    for i in this rank's block, and those around that later steps need
//	    exchange                 …
//
// Which instances are computed again is exact: what the value-based flow says that the own ones need.
type Ghost struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "ghost LOOP",
	Doc:     "values of other ranks computed again",
	Example: "ghost c0.1t",
	On:      schedule.OnRanks,
	New:     func() schedule.Command { return Ghost{} },
	Random:  randomGhost,
	Say:     sayGhost,
})

// Apply notes it at the loop, which has loops inside that ranks share.
func (c Ghost) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	own := n.Loops[place]
	isShared := func(l *schedule.Loop) bool { return mark.Has[mark.Ranks](l.Marks) }
	outside := append(t.Outside(n), n.Loops[:place+1]...)
	switch {
	case loopWith(&schedule.Node{}, outside, isShared) != "":
		return fmt.Errorf("ranks share the iterations of %q or of a loop around; name a loop around those that they share", c.Loop)
	case loopWith(&schedule.Node{Loops: n.Loops[place+1:], Parts: n.Parts}, nil, isShared) == "":
		return fmt.Errorf("ranks share no loop inside of %q: write \"ranks …\" before", c.Loop)
	case isGhostLoop(own):
		return fmt.Errorf("values of other ranks are computed again in the iterations of %q already", c.Loop)
	}
	own.Ask(c)
	return meetAll(t)
}

// isGhostLoop says whether ranks compute values of others again in the iterations of a loop.
func isGhostLoop(l *schedule.Loop) bool {
	_, is := schedule.RequestOf[Ghost](l)
	return is
}

// Stands is below the loop.
func (Ghost) Stands() schedule.Standing { return schedule.WithMemory }

// Marks are those of an iteration.
func (Ghost) Marks(at *schedule.Place) []mark.Mark {
	return []mark.Mark{mark.Ghost{Loop: at.Loop.Name}}
}

// randomGhost is a loop around some that ranks share, as chance has it.
func randomGhost(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	for _, loop := range shuffledLoops(random, t) {
		commands = append(commands, Ghost{Loop: loop})
	}
	return commands
}

// sayGhost says that values are computed again.
func sayGhost(l *schedule.Loop, _ schedule.Telling) []schedule.Phrase {
	if !isGhostLoop(l) {
		return nil
	}
	return schedule.Say(schedule.AboutCopies, "with values of other ranks computed again in each iteration")
}
