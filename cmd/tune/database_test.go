package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMigrationIsTold opens a database of the version before: where its copy is stands on
// stderr, once.
func TestMigrationIsTold(t *testing.T) {
	text, err := os.ReadFile("../../store/testdata/schema/0008.sql")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := execute(filepath.Join(folder, "old.db"), string(text)); err != nil {
		t.Fatal(err)
	}
	for _, migrates := range []bool{true, false} {
		c, stdout, stderr := tuneCommand(folder, "status", "--db", "old.db", "--json")
		if err := c.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		_, copied, told := strings.Cut(strings.TrimSuffix(stderr.String(), " is a copy of it as it was\n"), "; ")
		if told != migrates || !strings.HasPrefix(stdout.String(), "{") {
			t.Fatalf("migrates %v: %q, and on stdout %q", migrates, stderr, stdout)
		}
		if !migrates {
			continue
		}
		if versions, err := query(t.Context(), copied, "PRAGMA user_version"); err != nil || len(versions) != 1 || versions[0] != "8" {
			t.Errorf("the copy %s has the version %v, %v", copied, versions, err)
		}
	}
}
