package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"
)

// RegisterRegion notes that the region of a kernel has the hash; it does
// nothing where that is known. The hash is the same for all kernels that
// compute the same in the same way.
func (s *Store) RegisterRegion(ctx context.Context, kernel, hash string) error {
	return s.insert(ctx, "register a region",
		`INSERT INTO region (kernel, hash) VALUES (?, ?) ON CONFLICT (kernel, hash) DO NOTHING`, kernel, hash)
}

// BestOfRegion gives the best variants on a machine, by ID or name, of all
// kernels whose region has the hash: for each kernel what Best gives.
func (s *Store) BestOfRegion(ctx context.Context, hash, machine string) ([]Best, error) {
	kernels, err := s.kernelsOf(ctx, hash)
	if err != nil {
		return nil, explain(s.path, "look for a region", err)
	}
	var all []Best
	for _, kernel := range kernels {
		list, err := s.Best(ctx, BestQuery{KernelID: kernel, Machine: machine})
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// kernelsOf are the IDs of the kernels with a region.
func (s *Store) kernelsOf(ctx context.Context, hash string) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT kernel FROM region WHERE hash = ? ORDER BY kernel`, hash)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var kernels []string
	for rows.Next() {
		var kernel string
		if err := rows.Scan(&kernel); err != nil {
			return nil, err
		}
		kernels = append(kernels, kernel)
	}
	return kernels, rows.Err()
}

// Provenance says where a result comes from.
type Provenance struct {
	// Session is the UUID of the session, and Settings its settings as JSON.
	Session  string
	Settings json.RawMessage
	// Finished is when the trial ended or, of an open one, when its session was last opened.
	Finished time.Time
	// Machine and Toolchain are the descriptions as JSON.
	Machine, Toolchain json.RawMessage
}

// Provenance tells where the result of a trial comes from.
func (s *Store) Provenance(ctx context.Context, trial string) (Provenance, error) {
	var p Provenance
	var settings, machine, toolchain string
	var finished sql.NullString
	err := s.db.QueryRowContext(ctx, `SELECT session.uuid, session.settings, coalesce(trial.finished, session.opened), machine.description, toolchain.description
		FROM trial JOIN session ON session.uuid = trial.session
		JOIN machine ON machine.id = session.machine
		JOIN toolchain ON toolchain.id = session.toolchain
		WHERE trial.uuid = ?`, trial).Scan(&p.Session, &settings, &finished, &machine, &toolchain)
	if err != nil {
		return p, explain(s.path, "look for where trial "+trial+" comes from", err)
	}
	p.Settings, p.Machine, p.Toolchain = json.RawMessage(settings), json.RawMessage(machine), json.RawMessage(toolchain)
	p.Finished, err = parseTime(finished)
	return p, err
}
