package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"github.com/mattn/go-sqlite3"
)

// writeCopy makes the file target, which must not exist, a consistent copy of
// the database that a pool has open, and brings it to the disk. It goes through
// SQLite's backup interface: what is being written meanwhile is in the copy as
// a whole or not at all. The copy has a rollback journal, so that it can be
// read where there is no right to write, and from a network.
func writeCopy(ctx context.Context, from *sql.DB, target string) error {
	file, err := os.OpenFile(target, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = fillCopy(ctx, from, target)
	if err == nil {
		_, err = file.WriteAt(rollbackJournal, journalOffset)
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// Two bytes in the header of a database say whether it has a write-ahead log
// (2) or a rollback journal (1), for writing and for reading: "The SQLite
// Database File Format", sections 1.3.3 and 4.1. The backup copies those of
// its source.
var rollbackJournal = []byte{1, 1}

const journalOffset = 18

// fillCopy copies all pages into an empty file. The file is nobody else's, and
// is thrown away after an error: it needs neither locks, which networks may
// lack, nor a journal.
func fillCopy(ctx context.Context, from *sql.DB, target string) error {
	to, err := connect(target, url.Values{"vfs": {"unix-none"}, "_journal_mode": {"OFF"}, "_synchronous": {"OFF"}})
	if err != nil {
		return err
	}
	err = withDriver(ctx, from, func(source *sqlite3.SQLiteConn) error {
		return withDriver(ctx, to, func(copied *sqlite3.SQLiteConn) error { return backUp(ctx, source, copied) })
	})
	return errors.Join(err, to.Close())
}

// withDriver calls f with the connection that a pool has.
func withDriver(ctx context.Context, db *sql.DB, f func(*sqlite3.SQLiteConn) error) error {
	connection, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	err = connection.Raw(func(driver any) error {
		c, is := driver.(*sqlite3.SQLiteConn)
		if !is {
			return fmt.Errorf("the driver has connections of type %T", driver)
		}
		return f(c)
	})
	return errors.Join(err, connection.Close())
}

// backUp copies all pages in one step, which other writers do not wait for and
// which they cannot make start again. It waits while the source is being
// recovered.
func backUp(ctx context.Context, source, target *sqlite3.SQLiteConn) error {
	backup, err := target.Backup("main", source, "main")
	if err != nil {
		return err
	}
	deadline := time.Now().Add(BusyTimeout)
	for done := false; !done && err == nil; {
		if done, err = backup.Step(-1); done || err != nil {
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-time.After(20 * time.Millisecond):
			if time.Now().After(deadline) {
				err = sqlite3.Error{Code: sqlite3.ErrBusy}
			}
		}
	}
	// What failed before, Finish says again.
	if finished := backup.Finish(); err == nil {
		err = finished
	}
	return err
}

// copyFile copies the bytes of a file that nobody writes to.
func copyFile(source, target string) error {
	from, err := os.Open(source)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}
