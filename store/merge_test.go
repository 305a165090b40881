package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// dump is all that a merge unites, a line for each row.
func dump(t *testing.T, path string) []string {
	t.Helper()
	s, err := OpenExisting(t.Context(), path)
	must(t, err)
	defer s.Close()
	var lines []string
	for _, table := range mergedTables {
		for _, line := range selectLines(t, s, `SELECT * FROM `+table.name) {
			lines = append(lines, table.name+" "+line)
		}
	}
	slices.Sort(lines)
	return lines
}

// united merges databases into a new one and gives its path.
func united(t *testing.T, sources ...string) string {
	t.Helper()
	target := filepath.Join(t.TempDir(), "union.db")
	_, err := Merge(t.Context(), target, sources...)
	must(t, err)
	return target
}

func expectEqual(t *testing.T, what, a, b string) {
	t.Helper()
	left, right := dump(t, a), dump(t, b)
	if slices.Equal(left, right) {
		return
	}
	for _, line := range left {
		if !slices.Contains(right, line) {
			t.Errorf("%s: only on the left: %s", what, line)
		}
	}
	for _, line := range right {
		if !slices.Contains(left, line) {
			t.Errorf("%s: only on the right: %s", what, line)
		}
	}
}

// randomDatabase has some of the rows of one universe, in random states: what
// identifies a row depends on its number alone.
func randomDatabase(t *testing.T, random *rand.Rand) string {
	t.Helper()
	s := newStore(t)
	clock := func() string {
		return formatTime(time.Date(2026, 1, 1, 0, 0, random.IntN(4), 0, time.UTC))
	}
	insert := func(statement string, args ...any) {
		t.Helper()
		_, err := s.db.Exec(statement, args...)
		must(t, err)
	}
	for _, place := range []string{"1", "2"} {
		insert(`INSERT INTO machine VALUES (?, 'node' || ?, ?, ?)`, "m"+place, place, fmt.Sprintf(`{"free":%d}`, random.IntN(3)), clock())
		insert(`INSERT INTO toolchain VALUES (?, 'gcc', '12', '{}', ?)`, "c"+place, clock())
		insert(`INSERT INTO kernel VALUES (?, 'polybench/2mm', ?)`, "k"+place, clock())
		for _, variant := range []string{Original, "a", "b"} {
			insert(`INSERT INTO variant VALUES (?, ?, '0-1', 'tile', ?)`, "k"+place, variant, clock())
		}
	}
	for number := range 4 {
		if random.IntN(3) > 0 {
			randomSession(random, number, clock, insert)
		}
	}
	for number := range 3 {
		if random.IntN(2) > 0 {
			insert(`INSERT INTO peak VALUES (?, 'm1', 'c1', '2026', '{}')`, fmt.Sprint("peak", number))
		}
	}
	must(t, s.Close())
	return s.Path()
}

func randomSession(random *rand.Rand, number int, clock func() string, insert func(string, ...any)) {
	session, kernel := fmt.Sprint("session", number), fmt.Sprint("k", 1+number%2)
	var ended any
	if random.IntN(2) > 0 {
		ended = clock()
	}
	insert(`INSERT INTO session (uuid, kernel, size, machine, toolchain, settings, details, started, opened, finished)
		VALUES (?, ?, 'small', ?, 'c1', '{}', '{}', '2026', ?, ?)`, session, kernel, fmt.Sprint("m", 1+number/2), clock(), ended)
	for batch, setting := range []string{"", "tile=wide"} {
		if random.IntN(2) > 0 {
			insert(`INSERT INTO candidate (session, partition, setting, variant, batch, binary) VALUES (?, '0-1', ?, 'a', ?, ?)`,
				session, setting, batch+random.IntN(2), fmt.Sprint(random.IntN(2)))
		}
	}
	for round := range 2 {
		if random.IntN(2) > 0 {
			insert(`INSERT INTO round_state (session, round, round_trip) VALUES (?, ?, ?)`, session, round, 1+random.IntN(2))
		}
	}
	for k, variant := range []string{Original, "a", "b", "a"} {
		if random.IntN(4) == 0 {
			continue
		}
		trial := fmt.Sprint(session, "-", k)
		toolchain := map[string]any{"b": "c2"}[variant]
		insert(`INSERT INTO trial (uuid, session, kernel, variant, toolchain, status, verified, detail, started)
			VALUES (?, ?, ?, ?, ?, 'interrupted', 0, '', '2026')`, trial, session, kernel, variant, toolchain)
		for round := range 3 {
			if random.IntN(3) > 0 {
				insert(`INSERT INTO sample (trial, round, position, seconds, max_rss) VALUES (?, ?, 0, ?, ?)`,
					trial, round, 1+float64(random.IntN(3))/3, random.IntN(2))
			}
		}
		switch random.IntN(3) {
		case 0:
			insert(`UPDATE trial SET status = 'crashed', detail = ?, finished = ? WHERE uuid = ?`, fmt.Sprint(random.IntN(3)), clock(), trial)
		case 1:
			insert(`UPDATE trial SET status = 'ok', verified = 1, rounds = 3, seconds = ?1, seconds_low = ?1, seconds_high = ?1,
				speedup = 1, speedup_low = 1, speedup_high = 1, coverage = 0.9, finished = ?2 WHERE uuid = ?3`,
				1+float64(random.IntN(3))/7, clock(), trial)
		}
	}
}

