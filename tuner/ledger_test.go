package tuner

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"polytune/store"
)

// TestFastestIsAlwaysTheFastest times variants and lets some fail, at random, and compares
// what the ledger keeps in mind with a look at everything.
func TestFastestIsAlwaysTheFastest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for range 50 {
		l := newLedger("")
		for step := range 200 {
			r := l.get(fmt.Sprintf("0.%d", random.IntN(12)))
			switch {
			case random.IntN(10) == 0:
				l.end(r, store.Outcome{Status: []store.Status{store.OK, store.WrongResult, store.Crashed}[random.IntN(3)]})
			default:
				l.measure(r.id, random.IntN(4) == 0, store.Sample{Round: random.IntN(30), Seconds: float64(1 + random.IntN(40))})
			}
			variant, seconds := l.fastest()
			least := 0.0
			for _, id := range l.verified() {
				for _, s := range l.measured.times[id] {
					if least == 0 || s < least {
						least = s
					}
				}
			}
			if seconds != least || variant != "" && l.records[variant].failed() || (variant == "") != (least == 0) {
				t.Fatalf("step %d: %s in %v s, want %v s", step, variant, seconds, least)
			}
		}
	}
}
