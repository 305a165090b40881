package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"polytune/report"
	"polytune/store"
	"polytune/tuner"
)

// openStore opens the database of the settings, or the default one, and tells the user
// where the copy is of one that had to be migrated.
func openStore(ctx context.Context, path string, open func(context.Context, string) (*store.Store, error)) (*store.Store, error) {
	if path == "" {
		var err error
		if path, err = store.DefaultPath(); err != nil {
			return nil, err
		}
	}
	db, err := open(ctx, path)
	if err == nil && db.Backup() != "" {
		fmt.Fprintf(os.Stderr, "tune: the database %s is of an earlier version and was migrated; %s is a copy of it as it was\n", db.Path(), db.Backup())
	}
	return db, err
}

// openToRead opens the database for a command that only reads. What tuners have timed that
// were killed is rated first, so that all commands say the same of it.
func openToRead(ctx context.Context, path string) (*store.Store, error) {
	db, err := openStore(ctx, path, func(ctx context.Context, path string) (*store.Store, error) {
		db, err := store.OpenExisting(ctx, path)
		return orReadOnly(ctx, db, err, path)
	})
	if err != nil {
		return nil, err
	}
	if err := rateLeft(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// openRated opens the database for reading alone, which disturbs nobody however many do so
// at once; where killed tuners have left something, after that is rated.
func openRated(ctx context.Context, path string) (*store.Store, error) {
	db, err := openStore(ctx, path, store.OpenReadOnly)
	if err != nil {
		return nil, err
	}
	left, err := tuner.Left(ctx, db)
	if err != nil || len(left) == 0 {
		return db, err
	}
	return openToRead(ctx, path)
}

// rateLeft rates what killed tuners have left. Where one may not write, the user is told.
func rateLeft(ctx context.Context, db *store.Store) error {
	if !db.ReadOnly() {
		return tuner.RateLeft(ctx, db)
	}
	left, err := tuner.Left(ctx, db)
	if len(left) > 0 {
		fmt.Fprintf(os.Stderr, "tune: note: %d interrupted %s of %s cannot be rated, since it must not be written; "+
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
