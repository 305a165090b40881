package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

// NoteDetail sets one entry of the details of a session, which are a JSON object.
func (s *Store) NoteDetail(ctx context.Context, session, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("detail %s of the session: %w", name, err)
	}
	return s.write(ctx, "note a detail of a session", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE session SET details = json_set(details, ?, json(?)) WHERE uuid = ?`, `$."`+name+`"`, string(text), session)
		return err
	})
}
