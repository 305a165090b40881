// Package store keeps the results of tuning sessions in an SQLite database.
//
// # Promises
//
// When a function that writes returns without an error, what it wrote
// survives the death of the process (WAL journal, synchronous=FULL). A finished
// trial is never changed again; triggers of the schema see to that. The best
// variant is a view over the trials, never a stored fact. A file that is
// damaged, of another program, or of a newer schema is refused and left as it
// is; an older schema is migrated after a copy was made. Several processes may
// write to one database: writes wait for each other.
//
// # Shape
//
// Machines, toolchains and kernels are known by hashes that the caller
// computes; a variant by its id within a kernel. A session is one piece of
// tuning work: a kernel, size, machine, toolchain and settings. A trial is one
// variant built, verified and timed once within a session; its samples are
// single timings. Sessions and trials have UUIDs of version 7, so that
// databases can be united.
//
// The views trials, samples and best are for people with sqlite3 and for
// scripts; migrations/0001_initial.sql documents them.
//
// # Union
//
// Merge unites databases by the ids of their rows. Where two have a row, one
// of them stays, by an order in which any two different rows are comparable, so that
// neither the order of the databases nor how often one is merged changes the
// result. Most rows never change, so that both are the same. What can differ:
//
//   - when a machine, a toolchain, a kernel or a variant was registered, and what
//     is told of a machine besides its fingerprint: the first registration stays;
//   - a session that went on in one of the copies: as it was opened last stays,
//     and of these one that is finished;
//   - a trial that is open in one copy, as when the other was made before its end:
//     the finished one stays. One that is open in both stays open, with what more
//     rounds have shown, and goes on in the union when its tuner is called again there;
//   - samples of a trial: all stay, also where the trial was finished with fewer.
//     Only where two copies of an unfinished session were both resumed can there
//     be two samples at one place of a round; then the shorter one stays.
//
// # Where to find what
//
//   - tables and views: store/migrations/; for people with sqlite3: docs/database.md
//   - how databases are united: merge.go, mergetable.go (which of two rows stays); copied:
//     export.go, copy.go; published: session/publish.go
//   - who may read a database, who write it: readonly.go, internal/opendb/opendb.go
//   - why so: docs/decisions/0101-merging.md, 0102-indexes.md, 0105-keys.md
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
	"time"

	"github.com/mattn/go-sqlite3"
)

// BusyTimeout is how long an operation waits for other processes that use the database.
const BusyTimeout = 30 * time.Second

// Store is an open database. Its methods may be called by several goroutines;
// they share one connection and wait for each other.
type Store struct {
	db     *sql.DB
	path   string
	backup string
	// readOnly says that it was opened by OpenReadOnly.
	readOnly bool
}

// ReadOnly says that the database was opened for reading alone.
func (s *Store) ReadOnly() bool { return s.readOnly }

// DefaultPath is $XDG_DATA_HOME/tune/tune.db or, where the variable is unset or
// no absolute path, ~/.local/share/tune/tune.db.
func DefaultPath() (string, error) {
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "tune", "tune.db"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no place for the database: %w; set XDG_DATA_HOME or give --db", err)
	}
	return filepath.Join(home, ".local", "share", "tune", "tune.db"), nil
}

// Open opens the database at path for reading and writing, checks it for
// damage, migrates an older schema after copying it, and creates it when it is
// not there. The folder has to exist, save for that of DefaultPath, which is
// created.
//
// Errors: *AccessError, *NetworkFileSystemError, *DamagedError, *ForeignError,
// *NewerSchemaError.
func Open(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	if standard, err := DefaultPath(); err == nil && path == standard {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, &AccessError{Path: path, Problem: err.Error(), Advice: "choose another database with --db", Err: err}
		}
	}
	exists, err := checkPlace(path, probeFileSystem)
	if err != nil {
		return nil, err
	}
	return open(ctx, path, migrationFiles, exists)
}

// OpenExisting is Open for a quick look: a file that is not there is an
// *AccessError around fs.ErrNotExist, and an existing one is not searched for
// damage beyond its header, which would take time on a large file.
func OpenExisting(ctx context.Context, path string) (*Store, error) {
	path, err := existing(path)
	if err != nil {
		return nil, err
	}
	if _, err := checkPlace(path, probeFileSystem); err != nil {
		return nil, err
	}
	return open(ctx, path, migrationFiles, false)
}

