package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"polytune/store"
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

// openToRead opens the database for a command that only reads.
func openToRead(ctx context.Context, path string) (*store.Store, error) {
	return openStore(ctx, path, func(ctx context.Context, path string) (*store.Store, error) {
		db, err := store.OpenExisting(ctx, path)
		return orReadOnly(ctx, db, err, path)
	})
}

// orReadOnly is a database that was opened or, where one may not write, such as
// in the folder of somebody else, the same for reading alone.
func orReadOnly(ctx context.Context, db *store.Store, err error, path string) (*store.Store, error) {
	if !errors.Is(err, fs.ErrPermission) {
		return db, err
	}
	return store.OpenReadOnly(ctx, path)
}
