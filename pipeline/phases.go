package pipeline

import (
	"time"
)

// Phases are the durations of making a variant: finding dependences, and which
// variables may be private; choosing splits and the partition, and finding
// hyperplanes and tiles; proving the schedule and printing its code; all else,
// such as reading the program and looking at the loops of the schedule.
type Phases struct{ Dependences, Transform, Codegen, Other time.Duration }

// Add adds the durations of more work on the same variant.
func (p *Phases) Add(more Phases) {
	p.Dependences += more.Dependences
	p.Transform += more.Transform
	p.Codegen += more.Codegen
	p.Other += more.Other
}

// Total is the sum of the durations.
func (p Phases) Total() time.Duration { return p.Dependences + p.Transform + p.Codegen + p.Other }

// Watch returns a function that adds the time since the last call, at first
// since that of watch, to a phase.
func Watch() (lap func(phase *time.Duration)) {
	last := time.Now()
	return func(phase *time.Duration) {
		now := time.Now()
		*phase += now.Sub(last)
		last = now
	}
}

// PhaseError says in which phase a variant failed.
type PhaseError struct {
	Phase string
	Err   error
}

func (e *PhaseError) Error() string { return e.Phase + ": " + e.Err.Error() }
func (e *PhaseError) Unwrap() error { return e.Err }
