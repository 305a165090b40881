package store

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/mattn/go-sqlite3"
)

// NewerSchemaError says that a later version of polytune wrote the database.
type NewerSchemaError struct {
	Path string
	// Found is the schema version of the file, Supported the newest that this
	// program knows.
	Found, Supported int
}

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("database %s has schema version %d, and this tune knows versions up to %d: "+
		"use a newer tune, or choose another database with --db", e.Path, e.Found, e.Supported)
}

// DamagedError says that a file is not an SQLite database, or is one that
// fails its check. The file was left as it is.
type DamagedError struct {
	Path string
	// Problem is what SQLite says.
	Problem string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is not a database or is damaged (%s); it was left as it is: "+
		"move it aside (mv %s %s.damaged) and run again, or choose another database with --db; "+
		"sqlite3 %s.damaged .recover shows what can be saved", e.Path, e.Problem, e.Path, e.Path, e.Path)
}

// ForeignError says that a file is an SQLite database of another program. It
// was left as it is.
type ForeignError struct{ Path string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s is a database of another program; it was left as it is: choose another with --db", e.Path)
}

// NetworkFileSystemError says that the database would be on a file system on
// which SQLite cannot keep its promises.
type NetworkFileSystemError struct {
	Path string
	// FileSystem is its common name, such as "NFS".
	FileSystem string
}

func (e *NetworkFileSystemError) Error() string {
	return fmt.Sprintf("database %s would be on a network file system (%s), where SQLite loses or damages data: "+
		"choose a path on a disk of this machine, such as --db /var/tmp/%s, "+
		"and copy the database when the run has ended", e.Path, e.FileSystem, filepath.Base(e.Path))
}

// AccessError says that the database cannot be created, read or written where
// it is.
type AccessError struct {
	Path string
	// Problem says what is in the way, Advice what to do about it.
	Problem, Advice string
	// Err is the cause, or nil.
	Err error
}

func (e *AccessError) Error() string {
	return fmt.Sprintf("database %s: %s: %s", e.Path, e.Problem, e.Advice)
}

// Unwrap gives the cause.
func (e *AccessError) Unwrap() error { return e.Err }

// explain turns an error of SQLite into one that says what to do; task is
// what was being done. Other errors get the path and the task before them.
func explain(path, task string, err error) error {
	var cause sqlite3.Error
	if err == nil || !errors.As(err, &cause) {
		return describe(path, task, err)
	}
	switch cause.Code {
	case sqlite3.ErrNotADB, sqlite3.ErrCorrupt:
		return &DamagedError{Path: path, Problem: cause.Error()}
	case sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrAuth:
		return &AccessError{
			Path: path, Problem: fmt.Sprintf("cannot %s (%v)", task, cause),
			Advice: "make the file and its folder writable, or choose another database with --db", Err: err,
		}
	case sqlite3.ErrFull, sqlite3.ErrIoErr:
		return &AccessError{
			Path: path, Problem: fmt.Sprintf("cannot %s (%v)", task, cause),
			Advice: "look at the free space, the quota and the disk; what was stored before is safe", Err: err,
		}
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return &AccessError{
			Path: path, Problem: fmt.Sprintf("cannot %s: another process keeps it locked", task),
			Advice: "end that process (fuser shows it) and run again", Err: err,
		}
	}
	return describe(path, task, err)
}

func describe(path, task string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: cannot %s: %w", path, task, err)
}

// isBusy reports whether another connection was in the way.
func isBusy(err error) bool {
	var cause sqlite3.Error
	return errors.As(err, &cause) && (cause.Code == sqlite3.ErrBusy || cause.Code == sqlite3.ErrLocked)
}
