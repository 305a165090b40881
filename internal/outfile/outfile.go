// Package outfile writes files that are there as a whole or not at all.
package outfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Stream lets write fill a file, or w for "-". A file gets its name when it is
// complete; what had the name before stays until then.
func Stream(w io.Writer, path string, write func(io.Writer) error) error {
	if path == "-" {
		return buffered(w, write)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return streamToDevice(path, write)
	}
	return replace(path, 0o644, outputError, write)
}

// Replace lets write fill a regular file that is there, whose permissions stay.
func Replace(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return replace(path, info.Mode().Perm(), func(err error) error { return err }, write)
}

// replace lets write fill a file with these permissions; said puts what the system refuses into words.
func replace(path string, mode os.FileMode, said func(error) error, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return said(err)
	}
	defer os.Remove(file.Name())
	err = errors.Join(buffered(file, write), file.Chmod(mode), file.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return said(err)
	}
	return nil
}

// streamToDevice writes to what is no regular file, such as /dev/stdout.
func streamToDevice(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return outputError(err)
	}
	return errors.Join(buffered(file, write), file.Close())
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	out := bufio.NewWriter(w)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

func outputError(err error) error {
	return fmt.Errorf("cannot write the output: %w; name another file with -o", err)
}
