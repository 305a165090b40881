package store

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A rated trial is among the best, and goes on: it takes samples, is rated again, may
// turn out to be wrong, and ends once.
func TestRatedTrialsGoOn(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	first := record(t, s, session, Original, okay(1))
	open, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a", Samples: []Sample{{Seconds: 1}}})
	must(t, err)
	best := func() string {
		t.Helper()
		list, err := s.Best(t.Context(), BestQuery{})
		must(t, err)
		if len(list) != 1 {
			t.Fatalf("best %+v", list)
		}
		return list[0].Trial
	}
	if got := best(); got != first {
		t.Errorf("before it is rated: best is %s", got)
	}
	for _, speedup := range []float64{2, 3} {
		must(t, s.RateTrials(t.Context(), session.UUID, Rated{open, *okay(speedup).Summary}))
		must(t, s.AddSamples(t.Context(), Sample{Trial: open, Round: int(speedup), Seconds: 1}))
		trials, err := s.Trials(t.Context(), testKey)
		must(t, err)
		if rated := trials[1]; best() != open || !rated.Open() || rated.Status != OK || !rated.Verified || rated.Summary.Speedup.Median != speedup {
			t.Errorf("best is %s, rated %+v", best(), rated)
		}
	}
	standings, _, err := s.Standings(t.Context(), 0)
	if err != nil || standings[0].Best != "a" || standings[0].Speedup != 3 || standings[0].Trials[OK] != 2 {
		t.Errorf("standings %+v, %v", standings, err)
	}
	if p, err := s.Provenance(t.Context(), open); err != nil || time.Since(p.Finished) > time.Hour {
		t.Errorf("provenance %+v, %v", p, err)
	}
	must(t, s.FinishTrial(t.Context(), open, Outcome{Status: WrongResult}))
	if got := best(); got != first {
		t.Errorf("a wrong variant is best: %s", got)
	}
	must(t, s.RateTrials(t.Context(), session.UUID, Rated{open, *okay(2).Summary}))
	if got := best(); got != first {
		t.Errorf("a finished trial was rated: best is %s", got)
	}
}

// A session is concluded with all of its trials, or not at all.
func TestConcludeIsOneStep(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	var rated []Rated
	for _, variant := range []string{"a", "b"} {
		id, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: variant, Samples: []Sample{{Seconds: 1}}})
		must(t, err)
		rated = append(rated, Rated{id, *okay(2).Summary})
	}
	broken := []Rated{rated[0], {rated[1].Trial, Summary{}}}
	if err := s.ConcludeSession(t.Context(), session.UUID, broken...); err == nil {
		t.Error("a summary of nothing was accepted")
	}
	for _, ended := range []bool{false, true} {
		found, _, err := s.FindSession(t.Context(), testKey)
		must(t, err)
		trials, err := s.Trials(t.Context(), testKey)
		must(t, err)
		if trials[0].Open() == ended || trials[1].Open() == ended || found.Finished.IsZero() == ended {
			t.Errorf("ended %v: session %+v, trials %+v", ended, found, trials)
		}
		if !ended {
			must(t, s.ConcludeSession(t.Context(), session.UUID, rated...))
		}
	}
}

// Of two copies of an open trial the one that more rounds have rated stays.
func TestMergeTakesTheBetterRatedTrial(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	id, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a", Samples: []Sample{{Seconds: 1}}})
	must(t, err)
	var copies []string
	for rounds := range 3 {
		if rounds > 0 {
			summary := *okay(float64(4 - rounds)).Summary
			summary.Rounds = rounds
			must(t, s.RateTrials(t.Context(), session.UUID, Rated{id, summary}))
		}
		copies = append(copies, filepath.Join(t.TempDir(), "copy.db"))
		must(t, s.Export(t.Context(), copies[rounds]))
	}
	want := united(t, copies[2])
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		expectEqual(t, "merged", want, united(t, copies[order[0]], copies[order[1]], copies[order[2]]))
	}
}

// What a later call of a session finds otherwise is kept beside what the first one found.
func TestDetailsOfResumedSessions(t *testing.T) {
	s := newStore(t)
	must(t, register(t.Context(), s, testKey))
	for _, details := range []string{`{"host":"a","load":1}`, `{"host":"a","load":1}`, `{"host":"b","load":1}`, `{"host":"a","load":3,"heat":2}`} {
		_, err := s.BeginSession(t.Context(), testKey, json.RawMessage(details))
		must(t, err)
	}
	found, _, err := s.FindSession(t.Context(), testKey)
	must(t, err)
	var kept struct {
		Host    string
		Resumed []map[string]any
	}
	must(t, json.Unmarshal(found.Details, &kept))
	if kept.Host != "a" || len(kept.Resumed) != 2 || kept.Resumed[0]["host"] != "b" || kept.Resumed[1]["load"] != 3.0 || kept.Resumed[1]["heat"] != 2.0 {
		t.Errorf("details %s", found.Details)
	}
	for _, call := range kept.Resumed {
		if opened, is := call["opened"].(string); !is || !strings.HasPrefix(opened, "20") {
			t.Errorf("call %v", call)
		}
	}
}

// A session is unrated from its first sample until its trials are rated, and again when
// there are further samples; a finished one never is.
func TestUnrated(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	unrated := func() int {
		t.Helper()
		list, err := s.Unrated(t.Context())
		must(t, err)
		return len(list)
	}
	before := unrated()
	open, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a", Samples: []Sample{{Seconds: 1}}})
	must(t, err)
	begun := unrated()
	must(t, s.RateTrials(t.Context(), session.UUID, Rated{open, *okay(2).Summary}))
	rated := unrated()
	must(t, s.AddSamples(t.Context(), Sample{Trial: open, Round: 1, Seconds: 1}))
	further := unrated()
	must(t, s.ConcludeSession(t.Context(), session.UUID, Rated{open, *okay(2).Summary}))
	if got := []int{before, begun, rated, further, unrated()}; !slices.Equal(got, []int{0, 1, 0, 1, 0}) {
		t.Errorf("unrated sessions before the first sample, with it, rated, with another one, ended: %v", got)
	}
}
