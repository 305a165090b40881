package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
)

// Status is how a trial ended.
type Status string

// The statuses.
const (
	OK            Status = "ok"             // built, run and timed
	Illegal       Status = "illegal"        // the schedule violates a dependence
	CodegenFailed Status = "codegen-failed" // no source could be made
	CompileFailed Status = "compile-failed" // the compiler refused, crashed or took too long
	Crashed       Status = "crashed"        // the program died
	Timeout       Status = "timeout"        // the program took too long
	DeviceFailed  Status = "device-failed"  // the kernels could not run on the device
	WrongResult   Status = "wrong-result"   // the results differ from the original's
	Interrupted   Status = "interrupted"    // ended by the user, or not ended at all
)

// Trial is one variant built, verified and timed once within a session.
type Trial struct {
	// UUID is chosen by RecordTrial when it is "".
	UUID string
	// Session is the UUID of the session, Variant the ID of a registered
	// variant of the session's kernel.
	Session, Variant string
	// Toolchain is the ID of the registered toolchain that built it; "" for that of
	// the session.
	Toolchain string
	// Claimant, if not "", is the worker whose claim to the variant RecordTrial
	// takes back; without such a claim it is a *ClaimLostError, and nothing is
	// recorded. It is not stored.
	Claimant string
	Started  time.Time
	// Outcome is the zero value as long as the trial is open, apart from its
	// Status, which is Interrupted then; or what RateTrials has made of it.
	Outcome
	// Samples are in the order of round and position. Their field Trial may
	// be left "" for RecordTrial.
	Samples []Sample
}

// Open reports whether the trial is not finished: it takes more samples.
func (t *Trial) Open() bool { return t.Finished.IsZero() }

// Outcome is how a trial ended, and when.
type Outcome struct {
	Status Status
	// Verified says that the results were compared with the original's and
	// found good. Only verified trials can be best.
	Verified bool
	// Detail says more about a failure: a message, the first wrong element.
	Detail   string
	Finished time.Time
	// Summary is there exactly for the status OK.
	Summary *Summary
}

// Summary is what the tuner computed from the samples of a trial and of the
// session's baseline.
type Summary struct {
	// Rounds counts the rounds in which both were timed.
	Rounds int
	// Seconds is the time of the trial.
	Seconds Estimate
	// Speedup is the ratio of the baseline's time to the trial's in the same
	// round: above 1 for a faster variant, and 1 for the baseline itself.
	Speedup Estimate
	// Coverage is the probability that the interval of Speedup contains the
	// true median.
	Coverage float64
	// Certainty is what Rounds and Coverage are worth.
	Certainty Certainty
}

// Certainty is how much is known of a variant's speed beside the original's.
type Certainty int

// The certainties, each of which includes those before it.
const (
	// Screened: each of the two was timed once.
	Screened Certainty = iota
	// Raced: both were timed in rounds, too few for an interval.
	Raced
	// Bounded: the interval of the speedup has FullCoverage.
	Bounded
	// Faster: the variant is known to be faster than the original, however many others
	// were compared with it.
	Faster
)

// CompareTimings orders the summaries of variants of one session, the greatest speedup
// first: those with an interval in front of the others, and a single timing of the
// screening behind all rounds.
func (m Summary) CompareTimings(other Summary) int {
	return cmp.Or(cmp.Compare(min(other.Certainty, Bounded), min(m.Certainty, Bounded)),
		cmp.Compare(other.Speedup.Median, m.Speedup.Median))
}

// Estimate is a median with its confidence interval.
type Estimate struct{ Median, Low, High float64 }

// valid reports whether the numbers are in order, finite and above zero.
func (e Estimate) valid() bool {
	return 0 < e.Low && e.Low <= e.Median && e.Median <= e.High && !math.IsInf(e.High, 1)
}

// Sample is one timing.
type Sample struct {
	// Trial is the UUID of the trial.
	Trial string
	// Round is the round of the session, Position the place of this timing in
	// the order of the round.
	Round, Position int
	Seconds         float64
	// Counters is nil where nothing but the time is known.
	Counters *Counters
	// Device is nil for what ran on processors alone.
	Device *DeviceTimes
	// Joules is the energy that was taken; 0 where nothing has told it.
	Joules float64
}

// Cost is what is compared of a sample with On.Timing: seconds, joules, or their product; known is
// false where it is not known.
func (s Sample) Cost(timing string) (cost float64, known bool) {
	switch timing {
	case EnergyObjective:
		cost = s.Joules
	case EDPObjective:
		cost = s.Joules * s.Seconds
	default:
		cost = s.Seconds
	}
	return cost, cost > 0
}

// DeviceTimes are what a device's driver tells of a timing, in seconds: how long kernels ran,
// and how long data went to the device and back.
type DeviceTimes struct{ Kernel, Transfer float64 }

// Counters is what the operating system counted during a sample.
type Counters struct {
	VoluntarySwitches, InvoluntarySwitches int64
	MinorFaults, MajorFaults               int64
	// MaxRSS is the greatest resident set, in bytes.
	MaxRSS int64
	// Elapsed is the duration of the whole process, in seconds, and Stolen the
	// time that the host of a virtual machine took from its processors
	// meanwhile, their sum. Both are 0 where unknown.
	Elapsed, Stolen float64
}

// counterColumns are those of Counters.
const counterColumns = `voluntary_switches, involuntary_switches, minor_faults, major_faults, max_rss, elapsed, stolen`

// sampleColumns are those of a sample's Counters and DeviceTimes, and of its energy.
const sampleColumns = counterColumns + `, kernel_seconds, transfer_seconds, joules`

