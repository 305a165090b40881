package search

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
)

const (
	// climberCount is the number of points from which neighbours are tried at
	// the same time.
	climberCount = 4
	// stepGain is the relative gain that makes a step worth taking: a single
	// timing tells no less.
	stepGain = 0.005
	// restartFactor bounds the time of a known point from which a climber
	// starts again, relative to the best; others start at random.
	restartFactor = 1.5
)

// climb is local search with restarts (iterated hill climbing): climbers stand
// on the best points of different partitions, try neighbours in the order of
// what the same change has done elsewhere, and step on the best one that is
// better. The best climber has every second turn. Who is better than all
// neighbours starts again, from another good point or at random.
type climb struct {
	space    Space
	fresh    *draws
	climbers []*climber
	// visited are points whose neighbours somebody has tried or tries.
	visited map[string]bool
	learnt  experience
}

// climber stands on a point.
type climber struct {
	// at is where it stands; not timed before the first point of a random start.
	at Outcome
	// ahead are the points that it tries next, tried those of the last batch.
	ahead, tried []Point
}

func newClimb(s Space, random *rand.Rand) *climb {
	return &climb{space: s, fresh: &draws{space: s, random: random}, visited: map[string]bool{}, learnt: experience{}}
}

func (c *climb) Next(ctx context.Context, n int, known *Known) ([]Point, error) {
	for _, climber := range c.climbers {
		if err := c.step(ctx, climber, known); err != nil {
			return nil, err
		}
	}
	b := newBatch(known, n)
	for turn, idle := 0, 0; !b.full() && idle < 2*climberCount; turn++ {
		climber, err := c.atTurn(ctx, turn, known, b)
		if err != nil {
			return nil, err
		}
		idle++
		if climber != nil && climber.try(b) {
			idle = 0
		}
	}
	return b.points, nil
}

// step takes in what became of the points that a climber has tried, and goes to
// the best one if that is better.
func (c *climb) step(ctx context.Context, climber *climber, known *Known) error {
	best, better := climber.at, false
	for _, p := range climber.tried {
		o, found := known.Find(p)
		if !found {
			continue
		}
		c.learnt.note(climber.at, o)
		if o.Timed() && (!best.Timed() || o.Time < best.Time*(1-stepGain)) {
			best, better = o, true
		}
	}
	climber.tried = nil
	if !better {
		return nil
	}
	return c.put(ctx, climber, best)
}

// put has a climber stand on a point, unless another one was there before.
func (c *climb) put(ctx context.Context, climber *climber, at Outcome) error {
	climber.at, climber.ahead = at, nil
	if c.visited[at.String()] {
		return nil
	}
	c.visited[at.String()] = true
	neighbours, err := c.space.Neighbours(ctx, at.Point)
	climber.ahead = neighbours
	return err
}

// atTurn is the climber whose turn it is, at a new place where it has nothing
// left to try; nil where there is no such place.
func (c *climb) atTurn(ctx context.Context, turn int, known *Known, b *batch) (*climber, error) {
	for len(c.climbers) < climberCount {
		c.climbers = append(c.climbers, &climber{})
	}
	slices.SortStableFunc(c.climbers, func(a, b *climber) int { return cmp.Compare(height(a.at), height(b.at)) })
	k := 0
	if turn%2 == 1 {
		k = 1 + turn/2%(climberCount-1)
	}
	climber := c.climbers[k]
	climber.forget(known, b)
	if len(climber.ahead) > 0 || len(climber.tried) > 0 {
		c.learnt.sort(climber.at.Point, climber.ahead)
		return climber, nil
	}
	return climber, c.restart(ctx, climber, known)
}

// forget leaves out what is known or in the batch already.
func (c *climber) forget(known *Known, b *batch) {
	c.ahead = slices.DeleteFunc(c.ahead, func(p Point) bool { return known.Has(p) || b.taken[p.String()] })
}

// restart puts a climber on the best point where nobody has been, of a
// partition on which nobody stands if there is one, or sends it to a random one.
func (c *climb) restart(ctx context.Context, climber *climber, known *Known) error {
	leaders := known.Leaders()
	for _, apart := range []bool{true, false} {
		for _, o := range leaders {
			if o.Time > restartFactor*leaders[0].Time {
				break
			}
			if !c.visited[o.String()] && !(apart && c.occupied(climber, o)) {
				return c.put(ctx, climber, o)
			}
		}
	}
	climber.at = Outcome{}
	var err error
	climber.ahead, err = c.fresh.Next(ctx, 1, known)
	return err
}

// occupied says whether another climber stands on a point of the same partition.
func (c *climb) occupied(self *climber, o Outcome) bool {
	return slices.ContainsFunc(c.climbers, func(other *climber) bool {
		return other != self && other.at.Timed() && slices.Equal(other.at.Partition, o.Partition)
	})
}

// try adds the climber's next point to the batch.
func (c *climber) try(b *batch) bool {
	for len(c.ahead) > 0 {
		p := c.ahead[0]
		c.ahead = c.ahead[1:]
		if b.take(p) {
			c.tried = append(c.tried, p)
			return true
		}
	}
	return false
}
