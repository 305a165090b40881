package runner

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// NoSpaceError says that a file system is full, so that whatever has just
// failed says nothing about the program it was about.
type NoSpaceError struct {
	// Path is a folder of the file system.
	Path string
	// Err is what has failed.
	Err error
}

func (e *NoSpaceError) Error() string {
	return fmt.Sprintf("no space is left on the file system of %s: delete what is not needed there, or set TMPDIR to a folder on another one, and run the same command again (%v)", e.Path, e.Err)
}

// Unwrap gives what has failed.
func (e *NoSpaceError) Unwrap() error { return e.Err }

// leastSpace is the free space in bytes, and leastFiles the number of free
// files, below which a failure counts as one of the file system.
const (
	leastSpace = 1 << 20
	leastFiles = 8
)

// BlameSpace is a *NoSpaceError around err where the file system of the folder
// is full, and err otherwise; nil stays nil.
func BlameSpace(folder string, err error) error {
	var status unix.Statfs_t
	if err == nil || unix.Statfs(folder, &status) != nil {
		return err
	}
	full := status.Bavail*uint64(status.Bsize) < leastSpace
	if status.Files > 0 && status.Ffree < leastFiles {
		full = true
	}
	if !full {
		return err
	}
	return &NoSpaceError{Path: folder, Err: err}
}
