package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Rated is an open trial whose results were found good, with what its samples say.
type Rated struct {
	// Trial is its UUID.
	Trial   string
	Summary Summary
}

// RateTrials stores what the samples of open trials of a session say so far, of all of
// them or, after an error, of none. Their status is OK from then on, so that they can be
// best, but they stay open: they take samples, are rated again, and end as any other. Those
// that another process has finished meanwhile stay as they are.
func (s *Store) RateTrials(ctx context.Context, session string, rated ...Rated) error {
	return s.write(ctx, "rate trials", func(tx *sql.Tx) error {
		for _, r := range rated {
			var open bool
			if err := tx.QueryRowContext(ctx, `SELECT finished IS NULL FROM trial WHERE uuid = ?`, r.Trial).Scan(&open); err != nil {
				return fmt.Errorf("trial %s: %w", r.Trial, err)
			}
			if !open {
				continue
			}
			if err := rateTrials(ctx, tx, []Rated{r}, time.Time{}); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `UPDATE session SET rated = (`+samplesOfSession+`) WHERE uuid = ?`, session)
		return err
	})
}

// samplesOfSession counts the samples of the session of the query around it.
const samplesOfSession = `SELECT count(*) FROM trial JOIN sample ON sample.trial = trial.uuid WHERE trial.session = session.uuid`

// Unrated are the sessions that are not finished and have samples that their open trials
// were not rated by, oldest first: somebody is at work on them, or was when it died.
func (s *Store) Unrated(ctx context.Context) ([]Session, error) {
	const task = "look for sessions that nobody has rated"
	rows, err := s.db.QueryContext(ctx, `SELECT `+sessionColumns+` FROM session
		WHERE finished IS NULL AND (`+samplesOfSession+`) > ifnull(rated, 0) ORDER BY uuid`)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var list []Session
	for rows.Next() {
		session, err := scanSession(rows)
		if err != nil {
			return nil, explain(s.path, task, err)
		}
		list = append(list, session)
	}
	return list, explain(s.path, task, rows.Err())
}

// ConcludeSession finishes trials with the status OK, and with them the session, at
// once: whenever the process dies, either the session is finished or all of these
// trials go on.
func (s *Store) ConcludeSession(ctx context.Context, session string, rated ...Rated) error {
	return s.write(ctx, "conclude a session", func(tx *sql.Tx) error {
		if err := rateTrials(ctx, tx, rated, time.Now()); err != nil {
			return err
		}
		return finishSession(ctx, tx, session)
	})
}

// rateTrials gives trials the status OK and their summaries. With the zero time
// they stay open.
func rateTrials(ctx context.Context, tx *sql.Tx, rated []Rated, finished time.Time) error {
	for _, r := range rated {
		if err := updateTrial(ctx, tx, r.Trial, Outcome{Status: OK, Verified: true, Finished: finished, Summary: &r.Summary}); err != nil {
			return err
		}
	}
	return nil
}

// updateTrial writes the outcome of an open trial, which stays open with the zero
// time for Finished.
func updateTrial(ctx context.Context, tx *sql.Tx, trial string, outcome Outcome) error {
	if err := outcome.check(); err != nil {
		return fmt.Errorf("trial %s: %w", trial, err)
	}
	summary := make([]any, 9)
	if m := outcome.Summary; m != nil {
		summary = []any{m.Rounds, m.Seconds.Median, m.Seconds.Low, m.Seconds.High,
			m.Speedup.Median, m.Speedup.Low, m.Speedup.High, m.Coverage, m.Certainty}
	}
	args := append([]any{outcome.Status, outcome.Verified, outcome.Detail, timeOrNull(outcome.Finished)}, summary...)
	result, err := tx.ExecContext(ctx, `UPDATE trial SET status = ?, verified = ?, detail = ?, finished = ?,
		rounds = ?, seconds = ?, seconds_low = ?, seconds_high = ?, speedup = ?, speedup_low = ?, speedup_high = ?, coverage = ?, certainty = ?
		WHERE uuid = ?`, append(args, trial)...)
	if err != nil {
		return fmt.Errorf("trial %s: %w", trial, err)
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, fmt.Errorf("there is no trial %s", trial))
	}
	return nil
}
