package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/store"
)

// TestOrReadOnly reads databases whose folders are somebody else's. (The rights
// themselves mean nothing to root, who runs tests in containers.)
func TestOrReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.db")
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	refused := &store.AccessError{Path: path, Problem: "no right to write in folder", Err: fs.ErrPermission}
	db, err = orReadOnly(t.Context(), nil, refused, path)
	if err != nil {
		t.Fatalf("a database that may be read is not read: %v", err)
	}
	if err := db.RegisterMachine(t.Context(), store.Machine{ID: "m"}); err == nil {
		t.Error("it can be written")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := orReadOnly(t.Context(), nil, refused, path+".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no right, and no file: %v", err)
	}
	damaged := &store.DamagedError{Path: path}
	if _, err := orReadOnly(t.Context(), nil, damaged, path); !errors.Is(err, damaged) {
		t.Errorf("a damaged database: %v", err)
	}
}

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
		c, stdout, stderr := command(folder, "status", "--db", "old.db", "--json")
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
