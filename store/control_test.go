package store

import (
	"reflect"
	"testing"
)

// Controls come back as they went in, and nothing takes them for trials.
func TestControls(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	baseline, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: Original,
		Samples: []Sample{{Round: 1, Position: 2, Seconds: 2}}})
	must(t, err)
	want := []Control{
		{session.UUID, Original, Sample{Round: 1, Position: 0, Seconds: 1.5, Counters: &Counters{InvoluntarySwitches: 7, Elapsed: 1.75, Stolen: 0.25}}},
		{session.UUID, "a", Sample{Round: 2, Position: 3, Seconds: 0.5}},
	}
	for _, c := range want {
		must(t, s.AddControl(t.Context(), c))
	}
	got, err := s.Controls(t.Context(), session.UUID)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("controls read %+v, %v; written %+v", got, err, want)
	}
	if none, err := s.Controls(t.Context(), "another"); err != nil || len(none) != 0 {
		t.Errorf("controls of another session: %v, %v", none, err)
	}

	must(t, s.FinishTrial(t.Context(), baseline, okay(1)))
	for query, want := range map[string]int{
		`SELECT count(*) FROM trials`: 1, `SELECT count(*) FROM samples`: 1, `SELECT count(*) FROM best`: 1,
		`SELECT count(*) FROM controls WHERE variant = 'original' AND seconds = 2 AND again = 1.5`: 1,
	} {
		var n int
		if err := s.db.QueryRowContext(t.Context(), query).Scan(&n); err != nil || n != want {
			t.Errorf("%s gives %d, %v; want %d", query, n, err, want)
		}
	}
}

func TestControlsAreFinal(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	control := Control{session.UUID, "a", Sample{Round: 1, Seconds: 1}}
	must(t, s.AddControl(t.Context(), control))
	nameless, timeless := control, control
	nameless.Variant, nameless.Round = "nobody", 2
	timeless.Seconds, timeless.Round = 0, 3
	lost := control
	lost.Session = "no session"
	for what, c := range map[string]Control{
		"the same place twice": control, "an unknown variant": nameless, "no time": timeless, "no session": lost,
	} {
		if err := s.AddControl(t.Context(), c); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	for _, statement := range []string{`UPDATE control SET seconds = 2`, `DELETE FROM control`} {
		if _, err := s.db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
}
