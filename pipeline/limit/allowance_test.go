package limit

import (
	"context"
	"testing"
	"time"

	"polytune/internal/processor"
)

// An allowance does not end while nothing is done, but when processor time has
// been spent, and then for good.
func TestAllowance(t *testing.T) {
	idle, end := newAllowance(context.Background(), time.Hour)
	defer end()
	a, endOther := newAllowance(context.Background(), 100*time.Millisecond)
	defer endOther()
	before := processor.Time()
	for a.Err() == nil {
		if spent := processor.Time() - before; spent > 10*time.Second {
			t.Fatalf("after %v of processor time it has not ended", spent)
		}
	}
	if spent := processor.Time() - before; spent < 100*time.Millisecond {
		t.Errorf("it ended after %v", spent)
	}
	a.renew()
	if a.Err() == nil || idle.Err() != nil {
		t.Errorf("errors %v and %v", a.Err(), idle.Err())
	}
}
