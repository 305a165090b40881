// Package watch ends a fuzz test's process when one input takes too long or
// too much memory, so that the fuzzer keeps that input as a failure.
package watch

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// Limits are what one input may need. Memory counts the whole process, C's
// libraries included.
type Limits struct {
	Time        time.Duration
	MemoryBytes int64
}

// interval is the time between two looks at the memory.
const interval = 50 * time.Millisecond

// Start watches until the returned function is called.
func (l Limits) Start() (stop func()) {
	done := make(chan struct{})
	go l.watch(done)
	return func() { close(done) }
}

func (l Limits) watch(done <-chan struct{}) {
	end := time.After(l.Time)
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for {
		select {
		case <-done:
			return
		case <-end:
			l.give(fmt.Sprintf("an input takes longer than %s", l.Time))
		case <-ticks.C:
			if resident() > l.MemoryBytes {
				debug.FreeOSMemory()
			}
			if used := resident(); used > l.MemoryBytes {
				l.give(fmt.Sprintf("an input takes %d bytes of memory, more than %d", used, l.MemoryBytes))
			}
		}
	}
}

// ReasonFile is the environment variable that names a file for the reason why
// a process was ended: Go's fuzzer does not show what its workers print.
const ReasonFile = "POLYTUNE_WATCH_REASON"

// give ends the process with the stacks of all goroutines.
func (l Limits) give(why string) {
	if path := os.Getenv(ReasonFile); path != "" {
		stacks := make([]byte, 1<<16)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if err := os.WriteFile(path, fmt.Appendf(nil, "%s\n%s", why, stacks), 0o644); err != nil {
			why += " (" + err.Error() + ")"
		}
	}
	debug.SetTraceback("all")
	panic(why)
}

// resident is the memory of the process that lies in the machine's, or 0
// where the system does not tell.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Fscan(bytes.NewReader(text), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
