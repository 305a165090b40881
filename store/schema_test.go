package store

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The dumps are those of every earlier version, each with the schema that its
// migrations make: one that has been in use is never changed.
func TestDumpsAreOfEveryVersion(t *testing.T) {
	scripts, err := loadMigrations(migrationFiles)
	must(t, err)
	dumps := schemas(t)
	if len(dumps) < len(scripts)-1 {
		t.Errorf("%d dumps of earlier versions, and the schema has version %d; testdata/schema lacks one", len(dumps), len(scripts))
	}
	for k, dump := range dumps {
		version := k + 1
		if name := fmt.Sprintf("%04d.sql", version); filepath.Base(dump) != name {
			t.Fatalf("%s instead of %s", dump, name)
		}
		old := readPlain(t, oldDatabase(t, dump))
		if got := old["pragma user_version"]; !slices.Equal(got, []string{strconv.Itoa(version)}) {
			t.Errorf("%s says version %v", dump, got)
		}
		path := filepath.Join(t.TempDir(), "made.db")
		plain(t, path, scripts[:version]...)
		expectSame(t, dump+" and the migrations: schema", old["schema"], readPlain(t, path)["schema"])
	}
}

// A migrated database has the schema of a new one and every row that it had, and
// the copy that is made before is the old one, row by row.
func TestMigrationsLoseNothing(t *testing.T) {
	fresh := newStore(t)
	must(t, fresh.Close())
	schema := readPlain(t, fresh.Path())["schema"]
	for _, dump := range schemas(t) {
		path := oldDatabase(t, dump)
		before := readPlain(t, path)
		s := openStore(t, path)
		backup := s.Backup()
		must(t, s.Close())
		after := readPlain(t, path)
		expectSame(t, dump+" migrated: schema", after["schema"], schema)
		for name, rows := range before {
			if isTable(name) {
				expectSame(t, dump+" migrated: "+name, prefixes(after[name], rows), rows)
			}
		}
		for _, view := range []string{"trials", "samples", "best"} {
			if len(after[view]) == 0 {
				t.Errorf("%s migrated: view %s is empty", dump, view)
			}
		}
		if backup == "" {
			if before["pragma user_version"][0] != after["pragma user_version"][0] {
				t.Errorf("%s: no copy", dump)
			}
			continue
		}
		copied := readPlain(t, backup)
		for name, rows := range before {
			expectSame(t, dump+" copied: "+name, copied[name], rows)
		}
	}
}

// isTable says whether the rows of readPlain are those of a table or a view.
func isTable(name string) bool { return name != "schema" && !strings.HasPrefix(name, "pragma ") }

// prefixes are the rows of a table that may have got further columns behind
// those that it had.
func prefixes(rows, old []string) []string {
	if len(old) == 0 {
		return rows
	}
	columns := strings.Count(old[0], "|")
	short := make([]string, len(rows))
	for i, row := range rows {
		short[i] = strings.Join(strings.SplitAfter(row, "|")[:columns], "")
	}
	return short
}

// readPlain reads a database without this package's code: the rows of each table
// and view, each value followed by "|", and beside them the "schema" and some
// "pragma …".
func readPlain(t *testing.T, path string) map[string][]string {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	must(t, err)
	defer db.Close()
	lines := func(query string) []string {
		list, err := plainLines(db, query)
		must(t, err)
		return list
	}
	found := map[string][]string{}
	for _, name := range lines(`SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'`) {
		name = strings.TrimSuffix(name, "|")
		found[name] = lines(`SELECT * FROM ` + quoteName(name))
		slices.SortFunc(found[name], cmp.Compare[string])
	}
	// Comments within a statement are part of its text; blanks are not.
	found["schema"] = lines(`SELECT type, name, tbl_name, replace(replace(replace(sql, char(10), ''), ' ', ''), '"', '')
		FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name`)
	for _, pragma := range []string{"application_id", "user_version"} {
		found["pragma "+pragma] = []string{strings.TrimSuffix(lines(`PRAGMA ` + pragma)[0], "|")}
	}
	return found
}

func plainLines(db *sql.DB, query string) (lines []string, err error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values := make([]any, len(columns))
	for i := range values {
		values[i] = new(sql.NullString)
	}
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			return nil, err
		}
		var line strings.Builder
		for _, value := range values {
			text := "NULL"
			if v := value.(*sql.NullString); v.Valid {
				text = strings.ReplaceAll(v.String, "|", "/")
			}
			line.WriteString(text + "|")
		}
		lines = append(lines, line.String())
	}
	return lines, rows.Err()
}

func expectSame(t *testing.T, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("%s: unexpected %s", what, line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("%s: missing %s", what, line)
		}
	}
	if !t.Failed() {
		t.Errorf("%s: %d rows in another order than %d", what, len(got), len(want))
	}
}
