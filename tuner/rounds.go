package tuner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"polytune/runner"
	"polytune/store"
)

// original builds and times the original program, once in a session, to have
// its results and its time.
func (s *session) original(ctx context.Context) error {
	if s.fingerprints != nil {
		return nil
	}
	s.report(Preparing, "")
	r := s.ledger.records[store.Original]
	binary, err := s.benches.own().build(ctx, Generated{Source: s.request.Source})
	if changed := s.checkCompilers(ctx); changed != nil {
		return changed
	}
	if err != nil {
		return s.baseline(ctx, err)
	}
	timing, repetitions, err := s.clock.calibrate(ctx, *binary, func(int) time.Duration { return s.request.Settings.Limits.Run(0) })
	if err != nil {
		return s.baseline(ctx, err)
	}
	s.clock.note(timing, s.clock.warm(repetitions))
	r.binary, r.repetitions = binary, repetitions
	s.fingerprints, s.baselineWall = timing.Fingerprints, timing.Wall
	return s.keep(ctx, r, sample(timing, screeningRound, s.nextPosition()))
}

// baseline is an error of the original, unless the session was interrupted.
func (s *session) baseline(ctx context.Context, err error) error {
	if settled := settle(ctx, err); errors.Is(settled, ErrInterrupted) {
		return settled
	}
	return &BaselineError{Err: err}
}

func (s *session) nextPosition() int {
	s.ledger.position++
	return s.ledger.position - 1
}

