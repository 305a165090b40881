package tuner

import (
	"encoding/json"
	"testing"
	"time"
)

// TestCrowded counts rounds by what the system did in them, also where it did the same in
// all of them, so that none stands out.
func TestCrowded(t *testing.T) {
	t.Parallel()
	h := newHistory("")
	rounds := []int{1, 2, 3, 4}
	for _, round := range rounds {
		h.strain[round] = strain{preempted: 300, elapsed: time.Second}
	}
	if n := h.crowded(rounds, 2); n != 4 {
		t.Errorf("150 switches per second of a processor: %d rounds", n)
	}
	if n := h.crowded(rounds, 8); n != 0 {
		t.Errorf("37 switches per second of a processor: %d rounds", n)
	}
	h.strain[2] = strain{elapsed: time.Second, stolen: 250 * time.Millisecond}
	if n := h.crowded(rounds[1:2], 2); n != 1 {
		t.Errorf("an eighth of the time stolen: %d rounds", n)
	}
	if n := h.crowded([]int{9}, 2); n != 0 {
		t.Errorf("a round of which nothing is known: %d rounds", n)
	}
}

// TestStoredBusy reads what sessions keep, also those that were killed before their end
// and those that were resumed on a busy machine.
func TestStoredBusy(t *testing.T) {
	t.Parallel()
	for details, want := range map[string]string{
		`{"disturbances": [{"kind": "turbo", "message": "a"}, {"kind": "load", "message": "b"}]}`:                 "",
		`{"disturbances": [{"kind": "turbo", "message": "a"}, {"kind": "processes", "message": "cc1 uses 90%"}]}`: "cc1 uses 90%",
		`{"disturbances": [], "resumed": [{"disturbances": [{"kind": "processes", "message": "cc1 uses 90%"}]}]}`: "cc1 uses 90%",
		`{"disturbances": [], "busy": "other programs were on the processors in 5 of 9 rounds"}`:                  "other programs were on the processors in 5 of 9 rounds",
		`{"disturbances": null}`: "",
		`[]`:                     "",
		`nonsense`:               "",
	} {
		if got := StoredBusy(json.RawMessage(details)); got != want {
			t.Errorf("%s: %q, not %q", details, got, want)
		}
	}
}
