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

// HasKernel says whether the database knows a kernel.
func (s *Store) HasKernel(ctx context.Context, id string) (known bool, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM kernel WHERE id = ?)`, id).Scan(&known)
	return known, explain(s.path, "look for a kernel", err)
}

// BestOfRegion gives the best variants on a machine, by ID or name, of all
// kernels whose region has the hash: for each kernel what Best gives. first asks for the
// first of the list, whether or not it is known to be faster than the original.
func (s *Store) BestOfRegion(ctx context.Context, hash, machine string, first bool) ([]Best, error) {
	kernels, err := s.kernelsOf(ctx, hash)
	if err != nil {
		return nil, explain(s.path, "look for a region", err)
	}
	var all []Best
	for _, kernel := range kernels {
		list, err := s.Best(ctx, BestQuery{KernelID: kernel, Machine: machine, Any: first})
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
	// Session is the UUID of the session; Settings and Details are its own as JSON.
	Session           string
	Settings, Details json.RawMessage
	// Finished is when the trial ended or, of an open one, when its session was last opened.
	Finished time.Time
	// Machine and Toolchain, which built the variant, are the descriptions as JSON.
	// Baseline is that of the toolchain whose original its speedup is over.
	Machine, Toolchain, Baseline json.RawMessage
}

// Provenance tells where the result of a trial comes from.
func (s *Store) Provenance(ctx context.Context, trial string) (Provenance, error) {
	var p Provenance
	var settings, details, machine, toolchain, baseline string
	var finished sql.NullString
	err := s.db.QueryRowContext(ctx, `SELECT session.uuid, session.settings, session.details, coalesce(trial.finished, session.opened),
			machine.description, toolchain.description, own.description
		FROM trial JOIN session ON session.uuid = trial.session
		JOIN machine ON machine.id = session.machine
		JOIN toolchain AS own ON own.id = session.toolchain
		JOIN toolchain ON toolchain.id = ifnull(trial.toolchain, session.toolchain)
		WHERE trial.uuid = ?`, trial).Scan(&p.Session, &settings, &details, &finished, &machine, &toolchain, &baseline)
	if err != nil {
		return p, explain(s.path, "look for where trial "+trial+" comes from", err)
	}
	p.Settings, p.Details, p.Machine = json.RawMessage(settings), json.RawMessage(details), json.RawMessage(machine)
	p.Toolchain, p.Baseline = json.RawMessage(toolchain), json.RawMessage(baseline)
	p.Finished, err = parseTime(finished)
	return p, err
}