// existing is the absolute path of a database that is there.
func existing(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("database %s: %w", path, err)
	}
	if _, err := os.Stat(absolute); errors.Is(err, fs.ErrNotExist) {
		return "", &AccessError{
			Path: absolute, Problem: "there is no such file",
			Advice: "run tune first, or give the right database with --db", Err: err,
		}
	}
	return absolute, nil
}

// open does the work of Open once the place is found good. It tries again while
// another process is just creating the database: SQLite's own waiting does not
// cover the change to a WAL journal.
func open(ctx context.Context, path string, migrations fs.FS, check bool) (*Store, error) {
	scripts, err := loadMigrations(migrations)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(BusyTimeout); ; {
		s, err := openOnce(ctx, path, scripts, check)
		if err == nil {
			return s, nil
		}
		if !isBusy(err) || time.Now().After(deadline) {
			return nil, explainOpening(path, err)
		}
		select {
		case <-ctx.Done():
			return nil, describe(path, "open it", ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// explainOpening leaves the errors of this package as they are.
func explainOpening(path string, err error) error {
	var damaged *DamagedError
	var foreign *ForeignError
	var newer *NewerSchemaError
	if errors.As(err, &damaged) || errors.As(err, &foreign) || errors.As(err, &newer) {
		return err
	}
	return explain(path, "open it", err)
}

// openOnce examines and migrates the file through a connection that changes
// nothing by itself, and only then opens it with a WAL journal.
func openOnce(ctx context.Context, path string, scripts []string, check bool) (*Store, error) {
	backup, err := prepare(ctx, path, scripts, check)
	if err != nil {
		return nil, err
	}
	db, err := connect(path, url.Values{
		"_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_foreign_keys": {"1"},
	})
	if err != nil {
		return nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return &Store{db: db, path: path, backup: backup}, nil
}

// prepare checks the file for damage, when asked, and migrates it.
func prepare(ctx context.Context, path string, scripts []string, thorough bool) (backup string, err error) {
	db, err := connect(path, url.Values{"_synchronous": {"FULL"}, "_foreign_keys": {"0"}})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if thorough {
		if err := check(ctx, db, path, "quick_check"); err != nil {
			return "", err
		}
	}
	return migrate(ctx, db, path, scripts)
}

// connect gives a pool of one connection with the given pragmas.
func connect(path string, pragmas url.Values) (*sql.DB, error) {
	if !pragmas.Has("_busy_timeout") {
		pragmas.Set("_busy_timeout", milliseconds(BusyTimeout))
	}
	pragmas.Set("_txlock", "immediate")
	name := url.URL{Scheme: "file", Path: path, RawQuery: pragmas.Encode()}
	db, err := sql.Open("sqlite3", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// SQLiteVersion is that of the library.
func SQLiteVersion() string {
	version, _, _ := sqlite3.Version()
	return version
}

// SchemaVersion is the schema version of the databases that this program writes.
func SchemaVersion() int {
	scripts, err := loadMigrations(migrationFiles)
	if err != nil {
		return 0 // the files are in the program, and a test reads them
	}
	return len(scripts)
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// Path is the absolute path of the database.
func (s *Store) Path() string { return s.path }

// Backup is the path of the copy that Open made before it migrated an older
// schema, or "".
func (s *Store) Backup() string { return s.backup }

// Close ends the use of the database.
func (s *Store) Close() error { return explain(s.path, "close it", s.db.Close()) }

// write runs f in a transaction that has the right to write from its start,
// and commits it when f gives no error. task describes it for errors.
func (s *Store) write(ctx context.Context, task string, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return explain(s.path, task, err)
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return explain(s.path, task, err)
	}
	return explain(s.path, task, tx.Commit())
}

// timeFormat is the form of times in the database; it sorts as text.
const timeFormat = "2006-01-02T15:04:05.000Z"

func formatTime(t time.Time) string { return t.UTC().Format(timeFormat) }

// timeOrNull is NULL for the zero time.
func timeOrNull(t time.Time) sql.NullString {
	return sql.NullString{String: formatTime(t), Valid: !t.IsZero()}
}

// parseTime reads a column; NULL is the zero time.
func parseTime(text sql.NullString) (time.Time, error) {
	if !text.Valid {
		return time.Time{}, nil
	}
	return time.Parse(timeFormat, text.String)
}
