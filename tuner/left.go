package tuner

import (
	"context"
	"math"

	"polytune/runner"
	"polytune/store"
)

// ratedVariant is an open trial with the variant that it is of.
type ratedVariant struct {
	variant string
	store.Rated
}

// rate gives the open trials of verified variants with what their samples say.
func (l *ledger) rate(e evidence) []ratedVariant {
	var list []ratedVariant
	for _, id := range l.verified() {
		r := l.records[id]
		if summary, ok := e.summary(id); ok && r.trial != "" {
			list = append(list, ratedVariant{id, store.Rated{Trial: r.trial, Summary: summary}})
		}
	}
	return list
}

// ratedTrials are the trials alone.
func ratedTrials(list []ratedVariant) []store.Rated {
	trials := make([]store.Rated, len(list))
	for i, r := range list {
		trials[i] = r.Rated
	}
	return trials
}

// Left are the sessions with timings that nobody has rated, and nobody who could be at
// work on them: their tuners were killed. Of a tuner on another machine nothing is known;
// its sessions are not among them.
func Left(ctx context.Context, db *store.Store) ([]store.Session, error) {
	sessions, err := db.Unrated(ctx)
	if err != nil || len(sessions) == 0 {
		return nil, err
	}
	workers, err := db.Workers(ctx, "")
	if err != nil {
		return nil, err
	}
	alive := map[string]bool{}
	for _, w := range workers {
		process := runner.Process{Host: w.Host, Space: w.Space, PID: w.PID, Born: w.Born}
		alive[w.Session] = alive[w.Session] || !process.Gone()
	}
	var left []store.Session
	for _, s := range sessions {
		if !alive[s.UUID] {
			left = append(left, s)
		}
	}
	return left, nil
}

// RateLeft rates the trials of the sessions that Left gives, as these would have been where
// a budget had ended: what was timed counts. The trials stay open.
func RateLeft(ctx context.Context, db *store.Store) error {
	sessions, err := Left(ctx, db)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		stored, err := ReadStored(ctx, db, session)
		if err != nil {
			return err
		}
		l, h, p := stored.facts(0)
		if err := db.RateTrials(ctx, session.UUID, ratedTrials(l.rate(h.evidence(math.MaxInt, p)))...); err != nil {
			return err
		}
	}
	return nil
}
