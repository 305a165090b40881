package search

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// strategies make the strategies, by name.
var strategies = map[string]func(Space, *rand.Rand) Strategy{
	"exhaustive": func(s Space, _ *rand.Rand) Strategy { return &exhaustive{space: s} },
	"random":     func(s Space, r *rand.Rand) Strategy { return &draws{space: s, random: r} },
	"climb":      func(s Space, r *rand.Rand) Strategy { return newClimb(s, r) },
	"halving":    func(s Space, r *rand.Rand) Strategy { return &halving{space: s, random: r} },
	"evolution":  func(s Space, r *rand.Rand) Strategy { return &evolution{space: s, random: r} },
	"surrogate":  func(s Space, r *rand.Rand) Strategy { return newSurrogate(s, r) },
}

// Names are those of the strategies, in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(strategies)) }

// UnknownStrategyError says that there is no strategy of that name.
type UnknownStrategyError struct{ Name string }

func (e *UnknownStrategyError) Error() string {
	return fmt.Sprintf("no strategy %q; choose one of %s", e.Name, strings.Join(Names(), ", "))
}

// Check says whether there is a strategy of that name; the error is an
// *UnknownStrategyError.
func Check(name string) error {
	if strategies[name] == nil {
		return &UnknownStrategyError{name}
	}
	return nil
}

func newStrategy(name string, s Space, seed uint64) (Strategy, error) {
	if err := Check(name); err != nil {
		return nil, err
	}
	hash := fnv.New64a()
	hash.Write([]byte(name))
	return strategies[name](s, rand.New(rand.NewPCG(seed, hash.Sum64()))), nil
}

// exhaustive proposes all points.
type exhaustive struct {
	space Space
	// passed counts the points that were looked at, ahead are the next ones.
	passed int
	ahead  []Point
}

// aheadOf is how many points are read at a time: the space is walked through
// from its beginning to find the next ones.
const aheadOf = 1024

func (e *exhaustive) Next(ctx context.Context, n int, known *Known) ([]Point, error) {
	b := newBatch(known, n)
	for !b.full() {
		if len(e.ahead) == 0 {
			if err := e.read(ctx); err != nil || len(e.ahead) == 0 {
				return b.points, err
			}
		}
		b.take(e.ahead[0])
		e.ahead = e.ahead[1:]
	}
	return b.points, nil
}

// read looks ahead.
func (e *exhaustive) read(ctx context.Context) error {
	at := 0
	for p, err := range e.space.All(ctx) {
		if err != nil {
			return err
		}
		if at++; at <= e.passed {
			continue
		}
		e.ahead = append(e.ahead, p)
		if len(e.ahead) == aheadOf {
			break
		}
	}
	e.passed += len(e.ahead)
	return nil
}

// attemptsPerPoint bounds the draws for one new point.
const attemptsPerPoint = 64

// draws proposes points at random. In a space of which nearly all is known the
// rest is listed.
type draws struct {
	space  Space
	random *rand.Rand
	rest   *exhaustive
}

func (d *draws) Next(ctx context.Context, n int, known *Known) ([]Point, error) {
	b := newBatch(known, n)
	for range attemptsPerPoint * n {
		if b.full() || d.rest != nil {
			break
		}
		p, err := d.space.Random(ctx, d.random)
		if err != nil {
			return nil, err
		}
		b.take(p)
	}
	if len(b.points) > 0 {
		return b.points, nil
	}
	if d.rest == nil {
		d.rest = &exhaustive{space: d.space}
	}
	return d.rest.Next(ctx, n, known)
}
