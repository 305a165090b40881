package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeTrials records trials with two samples each and prints the UUID of each
// one once it is acknowledged.
func writeTrials(ctx context.Context, path string, count int) error {
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := register(ctx, s, testKey); err != nil {
		return err
	}
	session, err := s.BeginSession(ctx, testKey, nil)
	if err != nil {
		return err
	}
	for range count {
		id, err := s.RecordTrial(ctx, Trial{Session: session.UUID, Variant: "a"})
		if err != nil {
			return err
		}
		if err := s.AddSamples(ctx, Sample{Trial: id, Round: 1, Seconds: 1}, Sample{Trial: id, Round: 2, Seconds: 2}); err != nil {
			return err
		}
		if err := s.FinishTrial(ctx, id, okay(2)); err != nil {
			return err
		}
		fmt.Println(id)
	}
	return nil
}

// checkAcknowledged verifies that the database is sound and has every one of
// the trials, finished and with its samples.
func checkAcknowledged(t *testing.T, path string, acknowledged []string) {
	t.Helper()
	s, err := Open(t.Context(), path)
	must(t, err)
	defer s.Close()
	if got := selectLines(t, s, `PRAGMA integrity_check`); len(got) != 1 || got[0] != "ok" {
		t.Errorf("integrity_check: %q", got)
	}
	trials, err := s.Trials(t.Context(), testKey)
	must(t, err)
	whole := map[string]bool{}
	for _, trial := range trials {
		whole[trial.UUID] = trial.Status == OK && !trial.Open() && len(trial.Samples) == 2
	}
	for _, id := range acknowledged {
		if !whole[id] {
			t.Errorf("trial %s was acknowledged and is not there", id)
		}
	}
}

// The first writer may die while it creates the database; the others have at
// least one acknowledged trial.
func TestAcknowledgedTrialsSurviveSIGKILL(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	var acknowledged []string
	for run := range 6 {
		w := startHelper(t, writerVariable, path)
		if run > 0 {
			acknowledged = append(acknowledged, <-w.lines)
		}
		time.AfterFunc(time.Duration(rand.IntN(60_000))*time.Microsecond, func() { w.command.Process.Kill() })
		for line := range w.lines {
			acknowledged = append(acknowledged, line)
		}
		w.command.Wait()
		checkAcknowledged(t, path, acknowledged)
	}
	t.Logf("%d acknowledged trials", len(acknowledged))
}

// Two processes create the database and begin the session at the same time.
func TestTwoProcessesLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	writers := []*helper{startHelper(t, writerVariable, path), startHelper(t, writerVariable, path)}
	var acknowledged []string
	for _, w := range writers {
		for line := range w.lines {
			acknowledged = append(acknowledged, line)
		}
		if err := w.command.Wait(); err != nil {
			t.Errorf("a writer failed: %v", err)
		}
	}
	if len(acknowledged) != 80 {
		t.Errorf("%d trials were acknowledged; want 80", len(acknowledged))
	}
	checkAcknowledged(t, path, acknowledged)
	s := openStore(t, path)
	if sessions, err := s.Sessions(t.Context()); err != nil || len(sessions) != 1 {
		t.Errorf("%d sessions, %v; want one that both share", len(sessions), err)
	}
}

func TestFullDiskLosesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	s := openStore(t, path)
	session := begin(t, s, testKey)
	_, err := s.db.Exec(`PRAGMA max_page_count = 60`)
	must(t, err)
	var acknowledged []string
	for err == nil {
		var id string
		id, err = s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a",
			Outcome: okayAt(time.Now(), 2), Samples: []Sample{{Round: 1, Seconds: 1}, {Round: 2, Seconds: 1}}})
		if err == nil {
			acknowledged = append(acknowledged, id)
		}
	}
	var access *AccessError
	if !errors.As(err, &access) || !strings.Contains(err.Error(), "free space") {
		t.Errorf("full disk: %v", err)
	}
	must(t, s.Close())
	checkAcknowledged(t, path, acknowledged)
}

func okayAt(finished time.Time, speedup float64) Outcome {
	outcome := okay(speedup)
	outcome.Finished = finished
	return outcome
}

// Many connections of one process create the database at the same time.
func TestManyConnectionsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	const connections, trials = 8, 5
	failures := make(chan error)
	for range connections {
		go func() { failures <- addTrials(t.Context(), path, trials) }()
	}
	for range connections {
		must(t, <-failures)
	}
	s := openStore(t, path)
	list, err := s.Trials(t.Context(), testKey)
	if err != nil || len(list) != connections*trials {
		t.Errorf("%d trials, %v; want %d", len(list), err, connections*trials)
	}
}

func addTrials(ctx context.Context, path string, count int) error {
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := register(ctx, s, testKey); err != nil {
		return err
	}
	session, err := s.BeginSession(ctx, testKey, nil)
	if err != nil {
		return err
	}
	for range count {
		if _, err := s.RecordTrial(ctx, Trial{Session: session.UUID, Variant: "a"}); err != nil {
			return err
		}
	}
	return nil
}
