package tuner

import (
	"sync"
	"time"
)

// meter measures how long something else than the tuner works: the time in
// which at least one compiler or program runs, or another tuner is waited for.
type meter struct {
	mutex   sync.Mutex
	running int
	since   time.Time
	passed  time.Duration
}

// begin says that something has begun; the function that it returns ends it.
func (m *meter) begin() (end func()) {
	if m == nil {
		return func() {}
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.running == 0 {
		m.since = time.Now()
	}
	m.running++
	return m.end
}

func (m *meter) end() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.running--; m.running == 0 {
		m.passed += time.Since(m.since)
	}
}

// total is the time so far.
func (m *meter) total() time.Duration {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.running > 0 {
		return m.passed + time.Since(m.since)
	}
	return m.passed
}
