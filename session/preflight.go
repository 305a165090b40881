package session

import (
	"fmt"
	"strings"

	"polytune/runner"
	"polytune/tuner"
)

// Preflight has what disturbs timings on this machine, and says so once, before
// anything is timed.
type Preflight struct {
	looked  bool
	found   []runner.Warning
	printed bool
}

// of looks at the machine, the first time.
func (p *Preflight) of(machine runner.Machine) []runner.Warning {
	if !p.looked {
		p.found, p.looked = machine.Disturbances(), true
	}
	return p.found
}

// announce adds the warnings to the event with which a session begins to time.
// One that is answered from the database has none.
func (p *Preflight) announce(e tuner.Event) tuner.Event {
	if e.Phase != tuner.Preparing || p.printed {
		return e
	}
	p.printed = true
	lines := []string{}
	for _, w := range p.found {
		lines = append(lines, fmt.Sprintf("warning: %s; %s", w.Message, w.Advice))
	}
	if e.Message != "" {
		lines = append(lines, e.Message)
	}
	e.Message = strings.Join(lines, "\n")
	return e
}
