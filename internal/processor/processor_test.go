package processor

import (
	"sync/atomic"
	"testing"
	"time"
)

// Work that waits has six times the limit; work that computes has the limit; work that ends is not
// waited for.
func TestWait(t *testing.T) {
	const limit = 200 * time.Millisecond
	never := make(chan int)
	start := time.Now()
	if _, arrived := Wait(never, limit); arrived || time.Since(start) < late*limit/2 {
		t.Errorf("work that sleeps: %v after %s", arrived, time.Since(start))
	}
	var stopped atomic.Bool
	go func() {
		for !stopped.Load() {
		}
	}()
	used := Time()
	if _, arrived := Wait(never, limit); arrived || Time()-used < limit {
		t.Errorf("work that computes: %v after %s of processor time", arrived, Time()-used)
	}
	stopped.Store(true)
	done := make(chan int, 1)
	done <- 7
	if result, arrived := Wait(done, time.Hour); !arrived || result != 7 {
		t.Errorf("work that ends: %v, %d", arrived, result)
	}
}
