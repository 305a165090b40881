package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// streamOutput lets write fill a file, or w for "-". A file gets its name when it is
// complete; what had the name before stays until then.
func streamOutput(w io.Writer, path string, write func(io.Writer) error) error {
	if path == "-" {
		return buffered(w, write)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return streamToDevice(path, write)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return outputError(err)
	}
	defer os.Remove(file.Name())
	err = errors.Join(buffered(file, write), file.Chmod(0o644), file.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return outputError(err)
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
