package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// Trials gives all trials, open ones too, of all sessions with the key, with
// their samples, in the order in which they were recorded. Rounds of
// different sessions have nothing to do with each other.
func (s *Store) Trials(ctx context.Context, key SessionKey) ([]Trial, error) {
	const task = "read the trials of a session"
	settings, err := canonicalJSON(key.Settings)
	if err != nil {
		return nil, fmt.Errorf("settings of the session: %w", err)
	}
	key.Settings = json.RawMessage(settings)
	trials, err := s.readTrials(ctx, key)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	if err := s.readSamples(ctx, key, trials); err != nil {
		return nil, explain(s.path, task, err)
	}
	return trials, nil
}

// ofKey restricts a query with the table session to a key.
const ofKey = ` WHERE session.kernel = ? AND session.machine = ? AND session.toolchain = ?
	AND session.size = ? AND session.target = ? AND session.device = ? AND session.timing = ? AND session.settings = ? `

func (k SessionKey) arguments() []any {
	return []any{k.Kernel, k.Machine, k.Toolchain, k.Size, k.Target, k.Device, k.Timing, string(k.Settings)}
}

func (s *Store) readTrials(ctx context.Context, key SessionKey) ([]Trial, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+trialColumns+` FROM session JOIN trial ON trial.session = session.uuid`+ofKey+`ORDER BY trial.uuid`, key.arguments()...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return collectTrials(rows)
}

// trialColumns are what scanTrial reads.
const trialColumns = `trial.uuid, trial.session, trial.variant, ifnull(trial.toolchain, ''), status, verified, detail, trial.started, trial.finished,
	rounds, seconds, seconds_low, seconds_high, speedup, speedup_low, speedup_high, coverage, certainty`

// scanTrial reads the trialColumns, and after them what else the query
// selects.
func scanTrial(row scanner, more ...any) (Trial, error) {
	var t Trial
	var started, finished sql.NullString
	var rounds, certainty sql.NullInt64
	var numbers [7]sql.NullFloat64
	columns := []any{&t.UUID, &t.Session, &t.Variant, &t.Toolchain, &t.Status, &t.Verified, &t.Detail, &started, &finished,
		&rounds, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4], &numbers[5], &numbers[6], &certainty}
	if err := row.Scan(append(columns, more...)...); err != nil {
		return Trial{}, err
	}
	if rounds.Valid {
		t.Summary = &Summary{
			Rounds:   int(rounds.Int64),
			Seconds:  Estimate{numbers[0].Float64, numbers[1].Float64, numbers[2].Float64},
			Speedup:  Estimate{numbers[3].Float64, numbers[4].Float64, numbers[5].Float64},
			Coverage: numbers[6].Float64, Certainty: Certainty(certainty.Int64),
		}
	}
	var errs [2]error
	t.Started, errs[0] = parseTime(started)
	t.Finished, errs[1] = parseTime(finished)
	return t, errors.Join(errs[:]...)
}

// readSamples gives each of the trials its samples. Those of trials that
// another process has recorded since are left out.
func (s *Store) readSamples(ctx context.Context, key SessionKey, trials []Trial) error {
	index := make(map[string]int, len(trials))
	for i, t := range trials {
		index[t.UUID] = i
	}
	rows, err := s.db.QueryContext(ctx, `SELECT sample.trial, round, position, sample.seconds, `+sampleColumns+`
		FROM session JOIN trial ON trial.session = session.uuid JOIN sample ON sample.trial = trial.uuid`+ofKey+
		`ORDER BY sample.trial, round, position`, key.arguments()...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var trial string
		sample, err := scanSample(rows, &trial)
		if err != nil {
			return err
		}
		sample.Trial = trial
		if i, known := index[sample.Trial]; known {
			trials[i].Samples = append(trials[i].Samples, sample)
		}
	}
	return rows.Err()
}

// scanSample reads the name of what a sample belongs to, its round, position
// and seconds, and the sampleColumns.
func scanSample(row scanner, owner *string) (Sample, error) {
	var sample Sample
	var counts [5]sql.NullInt64
	var elapsed, stolen, kernel, transfer, joules sql.NullFloat64
	err := row.Scan(owner, &sample.Round, &sample.Position, &sample.Seconds,
		&counts[0], &counts[1], &counts[2], &counts[3], &counts[4], &elapsed, &stolen, &kernel, &transfer, &joules)
	if err != nil {
		return Sample{}, err
	}
	if counts[0].Valid {
		sample.Counters = &Counters{
			VoluntarySwitches: counts[0].Int64, InvoluntarySwitches: counts[1].Int64,
			MinorFaults: counts[2].Int64, MajorFaults: counts[3].Int64, MaxRSS: counts[4].Int64,
			Elapsed: elapsed.Float64, Stolen: stolen.Float64,
		}
	}
	sample.Joules = joules.Float64
	if kernel.Valid {
		sample.Device = &DeviceTimes{kernel.Float64, transfer.Float64}
	}
	return sample, nil
}

