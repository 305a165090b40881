package store

import (
	"context"
	"database/sql"
	"errors"
)

// Standing is a session with what it has achieved so far and who is at work on
// it.
type Standing struct {
	SessionStatus
	// Tried counts the variants with a trial, the original not among them.
	Tried int
	// Best is the best variant so far, or "", with its time in seconds and its
	// speedup: the original unless one is known to be faster. While somebody is at work and
	// nothing is rated yet that is the one with the shortest single timing.
	Best             string
	Seconds, Speedup float64
	// Workers are known to be at work; some may be dead.
	Workers []Worker
}

// Standings lists sessions: those with workers first, then the one that was
// last worked on. At most limit are given, all for 0, and more says how many
// there are besides.
func (s *Store) Standings(ctx context.Context, limit int) (list []Standing, more int, err error) {
	const task = "list the sessions"
	sessions, err := s.Sessions(ctx)
	if err != nil {
		return nil, 0, err
	}
	workers, err := s.Workers(ctx, "")
	if err != nil {
		return nil, 0, err
	}
	active := map[string][]Worker{}
	for _, w := range workers {
		active[w.Session] = append(active[w.Session], w)
	}
	for _, running := range []bool{true, false} {
		for _, session := range sessions {
			if w := active[session.UUID]; running == (len(w) > 0) {
				list = append(list, Standing{SessionStatus: session, Workers: w})
			}
		}
	}
	if limit > 0 && len(list) > limit {
		list, more = list[:limit], len(list)-limit
	}
	for i := range list {
		if err := s.rate(ctx, &list[i]); err != nil {
			return nil, 0, explain(s.path, task, err)
		}
	}
	return list, more, nil
}

// rate finds out what a session has achieved.
func (s *Store) rate(ctx context.Context, st *Standing) error {
	err := s.db.QueryRowContext(ctx, `SELECT count(DISTINCT variant) FROM trial WHERE session = ? AND variant <> ?`, st.UUID, Original).Scan(&st.Tried)
	if err != nil {
		return err
	}
	err = s.db.QueryRowContext(ctx, `SELECT variant, seconds, speedup FROM trial
		WHERE session = ?1 AND status = 'ok' AND verified = 1 AND CASE ?3 WHEN '' THEN certainty = 3 OR variant = ?2 ELSE variant NOT LIKE ?2 || '%' END
		ORDER BY certainty DESC, speedup DESC, variant, uuid LIMIT 1`, st.UUID, Original, st.Target).Scan(&st.Best, &st.Seconds, &st.Speedup)
	if !errors.Is(err, sql.ErrNoRows) || len(st.Workers) == 0 {
		return ignoreNoRows(err)
	}
	return s.rateOpen(ctx, st)
}

func ignoreNoRows(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// rateOpen finds the fastest of the variants whose trials are open. That the
// baseline is not among the variants is seen by its partition.
func (s *Store) rateOpen(ctx context.Context, st *Standing) error {
	const fastest = `FROM trial JOIN sample ON sample.trial = trial.uuid
		JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
		WHERE trial.session = ? AND trial.status = 'interrupted' AND `
	err := s.db.QueryRowContext(ctx, `SELECT trial.variant, min(sample.seconds) `+fastest+`variant.partition <> ''
		GROUP BY trial.variant ORDER BY 2, 1 LIMIT 1`, st.UUID).Scan(&st.Best, &st.Seconds)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	var baseline sql.NullFloat64
	err = s.db.QueryRowContext(ctx, `SELECT min(sample.seconds) `+fastest+`variant.id = ?`, st.UUID, Original).Scan(&baseline)
	if baseline.Valid {
		st.Speedup = baseline.Float64 / st.Seconds
	}
	return err
}