// screen times variants once each.
func (s *session) screen(ctx context.Context, ready []*record) error {
	if len(ready) == 0 {
		return nil
	}
	return s.timed(ctx, func() error {
		return s.until(ctx, s.screeningEnd(), func(ctx context.Context) error {
			if err := s.original(ctx); err != nil {
				return err
			}
			for _, r := range ready {
				s.report(Screening, "")
				if err := s.screenOne(ctx, r); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// screenOne times a variant once, unless its machine code was timed already.
func (s *session) screenOne(ctx context.Context, r *record) error {
	if twin := s.ledger.hashes[r.binary.Hash]; twin != nil {
		return s.copyTwin(ctx, r, twin)
	}
	s.ledger.hashes[r.binary.Hash] = r
	s.tellNotes()
	_, best := s.ledger.fastest()
	timing, repetitions, err := s.firstSample(ctx, *r.binary, best)
	if err == nil {
		err = s.sameResult(ctx, r, timing)
	}
	if err != nil {
		return s.fail(ctx, r, err, sourceOf(r.binary))
	}
	r.repetitions = repetitions
	return s.keep(ctx, r, sample(timing, screeningRound, s.nextPosition()))
}

// firstSample is the sample of a variant's screening, when the best known call takes so many
// seconds. One that sends the variant away though it is shorter than a sample has to be, of a call
// or few whose caches are cold or which others disturbed, is taken twice; the faster one counts.
func (s *session) firstSample(ctx context.Context, binary runner.Binary, best float64) (runner.Timing, int, error) {
	limit := func(calls int) time.Duration { return s.clock.cap(best, s.policy.screeningFactor, calls) }
	timing, repetitions, err := s.clock.calibrate(ctx, binary, limit)
	if err != nil || best == 0 || timing.Seconds[0] <= s.policy.screeningFactor*best || s.clock.suffices(timing.Seconds[0], repetitions) {
		return timing, repetitions, err
	}
	again, more, err := s.clock.calibrate(ctx, binary, limit)
	if err == nil && again.Seconds[0] < timing.Seconds[0] {
		return again, more, nil
	}
	if err != nil && !isTimeout(err) {
		return again, more, err
	}
	return timing, repetitions, nil
}

// copyTwin gives a variant the outcome of the one with the same machine code.
func (s *session) copyTwin(ctx context.Context, r, twin *record) error {
	if err := s.benches.discard(r); err != nil {
		return err
	}
	r.binary = nil
	detail := sameCode + twin.id + ", which was timed"
	if twin.failed() {
		return s.finish(ctx, r, store.Outcome{Status: twin.status, Detail: detail + ": " + twin.detail})
	}
	summary, ok := s.ledger.summary(twin.id)
	if !ok {
		return fmt.Errorf("no timings of variant %s", twin.id)
	}
	r.twin = twin.id
	return s.finish(ctx, r, store.Outcome{Status: store.OK, Verified: true, Detail: detail, Summary: &summary})
}

// race times the contenders in rounds until nothing is left to decide, or the
// rounds, the time or the budget are used up.
func (s *session) race(ctx context.Context) error {
	s.workers.quiet(ctx)
	s.fitRace()
	s.racingSince = time.Now()
	for first := true; ; first = false {
		place := stand(s.ledger.history(), s.out(), s.policy)
		late := s.policy.target > 0 && time.Since(s.racingSince) > s.policy.target && place.rounds >= s.policy.roundsMin
		if place.settled || late {
			s.settled = true
			return nil
		}
		if s.outOfBudget(s.lastRound) {
			s.exhausted = true
			return nil
		}
		if first {
			s.discardOthers(place.contenders)
		}
		if err := s.runRound(ctx, place); err != nil {
			return err
		}
	}
}

// out are the variants that take no part in the race: the failed ones, and
// those that no candidate makes any more.
func (s *session) out() map[string]bool {
	out := s.ledger.failed()
	for id, r := range s.ledger.records {
		if r.candidate == nil && id != store.Original {
			out[id] = true
		}
	}
	return out
}

// discardOthers removes the binaries that will not be timed any more.
func (s *session) discardOthers(contenders []string) {
	for id, r := range s.ledger.records {
		if r.binary != nil && id != store.Original && !slices.Contains(contenders, id) {
			if s.benches.discard(r) == nil {
				r.binary = nil
			}
		}
	}
}

// runRound times the original and the contenders once each, and one of them
// again as a control.
func (s *session) runRound(ctx context.Context, place standing) error {
	s.round, s.contenders = place.rounds+1, len(place.contenders)
	s.lead()
	s.report(Racing, "")
	if err := s.original(ctx); err != nil {
		return err
	}
	if err := s.rebuild(ctx, place.contenders); err != nil {
		return err
	}
	start, number := time.Now(), s.ledger.history().lastRound()+1
	if err := s.look(ctx, number); err != nil {
		return err
	}
	slog.InfoContext(ctx, "round", "round", number, "leader", place.leader, "contenders", place.contenders)
	for position, run := range place.order(s.request.Seed, number) {
		if err := s.raceOne(ctx, run, number, position); err != nil {
			return err
		}
		s.report(Racing, "")
	}
	s.lastRound = time.Since(start)
	return nil
}

// stateOf finds out the state of processors; tests of sessions have one that takes no time, and
// does not need two processors at once.
var stateOf = runner.Look

// look finds out and keeps the state of the machine in front of a round.
func (s *session) look(ctx context.Context, round int) error {
	found, err := stateOf(ctx, s.clock.cpus)
	if err != nil || found == (runner.State{}) {
		return err
	}
	state := store.RoundState{Round: round, RoundTrip: found.RoundTrip, Frequency: found.Frequency}
	if err := s.request.Store.AddRoundState(context.WithoutCancel(ctx), s.uuid, state); err != nil {
		return err
	}
	s.ledger.look(state)
	return nil
}

// raceOne takes one sample in a round. A variant that was lost in rebuilding is
// passed over; so is the first run that takes too long, since the variant was
// fast enough before and the machine may be to blame. A control that fails is a
// failure of its variant.
func (s *session) raceOne(ctx context.Context, run run, round, position int) error {
	r := s.ledger.records[run.variant]
	if r.binary == nil || r.failed() {
		return nil
	}
	p := s.clock.warm(r.repetitions)
	limit := s.clock.cap(s.ledger.slowest(r.id), s.request.Settings.Limits.RunFactor, p.calls())
	if r.id == store.Original {
		limit = s.request.Settings.Limits.Run(0)
	}
	timing, err := s.clock.time(ctx, *r.binary, p, limit)
	if err == nil {
		err = s.request.told(timing)
	}
	if err == nil {
		err = s.sameResult(ctx, r, timing)
	}
	switch {
	case err == nil && run.control:
		return s.keepControl(ctx, r, sample(timing, round, position))
	case err == nil:
		return s.keep(ctx, r, sample(timing, round, position))
	case isTimeout(err) && ctx.Err() == nil && r.id != store.Original && !r.late:
		r.late = true
		return nil
	case r.id == store.Original:
		return s.baseline(ctx, err)
	}
	return s.fail(ctx, r, err, sourceOf(r.binary))
}

// rebuild builds the contenders that have no binary because an earlier process
// screened them.
func (s *session) rebuild(ctx context.Context, contenders []string) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(s.request.jobs())
	for _, id := range contenders {
		r := s.ledger.records[id]
		if r.binary != nil {
			continue
		}
		group.Go(func() error {
			bench, err := s.benches.of(r.id)
			if err != nil {
				return err
			}
			generated, err := s.generate(inner, *r.candidate)
			if err == nil {
				r.binary, err = bench.build(inner, generated)
			}
			if err != nil {
				return s.fail(inner, r, err, generated.Source)
			}
			seconds := s.ledger.slowest(r.id)
			wall := s.clock.overhead + time.Duration(seconds*float64(time.Second))
			r.repetitions = s.clock.repetitions(seconds, 1, wall)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return s.checkCompilers(ctx)
}
