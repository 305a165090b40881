package store

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestBestOfRegion(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	record(t, s, session, "a", okay(3))
	other := testKey
	other.Kernel = "kernel-9"
	record(t, s, begin(t, s, other), "b", okay(2))
	for _, region := range [][2]string{{"kernel-1", "r1"}, {"kernel-1", "r1"}, {"kernel-9", "r1"}, {"kernel-9", "r2"}} {
		must(t, s.RegisterRegion(t.Context(), region[0], region[1]))
	}
	if err := s.RegisterRegion(t.Context(), "nobody", "r1"); err == nil {
		t.Error("a region of a kernel that is not there")
	}
	for _, c := range []struct {
		hash, machine string
		want          int
	}{{"r1", "machine-1", 2}, {"r2", "machine-1", 1}, {"r3", "machine-1", 0}, {"r1", "machine-2", 0}} {
		list, err := s.BestOfRegion(t.Context(), c.hash, c.machine, false)
		if err != nil || len(list) != c.want {
			t.Errorf("region %s on %s: %d results, %v; want %d", c.hash, c.machine, len(list), err, c.want)
		}
	}
	best, err := s.Best(t.Context(), BestQuery{KernelID: "kernel-1"})
	must(t, err)
	p, err := s.Provenance(t.Context(), best[0].Trial)
	must(t, err)
	if p.Session != session.UUID || time.Since(p.Finished) > time.Hour || !json.Valid(p.Settings) || !json.Valid(p.Machine) || !json.Valid(p.Toolchain) {
		t.Errorf("provenance %+v", p)
	}
	if _, err := s.Provenance(t.Context(), "none"); err == nil {
		t.Error("a trial that is not there has a provenance")
	}
}

func TestOpenReadOnly(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "tune.db")
	if _, err := OpenReadOnly(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	writer := openStore(t, path)
	session := begin(t, writer, testKey)
	reader, err := OpenReadOnly(t.Context(), path)
	must(t, err)
	defer reader.Close()
	record(t, writer, session, "a", okay(2))
	if got := bestLine(t, reader, BestQuery{}); got != "kernel-1 a 2.00" {
		t.Errorf("while another writes, best is %q", got)
	}
	if err := reader.RegisterKernel(t.Context(), Kernel{ID: "x", Name: "x"}); err == nil {
		t.Error("a database opened for reading is written")
	}
	_, err = writer.db.Exec(`PRAGMA user_version = 1`)
	must(t, err)
	var older *OlderSchemaError
	if _, err := OpenReadOnly(t.Context(), path); !errors.As(err, &older) || older.Found != 1 || !strings.Contains(err.Error(), "migrates") {
		t.Errorf("older schema: %v", err)
	}
	_, err = writer.db.Exec(`PRAGMA user_version = 1000`)
	must(t, err)
	var newer *NewerSchemaError
	if _, err := OpenReadOnly(t.Context(), path); !errors.As(err, &newer) {
		t.Errorf("newer schema: %v", err)
	}
	junk := filepath.Join(folder, "junk.db")
	must(t, os.WriteFile(junk, []byte(strings.Repeat("no database ", 100)), 0o600))
	var damaged *DamagedError
	if _, err := OpenReadOnly(t.Context(), junk); !errors.As(err, &damaged) {
		t.Errorf("junk: %v", err)
	}
}

// TestOpenReadOnlyInForeignFolder: no file can be made beside the database.
func TestOpenReadOnlyInForeignFolder(t *testing.T) {
	s := newStore(t)
	record(t, s, begin(t, s, testKey), "a", okay(2))
	must(t, s.Close())
	folder := filepath.Dir(s.Path())
	must(t, os.Chmod(s.Path(), 0o444))
	must(t, os.Chmod(folder, 0o555))
	t.Cleanup(func() { os.Chmod(folder, 0o700) })
	if os.Getuid() == 0 { // whose rights would go beyond those of the folder
		must(t, os.Chmod(filepath.Dir(folder), 0o755))
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if _, err := unix.SetfsuidRetUid(65534); err != nil {
			t.Fatal(err)
		}
		defer unix.SetfsuidRetUid(0)
	}
	// Without a context that ends, all is done by this thread.
	reader, err := OpenReadOnly(context.Background(), s.Path())
	must(t, err)
	defer reader.Close()
	list, err := reader.Best(context.Background(), BestQuery{})
	if err != nil || len(list) != 1 || list[0].Variant.ID != "a" {
		t.Errorf("best are %+v, %v", list, err)
	}
}

// TestMergeRegions: what is known of a region goes with its kernel.
func TestMergeRegions(t *testing.T) {
	from, path := newStore(t), filepath.Join(t.TempDir(), "union.db")
	record(t, from, begin(t, from, testKey), "a", okay(3))
	must(t, from.RegisterRegion(t.Context(), "kernel-1", "r1"))
	for range 2 {
		if _, err := Merge(t.Context(), path, from.Path()); err != nil {
			t.Fatal(err)
		}
	}
	to := openStore(t, path)
	list, err := to.BestOfRegion(t.Context(), "r1", "machine-1", false)
	if err != nil || len(list) != 1 {
		t.Errorf("%d results of the region, %v; want one", len(list), err)
	}
}
