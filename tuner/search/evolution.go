package search

import (
	"context"
	"math/rand/v2"
)

const (
	// population is the number of the best points that have offspring, and
	// tournament that of those drawn from them, the best of which is a parent.
	population, tournament = 16, 3
	// crossing is the part of the offspring that has two parents, immigration
	// that of points without any.
	crossing, immigration = 0.7, 0.1
	// secondStep is the part of the offspring that is changed twice.
	secondStep = 0.3
)

// evolution is a steady-state genetic algorithm: the best points are crossed
// with each other, choice by choice, and changed by a step to a neighbour.
type evolution struct {
	space  Space
	random *rand.Rand
	fresh  *draws
}

func (e *evolution) Next(ctx context.Context, n int, known *Known) ([]Point, error) {
	if e.fresh == nil {
		e.fresh = &draws{space: e.space, random: e.random}
	}
	parents := known.Leaders()
	parents = parents[:min(len(parents), population)]
	b := newBatch(known, n)
	for range attemptsPerPoint * n {
		if b.full() {
			break
		}
		p, err := e.child(ctx, parents)
		if err != nil {
			return nil, err
		}
		b.take(p)
	}
	if len(b.points) > 0 {
		return b.points, nil
	}
	return e.fresh.Next(ctx, n, known)
}

// child draws one point.
func (e *evolution) child(ctx context.Context, parents []Outcome) (Point, error) {
	if len(parents) == 0 || e.random.Float64() < immigration {
		return e.space.Random(ctx, e.random)
	}
	p := e.parent(parents)
	if e.random.Float64() < crossing {
		var err error
		if p, err = e.space.Cross(ctx, e.random, p, e.parent(parents)); err != nil {
			return Point{}, err
		}
	}
	p, err := e.changed(ctx, p)
	if err == nil && e.random.Float64() < secondStep {
		p, err = e.changed(ctx, p)
	}
	return p, err
}

// parent is the best of a few that are drawn.
func (e *evolution) parent(parents []Outcome) Point {
	best := len(parents) - 1
	for range tournament {
		best = min(best, e.random.IntN(len(parents)))
	}
	return parents[best].Point
}

// changed is a neighbour, or the point itself where it has none.
func (e *evolution) changed(ctx context.Context, p Point) (Point, error) {
	neighbours, err := e.space.Neighbours(ctx, p)
	if err != nil || len(neighbours) == 0 {
		return p, err
	}
	return neighbours[e.random.IntN(len(neighbours))], nil
}
