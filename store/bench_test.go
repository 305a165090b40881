package store

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// large is a database with 100,000 trials of 100 kernels, each with two samples.
func large(b *testing.B) *Store {
	b.Helper()
	s, err := Open(b.Context(), b.TempDir()+"/tune.db")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if err := fill(b, s, 100, 1000); err != nil {
		b.Fatal(err)
	}
	if info, err := os.Stat(s.Path()); err == nil {
		b.ReportMetric(float64(info.Size())/1e6, "MB")
	}
	b.ReportAllocs()
	return s
}

// fill writes with plain SQL, which is quicker than trial by trial.
func fill(b *testing.B, s *Store, kernels, trials int) error {
	ctx := b.Context()
	if err := register(ctx, s, testKey); err != nil {
		return err
	}
	for k := range kernels {
		id := fmt.Sprintf("hash %d", k)
		err := s.RegisterKernel(ctx, Kernel{ID: id, Name: fmt.Sprintf("kernel %d", k)})
		if err != nil {
			return err
		}
		if err := s.RegisterVariants(ctx, Variant{Kernel: id, ID: "a", Recipe: "tile"}); err != nil {
			return err
		}
		key := testKey
		key.Kernel = id
		session, err := s.BeginSession(ctx, key, nil)
		if err != nil {
			return err
		}
		const trial = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
			INSERT INTO trial (uuid, session, kernel, variant, status, verified, detail, started)
			SELECT printf('%s-%06d', ?1, i), ?1, ?2, 'a', 'interrupted', 0, '', '2026' FROM n`
		if _, err := s.db.ExecContext(ctx, trial, session.UUID, id, trials); err != nil {
			return err
		}
		const sample = `INSERT INTO sample (trial, round, position, seconds)
			SELECT uuid, round, 0, 1 FROM trial, (SELECT 0 AS round UNION SELECT 1) WHERE session = ?`
		if _, err := s.db.ExecContext(ctx, sample, session.UUID); err != nil {
			return err
		}
		const finish = `UPDATE trial SET status = 'ok', verified = 1, finished = '2026', rounds = 10, seconds = 1, seconds_low = 1,
			seconds_high = 1, speedup = 1 + substr(uuid, -6) / 1000.0, speedup_low = 1, speedup_high = 9, coverage = 0.97 WHERE session = ?`
		if _, err := s.db.ExecContext(ctx, finish, session.UUID); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkBest asks for one kernel, as tune best does.
func BenchmarkBest(b *testing.B) {
	s := large(b)
	for b.Loop() {
		if list, err := s.Best(b.Context(), BestQuery{Kernel: "kernel 7"}); err != nil || len(list) != 1 {
			b.Fatal(list, err)
		}
	}
}

// BenchmarkBestOfAll asks for all kernels, as a report does.
func BenchmarkBestOfAll(b *testing.B) {
	s := large(b)
	for b.Loop() {
		if list, err := s.Best(b.Context(), BestQuery{}); err != nil || len(list) != 100 {
			b.Fatal(list, err)
		}
	}
}

// BenchmarkStandings lists what tune status shows.
func BenchmarkStandings(b *testing.B) {
	s := large(b)
	for b.Loop() {
		if list, more, err := s.Standings(b.Context(), 20); err != nil || len(list) != 20 || more != 80 {
			b.Fatal(len(list), more, err)
		}
	}
}

// BenchmarkOpenExisting opens the database for a quick look, and
// BenchmarkOpen for work, with a search for damage.
func BenchmarkOpenExisting(b *testing.B) { benchmarkOpening(b, OpenExisting) }
func BenchmarkOpen(b *testing.B)         { benchmarkOpening(b, Open) }

func benchmarkOpening(b *testing.B, open func(context.Context, string) (*Store, error)) {
	path := large(b).Path()
	for b.Loop() {
		s, err := open(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkExport writes a copy, BenchmarkMerge takes one into an empty
// database, and again.
func BenchmarkExport(b *testing.B) {
	s := large(b)
	path := b.TempDir() + "/copy.db"
	for b.Loop() {
		if err := s.Export(b.Context(), path); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	path := large(b).Path()
	folder := b.TempDir()
	for i := 0; b.Loop(); i++ {
		if _, err := Merge(b.Context(), fmt.Sprintf("%s/%d.db", folder, i), path); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMergeAgain(b *testing.B) {
	path := large(b).Path()
	target := b.TempDir() + "/union.db"
	for b.Loop() {
		if _, err := Merge(b.Context(), target, path); err != nil {
			b.Fatal(err)
		}
	}
}
