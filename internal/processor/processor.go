// Package processor bounds work of this process by the processor time that it takes. A machine that
// is busy with other things, or waits for its disk, makes such work late, and that is no reason to
// give it up.
package processor

import (
	"syscall"
	"time"
)

// late is how many times the limit work may take by the clock.
const late = 6

// Time is what this process has used so far on all processors.
func Time() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Wait is what arrives from done. It gives up, and is false, once the limit has passed both by the
// clock and in processor time of this process, and after six times the limit by the clock in any
// case.
func Wait[T any](done <-chan T, limit time.Duration) (result T, arrived bool) {
	start, used := time.Now(), Time()
	ticker := time.NewTicker(limit/10 + 1)
	defer ticker.Stop()
	for {
		select {
		case result = <-done:
			return result, true
		case <-ticker.C:
		}
		passed := time.Since(start)
		if passed >= late*limit || passed >= limit && Time()-used >= limit {
			return result, false
		}
	}
}
