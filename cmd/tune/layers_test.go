package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mostLines is what the commands' flags and their printing take.
const mostLines = 5000

// TestCommandsAreSmall counts the lines of the commands: what is no flag and prints nothing is a
// package's.
func TestCommandsAreSmall(t *testing.T) {
	t.Parallel()
	lines := 0
	for _, path := range sourcesIn(t, ".") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	if lines >= mostLines || lines < 1000 {
		t.Errorf("cmd/tune has %d lines without tests; the bound is %d", lines, mostLines)
	}
}

// notImported are packages that no package in a folder imports, tests aside.
var notImported = map[string][]string{
	"pipeline": {"github.com/spf13/cobra", "github.com/spf13/pflag", "polytune/session", "polytune/handout", "polytune/ccwrap"},
	"session":  {"github.com/spf13/cobra", "github.com/spf13/pflag"},
	"handout":  {"github.com/spf13/cobra", "github.com/spf13/pflag", "polytune/session"},
	"explain":  {"github.com/spf13/cobra", "github.com/spf13/pflag"},
	"ccwrap":   {"github.com/spf13/cobra", "github.com/spf13/pflag", "polytune/session"},
	"editor":   {"github.com/spf13/cobra", "github.com/spf13/pflag", "polytune/session"},
	"target":   {"github.com/spf13/cobra", "github.com/spf13/pflag", "polytune/frontend"},
	"device":   {"polytune/frontend", "polytune/runner", "polytune/pipeline", "polytune/transform"},
	"codegen":  {"polytune/frontend", "polytune/runner", "polytune/pipeline"},
	"runner":   {"polytune/target/openmp", "polytune/pipeline"},
	"tuner":    {"polytune/target/openmp", "polytune/pipeline"},

	"transform/facts":      {"polytune/transform", "polytune/schedule/command", "polytune/codegen"},
	"transform/hyperplane": {"polytune/transform", "polytune/schedule/command", "polytune/codegen"},
}

// TestLayers checks that packages import along the pipeline alone, and know no command line.
func TestLayers(t *testing.T) {
	t.Parallel()
	for folder, forbidden := range notImported {
		paths := sourcesIn(t, filepath.Join("../..", folder))
		if len(paths) == 0 {
			t.Errorf("%s has no sources", folder)
		}
		for _, path := range paths {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				for _, name := range forbidden {
					if strings.Trim(spec.Path.Value, `"`) == name {
						t.Errorf("%s imports %s", path, name)
					}
				}
			}
		}
	}
}

// sourcesIn are the source files of a folder and those in it, without tests and the suites for
// tests.
func sourcesIn(t *testing.T, folder string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "targettest") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