// The union is that of sets, whatever the databases: any order, any number of times.
func TestMergeIsUnion(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	cases := 3
	if os.Getenv("POLYTUNE_LONG") != "" {
		cases = 100
	}
	for range cases {
		a, b, c := randomDatabase(t, random), randomDatabase(t, random), randomDatabase(t, random)
		all := united(t, a, b, c)
		expectEqual(t, "commutative", all, united(t, c, a, b))
		expectEqual(t, "associative, left", all, united(t, united(t, a, b), c))
		expectEqual(t, "associative, right", all, united(t, a, united(t, b, c)))
		expectEqual(t, "idempotent", all, united(t, a, b, a, c, b, c))
		expectEqual(t, "of one", a, united(t, a))
		_, err := Merge(t.Context(), all, b, all)
		must(t, err)
		expectEqual(t, "absorbing", all, united(t, a, b, c))
	}
}

// Every table is either united or, for a reason, left out.
func TestEveryTableIsMerged(t *testing.T) {
	s := newStore(t)
	var known []string
	for _, table := range mergedTables {
		known = append(known, table.name)
	}
	for _, name := range selectLines(t, s, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`) {
		if !slices.Contains(known, name) && !slices.Contains(unmergedTables, name) {
			t.Errorf("table %s is neither in mergedTables (store/mergetable.go: what is its key?) nor in unmergedTables", name)
		}
	}
}

// A copy made before the end of a trial does not bring it back, and the
// finished trial, with what it has more, replaces the open one.
func TestMergeTakesTheFinishedTrial(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	id, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a", Samples: []Sample{{Seconds: 1}}})
	must(t, err)
	early := filepath.Join(t.TempDir(), "early.db")
	must(t, s.Export(t.Context(), early))
	must(t, s.AddSamples(t.Context(), Sample{Trial: id, Round: 1, Seconds: 2}))
	must(t, s.FinishTrial(t.Context(), id, okay(2)))
	must(t, s.ConcludeSession(t.Context(), session.UUID))
	must(t, s.Close())

	target := united(t, early)
	merged, err := Merge(t.Context(), target, s.Path())
	must(t, err)
	if got := merged[0].Rows; got["trials"] != (MergedRows{Total: 1, Newer: 1}) || got["samples"] != (MergedRows{Total: 2, New: 1}) || got["sessions"].Newer != 1 {
		t.Errorf("counts %+v", got)
	}
	expectEqual(t, "finished into open", s.Path(), target)
	expectEqual(t, "open into finished", s.Path(), united(t, s.Path(), early))
	u := openStore(t, target)
	if err := u.FinishTrial(t.Context(), id, okay(3)); err == nil {
		t.Error("the union's triggers are lost")
	}
}

// Open trials go on in the union.
func TestMergedSessionGoesOn(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	id, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a", Samples: []Sample{{Seconds: 1}}})
	must(t, err)
	u := openStore(t, united(t, s.Path()))
	again, err := u.BeginSession(t.Context(), testKey, nil)
	must(t, err)
	if !again.Resumed || again.UUID != session.UUID {
		t.Errorf("not resumed: %+v", again)
	}
	must(t, u.AddSamples(t.Context(), Sample{Trial: id, Round: 1, Seconds: 1}))
	must(t, u.FinishTrial(t.Context(), id, okay(2)))
}

func TestMergeRefusesOneIDForTwoThings(t *testing.T) {
	a, b := newStore(t), newStore(t)
	begin(t, a, testKey)
	must(t, b.RegisterKernel(t.Context(), Kernel{ID: testKey.Kernel, Name: "another"}))
	target := filepath.Join(t.TempDir(), "union.db")
	_, err := Merge(t.Context(), target, a.Path(), b.Path())
	var identity *IdentityError
	if !errors.As(err, &identity) || identity.Kind != "kernel" || !strings.Contains(err.Error(), b.Path()) {
		t.Errorf("error %v", err)
	}
	expectEqual(t, "what was merged before", target, united(t, a.Path()))
}

// Whatever is wrong with a source, nothing is written, and it stays as it is.
func TestMergeRefusesBadSources(t *testing.T) {
	folder := t.TempDir()
	good := newStore(t)
	record(t, good, begin(t, good, testKey), "a", okay(2))
	must(t, good.Close())
	file := func(name, content string) string {
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	newer := filepath.Join(folder, "newer.db")
	must(t, copyFile(good.Path(), newer))
	plain(t, newer, `PRAGMA user_version = 99`)
	foreign := filepath.Join(folder, "foreign.db")
	plain(t, foreign, `CREATE TABLE bookmark (url TEXT)`)
	whole, err := os.ReadFile(good.Path())
	must(t, err)
	for _, c := range []struct {
		path  string
		error any
	}{
		{filepath.Join(folder, "none.db"), new(*AccessError)},
		{folder, new(*AccessError)},
		{file("short.db", "x"), new(*DamagedError)},
		{file("text.db", strings.Repeat("not a database ", 100)), new(*DamagedError)},
		{file("half.db", string(whole[:len(whole)/8192*4096])), new(*DamagedError)},
		{newer, new(*NewerSchemaError)},
		{foreign, new(*ForeignError)},
	} {
		before, _ := os.ReadFile(c.path)
		target := filepath.Join(folder, "union.db")
		_, err := Merge(t.Context(), target, good.Path(), c.path)
		if err == nil || !errors.As(err, c.error) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: %v (%T)", c.path, err, err)
		}
		if after, _ := os.ReadFile(c.path); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", c.path)
		}
		if _, err := os.Stat(target); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the target was made (%v)", c.path, err)
		}
	}
}

// A tuner may go on writing to a database that is merged.
func TestMergeOfDatabaseInUse(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	first := record(t, s, session, "a", okay(2))
	target := united(t, s.Path())
	record(t, s, session, "b", okay(3))
	u := openStore(t, target)
	if got := selectLines(t, u, `SELECT uuid FROM trials`); !slices.Equal(got, []string{first}) {
		t.Errorf("trials %v", got)
	}
}

// A source is read where nothing can be written, as on another's disk.
func TestMergeFromReadOnlyFolder(t *testing.T) {
	s := newStore(t)
	record(t, s, begin(t, s, testKey), "a", okay(2))
	must(t, s.Close())
	folder := filepath.Dir(s.Path())
	must(t, os.Chmod(s.Path(), 0o400))
	must(t, os.Chmod(folder, 0o500))
	t.Cleanup(func() { os.Chmod(folder, 0o700) })
	if got := dump(t, united(t, s.Path())); len(got) < 5 {
		t.Errorf("rows %v", got)
	}
}

// A merge that is killed leaves the target as it was, or whole.
func TestKilledMergeIsRepeated(t *testing.T) {
	source, target := newStore(t), filepath.Join(t.TempDir(), "union.db")
	session := begin(t, source, testKey)
	for range 200 {
		record(t, source, session, "a", okay(2))
	}
	for range 5 {
		w := startHelper(t, mergeVariable, target+":"+source.Path())
		time.AfterFunc(time.Duration(rand.IntN(60_000))*time.Microsecond, func() { w.command.Process.Kill() })
		for range w.lines {
		}
		w.command.Wait()
		if _, err := os.Stat(target); err != nil {
			continue
		}
		s := openStore(t, target)
		if got := selectLines(t, s, `PRAGMA integrity_check`); len(got) != 1 || got[0] != "ok" {
			t.Errorf("integrity_check: %q", got)
		}
		if got := selectLines(t, s, `SELECT count(*) FROM trial`)[0]; got != "0" && got != "200" {
			t.Errorf("%s trials of 200", got)
		}
		must(t, s.Close())
	}
	_, err := Merge(t.Context(), target, source.Path())
	must(t, err)
	expectEqual(t, "after the kills", source.Path(), target)
}

func TestFullDiskStopsMerge(t *testing.T) {
	source := newStore(t)
	session := begin(t, source, testKey)
	for range 300 {
		record(t, source, session, "a", okay(2))
	}
	target := newStore(t)
	_, err := target.db.Exec(`PRAGMA max_page_count = 40`)
	must(t, err)
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, snapshot(t.Context(), source.Path(), copied))
	_, err = target.absorb(t.Context(), copied)
	var access *AccessError
	if err = explain(target.Path(), "merge", err); !errors.As(err, &access) || !strings.Contains(err.Error(), "free space") {
		t.Errorf("full disk: %v", err)
	}
	if got := selectLines(t, target, `SELECT count(*) FROM trial`)[0]; got != "0" {
		t.Errorf("%s trials of a merge that failed", got)
	}
}
