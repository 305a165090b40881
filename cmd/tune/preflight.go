package main

import (
	"fmt"
	"strings"

	"polytune/runner"
	"polytune/tuner"
)

// preflight has what disturbs timings on this machine, and says so once, before
// anything is timed.
type preflight struct {
	looked  bool
	found   []runner.Warning
	printed bool
}

// of looks at the machine, the first time.
func (p *preflight) of(machine runner.Machine) []runner.Warning {
	if !p.looked {
		p.found, p.looked = machine.Disturbances(), true
	}
	return p.found
}

// announce adds the warnings to the event with which a session begins to time.
// One that is answered from the database has none.
func (p *preflight) announce(e tuner.Event) tuner.Event {
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
