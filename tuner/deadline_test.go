package tuner

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"polytune/store"
	"polytune/tuner/search"
)

// What a session takes beyond its budget for its first candidates is more in tests, which run
// beside others: what they show must not depend on how fast compilers are.
func init() {
	leastMaking, leastScreening, quietPatience = time.Minute, time.Minute, 50*time.Millisecond
}

// stuckGenerator never ends with the candidates of one axis, whatever its context says, until
// it is freed.
type stuckGenerator struct {
	generator
	free  chan struct{}
	stuck atomic.Int32
}

func (g *stuckGenerator) Generate(ctx context.Context, c Candidate) (Generated, error) {
	if c.Axis == "slow" {
		g.stuck.Add(1)
		<-g.free
	}
	return g.generator.Generate(ctx, c)
}

// Making a candidate counts against the budget and stops with it: what is ready is timed, what is
// not is left for the next call, and nothing is lost or tried twice.
func TestBudgetEndsInTheMaking(t *testing.T) {
	for budget := 4 * time.Second; ; budget *= 2 {
		g := &stuckGenerator{free: make(chan struct{})}
		r := request(t, &g.generator, "blocked", "backward", "blocked/again", "slow")
		r.Generator, r.Budget = g, budget
		first, err := Tune(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		close(g.free)
		if g.stuck.Load() == 0 {
			continue // the machine was too slow to come to it
		}
		if !first.Early || first.Complete || first.Tried < 2 || first.Counts()[store.CodegenFailed] > 0 || first.Best.Variant == "" {
			t.Errorf("early %v, complete %v, tried %d, %v, best %q", first.Early, first.Complete, first.Tried, first.Counts(), first.Best.Variant)
		}
		r.Budget = 0
		second, err := Tune(t.Context(), r)
		if err != nil || !second.Complete || second.Early || second.Tried != 4 {
			t.Errorf("resumed: complete %v, tried %d, %v", second.Complete, second.Tried, err)
		}
		expectOnce(t, r)
		return
	}
}

// stuckSpace never answers.
type stuckSpace struct{ free chan struct{} }

var errFreed = errors.New("freed")

func (s stuckSpace) All(context.Context) iter.Seq2[search.Point, error] {
	return func(yield func(search.Point, error) bool) {
		<-s.free
		yield(search.Point{}, errFreed)
	}
}

func (s stuckSpace) Neighbours(context.Context, search.Point) ([]search.Point, error) {
	<-s.free
	return nil, errFreed
}

func (s stuckSpace) Random(context.Context, *rand.Rand) (search.Point, error) {
	<-s.free
	return search.Point{}, errFreed
}

func (s stuckSpace) Cross(ctx context.Context, r *rand.Rand, _, _ search.Point) (search.Point, error) {
	return s.Random(ctx, r)
}

func (s stuckSpace) Retile(ctx context.Context, r *rand.Rand, _ search.Point) (search.Point, error) {
	return s.Random(ctx, r)
}

func (s stuckSpace) Features(context.Context, []search.Point) ([][]float64, error) {
	<-s.free
	return nil, errFreed
}

// So does choosing the next candidates, with every strategy.
func TestBudgetEndsInTheSearch(t *testing.T) {
	for _, name := range search.Names() {
		t.Run(name, func(t *testing.T) {
			s := stuckSpace{make(chan struct{})}
			defer close(s.free)
			r := request(t, &generator{}, "blocked")
			r.Space, r.Plan = s, search.Plan{Strategy: name, Seed: 1, Batch: 4, Limit: 12}
			r.Budget = time.Second
			result, err := Tune(t.Context(), r)
			if err != nil || !result.Early || result.Complete || result.Tried != 1 {
				t.Errorf("early %v, complete %v, tried %d, %v", result.Early, result.Complete, result.Tried, err)
			}
		})
	}
}

// A round of the race that takes far longer than the budget is given up; what it has timed stays.
func TestBudgetEndsInARound(t *testing.T) {
	r := request(t, &generator{}, "blocked", "backward")
	s, err := newSession(&r)
	if err != nil {
		t.Fatal(err)
	}
	r.Budget, s.started = time.Second, time.Now()
	err = s.until(t.Context(), time.Now().Add(10*time.Millisecond), func(ctx context.Context) error {
		<-ctx.Done()
		return s.interruption(ctx, ctx.Err())
	})
	if err != nil || !s.exhausted {
		t.Errorf("exhausted %v, %v", s.exhausted, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, c := range map[string]struct {
		ctx context.Context
		err error
	}{
		"a signal": {stopped, ErrInterrupted}, "another tuner's end": {t.Context(), errEnded}, "a failure": {t.Context(), errFreed},
	} {
		end := time.Now().Add(time.Minute)
		if name == "another tuner's end" {
			end = time.Now()
		}
		if err := s.until(c.ctx, end, func(context.Context) error { return c.err }); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if end := s.raceEnd(); !end.Equal(s.started.Add(time.Second + raceGrace)) {
		t.Errorf("a round may end %v after the budget", end.Sub(s.budgetEnd()))
	}
}

// An endless search ends with its budget, as it should, once the race behind it is over.
func TestEndlessSearchIsNotEarly(t *testing.T) {
	r := searchRequest(t, &generator{}, search.Plan{Strategy: "random", Seed: 1, Batch: 2})
	s, err := newSession(&r)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		exhausted, settled bool
		batch              int
		limit              int
		early              bool
	}{
		{true, true, 1, 0, false}, {true, false, 1, 0, true}, {true, true, 0, 0, true}, {true, true, 1, 12, true}, {false, true, 1, 0, false},
	} {
		r.Plan.Limit = c.limit
		if s.search, err = search.New(r.Space, r.Plan); err != nil {
			t.Fatal(err)
		}
		s.exhausted, s.settled, s.batch = c.exhausted, c.settled, c.batch
		if result, err := s.result(t.Context()); err != nil || result.Early != c.early {
			t.Errorf("%+v: early %v, %v", c, result.Early, err)
		}
	}
}
