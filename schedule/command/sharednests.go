package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop"
)

// rankedLoop is a loop that ranks share.
type rankedLoop struct {
	node  *schedule.Node
	place int
}

func (l rankedLoop) loop() *schedule.Loop { return l.node.Loops[l.place] }

// isAround says whether the loop is around another one.
func (l rankedLoop) isAround(t *schedule.Tree, other rankedLoop) bool {
	return slices.Contains(slices.Concat(t.Outside(other.node), other.node.Loops[:other.place]), l.loop())
}

// inside is the loop right inside, if there is one and nothing else.
func (l rankedLoop) inside() (next rankedLoop, is bool) {
	next = rankedLoop{l.node, l.place + 1}
	for next.place == len(next.node.Loops) {
		if len(next.node.Parts) != 1 {
			return next, false
		}
		next = rankedLoop{next.node.Parts[0], 0}
	}
	return next, true
}

// sharedNests are the loops with some names: those that are right inside each other in one nest, outer
// ones first, and others in nests of their own.
func sharedNests(t *schedule.Tree, names []string) (nests [][]rankedLoop, err error) {
	var all []rankedLoop
	for _, name := range names {
		n, place, err := t.Loop(name)
		if err != nil {
			return nil, err
		}
		own := rankedLoop{n, place}
		if slices.Contains(all, own) {
			return nil, fmt.Errorf("loop %q is named twice", name)
		}
		all = append(all, own)
	}
	for _, outer := range all {
		if slices.ContainsFunc(all, func(l rankedLoop) bool { return l.isAround(t, outer) }) {
			continue
		}
		nest := []rankedLoop{outer}
		next, is := outer.inside()
		for is && slices.Contains(all, next) {
			nest = append(nest, next)
			next, is = next.inside()
		}
		for _, other := range all {
			if outer.isAround(t, other) && !slices.Contains(nest, other) {
				last := t.Written(nest[len(nest)-1].loop().Name)
				return nil, fmt.Errorf("loop %q is not right inside of %q: ranks share out loops with nothing between them as a grid; name fewer, or interchange or distribute loops before", t.Written(other.loop().Name), last)
			}
		}
		nests = append(nests, nest)
	}
	return nests, nil
}

// randomRanks are loops of a nest, or as many of two, a grid half of the time, with a clause now and then.
func randomRanks(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	var starts []rankedLoop
	t.Walk(func(n *schedule.Node) bool {
		for place := range n.Loops {
			starts = append(starts, rankedLoop{n, place})
		}
		return true
	})
	if len(starts) == 0 {
		return nil
	}
	dims := 1 + random.IntN(2)
	var c Ranks
	for range 1 + random.IntN(2) {
		next, is := starts[random.IntN(len(starts))], true
		for d := 0; d < dims && is; d++ {
			if name := next.loop().Name; !slices.Contains(c.Loops, name) {
				c.Loops = append(c.Loops, name)
			}
			next, is = next.inside()
		}
	}
	if known := t.Program.Reductions(); len(known) > 0 && random.IntN(2) == 0 {
		c.Reductions = []scop.Clause{pick(random, known)}
	}
	return []schedule.Command{c}
}
