package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// OlderSchemaError says that an earlier version of polytune wrote the database,
// which OpenReadOnly must not migrate.
type OlderSchemaError struct {
	Path string
	// Found is the schema version of the file, Wanted that of this program.
	Found, Wanted int
}

func (e *OlderSchemaError) Error() string {
	return fmt.Sprintf("database %s has schema version %d, and this tune reads version %d: "+
		"any command that may write, such as tune best, migrates it after making a copy", e.Path, e.Found, e.Wanted)
}

// OpenReadOnly opens an existing database for reading alone: it is neither
// migrated nor searched for damage, and any number of processes may do so while
// one writes. A file that is not there is an *AccessError around
// fs.ErrNotExist; other errors are those of Open, or an *OlderSchemaError.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, &AccessError{
			Path: path, Problem: "there is no such file",
			Advice: "run tune first, or give the right database with --db", Err: err,
		}
	}
	scripts, err := loadMigrations(migrationFiles)
	if err != nil {
		return nil, err
	}
	db, err := connect(path, url.Values{"mode": {"ro"}, "_query_only": {"1"}})
	if err != nil {
		return nil, explain(path, "open it", err)
	}
	id, err := readIdentity(ctx, db)
	if err == nil {
		err = id.judge(path, len(scripts))
	}
	if err == nil && id.version < len(scripts) {
		err = &OlderSchemaError{Path: path, Found: id.version, Wanted: len(scripts)}
	}
	if err != nil {
		db.Close()
		return nil, explainReading(path, err)
	}
	return &Store{db: db, path: path}, nil
}

// explainReading is explainOpening that leaves an *OlderSchemaError as it is, too.
func explainReading(path string, err error) error {
	if older := new(OlderSchemaError); errors.As(err, &older) {
		return err
	}
	return explainOpening(path, err)
}
