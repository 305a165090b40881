package store

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func newWorker(session Session, name string) Worker {
	return Worker{UUID: name, Session: session.UUID, Host: "node", Space: "here", PID: 7, Born: "1",
		Activity: Activity{Phase: "building", Total: 4, Left: -1}}
}

func TestWorkersComeAndGo(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	a, b := newWorker(session, "a"), newWorker(session, "b")
	must(t, s.Beat(t.Context(), a))
	must(t, s.Beat(t.Context(), b))
	a.Phase, a.Done, a.Round, a.Best, a.Seconds, a.Speedup, a.Left = "racing", 4, 2, "x", 0.5, 2, 3*time.Second
	must(t, s.Beat(t.Context(), a))
	workers, err := s.Workers(t.Context(), session.UUID)
	must(t, err)
	if len(workers) != 2 || workers[0].Activity != a.Activity || workers[0].Beat != 2 || workers[1].Beat != 1 ||
		workers[1].Left >= 0 || workers[0].Since.IsZero() || workers[0].Host != "node" || workers[0].PID != 7 {
		t.Errorf("workers %+v", workers)
	}
	outdated := workers[0]
	outdated.Beat--
	must(t, s.Expire(t.Context(), outdated))
	must(t, s.Expire(t.Context(), workers[1]))
	workers, err = s.Workers(t.Context(), "")
	if err != nil || len(workers) != 1 || workers[0].UUID != "a" {
		t.Errorf("after the expiry: %+v, %v", workers, err)
	}
	must(t, s.Leave(t.Context(), "a"))
	if workers, err := s.Workers(t.Context(), ""); err != nil || len(workers) != 0 {
		t.Errorf("after the end: %+v, %v", workers, err)
	}
}

func TestClaims(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	a, b := newWorker(session, "a"), newWorker(session, "b")
	ask := func(w Worker, subject string) Claimed {
		t.Helper()
		answer, err := s.Claim(t.Context(), w, subject)
		must(t, err)
		return answer
	}
	// Its own claim a worker is granted again.
	for range 2 {
		if !ask(a, "v").Granted {
			t.Error("a free claim is not granted")
		}
	}
	if !ask(b, Race).Granted {
		t.Error("another free claim is not granted")
	}
	if answer := ask(b, "v"); answer.Granted || answer.Tried || answer.Holder.UUID != "a" || answer.Holder.PID != 7 {
		t.Errorf("what another has: %+v", answer)
	}
	must(t, s.Leave(t.Context(), "b"))
	if !ask(a, Race).Granted {
		t.Error("what was left behind is not granted")
	}
}

// A claim ends with the first trial, in one transaction.
func TestTrialSpendsClaim(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	a := newWorker(session, "a")
	if answer, err := s.Claim(t.Context(), a, "b"); err != nil || !answer.Granted {
		t.Fatal(answer, err)
	}
	trial := Trial{Session: session.UUID, Variant: "b", Claimant: "another", Samples: []Sample{{Seconds: 1}}}
	_, err := s.RecordTrial(t.Context(), trial)
	if lost := new(ClaimLostError); !errors.As(err, &lost) {
		t.Errorf("without the claim: %v", err)
	}
	trial.Claimant, trial.Variant = "a", "zzz"
	if _, err := s.RecordTrial(t.Context(), trial); err == nil {
		t.Error("an unknown variant was recorded")
	}
	trial.Variant = "b"
	_, err = s.RecordTrial(t.Context(), trial)
	must(t, err)
	if left := selectLines(t, s, `SELECT * FROM claim`); len(left) != 0 {
		t.Errorf("claims left: %v", left)
	}
	if answer, err := s.Claim(t.Context(), a, "b"); err != nil || !answer.Tried || answer.Granted {
		t.Errorf("claim to a tried variant: %+v, %v", answer, err)
	}
	record(t, s, session, "c", Outcome{Status: Interrupted})
	if answer, err := s.Claim(t.Context(), a, "c"); err != nil || !answer.Granted {
		t.Errorf("claim to an interrupted variant: %+v, %v", answer, err)
	}
}

