package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// mergedTable says how the rows of a table are united. Of two rows with the same
// key, one stays, by a total order of all rows: so the union is a least upper
// bound, which neither order nor repetition changes.
type mergedTable struct {
	name, plural string
	// key identifies a row, and identity are the columns that have to be equal
	// where the key is.
	key, identity []string
	// rank are expressions, with {} for the row: the row whose values are
	// greater, in the order of the list, stays; or the one whose values are
	// smaller, where least is set. Where all are equal, the other columns
	// decide, so that the order is total.
	rank  []string
	least bool
}

// mergedTables are in an order in which a row comes after those that it
// refers to. A machine or a kernel stays as it was registered first; a session as it
// was opened last; a trial that is finished outweighs an open one, which takes
// more samples until then.
var mergedTables = []mergedTable{
	{name: "machine", plural: "machines", key: []string{"id"}, rank: []string{"{}.registered"}, least: true},
	{name: "toolchain", plural: "toolchains", key: []string{"id"}, rank: []string{"{}.registered"}, least: true},
	{name: "kernel", plural: "kernels", key: []string{"id"}, identity: []string{"name"}, rank: []string{"{}.registered"}, least: true},
	{name: "region", plural: "regions", key: []string{"kernel", "hash"}},
	{name: "variant", plural: "variants", key: []string{"kernel", "id"}, identity: []string{"partition", "recipe"},
		rank: []string{"{}.registered"}, least: true},
	{name: "session", plural: "sessions", key: []string{"uuid"},
		identity: []string{"kernel", "size", "machine", "toolchain", "target", "device", "timing", "settings", "started"},
		rank:     []string{"{}.opened", "ifnull({}.finished, '')", "ifnull({}.rated, 0)"}},
	{name: "candidate", plural: "candidates", key: []string{"session", "partition", "setting"}, identity: []string{"variant"},
		rank: []string{"{}.batch", "{}.binary = ''", "{}.binary"}, least: true},
	{name: "trial", plural: "trials", key: []string{"uuid"}, identity: []string{"session", "variant", "toolchain", "started"},
		rank: []string{"ifnull({}.finished, '')", "ifnull({}.rounds, 0)"}},
	{name: "sample", plural: "samples", key: []string{"trial", "round", "position"}, rank: []string{"{}.seconds"}, least: true},
	{name: "control", plural: "controls", key: []string{"session", "round", "position"}, rank: []string{"{}.seconds"}, least: true},
	{name: "round_state", plural: "states of rounds", key: []string{"session", "round"}, rank: []string{"ifnull({}.round_trip, 0)"}, least: true},
	{name: "peak", plural: "peaks", key: []string{"uuid"}, identity: []string{"machine", "toolchain", "measured", "rates"}},
}

// unmergedTables are about processes that are at work, which is nothing that
// another database has to know.
var unmergedTables = []string{"worker", "claim"}

// unite adds the source's rows to the table.
func (t mergedTable) unite(ctx context.Context, tx *sql.Tx) (MergedRows, error) {
	columns, err := t.columns(ctx, tx)
	if err != nil {
		return MergedRows{}, err
	}
	if err := t.compare(ctx, tx); err != nil {
		return MergedRows{}, err
	}
	var counts MergedRows
	var before, after int
	if err := tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM source.`+t.name+`), (SELECT count(*) FROM main.`+t.name+`)`).
		Scan(&counts.Total, &before); err != nil {
		return MergedRows{}, err
	}
	result, err := tx.ExecContext(ctx, t.statement(columns))
	if err != nil {
		return MergedRows{}, fmt.Errorf("%s: %w", t.plural, err)
	}
	affected, err := result.RowsAffected()
	if err != nil {
		return MergedRows{}, err
	}
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM main.`+t.name).Scan(&after); err != nil {
		return MergedRows{}, err
	}
	counts.New = after - before
	counts.Newer = int(affected) - counts.New
	return counts, nil
}

// columns are the names of all columns.
func (t mergedTable) columns(ctx context.Context, tx *sql.Tx) ([]string, error) {
	rows, err := tx.QueryContext(ctx, `SELECT name FROM pragma_table_info(?, 'main') ORDER BY cid`, t.name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, quoteName(name))
	}
	return names, rows.Err()
}

// compare refuses two rows with one key that are about different things.
func (t mergedTable) compare(ctx context.Context, tx *sql.Tx) error {
	if len(t.identity) == 0 {
		return nil
	}
	var key string
	err := tx.QueryRowContext(ctx, `SELECT `+listOf("known.{}", " || ' ' || ", t.key)+`
		FROM main.`+t.name+` AS known JOIN source.`+t.name+` AS other ON `+listOf("known.{} = other.{}", " AND ", t.key)+`
		WHERE `+listOf("known.{} IS NOT other.{}", " OR ", t.identity)+` LIMIT 1`).Scan(&key)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	return &IdentityError{Kind: t.name, ID: key}
}

// statement adds the rows that are not known, and replaces those that rank
// behind the source's.
func (t mergedTable) statement(columns []string) string {
	terms := append(append([]string{}, t.rank...), quoted("{}", columns)...)
	order := ">"
	if t.least {
		order = "<"
	}
	assign := listOf("{} = excluded.{}", ", ", columns)
	return `INSERT INTO main.` + t.name + ` (` + strings.Join(columns, ", ") + `)
		SELECT ` + strings.Join(columns, ", ") + ` FROM source.` + t.name + ` WHERE true
		ON CONFLICT (` + strings.Join(t.key, ", ") + `) DO UPDATE SET ` + assign + `
		WHERE (` + listOf("{}", ", ", rowed(terms, "excluded")) + `) ` + order + ` (` + listOf("{}", ", ", rowed(terms, t.name)) + `)`
}

// quoted are the columns of the row {} as texts, which are in a total order and are
// never NULL.
func quoted(row string, columns []string) []string {
	terms := make([]string, len(columns))
	for i, column := range columns {
		terms[i] = "quote(" + row + "." + column + ")"
	}
	return terms
}

// rowed puts the name of a row in the place of {}.
func rowed(terms []string, row string) []string {
	texts := make([]string, len(terms))
	for i, term := range terms {
		texts[i] = strings.ReplaceAll(term, "{}", row)
	}
	return texts
}

// listOf writes each of the words into a pattern, in the place of {}.
func listOf(pattern, separator string, words []string) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = strings.ReplaceAll(pattern, "{}", word)
	}
	return strings.Join(texts, separator)
}

// quoteName writes a name of the schema for SQL.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