// values are those of the sampleColumns.
func (s Sample) values() []any {
	joules := sql.NullFloat64{Float64: s.Joules, Valid: s.Joules > 0}
	if s.Device == nil {
		return append(s.Counters.values(), nil, nil, joules)
	}
	return append(s.Counters.values(), s.Device.Kernel, s.Device.Transfer, joules)
}

// values are those of the counterColumns; all NULL for nil.
func (c *Counters) values() []any {
	if c == nil {
		return make([]any, 7)
	}
	return []any{c.VoluntarySwitches, c.InvoluntarySwitches, c.MinorFaults, c.MajorFaults, c.MaxRSS, c.Elapsed, c.Stolen}
}

// RecordTrial stores a trial with the samples it has, and gives its UUID. With
// the zero time for Finished the trial is open: it stands in the database as
// interrupted, and takes samples by AddSamples until FinishTrial. Started is
// set to now when it is zero.
func (s *Store) RecordTrial(ctx context.Context, t Trial) (string, error) {
	if t.UUID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return "", describe(s.path, "record a trial", err)
		}
		t.UUID = id.String()
	}
	if t.Started.IsZero() {
		t.Started = time.Now()
	}
	samples := make([]Sample, len(t.Samples))
	for i, sample := range t.Samples {
		sample.Trial = t.UUID
		samples[i] = sample
	}
	err := s.write(ctx, "record a trial", func(tx *sql.Tx) error {
		if t.Claimant != "" {
			if err := spendClaim(ctx, tx, t); err != nil {
				return err
			}
		}
		if err := insertTrial(ctx, tx, t); err != nil {
			return err
		}
		if err := insertSamples(ctx, tx, samples); err != nil {
			return err
		}
		if t.Open() {
			return nil
		}
		return finishTrial(ctx, tx, t.UUID, t.Outcome)
	})
	if err != nil {
		return "", err
	}
	return t.UUID, nil
}

// insertTrial stores t as an open trial.
func insertTrial(ctx context.Context, tx *sql.Tx, t Trial) error {
	result, err := tx.ExecContext(ctx, `INSERT INTO trial (uuid, session, kernel, variant, toolchain, status, verified, detail, started)
		SELECT ?, uuid, kernel, ?, nullif(nullif(?, ''), toolchain), ?, 0, '', ? FROM session WHERE uuid = ?`,
		t.UUID, t.Variant, t.Toolchain, Interrupted, formatTime(t.Started), t.Session)
	if err != nil {
		return fmt.Errorf("variant %s: %w", t.Variant, err)
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, fmt.Errorf("there is no session %s", t.Session))
	}
	return nil
}

// AddSamples stores timings of open trials, all of them or, after an error,
// none: typically those of one round. A finished trial, a time that is not
// above zero, or a second sample at the same place of a round is an error.
func (s *Store) AddSamples(ctx context.Context, samples ...Sample) error {
	return s.write(ctx, "add samples", func(tx *sql.Tx) error { return insertSamples(ctx, tx, samples) })
}

func insertSamples(ctx context.Context, tx *sql.Tx, samples []Sample) error {
	if len(samples) == 0 {
		return nil
	}
	insert, err := tx.PrepareContext(ctx, `INSERT INTO sample (trial, round, position, seconds, `+sampleColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, sample := range samples {
		if err := insertSample(ctx, insert, sample); err != nil {
			return fmt.Errorf("trial %s, round %d, position %d: %w", sample.Trial, sample.Round, sample.Position, err)
		}
	}
	return nil
}

func insertSample(ctx context.Context, insert *sql.Stmt, sample Sample) error {
	if err := sample.check(); err != nil {
		return err
	}
	args := append([]any{sample.Trial, sample.Round, sample.Position, sample.Seconds}, sample.values()...)
	_, err := insert.ExecContext(ctx, args...)
	return err
}

// check refuses what is no measurement.
func (s Sample) check() error {
	if !(Estimate{s.Seconds, s.Seconds, s.Seconds}).valid() {
		return fmt.Errorf("%v seconds is no measurement", s.Seconds)
	}
	return nil
}

// FinishTrial ends an open trial; from then on it never changes. Finished is
// set to now when it is zero.
func (s *Store) FinishTrial(ctx context.Context, trial string, outcome Outcome) error {
	return s.write(ctx, "finish a trial", func(tx *sql.Tx) error { return finishTrial(ctx, tx, trial, outcome) })
}

func finishTrial(ctx context.Context, tx *sql.Tx, trial string, outcome Outcome) error {
	if outcome.Finished.IsZero() {
		outcome.Finished = time.Now()
	}
	return updateTrial(ctx, tx, trial, outcome)
}

// check refuses what the schema would refuse, in words.
func (o Outcome) check() error {
	switch o.Status {
	case OK:
		if o.Summary == nil {
			return errors.New("status ok without a summary")
		}
		return o.Summary.check()
	case Illegal, CodegenFailed, CompileFailed, Crashed, Timeout, WrongResult, Interrupted:
		if o.Summary != nil {
			return fmt.Errorf("status %s with a summary", o.Status)
		}
		return nil
	}
	return fmt.Errorf("there is no status %q", o.Status)
}

func (m Summary) check() error {
	if m.Certainty < Screened || m.Certainty > Faster || m.Rounds < 1 || !m.Seconds.valid() || !m.Speedup.valid() || !(m.Coverage >= 0 && m.Coverage <= 1) {
		return fmt.Errorf("%+v is no summary of timings", m)
	}
	return nil
}
