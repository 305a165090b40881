// Package language is the front end for algorithms in Go: it builds and runs the user's program,
// which describes itself by package algorithm, checks the description, and writes the function in C
// with a region that has the computations in the order of their declarations. The front end of C
// reads that; statements have the names of their computations.
//
// # Where to find what
//
//   - how a program is built and run: run.go; what programs import: algorithm/ (standard library
//     alone, also inside tune as text: embedded.go)
//   - what is wrong with one: check.go, names.go, types.go; which reads are outside of domains or
//     too early: sets.go, affine.go; arrays: shape.go
//   - the C that it becomes: write.go, loops.go, expr.go; names of statements in C:
//     frontend/named.go; places in Go: pipeline/goprogram.go
package language

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"polytune/algorithm"
	"polytune/isl"
)

// Program is an algorithm as a function of C.
type Program struct {
	// Name is the function's.
	Name string
	// Path is the Go file that declares it.
	Path string
	// Source is the function in C, with the computations in loops of their own, and Header declares
	// it.
	Source, Header []byte
	// Recipe is the one of the Go file, "" for none, and RecipeAt where it stands.
	Recipe   string
	RecipeAt algorithm.Position
	// Locals are the arrays and variables of the function's own.
	Locals []string
	// lines are those of the Go file, by the lines of Source.
	lines map[int]algorithm.Position
}

// HeaderWith is the header with more lines in its comment.
func (p *Program) HeaderWith(lines string) []byte {
	const end = "\n */\n"
	more := "\n * " + strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n * ")
	return bytes.Replace(p.Header, []byte(end), []byte(more+end), 1)
}

// Place is the place in Go of a line of Source; without one it is that of the function.
func (p *Program) Place(line int) algorithm.Position {
	if at, is := p.lines[line]; is {
		return at
	}
	return algorithm.Position{File: p.Path}
}

// Problem is something that is wrong at a line of the Go file.
type Problem struct {
	At   algorithm.Position
	What string
}

func (p *Problem) Error() string { return p.At.String() + ": " + p.What }

// Problems are several, in the order of their lines.
type Problems []*Problem

// Error is one line for each.
func (l Problems) Error() string {
	lines := make([]string, len(l))
	for k, p := range l {
		lines[k] = p.Error()
	}
	return strings.Join(lines, "\n")
}

func (l *Problems) add(at algorithm.Position, format string, arguments ...any) {
	*l = append(*l, &Problem{at, fmt.Sprintf(format, arguments...)})
}

// asError is nil for none, so that a nil error stays nil.
func (l Problems) asError() error {
	if len(l) == 0 {
		return nil
	}
	sort.SliceStable(l, func(i, j int) bool { return l[i].At.Line < l[j].At.Line })
	return l
}

// IsProgram says whether a path is that of an algorithm in Go: a Go file, or a folder with some.
func IsProgram(path string) bool {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files, _ := filepath.Glob(filepath.Join(path, "*.go"))
		return len(files) > 0
	}
	return filepath.Ext(path) == ".go"
}

// Read runs the Go program in a file or a folder and makes C of what it describes.
func Read(ctx context.Context, path string) (*Program, error) {
	d, err := describe(ctx, path)
	if err != nil {
		return nil, err
	}
	return Compile(d)
}

// Compile makes C of a description. The error is Problems.
func Compile(d *algorithm.Description) (*Program, error) {
	f, err := check(d)
	if err != nil {
		return nil, err
	}
	c := isl.NewContext()
	defer c.Close()
	defer c.Limit(mostOperations, mostSetting)()
	if err := f.sets(c); err != nil {
		return nil, err
	}
	return f.write(c)
}

// mostOperations and mostSetting bound isl's work for one program.
const (
	mostOperations = 50_000_000
	mostSetting    = 30 * time.Second
)
