package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/google/uuid"
)

// SessionKey says what a session is about. Sessions with equal keys are one
// piece of work; their trials compare.
type SessionKey struct {
	// Kernel, Machine and Toolchain are the IDs of registered things.
	Kernel, Machine, Toolchain string
	// Size is the name of the problem size, or the values of the parameters.
	Size string
	// On is what ran and what of it was timed.
	On
	// Settings is the JSON of those settings that decide whether trials
	// compare, such as the number of threads; the order of keys and white
	// space do not matter. nil means {}.
	Settings json.RawMessage
}

// On is what variants are code for, the device they ran on, and which part of the time was
// compared: results that differ in these are never mixed. The zero value stands for
// processors.
type On struct {
	// Target is the name of a target with devices, such as "opencl"; Device names the device.
	Target, Device string
	// Timing is KernelTiming where kernels alone were compared, EnergyObjective or EDPObjective
	// where that was.
	Timing string
}

// EnergyObjective says that energy was compared, EDPObjective the product of energy and time.
const (
	EnergyObjective = "energy"
	EDPObjective    = "edp"
)

// IsObjective says whether something else than time was compared.
func (o On) IsObjective() bool { return o.Timing == EnergyObjective || o.Timing == EDPObjective }

// ComparedText says what was compared, "" for all of the time.
func (o On) ComparedText() string {
	switch {
	case o.Timing == "":
		return ""
	case o.Timing == EDPObjective:
		return "energy times time"
	case o.IsObjective():
		return o.Timing
	}
	return o.Timing + " time"
}

// KernelTiming says that the time of kernels was compared, without that of transfers and of
// all else.
const KernelTiming = "kernel"

// Text is "opencl on NAME", with the part of the time that was compared where that is not
// all; "" for the time on processors.
func (o On) Text() string {
	if o.Target == "" {
		return o.ComparedText()
	}
	text := o.Target + " on " + o.Device
	if o.Timing != "" {
		text += ", " + o.ComparedText()
	}
	return text
}

// Session is one piece of tuning work.
type Session struct {
	UUID string
	SessionKey
	// Details is JSON that the tuner keeps with the session.
	Details json.RawMessage
	// Started is when the session began, Opened when it was last begun or
	// resumed; Finished is zero unless it ended since. The resolution is 1 ms.
	Started, Opened, Finished time.Time
	// Resumed says, in the answer of BeginSession, that the session is older.
	Resumed bool
}

const sessionColumns = `uuid, kernel, machine, toolchain, size, target, device, timing, settings, details, started, opened, finished`

