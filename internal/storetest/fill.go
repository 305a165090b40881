package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "github.com/mattn/go-sqlite3" // the driver of the store

	"polytune/store"
)

// fillNumber is the number of a trial within its session, fillSpeedup its speed-up: 1 for the
// original, which has the number 0.
const (
	fillNumber  = `CAST(substr(uuid, -7) AS INTEGER)`
	fillSpeedup = `iif(variant = 'original', 1.0, 0.5 + (` + fillNumber + ` * 7919 % 1000) / 100.0)`
)

// The statements of Fill: ?1 is the number of the session, ?2 that of its trials.
var fillStatements = []string{
	`INSERT OR IGNORE INTO machine (id, name, description, registered) VALUES ('m', 'node', '{"cpu":"made up","cores":8}', '2026-01-01T00:00:00.000Z')`,
	`INSERT OR IGNORE INTO toolchain (id, name, version, description, registered) VALUES ('t', 'gcc', '12.2.0', '{}', '2026-01-01T00:00:00.000Z')`,
	`INSERT INTO kernel (id, name, registered) VALUES ('k' || ?1, 'suite/kernel' || ?1, '2026-01-01T00:00:00.000Z')`,
	`INSERT INTO session (uuid, kernel, size, machine, toolchain, settings, details, started, opened, finished)
		VALUES (printf('session-%04d', ?1), 'k' || ?1, 'large', 'm', 't', '{}', '{}', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z')`,
	`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
		INSERT INTO variant (kernel, id, partition, recipe, registered)
		SELECT 'k' || ?1, CASE i WHEN 0 THEN 'original' ELSE 'v' || i END,
			CASE i WHEN 0 THEN '' ELSE printf('0-%d-%d-%d-2-2', i % 3, i % 4, i % 5) END,
			CASE i WHEN 0 THEN '' ELSE printf('classes {S0 S1} {S2 S3} {S4 S5}
band c0 permutable S0 [i, j, k] S1 [i, j, k]
tile c0.1 c0.2 by %d %d
parallel c0.1t
vectorize c0.2
', 8 << (i % 5), 8 << (i / 5 % 6)) END, '2026-01-01T00:00:00.000Z' FROM n`,
	`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
		INSERT INTO trial (uuid, session, kernel, variant, status, verified, detail, started)
		SELECT printf('trial-%04d-%07d', ?1, i), printf('session-%04d', ?1), 'k' || ?1, CASE i WHEN 0 THEN 'original' ELSE 'v' || i END,
			'interrupted', 0, '', strftime('%Y-%m-%dT%H:%M:%f', '2026-01-01', (i * 0.5) || ' seconds') || 'Z' FROM n`,
	`INSERT INTO sample (trial, round, position, seconds)
		SELECT uuid, 0, 0, 1 / ` + fillSpeedup + ` FROM trial WHERE session = printf('session-%04d', ?1) AND ` + fillNumber + ` % 20 <> 7`,
	`UPDATE trial SET status = 'ok', verified = 1, finished = '2026-01-02T00:00:00.000Z', rounds = 1, coverage = 0,
			seconds = 1 / ` + fillSpeedup + `, seconds_low = 1 / ` + fillSpeedup + `, seconds_high = 1 / ` + fillSpeedup + `,
			speedup = ` + fillSpeedup + `, speedup_low = ` + fillSpeedup + `, speedup_high = ` + fillSpeedup + `
		WHERE session = printf('session-%04d', ?1) AND ` + fillNumber + ` % 20 <> 7`,
	`UPDATE trial SET status = 'timeout', finished = '2026-01-02T00:00:00.000Z' WHERE session = printf('session-%04d', ?1) AND finished IS NULL`,
}

// Fill puts sessions with very many trials into a database at once, past the store's
// functions, which commit each trial to the disk: each session has trials variants, of which one in
// twenty failed, in 60 partitions of six statements with two sizes of tiles.
func Fill(ctx context.Context, into *store.Store, sessions, trials int) (err error) {
	db, err := sql.Open("sqlite3", "file:"+into.Path()+"?_synchronous=OFF&_busy_timeout=10000")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for session := range sessions {
		for i, statement := range fillStatements {
			if _, err := tx.ExecContext(ctx, statement, session, trials); err != nil {
				return fmt.Errorf("statement %d of session %d: %w", i, session, err)
			}
		}
	}
	return tx.Commit()
}
