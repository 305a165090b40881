package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"testing/fstest"
	"time"
)

// schemas are dumps of databases of earlier versions.
func schemas(t *testing.T) []string {
	t.Helper()
	dumps, err := filepath.Glob("testdata/schema/*.sql")
	must(t, err)
	if len(dumps) < 2 {
		t.Fatalf("schemas %v", dumps)
	}
	return dumps
}

// oldDatabase makes a database of a dump.
func oldDatabase(t *testing.T, dump string) string {
	t.Helper()
	text, err := os.ReadFile(dump)
	must(t, err)
	path := filepath.Join(t.TempDir(), "old.db")
	plain(t, path, string(text))
	return path
}

// Every schema that there ever was is migrated, after a copy was made.
func TestEverySchemaIsMigrated(t *testing.T) {
	key := SessionKey{Kernel: "k1", Machine: "m1", Toolchain: "c1", Size: "large", Settings: []byte(`{"threads":2}`)}
	for _, dump := range schemas(t) {
		path := oldDatabase(t, dump)
		old, err := os.ReadFile(path)
		must(t, err)
		s := openStore(t, path)
		trials, err := s.Trials(t.Context(), key)
		if err != nil || len(trials) != 3 || len(trials[1].Samples) != 3 || trials[1].Summary.Speedup.Median != 2 || !trials[2].Open() {
			t.Errorf("%s: trials %+v, %v", dump, trials, err)
		}
		best, err := s.Best(t.Context(), BestQuery{Kernel: "polybench/2mm"})
		if err != nil || len(best) != 1 || best[0].Variant.Recipe != "tile c0.1 by 32" {
			t.Errorf("%s: best %+v, %v", dump, best, err)
		}
		if _, err := s.BeginSession(t.Context(), key, nil); err != nil {
			t.Errorf("%s: %v", dump, err)
		}
		must(t, s.AddSamples(t.Context(), Sample{Trial: "t2", Round: 9, Seconds: 1}))
		must(t, s.RateTrials(t.Context(), trials[2].Session, Rated{"t2", *okay(2).Summary}))
		must(t, s.FinishTrial(t.Context(), "t2", okay(2)))
		if s.Backup() == "" {
			t.Errorf("%s: no copy", dump)
			continue
		}
		copied, err := os.ReadFile(s.Backup())
		if err != nil || !bytes.Equal(versionOf(copied), versionOf(old)) {
			t.Errorf("%s: the copy has schema version %v, %v", dump, versionOf(copied), err)
		}
	}
}

// versionOf is PRAGMA user_version as the file's header has it.
func versionOf(file []byte) []byte { return file[60:64] }

// An older database is merged from a copy, and stays what it was.
func TestEverySchemaIsMerged(t *testing.T) {
	for _, dump := range schemas(t) {
		path := oldDatabase(t, dump)
		before, err := os.ReadFile(path)
		must(t, err)
		target := united(t, path)
		s := openStore(t, target)
		script, err := os.ReadFile(dump)
		must(t, err)
		want := regexp.MustCompile(`(?m)^INSERT INTO "?trial"? `).FindAll(script, -1)
		if got := selectLines(t, s, `SELECT count(*) FROM trials`); got[0] != strconv.Itoa(len(want)) || len(want) < 3 {
			t.Errorf("%s: %s trials instead of %d", dump, got[0], len(want))
		}
		files, err := os.ReadDir(filepath.Dir(path))
		must(t, err)
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) || len(files) != 1 {
			t.Errorf("%s was changed (%v), beside it are %v", dump, err, files)
		}
	}
}

// slowMigration is the schema with a step that takes a while.
func slowMigration() (fstest.MapFS, error) {
	scripts, err := loadMigrations(migrationFiles)
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	for i, text := range append(scripts, `CREATE TABLE ballast (x);
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
		INSERT INTO ballast SELECT randomblob(40) FROM n;
		CREATE INDEX ballast_by_x ON ballast (x)`) {
		files[fmt.Sprintf("migrations/%04d_step.sql", i+1)] = &fstest.MapFile{Data: []byte(text)}
	}
	return files, nil
}

func migrateSlowly(ctx context.Context, path, _ string) error {
	files, err := slowMigration()
	if err != nil {
		return err
	}
	s, err := open(ctx, path, files, true)
	if err != nil {
		return err
	}
	return s.Close()
}

// A migration that is killed at any moment leaves the old database.
func TestKilledMigrationChangesNothing(t *testing.T) {
	s := newStore(t)
	id := record(t, s, begin(t, s, testKey), "a", okay(2))
	must(t, s.Close())
	for range 6 {
		h := startHelper(t, migrateVariable, s.Path())
		time.AfterFunc(time.Duration(rand.IntN(150_000))*time.Microsecond, func() { h.command.Process.Kill() })
		for range h.lines {
		}
		h.command.Wait()
		old, err := Open(t.Context(), s.Path())
		var newer *NewerSchemaError
		if errors.As(err, &newer) {
			t.Log("the migration was faster than the signal")
			return
		}
		must(t, err)
		if got := selectLines(t, old, `SELECT uuid FROM trial`); len(got) != 1 || got[0] != id {
			t.Errorf("trials %v", got)
		}
		if got := selectLines(t, old, `SELECT count(*) FROM sqlite_master WHERE name = 'ballast'`); got[0] != "0" {
			t.Error("half of a migration is there")
		}
		must(t, old.Close())
	}
}
