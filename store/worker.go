package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Worker is a process at work on a session.
type Worker struct {
	UUID, Session string
	// Host is the name of its machine, for people. PID and Born identify the
	// process where Space is that of the one who asks (see runner.Process).
	Host, Space string
	PID         int
	Born        string
	// Beat grows as long as the worker lives. Whoever wants to know whether it
	// does, looks again later; clocks of different machines are not compared.
	Beat int64
	// Since and Seen are when the worker began and gave its last sign of life,
	// by its own clock.
	Since, Seen time.Time
	Activity
}

// Activity is what a worker does.
type Activity struct {
	Phase string
	// Done and Total count candidates, Round is that of the race.
	Done, Total, Round int
	// Best is the best variant so far, or "", with its time and speedup, 0 while
	// unknown.
	Best             string
	Seconds, Speedup float64
	// Left is an estimate of the time to the end; negative while unknown.
	Left time.Duration
}

// Beat gives a sign of life and says what the worker does. The first one
// makes it known; so does one after others have taken it for dead.
func (s *Store) Beat(ctx context.Context, w Worker) error {
	return s.write(ctx, "give a sign of life", func(tx *sql.Tx) error { return upsertWorker(ctx, tx, w) })
}

func upsertWorker(ctx context.Context, tx *sql.Tx, w Worker) error {
	now := formatTime(time.Now())
	left := sql.NullFloat64{Float64: w.Left.Seconds(), Valid: w.Left >= 0}
	_, err := tx.ExecContext(ctx, `INSERT INTO worker (uuid, session, host, space, pid, born, beat, since, seen,
			phase, done, total, round, best, seconds, speedup, seconds_left)
		VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (uuid) DO UPDATE SET beat = beat + 1, seen = excluded.seen, phase = excluded.phase,
			done = excluded.done, total = excluded.total, round = excluded.round, best = excluded.best,
			seconds = excluded.seconds, speedup = excluded.speedup, seconds_left = excluded.seconds_left`,
		w.UUID, w.Session, w.Host, w.Space, w.PID, w.Born, now, now,
		w.Phase, w.Done, w.Total, w.Round, w.Best, w.Seconds, w.Speedup, left)
	return err
}

// Leave says that a worker has ended; its claims return.
func (s *Store) Leave(ctx context.Context, worker string) error {
	return s.insert(ctx, "end the work on a session", `DELETE FROM worker WHERE uuid = ?`, worker)
}

// Expire removes a worker that is taken for dead, with its claims, unless it
// has given a sign of life since.
func (s *Store) Expire(ctx context.Context, w Worker) error {
	return s.insert(ctx, "remove a dead tuner", `DELETE FROM worker WHERE uuid = ? AND beat = ?`, w.UUID, w.Beat)
}

// Workers are those known to be at work on a session, or on all if it is "",
// in the order in which they began. Some may be dead.
func (s *Store) Workers(ctx context.Context, session string) ([]Worker, error) {
	const task = "read who is at work"
	rows, err := s.db.QueryContext(ctx, `SELECT `+workerColumns+` FROM worker WHERE ?1 = '' OR session = ?1 ORDER BY since, uuid`, session)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var workers []Worker
	for rows.Next() {
		w, err := scanWorker(rows)
		if err != nil {
			return nil, explain(s.path, task, err)
		}
		workers = append(workers, w)
	}
	return workers, explain(s.path, task, rows.Err())
}

const workerColumns = `worker.uuid, worker.session, host, space, pid, born, beat, since, seen,
	phase, done, total, round, best, seconds, speedup, seconds_left`

func scanWorker(row scanner) (Worker, error) {
	var w Worker
	var since, seen sql.NullString
	var left sql.NullFloat64
	err := row.Scan(&w.UUID, &w.Session, &w.Host, &w.Space, &w.PID, &w.Born, &w.Beat, &since, &seen,
		&w.Phase, &w.Done, &w.Total, &w.Round, &w.Best, &w.Seconds, &w.Speedup, &left)
	if err != nil {
		return Worker{}, err
	}
	w.Left = -time.Second
	if left.Valid {
		w.Left = time.Duration(left.Float64 * float64(time.Second))
	}
	var errs [2]error
	w.Since, errs[0] = parseTime(since)
	w.Seen, errs[1] = parseTime(seen)
	return w, errors.Join(errs[:]...)
}

// Race is the subject of the claim to a session's race; no variant is called so.
const Race = "race"

// Claimed is the answer to a claim.
type Claimed struct {
	// Granted says that the worker has the claim, Tried that the subject is a
	// variant with a trial in the session, so that nobody needs it. Otherwise
	// Holder has it.
	Granted, Tried bool
	Holder         Worker
}

// Claim asks for the right to a variant's first trial in the worker's session,
// or to the Race. It is asked for again by its holder without effect. A trial
// that was interrupted for good counts as none.
func (s *Store) Claim(ctx context.Context, w Worker, subject string) (Claimed, error) {
	var answer Claimed
	err := s.write(ctx, "take a claim", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM trial
			WHERE session = ? AND variant = ? AND (status <> 'interrupted' OR finished IS NULL))`, w.Session, subject).Scan(&answer.Tried)
		if err != nil || answer.Tried {
			return err
		}
		answer.Holder, err = scanWorker(tx.QueryRowContext(ctx, `SELECT `+workerColumns+`
			FROM claim JOIN worker ON worker.uuid = claim.worker WHERE claim.session = ? AND subject = ?`, w.Session, subject))
		if err == nil {
			answer.Granted = answer.Holder.UUID == w.UUID
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		answer = Claimed{Granted: true, Holder: w}
		if err := upsertWorker(ctx, tx, w); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO claim (session, subject, worker) VALUES (?, ?, ?)`, w.Session, subject, w.UUID)
		return err
	})
	return answer, err
}

// ClaimLostError says that others took a worker for dead, and that a trial is
// theirs now.
type ClaimLostError struct{ Subject string }

func (e *ClaimLostError) Error() string {
	return fmt.Sprintf("another tuner has taken over %s, because this one gave no sign of life for long", e.Subject)
}

// spendClaim gives the claim to a variant back when its trial is recorded.
func spendClaim(ctx context.Context, tx *sql.Tx, t Trial) error {
	result, err := tx.ExecContext(ctx, `DELETE FROM claim WHERE session = ? AND subject = ? AND worker = ?`, t.Session, t.Variant, t.Claimant)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, &ClaimLostError{Subject: "variant " + t.Variant})
	}
	return nil
}

// DataVersion changes whenever somebody else has written to the database; the
// numbers mean nothing else.
func (s *Store) DataVersion(ctx context.Context) (version int64, err error) {
	err = s.db.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version)
	return version, explain(s.path, "look for changes", err)
}
