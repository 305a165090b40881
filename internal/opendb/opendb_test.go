package opendb

import (
	"errors"
	"io/fs"
	"path/filepath"
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
