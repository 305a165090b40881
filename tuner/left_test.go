package tuner

import (
	"slices"
	"testing"

	"polytune/runner"
	"polytune/store"
)

// leaveBehind stores a session whose tuner has ended after some rounds of the race, without a
// word: an original of 2 seconds, a variant of 1, and one that was timed once.
func leaveBehind(t *testing.T, r Request, rounds int) store.Session {
	t.Helper()
	ctx := t.Context()
	s, err := newSession(&r)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.begin(ctx); err != nil {
		t.Fatal(err)
	}
	for variant, samples := range map[string]map[int]float64{
		store.Original: steady(rounds, 2, 0), "0.a": steady(rounds, 1, 0), "0.b": {screeningRound: 0.5},
	} {
		if err := r.Store.RegisterVariants(ctx, store.Variant{Kernel: r.KernelID, ID: variant}); err != nil {
			t.Fatal(err)
		}
		trial := store.Trial{Session: s.uuid, Variant: variant}
		for round, seconds := range samples {
			trial.Samples = append(trial.Samples, store.Sample{Round: round, Seconds: seconds})
		}
		slices.SortFunc(trial.Samples, func(a, b store.Sample) int { return a.Round - b.Round })
		if _, err := r.Store.RecordTrial(ctx, trial); err != nil {
			t.Fatal(err)
		}
	}
	return store.Session{UUID: s.uuid, SessionKey: s.key}
}

// What a killed tuner has left is rated as at the end of a budget, once, and only when
// nobody can be at work on it.
func TestRateLeft(t *testing.T) {
	for _, c := range []struct {
		rounds int
		best   string
	}{{0, store.Original}, {3, store.Original}, {8, store.Original}, {9, "0.a"}} {
		r := request(t, &generator{})
		session := leaveBehind(t, r, c.rounds)
		self := runner.Self()
		worker := store.Worker{UUID: "w", Session: session.UUID, Host: self.Host, Space: self.Space, PID: self.PID, Born: self.Born}
		if err := r.Store.Beat(t.Context(), worker); err != nil {
			t.Fatal(err)
		}
		if left, err := Left(t.Context(), r.Store); len(left) > 0 || err != nil {
			t.Errorf("%d rounds: a session at work is left: %v, %v", c.rounds, left, err)
		}
		if err := r.Store.Leave(t.Context(), worker.UUID); err != nil {
			t.Fatal(err)
		}
		if err := RateLeft(t.Context(), r.Store); err != nil {
			t.Fatal(err)
		}
		best, err := r.Store.Best(t.Context(), store.BestQuery{})
		if err != nil || len(best) != 1 || best[0].Variant.ID != c.best {
			t.Errorf("%d rounds: best is %+v, %v; want %s", c.rounds, best, err, c.best)
		}
		if left, err := Left(t.Context(), r.Store); len(left) > 0 || err != nil {
			t.Errorf("%d rounds: still left: %v, %v", c.rounds, left, err)
		}
		stored, err := ReadStored(t.Context(), r.Store, session)
		if err != nil {
			t.Fatal(err)
		}
		for _, trial := range stored.Trials {
			if !trial.Open() || trial.Status != store.OK {
				t.Errorf("%d rounds: trial of %s is %s, open %v", c.rounds, trial.Variant, trial.Status, trial.Open())
			}
		}
	}
}
