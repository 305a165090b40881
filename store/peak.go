package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Peaks is one measurement of what programs of a toolchain can get out of a
// machine at most.
type Peaks struct {
	// Machine and Toolchain are the IDs of registered things.
	Machine, Toolchain string
	// Rates is the measurement's JSON.
	Rates json.RawMessage
	// Measured is the time of the measurement, to 1 ms.
	Measured time.Time
}

// RecordPeaks keeps a measurement; earlier ones stay.
func (s *Store) RecordPeaks(ctx context.Context, p Peaks) error {
	rates, err := canonicalJSON(p.Rates)
	if err != nil {
		return fmt.Errorf("peaks of machine %s: %w", p.Machine, err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	return s.insert(ctx, "record the peaks of a machine",
		`INSERT INTO peak (uuid, machine, toolchain, measured, rates) VALUES (?, ?, ?, ?, ?)`,
		id.String(), p.Machine, p.Toolchain, formatTime(p.Measured), rates)
}

// LastPeaks gives the newest measurement for a machine and a toolchain; found is
// false when there is none.
func (s *Store) LastPeaks(ctx context.Context, machine, toolchain string) (p Peaks, found bool, err error) {
	p = Peaks{Machine: machine, Toolchain: toolchain}
	var measured sql.NullString
	var rates string
	err = s.db.QueryRowContext(ctx, `SELECT measured, rates FROM peak WHERE machine = ? AND toolchain = ?
		ORDER BY measured DESC, uuid DESC LIMIT 1`, machine, toolchain).Scan(&measured, &rates)
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	if err == nil {
		p.Rates = json.RawMessage(rates)
		p.Measured, err = parseTime(measured)
	}
	return p, err == nil, explain(s.path, "read the peaks of a machine", err)
}
