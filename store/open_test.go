package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// plain changes a database behind the store's back.
func plain(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	defer db.Close()
	for _, statement := range statements {
		_, err := db.Exec(statement)
		must(t, err)
	}
}

// refused opens the file at path, which must fail and leave it as it is.
func refused(t *testing.T, path string) error {
	t.Helper()
	before, err := os.ReadFile(path)
	must(t, err)
	s, refusal := Open(t.Context(), path)
	if refusal == nil {
		s.Close()
		t.Fatalf("%s was opened", path)
	}
	after, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(before, after) {
		t.Errorf("%s was changed", path)
	}
	return refusal
}

func TestJunkIsRefused(t *testing.T) {
	for name, content := range map[string]string{
		"text":   "not a database, not at all" + strings.Repeat("0", 400),
		"short":  "x",
		"header": "SQLite format 3\x00" + strings.Repeat("junk", 2000),
	} {
		path := filepath.Join(t.TempDir(), name+".db")
		must(t, os.WriteFile(path, []byte(content), 0o600))
		err := refused(t, path)
		var damaged *DamagedError
		if !errors.As(err, &damaged) || damaged.Path != path || !strings.Contains(err.Error(), "move it aside") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDamageIsRefused(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	for range 50 {
		record(t, s, session, "a", Outcome{Status: Crashed, Detail: strings.Repeat("stack ", 100)})
	}
	must(t, s.Close())
	file, err := os.OpenFile(s.Path(), os.O_RDWR, 0)
	must(t, err)
	info, err := file.Stat()
	must(t, err)
	_, err = file.WriteAt(bytes.Repeat([]byte{0xA5}, 8192), info.Size()-16384)
	must(t, errors.Join(err, file.Close()))
	var damaged *DamagedError
	if err := refused(t, s.Path()); !errors.As(err, &damaged) {
		t.Errorf("a damaged page: %v", err)
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	s := newStore(t)
	must(t, s.Close())
	plain(t, s.Path(), `PRAGMA user_version = 99`)
	err := refused(t, s.Path())
	var newer *NewerSchemaError
	if !errors.As(err, &newer) || newer.Found != 99 || newer.Supported < 1 {
		t.Fatalf("newer schema: %v", err)
	}
	if text := err.Error(); !strings.Contains(text, "version 99") || !strings.Contains(text, fmt.Sprintf("up to %d", newer.Supported)) {
		t.Errorf("the message does not name both versions: %s", text)
	}
}

func TestForeignDatabaseIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bookmarks.db")
	plain(t, path, `CREATE TABLE bookmark (url TEXT)`)
	var foreign *ForeignError
	if err := refused(t, path); !errors.As(err, &foreign) {
		t.Errorf("another program's database: %v", err)
	}
}

func TestEmptyFileBecomesDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.db")
	must(t, os.WriteFile(path, nil, 0o600))
	openStore(t, path)
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b.db", "50%?x=1#y&.db", "é\"'.db", "file:x.db"} {
		path := filepath.Join(t.TempDir(), name)
		s := openStore(t, path)
		must(t, register(t.Context(), s, testKey))
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestPlacesWithoutAccess(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	locked := filepath.Join(folder, "locked")
	must(t, os.Mkdir(locked, 0o500))
	for _, c := range []struct {
		path, says string
		root       bool
	}{
		{filepath.Join(folder, "none", "x.db"), "mkdir -p " + filepath.Join(folder, "none"), true},
		{filepath.Join(file, "x.db"), "is not a folder", true},
		{folder, "not a regular file", true},
		{"/proc/nope/x.db", "no folder /proc/nope", true},
		{"/proc/x.db", "writable", true},
		{filepath.Join(locked, "x.db"), "no right to write in folder " + locked, false},
	} {
		if os.Getuid() == 0 && !c.root {
			continue
		}
		_, err := Open(t.Context(), c.path)
		var access *AccessError
		if !errors.As(err, &access) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "--db") {
			t.Errorf("%s: %v; want %q", c.path, err, c.says)
		}
	}
}

func TestOpenExisting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	if _, err := OpenExisting(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the missing file was created")
	}
	openStore(t, path)
	s, err := OpenExisting(t.Context(), path)
	must(t, err)
	must(t, s.Close())
}

