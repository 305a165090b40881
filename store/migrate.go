package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"time"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID is the value of PRAGMA application_id by which a database is
// known as polytune's: "TUNE" in ASCII.
const applicationID = 0x54554E45

// loadMigrations reads the files migrations/NNNN_*.sql; element k of the result
// leads from schema version k to k+1.
func loadMigrations(files fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(files, "migrations")
	if err != nil {
		return nil, fmt.Errorf("schema migrations: %w", err)
	}
	name := regexp.MustCompile(`^(\d{4})_\w+\.sql$`)
	var scripts []string
	for _, entry := range entries {
		parts := name.FindStringSubmatch(entry.Name())
		if parts == nil {
			return nil, fmt.Errorf("schema migrations: %s is not named NNNN_what.sql", entry.Name())
		}
		if number, _ := strconv.Atoi(parts[1]); number != len(scripts)+1 {
			return nil, fmt.Errorf("schema migrations: %s comes after number %d", entry.Name(), len(scripts))
		}
		text, err := fs.ReadFile(files, "migrations/"+entry.Name())
		if err != nil {
			return nil, fmt.Errorf("schema migrations: %w", err)
		}
		scripts = append(scripts, string(text))
	}
	return scripts, nil
}

// identity is what a database file says about itself.
type identity struct {
	application, version int
	// tables is the number of entries in its schema.
	tables int
}

// querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func readIdentity(ctx context.Context, db querier) (identity, error) {
	var id identity
	err := db.QueryRowContext(ctx, `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)
		FROM pragma_application_id, pragma_user_version`).Scan(&id.application, &id.version, &id.tables)
	return id, err
}

// judge accepts an empty database and one of polytune's own up to the
// supported version.
func (id identity) judge(path string, supported int) error {
	empty := id.application == 0 && id.version == 0 && id.tables == 0
	switch {
	case !empty && id.application != applicationID:
		return &ForeignError{Path: path}
	case id.version > supported:
		return &NewerSchemaError{Path: path, Found: id.version, Supported: supported}
	}
	return nil
}

// check lets SQLite look for damage in the whole file; the pragma is quick_check
// or integrity_check, which compares indexes with their tables too.
func check(ctx context.Context, db querier, path, pragma string) error {
	var verdict string
	if err := db.QueryRowContext(ctx, `PRAGMA `+pragma+`(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return &DamagedError{Path: path, Problem: verdict}
	}
	return nil
}

// migrate brings the database to the schema version len(scripts). One with an
// older schema is copied first, to the path it returns; otherwise the path
// is "".
func migrate(ctx context.Context, db *sql.DB, path string, scripts []string) (backup string, err error) {
	id, err := readIdentity(ctx, db)
	if err != nil {
		return "", err
	}
	if err := id.judge(path, len(scripts)); err != nil || id.version == len(scripts) {
		return "", err
	}
	if id.version > 0 {
		backup = fmt.Sprintf("%s.v%d-%s.backup", path, id.version, time.Now().UTC().Format("20060102T150405.000Z"))
		if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, backup); err != nil {
			return "", fmt.Errorf("copy it to %s before the change of its schema: %w", backup, err)
		}
	}
	return backup, applyMigrations(ctx, db, path, scripts)
}

// applyMigrations runs the missing scripts in one transaction. It looks at the
// version again inside, since another process may have been faster. The
// connection must not enforce foreign keys, so that scripts can rebuild tables;
// they are checked at the end.
func applyMigrations(ctx context.Context, db *sql.DB, path string, scripts []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	id, err := readIdentity(ctx, tx)
	if err != nil {
		return err
	}
	if err := id.judge(path, len(scripts)); err != nil {
		return err
	}
	for version := id.version; version < len(scripts); version++ {
		if _, err := tx.ExecContext(ctx, scripts[version]); err != nil {
			return fmt.Errorf("schema migration %d: %w", version+1, err)
		}
	}
	var orphans int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM pragma_foreign_key_check`).Scan(&orphans); err != nil {
		return err
	}
	if orphans > 0 {
		return fmt.Errorf("schema migration to version %d would leave %d rows without what they refer to", len(scripts), orphans)
	}
	marks := fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, len(scripts))
	if _, err := tx.ExecContext(ctx, marks); err != nil {
		return err
	}
	return tx.Commit()
}
