package main

import (
	"os"
	"path/filepath"
	"testing"

	"polytune/pipeline"
	"polytune/session"
	"polytune/store"
)

// A database that knows a kernel by its earlier identity goes on with it.
func TestEarlierIdentityIsKept(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "tune.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	k := pipeline.KernelID{ID: "now", Earlier: "before"}
	for _, want := range []string{"now", "before"} {
		if id, err := k.In(t.Context(), db); err != nil || id != want {
			t.Errorf("%q, %v; want %q", id, err, want)
		}
		if err := db.RegisterKernel(t.Context(), store.Kernel{ID: k.Earlier, Name: "k"}); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{db.Path(): "before", filepath.Join(t.TempDir(), "none.db"): "now"} {
		if id, err := session.IdentityAt(t.Context(), os.Stderr, k, path); err != nil || id != want {
			t.Errorf("%s: %q, %v; want %q", path, id, err, want)
		}
	}
}
