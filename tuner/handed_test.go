package tuner

import (
	"os"
	"testing"

	"polytune/store"
)

// equals are an original and n variants that take as long, but for the first, which is
// faster by the share ahead.
func equals(n int, ahead float64) (times map[string]float64, first string) {
	times = map[string]float64{store.Original: 1}
	for i := range n {
		times[VariantID([]int{i}, "")] = 1
	}
	first = VariantID([]int{0}, "")
	times[first] = 1 / (1 + ahead)
	return times, first
}

// handedOut counts the sessions on a noisy machine whose best is another than the original,
// and those whose best is the first.
func handedOut(sessions int, times map[string]float64, first string) (others, right int) {
	for seed := range uint64(sessions) {
		m := newSimulation(seed, times)
		h, _ := m.session(seed, racePolicy)
		switch winner := m.verdictOf(h, racePolicy).winner; winner {
		case store.Original:
		case first:
			right++
			others++
		default:
			others++
		}
	}
	return others, right
}

// Of variants that are all as fast as the original, one is handed out in at most 2.5% of
// the sessions; one that is 5% faster is in at least 95%.
func TestOnlyWhatIsFasterIsHandedOut(t *testing.T) {
	sessions := 200
	if os.Getenv("POLYTUNE_LONG") != "" {
		sessions = 10000
	}
	for _, variants := range []int{1, 8} {
		times, first := equals(variants, 0)
		wrong, _ := handedOut(sessions, times, first)
		times, first = equals(variants, 0.05)
		_, right := handedOut(sessions/4, times, first)
		t.Logf("%d variants: another than the original in %d of %d sessions; 5%% faster: named in %d of %d", variants, wrong, sessions, right, sessions/4)
		if wrong*1000 > sessions*25 || right*100 < sessions/4*95 {
			t.Errorf("%d variants: another than the original in %d of %d sessions; 5%% faster: named in %d of %d", variants, wrong, sessions, right, sessions/4)
		}
	}
}