// FullCoverage is the coverage from which on an interval is complete; with less there is
// none to be shown.
const FullCoverage = 0.95

// BestQuery says which best variants to look for; fields that are "" do not
// restrict.
type BestQuery struct {
	// Kernel is the name of the kernel; of several versions of its source, the
	// one tuned last is meant. KernelID chooses a version instead.
	Kernel, KernelID string
	Size             string
	// Machine is the ID or the name of the machine.
	Machine string
	// Toolchain is the ID of the toolchain.
	Toolchain string
	// Any asks for the first of the list, whether or not it is known to be faster than the
	// original. The best on a device is a variant, the first of them, in any case.
	Any bool
	// AllVersions asks for all versions of kernels' sources, not only those that were
	// tuned last.
	AllVersions bool
	// On is whose results are meant: of processors where it is zero, and without a name of
	// all the target's devices. Anywhere asks for those of all targets instead.
	On
	Anywhere bool
}

// Best is the best known variant of a kernel for a size, machine and
// toolchain. It is Original, with a speedup of 1, where nothing is known to be faster.
type Best struct {
	// Trial is the UUID of the trial that showed it.
	Trial string
	// KernelName, MachineName and ToolchainName are for people; MachineName
	// is the ID where the machine has no name.
	KernelName, MachineName, ToolchainName string
	// Machine and Toolchain are IDs.
	Machine, Toolchain, Size string
	On
	// Variant has the ID of the kernel in its field Kernel.
	Variant Variant
	Summary Summary
}

// Best gives the best variants that the query asks for, at most one for each
// kernel, size, machine, toolchain and device, ordered by kernel and size, then the
// fastest in seconds first.
func (s *Store) Best(ctx context.Context, q BestQuery) ([]Best, error) {
	const task = "look for the best variant"
	view := "best_trial"
	if q.Any && q.Target == "" {
		view = "leading_trial"
	}
	rows, err := s.db.QueryContext(ctx, `SELECT trial.uuid, kernel.name,
			CASE machine.name WHEN '' THEN machine.id ELSE machine.name END, trim(toolchain.name || ' ' || toolchain.version),
			best_trial.machine, best_trial.toolchain, best_trial.size, best_trial.target, best_trial.device, best_trial.timing, variant.kernel, variant.id, variant.partition, variant.recipe,
			rounds, seconds, seconds_low, seconds_high, speedup, speedup_low, speedup_high, coverage, certainty
		FROM kernel JOIN `+view+` AS best_trial ON best_trial.kernel = kernel.id
		JOIN trial ON trial.uuid = best_trial.trial
		JOIN machine ON machine.id = best_trial.machine
		JOIN toolchain ON toolchain.id = best_trial.toolchain
		JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
		WHERE (?1 = '' OR kernel.name = ?1)
		  AND CASE ?2 WHEN '' THEN ?6 OR kernel.id IN (SELECT id FROM current_kernel) ELSE kernel.id = ?2 END
		  AND (?3 = '' OR best_trial.size = ?3)
		  AND (?4 = '' OR machine.id = ?4 OR machine.name = ?4)
		  AND (?5 = '' OR best_trial.toolchain = ?5)
		  AND (?7 OR best_trial.target = ?8 AND best_trial.timing = ?9 AND (?10 = '' OR best_trial.device = ?10))
		ORDER BY kernel.name, best_trial.size, best_trial.target, seconds, trial.uuid`, q.Kernel, q.KernelID, q.Size, q.Machine, q.Toolchain, q.AllVersions,
		q.Anywhere, q.Target, q.Timing, q.Device)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var list []Best
	for rows.Next() {
		var b Best
		m := &b.Summary
		err := rows.Scan(&b.Trial, &b.KernelName, &b.MachineName, &b.ToolchainName,
			&b.Machine, &b.Toolchain, &b.Size, &b.Target, &b.Device, &b.Timing, &b.Variant.Kernel, &b.Variant.ID, &b.Variant.Partition, &b.Variant.Recipe,
			&m.Rounds, &m.Seconds.Median, &m.Seconds.Low, &m.Seconds.High,
			&m.Speedup.Median, &m.Speedup.Low, &m.Speedup.High, &m.Coverage, &m.Certainty)
		if err != nil {
			return nil, explain(s.path, task, err)
		}
		list = append(list, b)
	}
	return list, explain(s.path, task, rows.Err())
}
