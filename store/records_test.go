package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestEachRecord(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	record(t, s, session, Original, okay(1))
	record(t, s, session, "b", okay(2))
	record(t, s, session, "c", Outcome{Status: Crashed, Detail: "signal 11"})
	open, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a"})
	must(t, err)
	other := testKey
	other.Size = "large"
	record(t, s, begin(t, s, other), "b", okay(3))

	var lines []string
	must(t, s.EachRecord(t.Context(), session.UUID, func(r Record) error {
		speedup := 0.0
		if r.Summary != nil {
			speedup = r.Summary.Speedup.Median
		}
		lines = append(lines, fmt.Sprintf("%s %q %q %s %v %.1f %s", r.Variant, r.Partition, r.Recipe, r.Status, r.Verified, speedup, r.Detail))
		if r.Open() != (r.UUID == open) || r.Session != session.UUID || r.Started.IsZero() {
			t.Errorf("record %+v", r)
		}
		return nil
	}))
	want := []string{
		`original "" "" ok true 1.0 `, `b "0-1-1-2" "tile" ok true 2.0 `,
		`c "0-1-2-3" "tile more" crashed false 0.0 signal 11`, `a "0-0-1-1" "fuse" interrupted false 0.0 `,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("records:\n%q\nwant:\n%q", lines, want)
	}

	stop, calls := errors.New("enough"), 0
	err = s.EachRecord(t.Context(), session.UUID, func(Record) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("after an error: %v, %d calls", err, calls)
	}
	must(t, s.EachRecord(t.Context(), "no such session", func(Record) error { return stop }))
}

// A variant that was screened in one trial and raced in another, with one sample each,
// was raced.
func TestRacedInTwoTrials(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	for round := range 2 {
		_, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a", Outcome: okay(2), Samples: []Sample{{Round: round, Seconds: 1}}})
		must(t, err)
	}
	if trials, err := s.Raced(t.Context(), session.UUID); err != nil || len(trials) != 2 || trials[1].Samples[0].Round != 1 {
		t.Errorf("raced: %+v, %v", trials, err)
	}
}

// A race has several samples of a trial; the original counts also with one.
func TestRaced(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	for variant, rounds := range map[string]int{Original: 1, "a": 1, "b": 2, "c": 3} {
		trial := Trial{Session: session.UUID, Variant: variant, Outcome: okay(2)}
		for round := range rounds {
			trial.Samples = append(trial.Samples, Sample{Round: round, Seconds: 0.5 + float64(round)})
		}
		_, err := s.RecordTrial(t.Context(), trial)
		must(t, err)
	}
	trials, err := s.Raced(t.Context(), session.UUID)
	must(t, err)
	found := map[string]int{}
	for _, trial := range trials {
		found[trial.Variant] = len(trial.Samples)
		for round, sample := range trial.Samples {
			if sample.Round != round || sample.Seconds != 0.5+float64(round) || sample.Trial != trial.UUID {
				t.Errorf("%s: sample %+v", trial.Variant, sample)
			}
		}
	}
	if len(trials) != 3 || found[Original] != 1 || found["b"] != 2 || found["c"] != 3 {
		t.Errorf("raced: %v", found)
	}
}

func TestMachinesAndToolchains(t *testing.T) {
	s := newStore(t)
	must(t, s.RegisterMachine(t.Context(), Machine{ID: "2", Name: "alpha", Description: json.RawMessage(`{"cpu":"one"}`)}))
	must(t, s.RegisterMachine(t.Context(), Machine{ID: "1", Name: "beta"}))
	must(t, s.RegisterToolchain(t.Context(), Toolchain{ID: "b", Name: "gcc", Version: "12"}))
	must(t, s.RegisterToolchain(t.Context(), Toolchain{ID: "a", Name: "gcc", Version: "13", Description: json.RawMessage(`{"path":"/usr/bin/gcc"}`)}))
	machines, err := s.Machines(t.Context())
	must(t, err)
	if len(machines) != 2 || machines[0].Name != "alpha" || string(machines[0].Description) != `{"cpu":"one"}` || machines[1].ID != "1" {
		t.Errorf("machines %+v", machines)
	}
	toolchains, err := s.Toolchains(t.Context())
	must(t, err)
	if len(toolchains) != 2 || toolchains[0].ID != "b" || toolchains[1].Version != "13" || string(toolchains[1].Description) != `{"path":"/usr/bin/gcc"}` {
		t.Errorf("toolchains %+v", toolchains)
	}
}

// Two versions of a source have the same name; only the one tuned last is the current one.
func TestBestOfAllVersions(t *testing.T) {
	s := newStore(t)
	record(t, s, begin(t, s, testKey), "a", okay(2))
	newer := testKey
	newer.Kernel = "kernel-2"
	record(t, s, begin(t, s, newer), "b", okay(3))
	for all, want := range map[bool]int{false: 1, true: 2} {
		list, err := s.Best(t.Context(), BestQuery{AllVersions: all})
		must(t, err)
		if len(list) != want {
			t.Errorf("all versions %v: %d bests, want %d", all, len(list), want)
		}
	}
}
