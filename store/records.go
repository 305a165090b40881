package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// Record is a trial as reports want it: with its variant, without its samples.
type Record struct {
	Trial
	// Partition is the class vector, "" for Original; Recipe is the list of
	// scheduling commands.
	Partition, Recipe string
}

// Machines gives all machines, by name and id.
func (s *Store) Machines(ctx context.Context) ([]Machine, error) {
	const task = "list the machines"
	rows, err := s.db.QueryContext(ctx, `SELECT id, name, description FROM machine ORDER BY name, id`)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var list []Machine
	for rows.Next() {
		var m Machine
		var description string
		if err := rows.Scan(&m.ID, &m.Name, &description); err != nil {
			return nil, explain(s.path, task, err)
		}
		m.Description = json.RawMessage(description)
		list = append(list, m)
	}
	return list, explain(s.path, task, rows.Err())
}

// Toolchains gives all toolchains, by name, version and id.
func (s *Store) Toolchains(ctx context.Context) ([]Toolchain, error) {
	const task = "list the toolchains"
	rows, err := s.db.QueryContext(ctx, `SELECT id, name, version, description FROM toolchain ORDER BY name, version, id`)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var list []Toolchain
	for rows.Next() {
		var t Toolchain
		var description string
		if err := rows.Scan(&t.ID, &t.Name, &t.Version, &description); err != nil {
			return nil, explain(s.path, task, err)
		}
		t.Description = json.RawMessage(description)
		list = append(list, t)
	}
	return list, explain(s.path, task, rows.Err())
}

// KernelName is the name of a kernel, by its ID.
func (s *Store) KernelName(ctx context.Context, id string) (name string, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT name FROM kernel WHERE id = ?`, id).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("%s has no kernel %s", s.path, id)
	}
	return name, explain(s.path, "look for a kernel", err)
}

// EachRecord calls each with the trials of a session, open ones too, in the order in
// which they were recorded, until it gives an error, which is returned as it
// is. It must not use the store: there is one connection.
func (s *Store) EachRecord(ctx context.Context, session string, each func(Record) error) error {
	const task = "read the trials of a session"
	rows, err := s.db.QueryContext(ctx, `SELECT `+trialColumns+`, variant.partition, variant.recipe
		FROM trial JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
		WHERE trial.session = ? ORDER BY trial.uuid`, session)
	if err != nil {
		return explain(s.path, task, err)
	}
	defer rows.Close()
	for rows.Next() {
		var r Record
		if r.Trial, err = scanTrial(rows, &r.Partition, &r.Recipe); err != nil {
			return explain(s.path, task, err)
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return explain(s.path, task, rows.Err())
}

// Joules are the energies of the samples of a session's trials, by the trials' UUIDs; those of which
// nothing was told are left out.
func (s *Store) Joules(ctx context.Context, session string) (map[string][]float64, error) {
	all := map[string][]float64{}
	err := s.eachSample(ctx, session, ` AND joules IS NOT NULL`, func(sample Sample) { all[sample.Trial] = append(all[sample.Trial], sample.Joules) })
	return all, err
}

// Samples are those of a session's trials, by the trials' UUIDs, in the order of rounds.
func (s *Store) Samples(ctx context.Context, session string) (map[string][]Sample, error) {
	all := map[string][]Sample{}
	err := s.eachSample(ctx, session, "", func(sample Sample) { all[sample.Trial] = append(all[sample.Trial], sample) })
	return all, err
}

// eachSample calls each with the samples of a session's trials under a further condition.
func (s *Store) eachSample(ctx context.Context, session, condition string, each func(Sample)) error {
	const task = "read the samples of a session"
	rows, err := s.db.QueryContext(ctx, `SELECT sample.trial, round, position, sample.seconds, `+sampleColumns+`
		FROM trial JOIN sample ON sample.trial = trial.uuid WHERE trial.session = ?`+condition+` ORDER BY sample.trial, round, position`, session)
	if err != nil {
		return explain(s.path, task, err)
	}
	defer rows.Close()
	for rows.Next() {
		var owner string
		sample, err := scanSample(rows, &owner)
		if err != nil {
			return explain(s.path, task, err)
		}
		sample.Trial = owner
		each(sample)
	}
	return explain(s.path, task, rows.Err())
}

// Raced gives the trials of the variants that were timed in the race of a session, and
// of the original, with their samples, in the order in which they were recorded.
func (s *Store) Raced(ctx context.Context, session string) ([]Trial, error) {
	const task = "read the race of a session"
	trials, err := s.racedTrials(ctx, session)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	for i := range trials {
		if trials[i].Samples, err = s.samplesOf(ctx, trials[i].UUID); err != nil {
			return nil, explain(s.path, task, fmt.Errorf("trial %s: %w", trials[i].UUID, err))
		}
	}
	return trials, nil
}

func (s *Store) racedTrials(ctx context.Context, session string) ([]Trial, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+trialColumns+` FROM trial WHERE session = ?1
		  AND (variant = ?2 OR variant IN (SELECT raced.variant FROM trial AS raced JOIN sample ON sample.trial = raced.uuid
		                                   WHERE raced.session = ?1 AND sample.round > 0))
		ORDER BY uuid`, session, Original)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return collectTrials(rows)
}

func collectTrials(rows *sql.Rows) ([]Trial, error) {
	var trials []Trial
	for rows.Next() {
		t, err := scanTrial(rows)
		if err != nil {
			return nil, err
		}
		trials = append(trials, t)
	}
	return trials, rows.Err()
}

func (s *Store) samplesOf(ctx context.Context, trial string) ([]Sample, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT trial, round, position, seconds, `+sampleColumns+`
		FROM sample WHERE trial = ? ORDER BY round, position`, trial)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var samples []Sample
	for rows.Next() {
		var owner string
		sample, err := scanSample(rows, &owner)
		if err != nil {
			return nil, err
		}
		sample.Trial = owner
		samples = append(samples, sample)
	}
	return samples, rows.Err()
}
