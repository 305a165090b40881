// Package opendb opens databases for commands, and tells their users what is to be known of them.
package opendb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"polytune/report"
	"polytune/store"
	"polytune/tuner"
)

// Open opens the database of the settings, or the default one, and tells the user
// where the copy is of one that had to be migrated.
func Open(ctx context.Context, notes io.Writer, path string, open func(context.Context, string) (*store.Store, error)) (*store.Store, error) {
	if path == "" {
		var err error
		if path, err = store.DefaultPath(); err != nil {
			return nil, err
		}
	}
	db, err := open(ctx, path)
	if err == nil && db.Backup() != "" {
		fmt.Fprintf(notes, "tune: the database %s is of an earlier version and was migrated; %s is a copy of it as it was\n", db.Path(), db.Backup())
	}
	return db, err
}

// ToRead opens the database for a command that only reads. What tuners have timed that
// were killed is rated first, so that all commands say the same of it.
func ToRead(ctx context.Context, notes io.Writer, path string) (*store.Store, error) {
	db, err := Open(ctx, notes, path, func(ctx context.Context, path string) (*store.Store, error) {
		db, err := store.OpenExisting(ctx, path)
		return orReadOnly(ctx, db, err, path)
	})
	if err != nil {
		return nil, err
	}
	if err := rateLeft(ctx, notes, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Rated opens the database for reading alone, which disturbs nobody however many do so
// at once; where killed tuners have left something, after that is rated.
func Rated(ctx context.Context, notes io.Writer, path string) (*store.Store, error) {
	db, err := Open(ctx, notes, path, store.OpenReadOnly)
	if err != nil {
		return nil, err
	}
	left, err := tuner.Left(ctx, db)
	if err != nil || len(left) == 0 {
		return db, err
	}
	return ToRead(ctx, notes, path)
}

// rateLeft rates what killed tuners have left. Where one may not write, the user is told.
func rateLeft(ctx context.Context, notes io.Writer, db *store.Store) error {
	if !db.ReadOnly() {
		return tuner.RateLeft(ctx, db)
	}
	left, err := tuner.Left(ctx, db)
	if len(left) > 0 {
		fmt.Fprintf(notes, "tune: note: %d interrupted %s of %s cannot be rated, since it must not be written; "+
			"its owner's next command does so\n", len(left), report.Plural(len(left), "session"), db.Path())
	}
	return err
}

// orReadOnly is a database that was opened or, where one may not write, such as
// in the folder of somebody else, the same for reading alone.
func orReadOnly(ctx context.Context, db *store.Store, err error, path string) (*store.Store, error) {
	if !errors.Is(err, fs.ErrPermission) {
		return db, err
	}
	return store.OpenReadOnly(ctx, path)
}
