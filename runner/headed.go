package runner

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// headedFile is an open file of data that begins with text: a line with a
// magic word and a number, then as many lines, one for each array. Reading goes
// on behind them.
type headedFile[Array any] struct {
	*bufio.Reader
	file   *os.File
	arrays []Array
}

// openHeaded opens a file and reads its header; parse makes an array of the
// words of a line.
func openHeaded[Array any](path, magic string, parse func(fields []string) (Array, error)) (*headedFile[Array], error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the dumped data: %w", err)
	}
	headed := &headedFile[Array]{Reader: bufio.NewReaderSize(file, 1<<16), file: file}
	if err := headed.readHeader(magic, parse); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s is not a complete dump: %w", path, err)
	}
	return headed, nil
}

// Close closes the file.
func (h *headedFile[Array]) Close() error { return h.file.Close() }

func (h *headedFile[Array]) readHeader(magic string, parse func(fields []string) (Array, error)) error {
	line, err := h.ReadString('\n')
	if err != nil {
		return err
	}
	fields := strings.Fields(line)
	if len(fields) != 2 || fields[0] != magic {
		return errors.New("unknown beginning")
	}
	count, err := strconv.Atoi(fields[1])
	if err != nil {
		return err
	}
	for range count {
		line, err := h.ReadString('\n')
		if err != nil {
			return err
		}
		array, err := parse(strings.Fields(line))
		if err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		h.arrays = append(h.arrays, array)
	}
	return nil
}
