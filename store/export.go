package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"
)

// Export writes a consistent copy of the database to path, while others may go on writing. The copy
// is made under another name in the same folder, brought to the disk, and renamed: at path there is
// always a whole copy, the former one or the new one. The folder may be on a network file system.
// What stands at path is replaced only if it is empty, or a database with no trial that this one
// lacks. The copy is to be read and merged; a tuner that works on it makes it an ordinary database.
//
// The error is an *AccessError.
func (s *Store) Export(ctx context.Context, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("export to %s: %w", path, err)
	}
	if err := s.checkExport(ctx, path); err != nil {
		return err
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return describe(s.path, "export it", err)
	}
	removeParts(path, time.Now().Add(-partAge))
	part := path + "." + id.String() + partSuffix
	err = writeCopy(ctx, s.db, part)
	if err == nil {
		err = forgetProcesses(ctx, part)
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err == nil {
		return explainExport(path, syncFolder(filepath.Dir(path)))
	}
	if removed := os.Remove(part); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return explainExport(path, err)
}

// partSuffix ends the name of a copy that is being made; partAge is how long after its last
// change one is taken for what a killed process has left.
const (
	partSuffix = ".part"
	partAge    = time.Hour
)

// removeParts removes what killed exports to a path have left that were last changed
// before a time. What cannot be removed is only in the way of nobody.
func removeParts(path string, before time.Time) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, entry := range entries {
		middle, is := strings.CutPrefix(entry.Name(), filepath.Base(path)+".")
		middle, ends := strings.CutSuffix(middle, partSuffix)
		info, err := entry.Info()
		if is && ends && uuid.Validate(middle) == nil && err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
}

// forgetProcesses removes from a copy, which is nobody else's yet, who is at work on the
// database, and brings it to the disk: nobody is at work on the copy.
func forgetProcesses(ctx context.Context, path string) error {
	db, err := connect(path, url.Values{"vfs": {"unix-none"}, "_journal_mode": {"OFF"}, "_synchronous": {"FULL"}})
	if err != nil {
		return err
	}
	for _, table := range unmergedTables {
		if _, failed := db.ExecContext(ctx, `DELETE FROM `+quoteName(table)); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	return errors.Join(err, db.Close())
}

// checkExport refuses to replace anything but an empty file, or a database that
// nobody uses and that has nothing which this one lacks.
func (s *Store) checkExport(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkExportFolder(path)
	case err != nil:
		return explainExport(path, err)
	case !info.Mode().IsRegular():
		return &AccessError{Path: path, Problem: "this is not a regular file", Advice: "give the name of a file to export to"}
	}
	if own, err := os.Stat(s.path); err == nil && os.SameFile(own, info) {
		return &AccessError{Path: path, Problem: "this is the database itself", Advice: "export it to another file"}
	}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return &AccessError{Path: path, Problem: "this is a database that is in use", Advice: "export to another file, or merge into this one"}
	}
	ours, err := isOurs(path)
	if err != nil {
		return explainExport(path, err)
	}
	if info.Size() > 0 && !ours {
		return &AccessError{Path: path, Problem: "this is no database of polytune", Advice: "export to another file; this one was left as it is"}
	}
	if !ours {
		return nil
	}
	return s.checkSubset(ctx, path)
}

// checkSubset refuses a database with trials that this one does not have: to replace it
// would lose them.
func (s *Store) checkSubset(ctx context.Context, path string) (err error) {
	connection, err := s.db.Conn(ctx)
	if err != nil {
		return explainExport(path, err)
	}
	defer connection.Close()
	name := url.URL{Scheme: "file", Path: path, RawQuery: "mode=ro&immutable=1"}
	if _, err := connection.ExecContext(ctx, `ATTACH ? AS former`, name.String()); err != nil {
		return explainExport(path, err)
	}
	defer func() {
		_, detached := connection.ExecContext(context.WithoutCancel(ctx), `DETACH former`)
		err = errors.Join(err, detached)
	}()
	var lacking int
	err = connection.QueryRowContext(ctx, `SELECT count(*) FROM former.trial WHERE uuid NOT IN (SELECT uuid FROM main.trial)`).Scan(&lacking)
	if err != nil {
		return explainExport(path, err)
	}
	if lacking > 0 {
		return &AccessError{Path: path, Problem: fmt.Sprintf("this database has %d trials that %s lacks", lacking, s.path),
			Advice: "export to another file, or merge this one first; it was left as it is"}
	}
	return nil
}

func checkExportFolder(path string) error {
	folder := filepath.Dir(path)
	_, err := os.Stat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return &AccessError{
			Path: path, Problem: "there is no folder " + folder,
			Advice: fmt.Sprintf("make it (mkdir -p %s) or export to another file", folder), Err: err,
		}
	}
	return explainExport(path, err)
}

// isOurs reports whether the header of a file is that of a database of
// polytune ("The SQLite Database File Format", section 1.3).
func isOurs(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	header := make([]byte, 100)
	if _, err := io.ReadFull(file, header); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		return false, err
	}
	return string(header[:16]) == "SQLite format 3\x00" && binary.BigEndian.Uint32(header[68:]) == applicationID, nil
}

// explainExport says what a failed export means for the copy at path.
func explainExport(path string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &AccessError{
		Path: path, Problem: fmt.Sprintf("cannot export to it (%v)", err),
		Advice: "look at the free space, the quota and the rights in its folder; a former copy there is as it was", Err: err,
	}
}

// syncFolder brings the names in a folder to the disk. Some network file
// systems cannot, and say so by EINVAL; there the name is as safe as they
// make it.
func syncFolder(folder string) error {
	directory, err := os.Open(folder)
	if err != nil {
		return err
	}
	err = directory.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, directory.Close())
}
