package tuner

import (
	"context"
	"errors"
	"testing"
	"time"

	"polytune/runner"
	"polytune/store"
)

// endInRace gives a request whose budget has ended in the third round of its race, and
// what it found until then. How long building takes here nobody knows, so that the
// budget grows until the race has begun within it.
func endInRace(t *testing.T, axes ...string) (Request, Result) {
	t.Helper()
	for budget := 2 * time.Second; ; budget *= 2 {
		r := request(t, &generator{}, axes...)
		r.Budget = budget
		r.Progress = func(e Event) {
			if e.Phase == Racing && e.Round >= 3 {
				time.Sleep(budget - e.Elapsed)
			}
		}
		result, err := Tune(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		r.Progress = nil
		if result.Race.Rounds > 1 {
			return r, result
		}
	}
}

// storedBest is what the view "best" has of the one kernel.
func storedBest(t *testing.T, r Request) store.Best {
	t.Helper()
	best, err := r.Store.Best(context.Background(), store.BestQuery{Kernel: r.Kernel})
	if err != nil || len(best) != 1 {
		t.Fatalf("best %+v, %v", best, err)
	}
	return best[0]
}

// Where the budget ends within the race, what was measured is there at once, and the next
// call goes on with the same trials: no variant has two, and the store's best is the
// verdict's.
func TestBudgetEndsInTheRace(t *testing.T) {
	r, partial := endInRace(t, "blocked", "slow")
	if partial.Complete || partial.Race.Rounds > 3 || partial.Counts()[store.OK] != 2 {
		t.Errorf("after the budget: complete %v, %d rounds, %v", partial.Complete, partial.Race.Rounds, partial.Counts())
	}
	if best := storedBest(t, r); best.Variant.ID != partial.Best.Variant || best.Summary.Speedup != partial.Best.Speedup || best.Summary.Rounds != partial.Best.Rounds {
		t.Errorf("the store's best %+v, and the session's %+v", best, partial.Best)
	}
	standings, _, err := r.Store.Standings(t.Context(), 0)
	if err != nil || standings[0].Best != partial.Best.Variant || standings[0].Speedup != partial.Best.Speedup.Median || !standings[0].Finished.IsZero() {
		t.Errorf("standings %+v, %v", standings, err)
	}
	trials, err := r.Store.Trials(t.Context(), mustKey(t, r))
	if err != nil || len(trials) != 3 {
		t.Fatalf("%d trials, %v", len(trials), err)
	}
	for _, trial := range trials {
		if !trial.Open() || trial.Status != store.OK {
			t.Errorf("trial %+v", trial)
		}
	}

	r.Budget = 0
	result, err := Tune(context.Background(), r)
	if err != nil || !result.Complete || result.Race.Rounds < claimRounds(claimConfidence) {
		t.Errorf("resumed: complete %v after %d rounds, %v", result.Complete, result.Race.Rounds, err)
	}
	expectOnce(t, r)
	if best := storedBest(t, r); best.Variant.ID != result.Best.Variant || best.Summary.Speedup != result.Best.Speedup || best.Summary.Rounds != result.Best.Rounds {
		t.Errorf("in the end the store's best is %+v, and the session's %+v", best, result.Best)
	}
	if recalled, err := Tune(context.Background(), r); err != nil || !recalled.Recalled || recalled.Best.Speedup != result.Best.Speedup {
		t.Errorf("recalled %+v, %v", recalled.Best, err)
	}
}

// A session that another tuner finishes while this one begins stays finished.
func TestFinishedSessionIsNotReopened(t *testing.T) {
	r := request(t, &generator{}, "blocked")
	s, err := newSession(&r)
	if err != nil {
		t.Fatal(err)
	}
	if _, found, err := s.recall(t.Context()); found || err != nil {
		t.Fatalf("recalled %v, %v", found, err)
	}
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.begin(t.Context()); !errors.Is(err, errEnded) {
		t.Errorf("begun after its end: %v", err)
	}
	again, err := Tune(context.Background(), r)
	if err != nil || !again.Recalled || again.Best.Speedup != result.Best.Speedup {
		t.Errorf("recalled %v, %v", again.Recalled, err)
	}
}

// What disturbed later calls of a session is told with its result, too.
func TestWarningsOfResumedCalls(t *testing.T) {
	r := request(t, &generator{}, "blocked", "backward", "slow")
	r.Budget = time.Nanosecond
	for _, kind := range []string{"load", "swap"} {
		r.Warnings = []runner.Warning{{Kind: kind}}
		if _, err := Tune(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		r.Budget = 0
	}
	r.Warnings = nil
	result, err := Tune(context.Background(), r)
	if err != nil || !result.Recalled || len(result.Warnings) != 2 || result.Warnings[0].Kind != "load" || result.Warnings[1].Kind != "swap" {
		t.Errorf("recalled %v with %+v, %v", result.Recalled, result.Warnings, err)
	}
}

// A session waits for others to end their timings no longer than its budget lasts, and builds
// nothing meanwhile: before anything was timed, and later, when what was measured is there all
// the same.
func TestBudgetEndsWaitingForTheMachine(t *testing.T) {
	g := &generator{}
	r := request(t, g, "blocked", "backward", "slow")
	within, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for _, tried := range []int{0, 2} {
		if tried > 0 {
			r.Budget = time.Nanosecond
			if _, err := Tune(within, r); err != nil {
				t.Fatal(err)
			}
		}
		lock, err := runner.LockTiming(within, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Budget = time.Second
		calls := g.calls.Load()
		result, err := Tune(within, r)
		if begun := g.calls.Load() - calls; begun > 0 {
			t.Errorf("after %d: %d variants were begun while another timed", tried, begun)
		}
		if err != nil || result.Complete || result.Tried != tried || (result.Best.Variant == "") != (tried == 0) {
			t.Errorf("after %d: tried %d, complete %v, best %q, %v", tried, result.Tried, result.Complete, result.Best.Variant, err)
		}
		if result.Waited < 500*time.Millisecond || result.Waited > result.Elapsed {
			t.Errorf("after %d: waited %v of %v", tried, result.Waited, result.Elapsed)
		}
		if tried > 0 && storedBest(t, r).Variant.ID != result.Best.Variant {
			t.Errorf("the store's best is %+v, the session's %+v", storedBest(t, r), result.Best)
		}
		if err := lock.Unlock(); err != nil {
			t.Fatal(err)
		}
	}
	r.Budget = 0
	if result, err := Tune(within, r); err != nil || !result.Complete || result.Tried != 3 {
		t.Errorf("in the end: complete %v, tried %d, %v", result.Complete, result.Tried, err)
	}
	expectOnce(t, r)
}

// Nothing is timed while another tuner on the machine builds.
func TestNoTimingWhileOthersBuild(t *testing.T) {
	r := request(t, &generator{}, "blocked")
	lock, err := runner.LockBuilding(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Budget = 3 * time.Second
	if result, err := Tune(t.Context(), r); err != nil || result.Complete || result.Tried > 0 || result.Best.Variant != "" {
		t.Errorf("tried %d, complete %v, best %q, %v", result.Tried, result.Complete, result.Best.Variant, err)
	}
	trials, err := r.Store.Trials(t.Context(), mustKey(t, r))
	if err != nil || len(trials) > 0 {
		t.Errorf("trials %+v, %v", trials, err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	r.Budget = 0
	if result, err := Tune(t.Context(), r); err != nil || !result.Complete || result.Tried != 1 {
		t.Errorf("in the end: tried %d, complete %v, %v", result.Tried, result.Complete, err)
	}
}

// An original that takes some four hundred times as long as its variants, even on a machine that
// does other work, is timed in few of the race's rounds, and the result is complete all the same.
func TestSlowOriginalInASession(t *testing.T) {
	r := request(t, &generator{}, "blocked", "backward")
	r.Source = []byte(head + `    for (volatile int w = 0; w < 400; w++)
      for (int i = 0; i < n; i++) {
        if (w < 399) { volatile double x = a[i]; (void) (x / (x + 1)); continue; }
        b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);
      }
}
`)
	result, err := Tune(context.Background(), r)
	if err != nil || !result.Complete {
		t.Fatalf("complete %v, %v", result.Complete, err)
	}
	trials, err := r.Store.Trials(t.Context(), mustKey(t, r))
	if err != nil {
		t.Fatal(err)
	}
	rounds := map[string]int{}
	for _, trial := range trials {
		for _, sample := range trial.Samples {
			if sample.Round > screeningRound {
				rounds[trial.Variant]++
			}
		}
	}
	if n := rounds[store.Original]; n < baselineRounds() || n >= result.Race.Rounds || rounds[result.Best.Variant] != result.Race.Rounds {
		t.Errorf("rounds %v of %d; best is %s", rounds, result.Race.Rounds, result.Best.Variant)
	}
	if best := result.Best; best.Speedup.Median < slowFactor || best.Coverage < confidence || result.Verdict == "" {
		t.Errorf("best %+v, %s", best, result.Verdict)
	}
	if best := storedBest(t, r); best.Variant.ID != result.Best.Variant || best.Summary.Speedup != result.Best.Speedup {
		t.Errorf("the store's best %+v, and the session's %+v", best, result.Best)
	}
}
