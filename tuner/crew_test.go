package tuner

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"polytune/store"
)

// twoCrews are two tuners at one session, as from different machines: neither
// sees the other's process. They have one clock, which stands still.
func twoCrews(t *testing.T) (a, b *crew, clock *time.Time) {
	t.Helper()
	ctx := t.Context()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "tune.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	key := store.SessionKey{Kernel: "k", Machine: "m", Toolchain: "c", Size: "small"}
	err = errors.Join(
		db.RegisterMachine(ctx, store.Machine{ID: "m"}), db.RegisterToolchain(ctx, store.Toolchain{ID: "c"}),
		db.RegisterKernel(ctx, store.Kernel{ID: "k", Name: "test"}),
		db.RegisterVariants(ctx, store.Variant{Kernel: "k", ID: "v", Partition: "0", Recipe: "x"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	session, err := db.BeginSession(ctx, key, nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	crews := make([]*crew, 2)
	for i := range crews {
		if crews[i], err = newCrew(db); err != nil {
			t.Fatal(err)
		}
		crews[i].now = func() time.Time { return now }
		crews[i].me.Session, crews[i].me.Space = session.UUID, "machine "+string(rune('A'+i))
	}
	return crews[0], crews[1], &now
}

func expectClaim(t *testing.T, c *crew, subject string, granted bool) store.Claimed {
	t.Helper()
	answer, err := c.claim(t.Context(), subject)
	if err != nil || answer.Granted != granted {
		t.Fatalf("claim to %s: granted %v, %v; want %v", subject, answer.Granted, err, granted)
	}
	return answer
}

// A claim is one tuner's until it gives no sign of life for the lease, by the
// clock of the one who waits.
func TestClaimsOfTheSilentReturn(t *testing.T) {
	a, b, clock := twoCrews(t)
	expectClaim(t, a, "v", true)
	expectClaim(t, a, "v", true)
	if holder := expectClaim(t, b, "v", false).Holder; holder.UUID != a.me.UUID {
		t.Errorf("the holder is %+v", holder)
	}
	*clock = clock.Add(lease - time.Second)
	expectClaim(t, b, "v", false)
	if err := a.store.Beat(t.Context(), a.worker()); err != nil {
		t.Fatal(err)
	}
	*clock = clock.Add(2 * time.Second)
	expectClaim(t, b, "v", false)
	*clock = clock.Add(lease + time.Second)
	expectClaim(t, b, "v", true)
	expectClaim(t, a, "v", false)
}

// That wall clocks differ or jump does not matter: the times that workers
// store are for people.
func TestClocksThatJumpChangeNothing(t *testing.T) {
	a, b, clock := twoCrews(t)
	expectClaim(t, a, "v", true)
	for _, seen := range []time.Time{{}, clock.Add(-48 * time.Hour), clock.Add(48 * time.Hour)} {
		w := a.worker()
		w.Seen = seen
		if b.dead(w) {
			t.Errorf("seen at %v, the tuner is taken for dead", seen)
		}
	}
	expectClaim(t, b, "v", false)
}

// A tuner on the same machine whose process is gone loses its claims at once.
func TestClaimsOfDeadProcessReturnAtOnce(t *testing.T) {
	a, b, _ := twoCrews(t)
	self, err := newCrew(a.store)
	if err != nil {
		t.Fatal(err)
	}
	a.me.Space, a.me.PID, a.me.Born = self.me.Space, self.me.PID, "another"
	expectClaim(t, a, "v", true)
	expectClaim(t, b, "v", true)
}

// Who leaves gives everything back.
func TestLeaveReturnsClaims(t *testing.T) {
	a, b, _ := twoCrews(t)
	expectClaim(t, a, store.Race, true)
	expectClaim(t, b, store.Race, false)
	if err := a.leave(context.Background()); err != nil {
		t.Fatal(err)
	}
	expectClaim(t, b, store.Race, true)
}

// A tuner that was stopped, and whose variant was taken over, stores no second
// trial of it.
func TestTrialWithoutClaimIsNotStored(t *testing.T) {
	a, b, clock := twoCrews(t)
	expectClaim(t, a, "v", true)
	expectClaim(t, b, "v", false)
	*clock = clock.Add(2 * lease)
	expectClaim(t, b, "v", true)
	for _, c := range []struct {
		crew *crew
		lost bool
	}{{a, true}, {b, false}} {
		trial := store.Trial{Session: c.crew.me.Session, Variant: "v", Claimant: c.crew.me.UUID, Samples: []store.Sample{{Seconds: 1}}}
		_, err := c.crew.store.RecordTrial(t.Context(), trial)
		var lost *store.ClaimLostError
		if errors.As(err, &lost) != c.lost || !c.lost && err != nil {
			t.Errorf("recorded by %s: %v", c.crew.me.Space, err)
		}
	}
	if answer := expectClaim(t, a, "v", false); !answer.Tried {
		t.Errorf("a variant with a trial: %+v", answer)
	}
}

// beatsOf is how often a tuner has given a sign of life.
func beatsOf(t *testing.T, c *crew) int64 {
	t.Helper()
	workers, err := c.store.Workers(t.Context(), c.me.Session)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range workers {
		if w.UUID == c.me.UUID {
			return w.Beat
		}
	}
	return 0
}

// A sign of life that is due in a timed run comes right after it, before the next run.
func TestSignsOfLifeBetweenRuns(t *testing.T) {
	c, _, _ := twoCrews(t)
	c.silence = time.Hour
	end := c.hush()
	due, given := make(chan struct{}), make(chan struct{})
	go func() {
		close(due)
		c.beatBetween(t.Context())
		close(given)
	}()
	<-due
	time.Sleep(20 * time.Millisecond) // it may be waiting by now; nothing else is to be seen from here
	if beats := beatsOf(t, c); beats != 0 {
		t.Errorf("%d signs of life in a timed run", beats)
	}
	end()
	<-given
	c.hush()()
	if beats := beatsOf(t, c); beats != 1 {
		t.Errorf("%d signs of life between two runs, want 1", beats)
	}
}

// A run that takes long does not make others take the tuner for dead.
func TestSignsOfLifeInLongRuns(t *testing.T) {
	c, _, _ := twoCrews(t)
	c.silence = time.Millisecond
	end := c.hush()
	for range 3 {
		c.beatBetween(t.Context())
	}
	if beats := beatsOf(t, c); beats != 3 {
		t.Errorf("%d signs of life in a long run, want 3", beats)
	}
	end()
	if heartbeat+silence+store.BusyTimeout >= lease {
		t.Errorf("a sign of life may come later than %v after the one before", lease)
	}
}
