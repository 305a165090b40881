package command

import (
	"fmt"
	"maps"
	"math/rand/v2"

	"polytune/schedule"
)

// Skew adds a multiple of another loop of a permutable band to a loop (loop
// skewing: Wolfe, "Loops skewing: the wavefront method revisited", 1986), which
// leaves the band permutable:
//
//	skew c0.3 by 2 c0.2
//
//	for c0.2 = i for c0.3 = j  -->  for c0.2 = i for c0.3 = j + 2i
//
// A dependence that goes forwards along the other loop goes forwards along this one, so that
// iterations of the other loop can run beside each other. A negative factor is for loops whose ends
// move with the other loop, which has no dependence to carry: all iterations of that have the same
// ends then.
type Skew struct {
	Loop   string
	Factor int64
	Along  string
}

var _ = All.Add(schedule.Spec{
	Syntax:  "skew LOOP by NUMBER LOOP",
	Doc:     "skewing",
	Example: "skew c0.3 by 2 c0.2",
	New:     func() schedule.Command { return Skew{} },
	Random:  randomSkew,
	Say:     schedule.Silent,
	Most:    schedule.MaxFactor,
})

// mostSkewed bounds the factor, so that rows stay far from overflowing.
const mostSkewed = 1024

// Apply changes the rows of the loop.
func (c Skew) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	_, other, err := t.Loop(c.Along)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if other >= len(n.Loops) || n.Loops[other].Name != c.Along || !t.ShareBand(n.Loops[other], l) || c.Loop == c.Along {
		return fmt.Errorf("loops %q and %q are not two loops of one band", c.Loop, c.Along)
	}
	if c.Factor == 0 || max(c.Factor, -c.Factor) > mostSkewed {
		return fmt.Errorf("the factor %d is 0, or not between -%d and %[2]d", c.Factor, mostSkewed)
	}
	along := n.Loops[other]
	for _, l := range []*schedule.Loop{l, along} {
		switch {
		case l.Level > 0 || len(l.Terms) != 1 || l.Block:
			return fmt.Errorf("loop %q is no plain loop over points", l.Name)
		case !t.MayMove(l):
			return fmt.Errorf("loop %q is in a band that is not permutable", l.Name)
		}
	}
	if _, _, err := t.Loop(c.Loop + "t"); err == nil || l.TileRows != nil || l.IsParallel() || l.IsVector() || l.Unrolled {
		return fmt.Errorf("loop %q is tiled or marked already; skew it before", c.Loop)
	}
	rows := maps.Clone(l.Terms[0].Rows)
	for s := range rows {
		rows[s] = rows[s].Plus(along.Terms[0].Rows[s], c.Factor)
	}
	return setRows(l, rows)
}

// randomSkew is a loop over points skewed along another one of its node.
func randomSkew(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool { return len(plainPoints(t, n)) > 1 })
	if n == nil {
		return nil
	}
	points := shuffled(random, plainPoints(t, n))
	return []schedule.Command{Skew{Loop: points[0], Factor: 1 + random.Int64N(2), Along: points[1]}}
}
