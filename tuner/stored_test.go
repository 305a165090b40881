package tuner

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"polytune/store"
)

// The verdict on what is stored is the one that the session ended with.
func TestStoredSessionIsJudgedAlike(t *testing.T) {
	g := &generator{}
	r := request(t, g, "blocked", "slow", "backward", "wrong")
	r.Settings.Threads = 2
	result, err := Tune(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := r.Store.Sessions(t.Context())
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	trials, err := r.Store.Raced(t.Context(), sessions[0].UUID)
	if err != nil {
		t.Fatal(err)
	}
	controls, err := r.Store.Controls(t.Context(), sessions[0].UUID)
	if err != nil {
		t.Fatal(err)
	}
	states, err := r.Store.RoundStates(t.Context(), sessions[0].UUID)
	if err != nil || len(r.Machine.TimingCPUs(2)) == 2 && (len(states) == 0 || result.Race.RoundTrip.Rounds != len(states)) {
		t.Errorf("states of rounds %+v, %v; the course has %+v", states, err, result.Race.RoundTrip)
	}
	got := Judge(Stored{sessions[0].Settings, trials, controls, states, sessions[0].On}, r.Settings.Measurement.Indifference)
	if got.Verdict != result.Verdict || got.Winner != result.Best.Variant || !slices.Equal(got.Rivals, result.Rivals) || got.Further != result.Further {
		t.Errorf("judged %+v; the session ended with %s of %s, rivals %v, further %d", got, result.Verdict, result.Best.Variant, result.Rivals, result.Further)
	}
	if !reflect.DeepEqual(got.Race, result.Race) {
		t.Errorf("the race as stored %+v; as it was %+v", got.Race, result.Race)
	}
}

func TestJudgeWithoutTrials(t *testing.T) {
	if j := Judge(Stored{}, 0.01); j.Winner != "" || j.Verdict != NotSeparated {
		t.Errorf("judged %+v", j)
	}
}

// Trials with known times get the verdict that these call for.
func TestJudgeKnownTimes(t *testing.T) {
	for name, c := range map[string]struct {
		a, b float64
		want Verdict
	}{
		"clearly faster": {0.5, 0.6, Best},
		"the same":       {0.5, 0.5001, Tied},
	} {
		var trials []store.Trial
		for i, seconds := range []float64{1, c.a, c.b} {
			trial := store.Trial{UUID: fmt.Sprint(i), Variant: []string{store.Original, "0.a", "0.b"}[i], Outcome: store.Outcome{Status: store.OK, Verified: true}}
			for round := range 11 {
				trial.Samples = append(trial.Samples, store.Sample{Round: round, Seconds: seconds * (1 + 0.001*float64(round*(i+3)%7))})
			}
			trials = append(trials, trial)
		}
		if j := Judge(Stored{Trials: trials}, 0.01); j.Verdict != c.want {
			t.Errorf("%s: %+v, want %s", name, j, c.want)
		}
	}
}
