package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"
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

// readerPatience is how long a reader waits for others. With a WAL journal there is
// little to wait for: another process' recovery, or a change of the schema.
const readerPatience = 5 * time.Second

// OpenReadOnly opens an existing database for reading alone: it is neither
// migrated nor searched for damage, and any number of processes may do so while
// one writes. A file that is not there is an *AccessError around
// fs.ErrNotExist; other errors are those of Open, or an *OlderSchemaError.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	path, err := existing(path)
	if err != nil {
		return nil, err
	}
	scripts, err := loadMigrations(migrationFiles)
	if err != nil {
		return nil, err
	}
	db, id, err := connectReadOnly(ctx, path)
	if err != nil {
		return nil, explainOpening(path, err)
	}
	err = id.judge(path, len(scripts))
	if err == nil && id.version < len(scripts) {
		err = &OlderSchemaError{Path: path, Found: id.version, Wanted: len(scripts)}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Store{db: db, path: path, readOnly: true}, nil
}

// Version is a number that is another one after each change that others make to the database.
func (s *Store) Version(ctx context.Context) (version int64, err error) {
	err = s.db.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version)
	return version, explain(s.path, "look for changes", err)
}

// connectReadOnly opens the file. Where SQLite may not make the files beside it
// that it needs for reading, as in a folder of somebody else, and no log is
// there that a writer would have made, the file is read as one that nobody changes.
func connectReadOnly(ctx context.Context, path string) (*sql.DB, identity, error) {
	var failed error
	for _, immutable := range []string{"0", "1"} {
		db, err := connect(path, url.Values{"mode": {"ro"}, "_query_only": {"1"}, "immutable": {immutable}, "_busy_timeout": {milliseconds(readerPatience)}})
		if err != nil {
			return nil, identity{}, err
		}
		id, err := readIdentity(ctx, db)
		if err == nil {
			return db, id, nil
		}
		db.Close()
		if failed == nil {
			failed = err
		}
		if _, missing := os.Stat(path + "-wal"); !isInaccessible(err) || missing == nil {
			break
		}
	}
	return nil, identity{}, failed
}
