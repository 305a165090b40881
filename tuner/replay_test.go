package tuner

import (
	"testing"
	"time"

	"polytune/store"
)

// TestReplay races all variants that were named, also one that is too slow for the race of a
// search, and is done when its budget ends.
func TestReplay(t *testing.T) {
	r := request(t, &generator{}, "slow", "blocked", "backward")
	r.Settings.Measurement.ScreeningFactor, r.Settings.Limits.RunFloorSeconds = 1.0001, 20
	r.Replay, r.Budget = true, time.Nanosecond
	first, err := Tune(t.Context(), r)
	if err != nil || !first.Complete {
		t.Fatalf("complete %v, error %v, though the time is over", first.Complete, err)
	}

	r.Revision, r.Budget = "another time", 0
	result, err := Tune(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if result.Recalled || len(result.Rows) != 4 {
		t.Errorf("recalled %v, %d rows", result.Recalled, len(result.Rows))
	}
	for _, row := range result.Rows {
		if row.Variant != store.Original && row.Rounds < 6 && row.Twin == "" {
			t.Errorf("variant %s: %d rounds", row.Variant, row.Rounds)
		}
	}
	known, found, err := r.Store.FindSession(t.Context(), mustKey(t, r))
	if err != nil || !found {
		t.Fatalf("session found: %v, %v", found, err)
	}
	if candidates, err := r.Store.Candidates(t.Context(), known.UUID); err != nil || len(candidates) > 0 {
		t.Errorf("candidates %v, %v", candidates, err)
	}
}
