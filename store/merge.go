package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"github.com/mattn/go-sqlite3"
)

// Merged is what a database gave to another one.
type Merged struct {
	// Path is the database that gave.
	Path string `json:"path"`
	// Rows are the rows by kind: "machines", "toolchains", "kernels", "regions", "variants",
	// "sessions", "trials", "samples", "controls", "states of rounds", "peaks".
	Rows map[string]MergedRows `json:"rows"`
}

// MergedRows counts rows of one kind.
type MergedRows struct {
	// Total is how many the source has, New how many of them were not known,
	// Newer how many of the known ones had gone further in the source.
	Total int `json:"total"`
	New   int `json:"new"`
	Newer int `json:"newer"`
}

// Merge makes the database at target, which need not exist, the union of
// itself and the sources, and says what each source gave. Sources are read and
// checked first, all of them, so that a bad one stops the merge before
// anything is written; they are never changed: an older schema is migrated in a
// copy. Each source is taken in as a whole or not at all.
//
// The result does not depend on the order of the sources or on how often one
// is merged; see "Union" in the description of the package.
//
// Errors: those of Open; *IdentityError when two databases have different things
// under one id.
func Merge(ctx context.Context, target string, sources ...string) (merged []Merged, err error) {
	folder, err := os.MkdirTemp("", "tune-merge-")
	if err != nil {
		return nil, fmt.Errorf("no place for copies of the databases (set TMPDIR): %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	copies := make([]string, len(sources))
	for i, source := range sources {
		copies[i] = filepath.Join(folder, strconv.Itoa(i)+".db")
		if err := snapshot(ctx, source, copies[i]); err != nil {
			return nil, err
		}
	}
	s, err := Open(ctx, target)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for i, source := range sources {
		rows, err := s.absorb(ctx, copies[i])
		if err != nil {
			return merged, explain(s.path, "merge "+source+" into it", err)
		}
		merged = append(merged, Merged{Path: source, Rows: rows})
	}
	return merged, nil
}

// snapshot makes a copy of the database at path, found sound and brought to the
// present schema. The database itself is only read.
func snapshot(ctx context.Context, path, target string) error {
	scripts, err := loadMigrations(migrationFiles)
	if err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return fmt.Errorf("database %s: %w", path, err)
	}
	network, err := checkSource(path)
	if err != nil {
		return err
	}
	if err := copySource(ctx, path, target, network); err != nil {
		return explainOpening(path, err)
	}
	db, err := connect(target, url.Values{"_synchronous": {"OFF"}, "_foreign_keys": {"0"}})
	if err != nil {
		return err
	}
	if err = check(ctx, db, path, "integrity_check"); err == nil {
		err = applyMigrations(ctx, db, path, scripts)
	}
	return explainOpening(path, errors.Join(err, db.Close()))
}

// checkSource finds what keeps a database from being read, and whether it is
// on a network file system.
func checkSource(path string) (network bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, &AccessError{Path: path, Problem: "there is no such file", Advice: "give the databases to merge", Err: err}
	case err != nil:
		return false, &AccessError{Path: path, Problem: err.Error(), Advice: "give a database that can be read", Err: err}
	case !info.Mode().IsRegular():
		return false, &AccessError{Path: path, Problem: "this is not a regular file", Advice: "give the name of a database"}
	case 0 < info.Size() && info.Size() < leastPage:
		return false, &DamagedError{Path: path, Problem: "the file is too short"}
	}
	name, err := probeFileSystem(path)
	return name != "", describe(path, "find out its file system", err)
}

// copySource copies a database that may be in use. One whose log has something
// in it is read through SQLite; where that is not possible, as without the
// right to write or on a network file system, where no tuner works, and of
// one that nobody has open, the files are copied. Should somebody write to
// them at that moment, the check of the copy finds out.
func copySource(ctx context.Context, path, target string, network bool) error {
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 && !network {
		err := copyLive(ctx, path, target)
		if err == nil || !isInaccessible(err) {
			return err
		}
		if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := copyFile(path, target); err != nil {
		return err
	}
	for _, suffix := range []string{"-wal", "-journal"} {
		if err := copyFile(path+suffix, target+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func copyLive(ctx context.Context, path, target string) error {
	db, err := connect(path, url.Values{"mode": {"ro"}})
	if err != nil {
		return err
	}
	return errors.Join(writeCopy(ctx, db, target), db.Close())
}

// isInaccessible reports whether SQLite lacks a right that copying files does
// not need.
func isInaccessible(err error) bool {
	var cause sqlite3.Error
	return errors.As(err, &cause) &&
		(cause.Code == sqlite3.ErrCantOpen || cause.Code == sqlite3.ErrReadonly || cause.Code == sqlite3.ErrPerm)
}

// absorb takes in the rows of a snapshot in one transaction.
func (s *Store) absorb(ctx context.Context, path string) (rows map[string]MergedRows, err error) {
	connection, err := s.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, connection.Close()) }()
	if _, err := connection.ExecContext(ctx, `ATTACH ? AS source`, path); err != nil {
		return nil, err
	}
	defer func() {
		_, detached := connection.ExecContext(context.WithoutCancel(ctx), `DETACH source`)
		err = errors.Join(err, detached)
	}()
	tx, err := connection.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	if rows, err = unite(ctx, tx); err != nil {
		return nil, err
	}
	return rows, tx.Commit()
}

// unite adds the rows of the attached database "source". The triggers that keep
// finished rows from being changed would be in the way of a row that is
// finished in one database and open in the other; they are put back before the
// transaction ends.
func unite(ctx context.Context, tx *sql.Tx) (map[string]MergedRows, error) {
	restore, err := withoutTriggers(ctx, tx)
	if err != nil {
		return nil, err
	}
	counts := map[string]MergedRows{}
	for _, t := range mergedTables {
		if counts[t.plural], err = t.unite(ctx, tx); err != nil {
			return nil, err
		}
	}
	return counts, restore()
}

// withoutTriggers removes all triggers; restore makes them again.
func withoutTriggers(ctx context.Context, tx *sql.Tx) (restore func() error, err error) {
	texts := map[string]string{}
	rows, err := tx.QueryContext(ctx, `SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, err
		}
		texts[name] = text
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, err
	}
	for name := range texts {
		if _, err := tx.ExecContext(ctx, `DROP TRIGGER main.`+quoteName(name)); err != nil {
			return nil, err
		}
	}
	return func() error {
		for _, text := range texts {
			if _, err := tx.ExecContext(ctx, text); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
