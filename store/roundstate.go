package store

import (
	"context"
	"database/sql"
)

// RoundState is what was found out about the machine in front of a round of a
// race. What is 0 is not known.
type RoundState struct {
	Round int
	// RoundTrip is the time in seconds in which a cache line went from one of
	// the timings' processors to another and back.
	RoundTrip float64
	// Frequency is that of the first of these processors' clock, in Hz.
	Frequency float64
}

// AddRoundState stores the state of a round of a session, of which each has at
// most one.
func (s *Store) AddRoundState(ctx context.Context, session string, state RoundState) error {
	return s.write(ctx, "add the state of a round", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO round_state (session, round, round_trip, frequency) VALUES (?, ?, nullif(?, 0), nullif(?, 0))`,
			session, state.Round, state.RoundTrip, state.Frequency)
		return err
	})
}

// RoundStates gives the states of a session's rounds, in their order.
func (s *Store) RoundStates(ctx context.Context, session string) ([]RoundState, error) {
	const task = "read the states of rounds"
	rows, err := s.db.QueryContext(ctx, `SELECT round, ifnull(round_trip, 0), ifnull(frequency, 0)
		FROM round_state WHERE session = ? ORDER BY round`, session)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var states []RoundState
	for rows.Next() {
		var state RoundState
		if err := rows.Scan(&state.Round, &state.RoundTrip, &state.Frequency); err != nil {
			return nil, explain(s.path, task, err)
		}
		states = append(states, state)
	}
	return states, explain(s.path, task, rows.Err())
}
