package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"polytune/internal/randomprogram"
)

// encoded begins the line of a saved program that load reads; the rest of the
// file is for people.
const encoded = "// program: "

// ofRecipe begins the lines with the recipe of the variant that failed, where that is known.
const ofRecipe = "// recipe: "

// save writes a failing program as C with what failed, and returns its path.
func save(folder string, p *randomprogram.Program, r report) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%d.c", r.Stage, p.Seed))
	layout := randomprogram.NewLayout(p, runSizes)
	var b strings.Builder
	fmt.Fprintf(&b, "// Fails at the stage %s:\n", r.Stage)
	for _, line := range strings.Split(firstLines(strings.TrimSpace(r.Message), 3), "\n") {
		fmt.Fprintf(&b, "//   %s\n", line)
	}
	for line := range strings.Lines(r.Recipe) {
		b.WriteString(ofRecipe + strings.TrimSpace(line) + "\n")
	}
	fmt.Fprintf(&b, "// Repeat: go run ./cmd/fuzz %s\n%s%s\n%s%s", path, encoded, p.Encode(),
		p.Prelude(layout), p.Source(layout))
	return path, os.WriteFile(path, []byte(b.String()), 0o644)
}

// load reads a program that save wrote, and the recipe with which it failed, "" where nobody knew.
func load(path string) (p *randomprogram.Program, recipe string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	for line := range bytes.Lines(text) {
		if command, ok := bytes.CutPrefix(line, []byte(ofRecipe)); ok {
			recipe += string(command)
		}
		if rest, ok := bytes.CutPrefix(line, []byte(encoded)); ok {
			if p, err = randomprogram.Decode(rest); err != nil {
				return nil, "", fmt.Errorf("%s: %w", path, err)
			}
			return p, recipe, nil
		}
	}
	return nil, "", fmt.Errorf("%s: there is no line that begins with %q; only files that fuzz saved can be repeated", path, encoded)
}
