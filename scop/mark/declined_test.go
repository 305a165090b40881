package mark_test

import (
	"testing"

	"polytune/scop/mark"
)

// A mark that one version of the code has is not declined by another; of several reasons the first
// counts.
func TestHonours(t *testing.T) {
	h := mark.NewHonours()
	overlap, pack := mark.Overlap{Loop: "c0.2", Rows: 2, Lanes: 8}, mark.Pack{Statement: "S0", Reference: 1}
	h.Decline(overlap, "one")
	h.Decline(overlap, "another")
	h.Decline(pack, "none")
	h.Honour(pack)
	got := h.Declined()
	if len(got) != 1 || got[0].Mark != overlap || got[0].Reason != "one" {
		t.Errorf("declined: %v", got)
	}
	for m, want := range map[mark.Mark]string{overlap: "c0.2", mark.Relay{Loop: "c1.1t"}: "c1.1t", mark.Private{Variable: "s"}: "", mark.Tile{Loop: "c0.1t"}: "c0.1t"} {
		if loop := mark.LoopOf(m); loop != want {
			t.Errorf("%s is about %q, want %q", m, loop, want)
		}
	}
}
