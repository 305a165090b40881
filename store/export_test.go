package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestExport(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	record(t, s, session, "a", okay(2))
	path := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Export(t.Context(), path))
	record(t, s, session, "b", okay(3))
	if got := dump(t, united(t, path)); len(got) != len(dump(t, s.Path()))-1 {
		t.Errorf("the first copy has %d rows", len(got))
	}
	must(t, s.Export(t.Context(), path))
	expectEqual(t, "second copy", s.Path(), united(t, path))
	files, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	if len(files) != 1 {
		t.Errorf("files besides the copy: %v", files)
	}
}

// The copy can be read where nothing can be written: no log, no shared memory.
func TestExportHasNoLog(t *testing.T) {
	s := newStore(t)
	begin(t, s, testKey)
	path := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Export(t.Context(), path))
	content, err := os.ReadFile(path)
	must(t, err)
	if string(content[:15]) != "SQLite format 3" || content[18] != 1 || content[19] != 1 {
		t.Errorf("header %q", content[:24])
	}
	copied := openStore(t, path)
	if got := selectLines(t, copied, `PRAGMA integrity_check`); len(got) != 1 || got[0] != "ok" {
		t.Errorf("integrity_check: %q", got)
	}
}

func TestExportReplacesOnlyCopies(t *testing.T) {
	s := newStore(t)
	begin(t, s, testKey)
	folder := t.TempDir()
	text, foreign, empty := filepath.Join(folder, "kernel.c"), filepath.Join(folder, "songs.db"), filepath.Join(folder, "empty")
	must(t, os.WriteFile(text, bytes.Repeat([]byte("int x;\n"), 100), 0o600))
	plain(t, foreign, `CREATE TABLE song (title TEXT)`)
	must(t, os.WriteFile(empty, nil, 0o600))
	used, closed := newStore(t), newStore(t)
	begin(t, used, testKey)
	_, err := closed.RecordTrial(t.Context(), Trial{Session: begin(t, closed, testKey).UUID, Variant: "a"})
	must(t, err)
	must(t, closed.Close())
	for path, says := range map[string]string{
		text: "no database of polytune", foreign: "no database of polytune", folder: "not a regular file",
		s.Path(): "the database itself", used.Path(): "in use", closed.Path(): "1 trials that", filepath.Join(folder, "none", "x.db"): "mkdir -p",
	} {
		before, _ := os.ReadFile(path)
		err = s.Export(t.Context(), path)
		var access *AccessError
		if !errors.As(err, &access) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v; want %q", path, err, says)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", path)
		}
	}
	must(t, s.Export(t.Context(), empty))
}

// Whenever an export is killed, what stands at its place is a whole copy.
func TestKilledExportLeavesCopy(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	for range 200 {
		record(t, s, session, "a", okay(2))
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Export(t.Context(), path))
	for range 5 {
		w := startHelper(t, exportVariable, s.Path()+":"+path)
		time.AfterFunc(time.Duration(rand.IntN(60_000))*time.Microsecond, func() { w.command.Process.Kill() })
		for range w.lines {
		}
		w.command.Wait()
		expectEqual(t, "after a kill", s.Path(), united(t, path))
	}
}

// What killed exports leave is removed by later ones, when nobody can be at work on it any
// more; other files stay.
func TestExportRemovesOldParts(t *testing.T) {
	s := newStore(t)
	begin(t, s, testKey)
	path := filepath.Join(t.TempDir(), "copy.db")
	old := time.Now().Add(-2 * partAge)
	for name, stays := range map[string]bool{
		".0f8fad5b-d9cb-469f-a165-70867728950e.part": false, ".1f8fad5b-d9cb-469f-a165-70867728950e.part": true, ".mine.part": true, ".backup": true,
	} {
		must(t, os.WriteFile(path+name, []byte("x"), 0o600))
		if name[1] != '1' {
			must(t, os.Chtimes(path+name, old, old))
		}
		must(t, s.Export(t.Context(), path))
		if _, err := os.Stat(path + name); (err == nil) != stays {
			t.Errorf("%s: %v, stays %v", name, err, stays)
		}
	}
}

// Nobody is at work on a copy, whoever is on the database.
func TestExportForgetsProcesses(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	answer, err := s.Claim(t.Context(), Worker{UUID: "w", Session: session.UUID}, Race)
	if err != nil || !answer.Granted {
		t.Fatal(answer, err)
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Export(t.Context(), path))
	copied := openStore(t, path)
	if got := selectLines(t, copied, `SELECT (SELECT count(*) FROM worker) + (SELECT count(*) FROM claim)`); got[0] != "0" {
		t.Errorf("the copy has %s workers and claims", got[0])
	}
	if workers, err := s.Workers(t.Context(), ""); err != nil || len(workers) != 1 {
		t.Errorf("the database has %+v, %v", workers, err)
	}
}

func TestExportToFullDisk(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	path := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Export(t.Context(), path))
	for range 300 {
		record(t, s, session, "a", okay(2))
	}
	must(t, s.Close())
	before, err := os.ReadFile(path)
	must(t, err)
	w := startHelper(t, limitedExportVariable, s.Path()+":"+path)
	for line := range w.lines {
		if !strings.Contains(line, "free space") || !strings.Contains(line, path) {
			t.Errorf("message %q", line)
		}
	}
	if err := w.command.Wait(); err == nil {
		t.Error("no error on a full disk")
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the former copy was changed (%v)", err)
	}
	if parts, _ := filepath.Glob(path + ".*"); len(parts) > 0 {
		t.Errorf("left behind: %v", parts)
	}
}
