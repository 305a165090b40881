package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Control is the second of two timings of one program in one round: an A/A
// control, by which a session knows how far equal programs are apart.
type Control struct {
	// Session is the UUID of the session, Variant the one whose program it is.
	Session, Variant string
	// Sample is the timing; its field Trial is "", because a control belongs
	// to no trial.
	Sample
}

// AddControl stores a control. A second one at the same place of a round is an
// error, as it is for samples.
func (s *Store) AddControl(ctx context.Context, c Control) error {
	return s.write(ctx, "add a control", func(tx *sql.Tx) error {
		if err := c.Sample.check(); err != nil {
			return err
		}
		args := append([]any{c.Variant, c.Round, c.Position, c.Seconds}, c.Sample.values()...)
		result, err := tx.ExecContext(ctx, `INSERT INTO control (session, kernel, variant, round, position, seconds, `+sampleColumns+`)
			SELECT uuid, kernel, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM session WHERE uuid = ?`, append(args, c.Session)...)
		if err != nil {
			return fmt.Errorf("session %s, round %d, position %d: %w", c.Session, c.Round, c.Position, err)
		}
		if n, err := result.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, fmt.Errorf("there is no session %s", c.Session))
		}
		return nil
	})
}

// Controls gives the controls of a session in the order of rounds.
func (s *Store) Controls(ctx context.Context, session string) ([]Control, error) {
	const task = "read the controls of a session"
	rows, err := s.db.QueryContext(ctx, `SELECT variant, round, position, seconds, `+sampleColumns+`
		FROM control WHERE session = ? ORDER BY round, position`, session)
	if err != nil {
		return nil, explain(s.path, task, err)
	}
	defer rows.Close()
	var controls []Control
	for rows.Next() {
		c := Control{Session: session}
		if c.Sample, err = scanSample(rows, &c.Variant); err != nil {
			return nil, explain(s.path, task, err)
		}
		controls = append(controls, c)
	}
	return controls, explain(s.path, task, rows.Err())
}