func TestDataVersionTellsOfOthers(t *testing.T) {
	s := newStore(t)
	other := openStore(t, s.Path())
	version := func() int64 {
		v, err := s.DataVersion(t.Context())
		must(t, err)
		return v
	}
	first := version()
	begin(t, s, testKey)
	if version() != first {
		t.Error("the store's own changes count")
	}
	key := testKey
	key.Kernel += "2"
	begin(t, other, key)
	if version() == first {
		t.Error("changes of others do not count")
	}
}

func TestStandings(t *testing.T) {
	s := newStore(t)
	other := testKey
	other.Size = "large"
	quiet := begin(t, s, other)
	record(t, s, quiet, Original, okay(1))
	record(t, s, quiet, "a", okay(2))
	record(t, s, quiet, "b", okay(3))
	record(t, s, quiet, "c", Outcome{Status: Crashed})
	must(t, s.ConcludeSession(t.Context(), quiet.UUID))
	open := begin(t, s, testKey)
	for variant, seconds := range map[string]float64{Original: 2, "a": 1, "b": 4} {
		_, err := s.RecordTrial(t.Context(), Trial{Session: open.UUID, Variant: variant, Samples: []Sample{{Seconds: seconds}}})
		must(t, err)
	}
	must(t, s.Beat(t.Context(), newWorker(quiet, "w")))
	alone, _, err := s.Standings(t.Context(), 0)
	must(t, err)
	if len(alone) != 2 || alone[1].Best != "" {
		t.Errorf("single timings that nobody has rated: %+v", alone)
	}
	must(t, s.Beat(t.Context(), newWorker(open, "v")))

	list, more, err := s.Standings(t.Context(), 0)
	must(t, err)
	if len(list) != 2 || more != 0 {
		t.Fatalf("%d sessions, %d more", len(list), more)
	}
	if list[0].UUID != quiet.UUID {
		slices.Reverse(list)
	}
	if q := list[0]; q.Best != "b" || q.Speedup != 3 || q.Tried != 3 || len(q.Workers) != 1 || q.Trials[Crashed] != 1 {
		t.Errorf("finished: %+v", q)
	}
	if o := list[1]; o.Best != "a" || o.Speedup != 2 || o.Seconds != 1 || o.Tried != 2 || len(o.Workers) != 1 {
		t.Errorf("open: %+v", o)
	}
	list, more, err = s.Standings(t.Context(), 1)
	if err != nil || len(list) != 1 || more != 1 {
		t.Errorf("with a limit: %d sessions, %d more, %v", len(list), more, err)
	}
}

// The queries that tuners and tune status ask again and again look only at the
// rows that they are about.
func TestQueriesUseIndexes(t *testing.T) {
	s := newStore(t)
	for query, index := range map[string]string{
		`SELECT EXISTS (SELECT 1 FROM trial WHERE session = 's' AND variant = 'v' AND (status <> 'interrupted' OR finished IS NULL))`: "trial_by_variant",
		`SELECT variant FROM trial WHERE session = 's' AND status = 'ok' AND verified = 1
			AND (certainty = 3 OR variant = 'original') ORDER BY certainty DESC, speedup DESC, variant, uuid LIMIT 1`: "trial_by_rank",
		`SELECT 1 FROM trial AS newer WHERE kernel = 'k' AND variant = 'v' AND status = 'ok' AND verified = 1 AND certainty >= 2
			AND (started, uuid) > ('t', 'u')`: "trial_by_age",
		`SELECT session, status, count(*) FROM trial GROUP BY session, status`: "COVERING INDEX trial_by_session",
		`SELECT * FROM worker WHERE session = 's'`:                             "worker_by_session",
	} {
		plan := selectLines(t, s, "EXPLAIN QUERY PLAN "+query)
		if !slices.ContainsFunc(plan, func(line string) bool { return strings.Contains(line, index) }) {
			t.Errorf("%s does not use %s: %v", query, index, plan)
		}
		if slices.ContainsFunc(plan, func(line string) bool { return strings.Contains(line, "TEMP B-TREE") }) {
			t.Errorf("%s sorts: %v", query, plan)
		}
	}
}