func TestDefaultPath(t *testing.T) {
	data := t.TempDir()
	for _, c := range []struct{ data, want string }{
		{data, filepath.Join(data, "tune", "tune.db")},
		{"", "/home/someone/.local/share/tune/tune.db"},
		{"relative", "/home/someone/.local/share/tune/tune.db"},
	} {
		t.Setenv("XDG_DATA_HOME", c.data)
		t.Setenv("HOME", "/home/someone")
		if got, err := DefaultPath(); err != nil || got != c.want {
			t.Errorf("XDG_DATA_HOME=%q: %s, %v; want %s", c.data, got, err, c.want)
		}
	}
	t.Setenv("XDG_DATA_HOME", data)
	path, err := DefaultPath()
	must(t, err)
	openStore(t, path)
}

func TestPragmas(t *testing.T) {
	s := newStore(t)
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "30000",
		"application_id": fmt.Sprint(applicationID),
	} {
		if got := selectLines(t, s, "PRAGMA "+pragma); len(got) != 1 || got[0] != want {
			t.Errorf("PRAGMA %s is %q; want %s", pragma, got, want)
		}
	}
}

// withMigration is the schema with one more step.
func withMigration(t *testing.T, script string) fstest.MapFS {
	t.Helper()
	scripts, err := loadMigrations(migrationFiles)
	must(t, err)
	files := fstest.MapFS{}
	for i, text := range append(scripts, script) {
		files[fmt.Sprintf("migrations/%04d_step.sql", i+1)] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func TestOlderSchemaIsCopiedAndMigrated(t *testing.T) {
	s := newStore(t)
	id := record(t, s, begin(t, s, testKey), "a", okay(2))
	must(t, s.Close())
	newer := withMigration(t, `ALTER TABLE session ADD COLUMN mood TEXT NOT NULL DEFAULT 'good'`)
	migrated, err := open(t.Context(), s.Path(), newer, true)
	must(t, err)
	defer migrated.Close()
	if got := selectLines(t, migrated, `SELECT trial.uuid, mood FROM session JOIN trial USING (kernel)`); len(got) != 1 {
		t.Errorf("after the migration: %q", got)
	}
	if migrated.Backup() == "" {
		t.Fatal("no copy was made")
	}
	backup := openStore(t, migrated.Backup())
	if got := selectLines(t, backup, `SELECT uuid FROM trial`); len(got) != 1 || got[0] != id {
		t.Errorf("the copy has the trials %q", got)
	}
	var found *NewerSchemaError
	if _, err := Open(t.Context(), s.Path()); !errors.As(err, &found) {
		t.Errorf("the migrated database opened by an older program: %v", err)
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	for name, script := range map[string]string{
		"wrong SQL": `ALTER TABLE session ADD COLUMN mood TEXT; ALTER TABLE nothing ADD COLUMN x`,
		"orphans":   `DROP TRIGGER trial_is_final; UPDATE trial SET variant = 'zzz'`,
	} {
		s := newStore(t)
		record(t, s, begin(t, s, testKey), "a", okay(2))
		must(t, s.Close())
		if _, err := open(t.Context(), s.Path(), withMigration(t, script), true); err == nil {
			t.Errorf("%s: no error", name)
		}
		s = openStore(t, s.Path())
		if got := selectLines(t, s, `SELECT variant FROM trial`); len(got) != 1 || got[0] != "a" {
			t.Errorf("%s: trials %q", name, got)
		}
	}
}

func TestMigrationNames(t *testing.T) {
	for name, files := range map[string][]string{
		"gap":      {"0001_a.sql", "0003_b.sql"},
		"twice":    {"0001_a.sql", "0001_b.sql"},
		"unnamed":  {"first.sql"},
		"from two": {"0002_a.sql"},
	} {
		set := fstest.MapFS{}
		for _, file := range files {
			set["migrations/"+file] = &fstest.MapFile{}
		}
		if _, err := loadMigrations(set); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCancelledOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, filepath.Join(t.TempDir(), "x.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with a cancelled context: %v", err)
	}
}
