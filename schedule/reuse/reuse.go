// Package reuse has lines of recipes that are used again: texts with a name and arguments, in the
// recipe's own file, in others, and in a library.
//
//	include "lib.recipe"
//	define matmul S i j k by x y
//	  unroll S.k by x
//	  vectorize S.j by y
//	end
//	use matmul S1 i j k by 2 4
//
// # Where to find what
//
//   - who writes recipes step by step: pipeline/stepwise/stepwise.go; what a line does: words.go;
//     the loops: nest.go; what is legal: legal.go; the command: cmd/tune/cmd_schedule.go
package reuse

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"polytune/schedule"
)

// The words of lines that are no commands.
const (
	includeWord = "include"
	defineWord  = "define"
	endWord     = "end"
	useWord     = "use"
	byWord      = "by"
)

// mostLines bounds the lines that all uses together become, and the uses.
const mostLines = 20_000

// Error is a line of a recipe that cannot be read.
type Error struct {
	// File and Line, from 1, are where it stands, Text what stands there.
	File string
	Line int
	Text string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s: %v", e.File, e.Line, e.Text, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Read is how the text of a file is got.
type Read func(path string) ([]byte, error)

// reader reads a recipe with the files that it includes.
type reader struct {
	read        Read
	definitions map[string]*definition
	// open are the files that are being read, from the recipe's own to the innermost.
	open []string
	// lines are those of the recipe, uses how many definitions have been taken into it.
	lines []schedule.Line
	uses  int
}

// Lines are the lines of a recipe in a file, with definitions in the places of their uses: a line of
// such has the number of the use, and says where it stands itself. An error about a line is an
// *Error.
func Lines(path, text string, read Read) ([]schedule.Line, error) {
	r := &reader{read: read, definitions: map[string]*definition{}}
	if err := r.file(path, text); err != nil {
		return nil, err
	}
	return r.lines, nil
}

// file reads the lines of a file.
func (r *reader) file(path, text string) error {
	r.open = append(r.open, path)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	var into *definition
	for number, line := range schedule.Lines(text) {
		here := place{path, number, line}
		word, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case into != nil && word == endWord && rest == "":
			into = nil
		case into != nil && (word == defineWord || word == includeWord):
			err = fmt.Errorf("%s stands in the definition of %s, which has no %s yet", word, into.name, endWord)
		case into != nil:
			into.lines = append(into.lines, here)
		case word == defineWord:
			into, err = r.define(here, rest)
		case word == endWord && rest == "":
			err = errors.New("no definition begins in front of it")
		case word == includeWord:
			err = r.include(here, strings.TrimSpace(rest))
		case word == useWord:
			err = r.use(here, rest)
		case len(r.open) > 1:
			err = fmt.Errorf("a file that is included has definitions alone; put it between %s NAME ARGUMENTS and %s", defineWord, endWord)
		default:
			r.lines = append(r.lines, schedule.Line{Number: number, Text: line})
		}
		if err != nil {
			return here.refused(err)
		}
	}
	if into != nil {
		return into.at.refused(fmt.Errorf("the definition of %s has no %s", into.name, endWord))
	}
	return nil
}

// include reads a file's definitions.
func (r *reader) include(here place, name string) error {
	inside := strings.TrimSuffix(strings.TrimPrefix(name, `"`), `"`)
	if len(name) != len(inside)+2 || inside == "" {
		return fmt.Errorf(`a file is included by: include "FILE"`)
	}
	if inside == libraryName {
		return r.file(libraryPath, library)
	}
	path := inside
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(here.file), path)
	}
	if slices.Contains(r.open, path) {
		return fmt.Errorf("%s includes itself", path)
	}
	text, err := r.read(path)
	if err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	return r.file(path, string(text))
}

// place is a line of a file.
type place struct {
	file   string
	number int
	text   string
}

// refused is an error about the line; one that names a line already stays.
func (p place) refused(err error) error {
	if errors.As(err, new(*Error)) {
		return err
	}
	return &Error{p.file, p.number, p.text, err}
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.number) }
