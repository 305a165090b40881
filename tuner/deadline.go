package tuner

import (
	"context"
	"errors"
	"sync"
	"time"
)

// What a session may take beyond its budget, so that a call with any budget gets ahead: the
// first candidates, among which is the models' own choice, take these times where the budget is
// shorter, and the last round of the race ends.
var (
	leastMaking    = 3 * time.Second
	leastScreening = 2 * time.Second
	raceGrace      = 3 * time.Second
)

// quietPatience is how long the race waits for candidates that were left behind in the making.
var quietPatience = 2 * time.Second

// budgetEnd is when the budget ends; the zero time for no budget.
func (s *session) budgetEnd() time.Time {
	if s.request.Budget <= 0 {
		return time.Time{}
	}
	return s.started.Add(s.request.Budget)
}

// makingEnd is when candidates are made no more: early enough for the race, but for the very
// first ones, without which there is none.
func (s *session) makingEnd() time.Time {
	end := s.budgetEnd()
	switch {
	case end.IsZero():
		return end
	case s.ledger.done() == 0:
		return later(end, time.Now().Add(leastMaking))
	}
	return end.Add(-s.reserve(s.raceEstimate()))
}

// screeningEnd is when those that were made are timed no more.
func (s *session) screeningEnd() time.Time {
	end := s.budgetEnd()
	if end.IsZero() || s.ledger.done() > 0 {
		return end
	}
	return later(end, time.Now().Add(leastScreening))
}

// raceEnd is when a round that has begun is given up.
func (s *session) raceEnd() time.Time {
	if end := s.budgetEnd(); !end.IsZero() {
		return end.Add(raceGrace)
	}
	return time.Time{}
}

// reserve is what is left of a part's time in the budget, of which no part takes more than half.
func (s *session) reserve(wanted time.Duration) time.Duration { return min(wanted, s.request.Budget/2) }

// outOfBudget says that less than the reserve is left of the budget, or that the call was to
// be brief.
func (s *session) outOfBudget(reserve time.Duration) bool {
	return s.request.Briefly || s.request.Budget > 0 && time.Since(s.started)+s.reserve(reserve) > s.request.Budget
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// until calls f with a context that ends at a time, never for the zero time. Where that is why f
// fails, the session is exhausted, and there is no error.
func (s *session) until(ctx context.Context, end time.Time, f func(context.Context) error) error {
	if end.IsZero() {
		return f(ctx)
	}
	bounded, stop := context.WithDeadline(ctx, end)
	defer stop()
	err := f(bounded)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil && !errors.Is(err, errEnded) {
		s.exhausted = true
		return nil
	}
	return err
}

// workers are goroutines that may be left behind, because what they do does not end at once.
type workers struct{ group sync.WaitGroup }

// quiet waits until none is at work, for some time at most.
func (w *workers) quiet(ctx context.Context) {
	ended := make(chan struct{})
	go func() {
		w.group.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	case <-time.After(quietPatience):
	}
}

// leave calls f, and leaves it behind when ctx ends.
func leave[T any](ctx context.Context, w *workers, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	w.group.Go(func() {
		value, err := f()
		answers <- answer{value, err}
	})
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
