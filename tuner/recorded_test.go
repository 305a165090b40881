package tuner

import (
	"testing"

	"polytune/store"
)

// Candidates of one variant, and those with the same machine code, have the one time that
// was measured of them in their session.
func TestOutcomesOfTheSameCode(t *testing.T) {
	row := func(session, setting, variant, binary string, seconds float64) store.Recorded {
		return store.Recorded{Candidate: store.Candidate{Partition: "0", Setting: setting, Variant: variant, Binary: binary},
			Session: session, Seconds: seconds, Original: 2}
	}
	rows := []store.Recorded{
		row("s", "timed", "0.a", "h", 1),
		row("s", "same code", "0.b", "h", 0),
		row("s", "same variant as that", "0.b", "", 0),
		row("s", "failed", "0.c", "", 0),
		row("t", "another session", "0.b", "h", 0),
	}
	outcomes, err := Outcomes(rows)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.5, 0.5, 0.5, 0, 0} {
		if outcomes[i].Time != want {
			t.Errorf("%s: %v, want %v", rows[i].Setting, outcomes[i].Time, want)
		}
	}
}
