package tuner

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"polytune/runner"
	"polytune/store"
)

const (
	// heartbeat is the time between two signs of life, lease how long others
	// wait for one before they take a tuner for dead whose process they
	// cannot see: longer than a sign of life may wait for the database.
	heartbeat = 2 * time.Second
	lease     = store.BusyTimeout + 15*time.Second
	// silence is how long a sign of life waits for the end of a timed run. Only in runs that
	// take longer there is one, and one in so many seconds.
	silence = 5 * time.Second
)

// crew is this tuner's part in work that several tuners may do on one session:
// it says that this one lives, and finds out whether the others do.
type crew struct {
	store *store.Store
	now   func() time.Time

	mutex sync.Mutex
	// me is how others see this tuner.
	me store.Worker
	// pulses are the last beats of the others, and when they were first seen.
	pulses map[string]pulse
	stop   func()
	// quiet is full while a program is timed or a sign of life is given. Who waits gets it
	// in turn, so that a sign that is due comes between two runs.
	quiet chan struct{}
	// silence bounds the wait for it.
	silence time.Duration
}

type pulse struct {
	beat int64
	seen time.Time
}

func newCrew(db *store.Store) (*crew, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, fmt.Errorf("a name for this tuner: %w", err)
	}
	self := runner.Self()
	return &crew{
		store: db, now: time.Now, pulses: map[string]pulse{}, stop: func() {}, quiet: make(chan struct{}, 1), silence: silence,
		me: store.Worker{UUID: id.String(), Host: self.Host, Space: self.Space, PID: self.PID, Born: self.Born},
	}, nil
}

// join makes this tuner known as one at work on a session, and keeps giving
// signs of life until leave.
func (c *crew) join(ctx context.Context, session string) error {
	c.note(store.Activity{Phase: string(Preparing), Left: unknown})
	c.mutex.Lock()
	c.me.Session = session
	c.mutex.Unlock()
	if err := c.bury(ctx, session); err != nil {
		return err
	}
	if err := c.store.Beat(ctx, c.worker()); err != nil {
		return err
	}
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.beat(beating)
	}()
	c.stop = func() {
		stop()
		<-ended
	}
	return nil
}

// bury removes the tuners of a session whose processes have ended without a
// word.
func (c *crew) bury(ctx context.Context, session string) error {
	workers, err := c.store.Workers(ctx, session)
	if err != nil {
		return err
	}
	for _, w := range workers {
		if c.dead(w) {
			if err := c.store.Expire(ctx, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// hush keeps signs of life, whose writing takes a processor and the disk, out of a timed
// run, until the function that it returns is called.
func (c *crew) hush() (end func()) {
	c.quiet <- struct{}{}
	return func() { <-c.quiet }
}

// beat gives signs of life. One that fails is followed by the next: should
// none get through, the claims are lost, which is found out when they are used.
func (c *crew) beat(ctx context.Context) {
	for ticks := time.NewTicker(heartbeat); ; {
		select {
		case <-ctx.Done():
			ticks.Stop()
			return
		case <-ticks.C:
			c.beatBetween(ctx)
		}
	}
}

// beatBetween gives a sign of life between timed runs, or in one that takes too long to wait for.
func (c *crew) beatBetween(ctx context.Context) {
	patience := time.NewTimer(c.silence)
	defer patience.Stop()
	select {
	case <-ctx.Done():
		return
	case c.quiet <- struct{}{}:
		defer func() { <-c.quiet }()
	case <-patience.C:
	}
	_ = c.store.Beat(ctx, c.worker())
}

// leave gives all claims back.
func (c *crew) leave(ctx context.Context) error {
	c.stop()
	return c.store.Leave(context.WithoutCancel(ctx), c.worker().UUID)
}

func (c *crew) worker() store.Worker {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.me
}

// note keeps what this tuner does for the next sign of life.
func (c *crew) note(a store.Activity) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.me.Activity = a
}

// claim asks for a subject. A holder that is dead loses it.
func (c *crew) claim(ctx context.Context, subject string) (store.Claimed, error) {
	for {
		answer, err := c.store.Claim(ctx, c.worker(), subject)
		if err != nil || answer.Granted || answer.Tried || !c.dead(answer.Holder) {
			return answer, err
		}
		if err := c.store.Expire(ctx, answer.Holder); err != nil {
			return answer, err
		}
	}
}

// dead says that another tuner's process is seen to have ended, or that it gave no
// sign of life during the lease: it cannot be seen from here, or is stopped. The time is
// this process's own monotonic clock: what clocks say of each other's past does
// not matter.
func (c *crew) dead(w store.Worker) bool {
	process := runner.Process{Host: w.Host, Space: w.Space, PID: w.PID, Born: w.Born}
	if process.Gone() {
		return true
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	last, known := c.pulses[w.UUID]
	if !known || last.beat != w.Beat {
		c.pulses[w.UUID] = pulse{w.Beat, c.now()}
		return false
	}
	return c.now().Sub(last.seen) > lease
}

// describe names another tuner for people.
func (c *crew) describe(w store.Worker) string {
	if w.Host == c.worker().Host {
		return fmt.Sprintf("process %d", w.PID)
	}
	return fmt.Sprintf("process %d on %s", w.PID, w.Host)
}
