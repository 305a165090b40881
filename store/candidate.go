package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Candidate is a point of the space that a session has tried.
type Candidate struct {
	// Partition is the class vector, "" for the original built by another compiler;
	// Setting is the text of the other choices.
	Partition, Setting string
	// Variant is the ID of the variant that the point is.
	Variant string
	// Batch counts the batches before the one in which the point was proposed.
	Batch int
	// Binary is the hash of the machine code, or "".
	Binary string
}

// RecordCandidates stores candidates of a session, all of them or, after an
// error, none. Those that are known already stay as they are.
func (s *Store) RecordCandidates(ctx context.Context, session string, candidates ...Candidate) error {
	if len(candidates) == 0 {
		return nil
	}
	return s.write(ctx, "record candidates", func(tx *sql.Tx) error {
		for _, c := range candidates {
			_, err := tx.ExecContext(ctx, `INSERT INTO candidate (session, partition, setting, variant, batch, binary)
				VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, session, c.Partition, c.Setting, c.Variant, c.Batch, c.Binary)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Candidates are those of a session, in the order of batch, partition and
// setting.
func (s *Store) Candidates(ctx context.Context, session string) ([]Candidate, error) {
	const task = "read the candidates"
	rows, err := s.db.QueryContext(ctx, `SELECT partition, setting, variant, batch, binary FROM candidate
		WHERE session = ? ORDER BY batch, partition, setting`, session)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var list []Candidate
	for rows.Next() {
		var c Candidate
		if err := rows.Scan(&c.Partition, &c.Setting, &c.Variant, &c.Batch, &c.Binary); err != nil {
			return nil, explain(s.path, task, err)
		}
		list = append(list, c)
	}
	return list, explain(s.path, task, rows.Err())
}

// ReplayPrefix begins the setting of a candidate that names a variant by its id, as one that is
// timed again; such a setting says nothing of what the variant is.
const ReplayPrefix = "variant="

// Settings are the shortest settings of the points that are variants of a kernel, by these.
func (s *Store) Settings(ctx context.Context, kernel string) (map[string]string, error) {
	const task = "read the points of variants"
	rows, err := s.db.QueryContext(ctx, `SELECT DISTINCT variant, setting FROM candidate JOIN session ON session.uuid = candidate.session
		WHERE session.kernel = ? AND instr(setting, ?) = 0 ORDER BY length(setting) DESC, setting DESC`, kernel, ReplayPrefix)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var variant, setting string
		if err := rows.Scan(&variant, &setting); err != nil {
			return nil, explain(s.path, task, err)
		}
		found[variant] = setting
	}
	return found, explain(s.path, task, rows.Err())
}

// Recorded is a candidate with its timing in the screening.
type Recorded struct {
	Candidate
	// Session is the UUID of the session, Machine and Toolchain are IDs, Size is the size's name.
	Session, Machine, Toolchain, Size string
	// Recipe is the variant's, "" where none was made.
	Recipe string
	// Seconds is the time in the screening, or what was compared in its place, 0 where there is
	// none, as for candidates whose machine code another one has; Original is that of the
	// original.
	Seconds, Original float64
}

// RecordedQuery says which sessions are meant.
type RecordedQuery struct {
	// Kernel is the ID of one version of a kernel, Size the name of a size, "" for any.
	Kernel, Size string
	// Machine and Toolchain are IDs, "" for any.
	Machine, Toolchain string
	// Target and Timing are as in On; all devices of a target count.
	Target, Timing string
	// Before, if not zero, leaves out trials that began later.
	Before time.Time
}

// Recorded are the candidates of the sessions in which the original was timed,
// session by session, in the order of Candidates, without originals that another
// compiler has built.
func (s *Store) Recorded(ctx context.Context, q RecordedQuery) ([]Recorded, error) {
	const task = "read what was recorded of a kernel"
	rows, err := s.db.QueryContext(ctx, `WITH wanted AS (SELECT * FROM session WHERE kernel = ?1 AND (?2 = '' OR size = ?2)
			AND (?4 = '' OR machine = ?4) AND (?5 = '' OR toolchain = ?5)
			AND target = ?7 AND timing = ?8),
		screened AS (SELECT trial.session, trial.variant,
			CASE ?8 WHEN 'energy' THEN coalesce(joules, 0) WHEN 'edp' THEN coalesce(joules, 0) * sample.seconds ELSE sample.seconds END AS seconds, min(trial.uuid || printf('%09d', sample.position))
			FROM wanted JOIN trial ON trial.session = wanted.uuid JOIN sample ON sample.trial = trial.uuid
			WHERE sample.round = 0 AND (?6 IS NULL OR trial.started < ?6) GROUP BY trial.session, trial.variant)
		SELECT wanted.uuid, machine, toolchain, size, candidate.partition, setting, candidate.variant, batch, binary,
			coalesce(variant.recipe, ''), coalesce(own.seconds, 0), original.seconds
		FROM wanted JOIN candidate ON candidate.session = wanted.uuid
		JOIN screened AS original ON original.session = wanted.uuid AND original.variant = ?3
		LEFT JOIN screened AS own ON own.session = wanted.uuid AND own.variant = candidate.variant
		LEFT JOIN variant ON variant.kernel = wanted.kernel AND variant.id = candidate.variant
		WHERE candidate.partition <> ''
		ORDER BY wanted.uuid, batch, candidate.partition, setting`,
		q.Kernel, q.Size, Original, q.Machine, q.Toolchain, timeOrNull(q.Before), q.Target, q.Timing)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var list []Recorded
	for rows.Next() {
		var r Recorded
		err := rows.Scan(&r.Session, &r.Machine, &r.Toolchain, &r.Size, &r.Partition, &r.Setting, &r.Variant, &r.Batch, &r.Binary, &r.Recipe, &r.Seconds, &r.Original)
		if err != nil {
			return nil, explain(s.path, task, err)
		}
		list = append(list, r)
	}
	return list, explain(s.path, task, rows.Err())
}

// longestPause bounds the time between two trials of a session at work, in
// seconds; after a longer one it has been interrupted.
const longestPause = 120

// Pace is the mean time that sessions on a machine took for a trial, from one to the
// next: of those for the target on the named kernel and size, or where there are too few, of all;
// found is false where there are too few of these, too.
func (s *Store) Pace(ctx context.Context, machine, kernel, size, target string) (seconds float64, found bool, err error) {
	const least = 5
	for _, of := range []struct{ kernel, size string }{{kernel, size}, {}} {
		var mean sql.NullFloat64
		var count int
		err := s.db.QueryRowContext(ctx, `SELECT avg(gap), count(*) FROM (
				SELECT (julianday(trial.started) - julianday(lag(trial.started) OVER
					(PARTITION BY trial.session ORDER BY trial.started, trial.uuid))) * 86400 AS gap
				FROM session JOIN kernel ON kernel.id = session.kernel JOIN trial ON trial.session = session.uuid
				WHERE session.machine = ?1 AND trial.variant <> ?2 AND (?3 = '' OR kernel.name = ?3 AND session.size = ?4) AND session.target = ?6)
			WHERE gap <= ?5`, machine, Original, of.kernel, of.size, longestPause, target).Scan(&mean, &count)
		if err != nil {
			return 0, false, explain(s.path, "look for the pace of sessions", err)
		}
		if count >= least {
			return mean.Float64, true, nil
		}
	}
	return 0, false, nil
}

// FindVariant gives a variant of a kernel; found is false when there is none of
// that id.
func (s *Store) FindVariant(ctx context.Context, kernel, id string) (v Variant, found bool, err error) {
	v = Variant{Kernel: kernel, ID: id}
	err = s.db.QueryRowContext(ctx, `SELECT partition, recipe FROM variant WHERE kernel = ? AND id = ?`, kernel, id).Scan(&v.Partition, &v.Recipe)
	if errors.Is(err, sql.ErrNoRows) {
		return Variant{}, false, nil
	}
	return v, err == nil, explain(s.path, "look for a variant", err)
}
