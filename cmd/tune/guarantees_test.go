package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var testReference = regexp.MustCompile("`([a-z/]+)\\.(Test[A-Za-z]+)`|`([a-z_]+\\.txtar)`")

// TestGuarantees checks that every promise in docs/guarantees.md names a test, and
// that all of these tests exist.
func TestGuarantees(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/guarantees.md")
	if err != nil {
		t.Fatal(err)
	}
	promises := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| promise") || strings.HasPrefix(line, "|---") {
			continue
		}
		promises++
		references := testReference.FindAllStringSubmatch(line, -1)
		if len(references) == 0 {
			t.Errorf("no test shows: %s", line)
		}
		for _, r := range references {
			if !referenceExists(t, r[1], r[2], r[3]) {
				t.Errorf("docs/guarantees.md names %s, which does not exist", r[0])
			}
		}
	}
	if promises < 20 {
		t.Errorf("%d promises were found", promises)
	}
}

// referenceExists looks for a test function in a folder, or for a script.
func referenceExists(t *testing.T, folder, test, script string) bool {
	t.Helper()
	if script != "" {
		_, err := os.Stat(filepath.Join("testdata", "script", script))
		return err == nil
	}
	files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "func "+test+"(") {
			return true
		}
	}
	return false
}
