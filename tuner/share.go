package tuner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"polytune/runner"
	"polytune/store"
)

// claimPoll is the time between two looks at what another tuner holds.
const claimPoll = 500 * time.Millisecond

// errEnded says that another tuner has finished the session meanwhile.
var errEnded = errors.New("another tuner has finished the session")

// take asks for the right to a variant's first trial. Where another tuner has
// it, or has had it, the variant is left for awaitOthers.
func (s *session) take(ctx context.Context, r *record) (granted bool, err error) {
	answer, err := s.crew.claim(ctx, r.id)
	if err != nil {
		return false, err
	}
	s.ledger.mutex.Lock()
	defer s.ledger.mutex.Unlock()
	r.claimed, r.taken = answer.Granted, false
	if !answer.Granted {
		s.leaveToOthers(r)
	}
	return r.claimed, nil
}

// leaveToOthers notes that another tuner has a variant. The caller holds the
// ledger's mutex.
func (s *session) leaveToOthers(r *record) {
	r.claimed, r.taken, r.twin = false, true, ""
	if r.binary != nil && s.ledger.hashes[r.binary.Hash] == r {
		delete(s.ledger.hashes, r.binary.Hash)
	}
	s.others = append(s.others, r)
}

// recordTrial stores the first trial of a variant by this tuner. When another
// one has taken the variant over meanwhile, nothing is stored, and trial is "".
func (s *session) recordTrial(ctx context.Context, r *record, t store.Trial) (trial string, err error) {
	t.Session, t.Variant, t.Toolchain = s.uuid, r.id, s.toolchainOf(r.id)
	if r.claimed {
		t.Claimant = s.crew.worker().UUID
	}
	trial, err = s.request.Store.RecordTrial(ctx, t)
	s.ledger.mutex.Lock()
	defer s.ledger.mutex.Unlock()
	var lost *store.ClaimLostError
	if errors.As(err, &lost) {
		s.leaveToOthers(r)
		return "", nil
	}
	if err == nil {
		r.claimed = false
	}
	return trial, err
}

// awaitOthers returns when every variant that other tuners had taken has a
// trial: theirs, or one of this tuner where they have died or given up.
func (s *session) awaitOthers(ctx context.Context) error {
	for len(s.others) > 0 && !s.exhausted {
		if s.outOfBudget(0) {
			s.exhausted = true
			return nil
		}
		if err := s.refresh(ctx); err != nil {
			return err
		}
		held, err := s.takeOver(ctx)
		if err != nil {
			return err
		}
		if held != nil {
			if err := s.awaitOther(ctx, held); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeOver tries the variants that nobody holds any more, a batch at most.
// held, if not nil, is one that another tuner is at work on.
func (s *session) takeOver(ctx context.Context) (held *record, err error) {
	left := s.others
	s.others = nil
	var free []Candidate
	for _, r := range left {
		if r.status != "" {
			continue
		}
		if len(free) == batchFactor*s.request.jobs() {
			s.others = append(s.others, r)
			continue
		}
		answer, err := s.crew.claim(ctx, r.id)
		switch {
		case err != nil:
			return nil, err
		case answer.Granted:
			free = append(free, *r.candidate)
			continue
		case !answer.Tried:
			held = r
		}
		s.others = append(s.others, r)
	}
	ready, err := s.prepare(ctx, free)
	if err != nil {
		return nil, err
	}
	return held, s.screen(ctx, ready)
}

// awaitOther waits until another tuner holds a variant no more, or the budget is
// used up. What it does meanwhile disturbs nobody's timings.
func (s *session) awaitOther(ctx context.Context, held *record) error {
	for !s.outOfBudget(0) {
		answer, err := s.crew.claim(ctx, held.id)
		if err != nil || answer.Granted || answer.Tried {
			return err
		}
		s.tell(fmt.Sprintf("another tuner (%s) tries the rest; waiting for it", s.crew.describe(answer.Holder)))
		if err := s.pause(ctx); err != nil {
			return err
		}
	}
	return nil
}

// decide races, as one tuner of those at work; the others wait for the end of
// the session, or take over.
func (s *session) decide(ctx context.Context) error {
	for {
		if err := s.checkEnded(ctx); err != nil {
			return err
		}
		answer, err := s.crew.claim(ctx, store.Race)
		if err != nil {
			return err
		}
		if answer.Granted {
			return s.raceAndConclude(ctx)
		}
		if s.outOfBudget(0) {
			s.exhausted = true
			return nil
		}
		s.tell(fmt.Sprintf("another tuner (%s) lets the fastest variants race; waiting for its result", s.crew.describe(answer.Holder)))
		if err := s.pause(ctx); err != nil {
			return err
		}
	}
}

// raceAndConclude lets the fastest race, and concludes before anybody else can time: so no
// tuner has a sample for a trial that is finished. Where the budget ends waiting for others'
// timings, what was measured before is rated.
func (s *session) raceAndConclude(ctx context.Context) error {
	raced := false
	err := s.timed(ctx, func() error {
		raced = true
		if err := s.until(ctx, s.raceEnd(), s.race); err != nil {
			return err
		}
		return s.conclude(ctx)
	})
	if err != nil || raced {
		return err
	}
	return s.conclude(ctx)
}

// tell gives the user a message once.
func (s *session) tell(message string) {
	if !s.told[message] {
		s.told[message] = true
		s.report(Waiting, message)
	}
}

// pause waits before another look at what others do.
func (s *session) pause(ctx context.Context) error {
	defer s.outside.begin()()
	select {
	case <-ctx.Done():
		return ErrInterrupted
	case <-time.After(claimPoll):
		return nil
	}
}

// timed calls f while no other tuner on this machine times or builds programs,
// knowing what others have stored before. Where the budget ends before that, f is not
// called, and the session is exhausted.
func (s *session) timed(ctx context.Context, f func() error) error {
	lock, err := s.await(ctx, runner.LockTiming)
	if err != nil || lock == nil {
		return err
	}
	defer lock.Unlock()
	if err := s.refresh(ctx); err != nil {
		return err
	}
	return f()
}

// await waits for one of the machine's locks as long as the budget lasts; then lock is nil
// and the session exhausted.
func (s *session) await(ctx context.Context, get func(context.Context, func(owner int)) (*runner.TimingLock, error)) (lock *runner.TimingLock, err error) {
	defer s.outside.begin()()
	defer s.waited.begin()()
	within := ctx
	if end := s.budgetEnd(); !end.IsZero() {
		bounded, stop := context.WithDeadline(ctx, end)
		defer stop()
		within = bounded
	}
	lock, err = get(within, s.waiting)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		s.exhausted = true
		return nil, nil
	}
	return lock, err
}

// refresh takes in what other tuners have stored. It gives errEnded when one of
// them has finished the session.
func (s *session) refresh(ctx context.Context) error {
	version, err := s.request.Store.DataVersion(ctx)
	if err != nil || version == s.version {
		return err
	}
	if err := s.checkEnded(ctx); err != nil {
		return err
	}
	if err := s.load(ctx); err != nil {
		return err
	}
	s.version = version
	return nil
}

// checkEnded gives errEnded when another tuner has finished the session.
func (s *session) checkEnded(ctx context.Context) error {
	known, found, err := s.request.Store.FindSession(ctx, s.key)
	if err == nil && found && known.UUID == s.uuid && !known.Finished.IsZero() {
		return errEnded
	}
	return err
}
