package store

import (
	"encoding/json"
	"testing"
)

// TestNoteDetail adds an entry to the details of a session, and changes it.
func TestNoteDetail(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	must(t, register(t.Context(), s, testKey))
	session, err := s.BeginSession(t.Context(), testKey, json.RawMessage(`{"host": "a"}`))
	must(t, err)
	trial := record(t, s, session, "a", okay(2))
	for _, text := range []string{"first", `"quoted" {"x": 1}`} {
		must(t, s.NoteDetail(t.Context(), session.UUID, "busy", text))
		p, err := s.Provenance(t.Context(), trial)
		must(t, err)
		var details struct{ Host, Busy string }
		must(t, json.Unmarshal(p.Details, &details))
		if details.Host != "a" || details.Busy != text {
			t.Errorf("details %s", p.Details)
		}
	}
}
