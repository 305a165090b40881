package store

import (
	"path/filepath"
	"slices"
	"testing"
)

// States of rounds are kept as they are, and merged.
func TestRoundStates(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey).UUID
	want := []RoundState{{Round: 1, RoundTrip: 9e-8, Frequency: 3.1e9}, {Round: 2, RoundTrip: 4e-7}, {Round: 4, Frequency: 2.2e9}}
	for _, state := range []RoundState{want[1], want[0], want[2]} {
		must(t, s.AddRoundState(t.Context(), session, state))
	}
	if got, err := s.RoundStates(t.Context(), session); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for what, state := range map[string]RoundState{"a second one": want[0], "a negative time": {Round: 7, RoundTrip: -1}} {
		if err := s.AddRoundState(t.Context(), session, state); err == nil {
			t.Errorf("%s was stored", what)
		}
	}
	if err := s.AddRoundState(t.Context(), "nobody", RoundState{Round: 1}); err == nil {
		t.Error("a state of no session was stored")
	}
	for _, statement := range []string{`UPDATE round_state SET round_trip = 1`, `DELETE FROM round_state`} {
		if _, err := s.db.Exec(statement); err == nil {
			t.Errorf("%s was done", statement)
		}
	}
	must(t, s.Close())
	union := openStore(t, united(t, s.Path(), filepath.Clean(s.Path())))
	if got, err := union.RoundStates(t.Context(), session); err != nil || !slices.Equal(got, want) {
		t.Errorf("merged: %v, %v", got, err)
	}
}