// BeginSession resumes the newest session with the key, or begins one. What
// details says otherwise than those of the call that began the session is added to
// these, in the list "resumed", with the time. A finished session is given as it is:
// somebody else may just have finished it. Two processes that begin the same work
// at once get the same session.
func (s *Store) BeginSession(ctx context.Context, key SessionKey, details json.RawMessage) (Session, error) {
	settings, err := canonicalJSON(key.Settings)
	if err != nil {
		return Session{}, fmt.Errorf("settings of the session: %w", err)
	}
	text, err := canonicalJSON(details)
	if err != nil {
		return Session{}, fmt.Errorf("details of the session: %w", err)
	}
	key.Settings = json.RawMessage(settings)
	var session Session
	err = s.write(ctx, "begin a session", func(tx *sql.Tx) error {
		var found bool
		var err error
		if session, found, err = findSession(ctx, tx, key); err != nil {
			return err
		}
		now := time.Now().UTC().Truncate(time.Millisecond)
		if found && !session.Finished.IsZero() {
			session.Resumed = true
			return nil
		}
		if found {
			session.Resumed, session.Opened, session.Details = true, now, resumedDetails(session.Details, json.RawMessage(text), now)
			_, err = tx.ExecContext(ctx, `UPDATE session SET opened = ?, details = ? WHERE uuid = ?`, formatTime(now), string(session.Details), session.UUID)
			return err
		}
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		session = Session{UUID: id.String(), SessionKey: key, Details: json.RawMessage(text), Started: now, Opened: now}
		_, err = tx.ExecContext(ctx, `INSERT INTO session (`+sessionColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)`,
			session.UUID, key.Kernel, key.Machine, key.Toolchain, key.Size, key.Target, key.Device, key.Timing, settings, text, formatTime(now), formatTime(now))
		return err
	})
	if err != nil {
		return Session{}, err
	}
	return session, nil
}

// FindSession gives the newest session with the key; found is false when there
// is none.
func (s *Store) FindSession(ctx context.Context, key SessionKey) (session Session, found bool, err error) {
	settings, err := canonicalJSON(key.Settings)
	if err != nil {
		return Session{}, false, fmt.Errorf("settings of the session: %w", err)
	}
	key.Settings = json.RawMessage(settings)
	session, found, err = findSession(ctx, s.db, key)
	return session, found, explain(s.path, "look for a session", err)
}

// findSession takes a key with canonical settings.
func findSession(ctx context.Context, db querier, key SessionKey) (Session, bool, error) {
	row := db.QueryRowContext(ctx, `SELECT `+sessionColumns+` FROM session`+ofKey+`ORDER BY uuid DESC LIMIT 1`, key.arguments()...)
	session, err := scanSession(row)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, false, nil
	}
	return session, err == nil, err
}

// SessionOf is the session of a trial.
func (s *Store) SessionOf(ctx context.Context, trial string) (Session, error) {
	row := s.db.QueryRowContext(ctx, `SELECT `+sessionColumns+` FROM session WHERE uuid = (SELECT session FROM trial WHERE uuid = ?)`, trial)
	session, err := scanSession(row)
	return session, explain(s.path, "look for the session of trial "+trial, err)
}

// scanner is a row of a query.
type scanner interface{ Scan(...any) error }

// scanSession reads the sessionColumns, and after them what else the query
// selects.
func scanSession(row scanner, more ...any) (Session, error) {
	var session Session
	var settings, details string
	var started, opened, finished sql.NullString
	columns := []any{&session.UUID, &session.Kernel, &session.Machine, &session.Toolchain, &session.Size,
		&session.Target, &session.Device, &session.Timing, &settings, &details, &started, &opened, &finished}
	if err := row.Scan(append(columns, more...)...); err != nil {
		return Session{}, err
	}
	session.Settings, session.Details = json.RawMessage(settings), json.RawMessage(details)
	var errs [3]error
	session.Started, errs[0] = parseTime(started)
	session.Opened, errs[1] = parseTime(opened)
	session.Finished, errs[2] = parseTime(finished)
	return session, errors.Join(errs[:]...)
}

// resumedDetails adds to the details of a session what those of a later call say
// otherwise, if anything. Details that are no objects stay as they are.
func resumedDetails(first, later json.RawMessage, opened time.Time) json.RawMessage {
	var kept, present map[string]json.RawMessage
	var calls []map[string]json.RawMessage
	if json.Unmarshal(first, &kept) != nil || json.Unmarshal(later, &present) != nil || kept == nil {
		return first
	}
	if list, is := kept["resumed"]; is && json.Unmarshal(list, &calls) != nil {
		return first
	}
	maps.DeleteFunc(present, func(name string, value json.RawMessage) bool { return bytes.Equal(value, kept[name]) })
	if len(present) == 0 {
		return first
	}
	present["opened"] = json.RawMessage(`"` + formatTime(opened) + `"`)
	list, err := json.Marshal(append(calls, present))
	if err != nil {
		return first
	}
	kept["resumed"] = list
	text, err := json.Marshal(kept)
	if err != nil {
		return first
	}
	return text
}

// finishSession marks the end of a session's work.
func finishSession(ctx context.Context, tx *sql.Tx, session string) error {
	result, err := tx.ExecContext(ctx, `UPDATE session SET finished = ? WHERE uuid = ?`, formatTime(time.Now()), session)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, fmt.Errorf("there is no session %s", session))
	}
	return nil
}

// SessionStatus is a session with what it has so far.
type SessionStatus struct {
	Session
	// KernelName, MachineName and ToolchainName are for people; MachineName
	// is the ID where the machine has no name.
	KernelName, MachineName, ToolchainName string
	// Trials counts the trials by status; a trial that is being timed counts
	// as Interrupted until it is rated.
	Trials map[Status]int
}

// Sessions lists all sessions, the one that was last worked on first.
func (s *Store) Sessions(ctx context.Context) ([]SessionStatus, error) {
	const task = "list the sessions"
	rows, err := s.db.QueryContext(ctx, `SELECT session.uuid, session.kernel, machine, toolchain, size, target, device, timing, settings, details,
			started, opened, finished, kernel.name, CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
			trim(toolchain.name || ' ' || toolchain.version)
		FROM session JOIN kernel ON kernel.id = session.kernel JOIN machine ON machine.id = session.machine
		JOIN toolchain ON toolchain.id = session.toolchain ORDER BY opened DESC, session.uuid DESC`)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var list []SessionStatus
	index := map[string]int{}
	for rows.Next() {
		status := SessionStatus{Trials: map[Status]int{}}
		status.Session, err = scanSession(rows, &status.KernelName, &status.MachineName, &status.ToolchainName)
		if err != nil {
			return nil, explain(s.path, task, err)
		}
		index[status.UUID] = len(list)
		list = append(list, status)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, explain(s.path, task, err)
	}
	err = s.count(ctx, func(session string, status Status, n int) {
		if at, known := index[session]; known {
			list[at].Trials[status] = n
		}
	})
	return list, explain(s.path, task, err)
}

// count calls f for every session and status that has trials. Of several trials of a variant, as
// after one that was interrupted, the last one counts.
func (s *Store) count(ctx context.Context, f func(session string, status Status, n int)) error {
	rows, err := s.db.QueryContext(ctx, `SELECT session, status, count(*) FROM
		(SELECT session, status, max(uuid) FROM trial GROUP BY session, variant) GROUP BY session, status`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var session string
		var status Status
		var n int
		if err := rows.Scan(&session, &status, &n); err != nil {
			return err
		}
		f(session, status, n)
	}
	return rows.Err()
}
