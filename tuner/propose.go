package tuner

import (
	"context"
	"slices"

	"polytune/store"
	"polytune/tuner/search"
)

// propose says what the next batch is, once the one before is through: first the leaders
// of what the session began with, for its further compilers, and then what the search
// finds promising; nothing without a search, and at its end.
func (s *session) propose(ctx context.Context, last []Candidate) ([]Candidate, error) {
	if s.batch == 0 {
		if more := s.elsewhere(last); len(more) > 0 {
			s.begun = last
			return more, nil
		}
	}
	last, s.begun = slices.Concat(s.begun, last), nil
	if s.search == nil {
		return nil, nil
	}
	outcomes := s.outcomes(slices.DeleteFunc(last, func(c Candidate) bool { return c.isOriginal() || s.isAside(c.Axis) }))
	var points []search.Point
	err := s.until(ctx, s.makingEnd(), func(ctx context.Context) (err error) {
		points, err = leave(ctx, &s.workers, func() ([]search.Point, error) { return s.search.Next(ctx, outcomes) })
		return err
	})
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	batch := make([]Candidate, len(points))
	for i, p := range points {
		batch[i] = Candidate{Partition: p.Partition, Axis: p.Setting}
	}
	return batch, nil
}

// isAside says that a candidate with a setting is no point that the search can start from,
// whichever compiler builds it.
func (s *session) isAside(axis string) bool {
	_, setting := SplitCompiler(axis)
	return slices.Contains(s.request.Aside, setting)
}

// outcomes are what became of the candidates of a batch in the screening: the
// same whether this process has timed them or another one, and whatever has
// become of them in the race since.
func (s *session) outcomes(batch []Candidate) []search.Outcome {
	s.ledger.mutex.Lock()
	defer s.ledger.mutex.Unlock()
	times := s.ledger.measured.times
	original := times[store.Original][screeningRound]
	list := make([]search.Outcome, len(batch))
	for i, c := range batch {
		list[i].Point = c.point()
		r := s.ledger.records[s.ledger.points[c.text()]]
		if r == nil {
			continue
		}
		list[i].Variant = r.id
		if twin := s.ledger.records[r.twin]; twin != nil {
			r = twin
		}
		if seconds, timed := times[r.id][screeningRound]; timed && original > 0 {
			list[i].Time = seconds / original
		}
	}
	return list
}

// total is the number of candidates that are tried at most, 0 where nobody
// knows.
func (s *session) total() int {
	total := len(s.request.Candidates) + s.request.Elsewhere()
	if s.search == nil {
		return total
	}
	if s.search.Limit() == 0 {
		return 0
	}
	return total + s.search.Limit()
}

// remember keeps in the store which candidates are which variants, so that a
// resumed session need not generate them again, and which of these have the
// same machine code. Variants that were named are no candidates.
func (s *session) remember(ctx context.Context, batch []Candidate) error {
	if s.request.Replay {
		return nil
	}
	return s.request.Store.RecordCandidates(context.WithoutCancel(ctx), s.uuid, s.ledger.fresh(batch, s.batch)...)
}

// searchText is what is kept with the session about how it searches.
func (s *session) searchText() string {
	if s.search == nil {
		return ""
	}
	return s.search.Identity()
}
