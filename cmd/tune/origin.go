package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"polytune/report"
	"polytune/runner"
	"polytune/store"
)

// origin is what the database knows about where a result comes from.
type origin struct {
	machine   runner.Machine
	toolchain runner.Toolchain
	// baseline has built the original that speedups are over.
	baseline runner.Toolchain
	threads  int
}

// baselineText says who has built the original that a speedup is over, where that is another
// compiler than the variant's.
func (o *origin) baselineText() string {
	if o.baseline.ID == o.toolchain.ID {
		return ""
	}
	return " built by " + strings.TrimSpace(o.baseline.Name+" "+o.baseline.Version)
}

// originOf reads the descriptions that a tuner has stored.
func originOf(p store.Provenance) (o origin, err error) {
	var settings struct {
		Threads int `json:"threads"`
	}
	for _, part := range []struct {
		text json.RawMessage
		into any
	}{{p.Machine, &o.machine}, {p.Toolchain, &o.toolchain}, {p.Baseline, &o.baseline}, {p.Settings, &settings}} {
		if err := json.Unmarshal(part.text, part.into); err != nil {
			return o, fmt.Errorf("the database's description of session %s cannot be read: %w", p.Session, err)
		}
	}
	o.threads = settings.Threads
	return o, nil
}

// originNote says for whoever finds a program in a year what its variant is, and
// how, where and when it was timed. open, if not nil, may be faster than the original.
func originNote(b store.Best, p store.Provenance, open *contender) (string, error) {
	o, err := originOf(p)
	if err != nil {
		return "", err
	}
	kind := "Variant " + b.Variant.ID
	if store.IsOriginal(b.Variant.ID) {
		kind = "The original, than which nothing was faster,"
		if open != nil {
			kind = "The original, than which nothing is known to be faster,"
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s of %s, timed at size %s: %s, %s the speed of the original%s\n", kind, b.KernelName, b.Size,
		report.Seconds(b.Summary.Seconds.Median), report.Speedup(b.Summary.Speedup, b.Summary.Certainty), o.baselineText())
	fmt.Fprintf(&text, "  on    machine %s: %s, %d cores; %d threads\n", b.MachineName, o.machine.CPU, o.machine.Cores, o.threads)
	fmt.Fprintf(&text, "  by    %s for %s: %s\n", b.ToolchainName, o.toolchain.Target, strings.Join(o.toolchain.Flags, " "))
	fmt.Fprintf(&text, "  in    session %s, trial %s, %s", p.Session, b.Trial, p.Finished.Format("2006-01-02"))
	return text.String(), nil
}
