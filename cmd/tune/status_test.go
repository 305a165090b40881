package main

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"polytune/runner"
	"polytune/store"
)

// TestStatusOfSessions describes sessions for people: who is at work, and only
// if alive; what a search will propose, nobody knows.
func TestStatusOfSessions(t *testing.T) {
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	self := runner.Self()
	alive := store.Worker{Host: "node17", Space: self.Space, PID: self.PID, Born: self.Born, Since: now.Add(-time.Hour), Seen: now.Add(-time.Second),
		Activity: store.Activity{Phase: "racing", Round: 4, Best: "x", Seconds: 0.5, Speedup: 3, Left: 90 * time.Second}}
	dead, silent := alive, alive
	dead.Born = "another"
	silent.Space, silent.Seen = "elsewhere", now.Add(-time.Hour)
	standing := func(details string, workers ...store.Worker) store.Standing {
		s := store.Standing{Tried: 7, Best: "a", Seconds: 1, Speedup: 2, Workers: workers}
		s.KernelName, s.Size, s.MachineName, s.ToolchainName = "polybench/2mm", "large", "alpha", "gcc 12.2.0"
		s.Details, s.Trials = []byte(details), map[store.Status]int{store.OK: 5, store.Crashed: 2, store.WrongResult: 1}
		return s
	}
	const known = `{"candidates":64,"search":"","command":"tune --bench 2mm","folder":"/home/me"}`
	for name, c := range map[string]struct {
		standing store.Standing
		want     []string
		lacks    string
	}{
		"running": {standing(known, dead, alive), []string{
			"polybench/2mm large on alpha with gcc 12.2.0: running · 7 variants of 64 candidates tried · best x 500 ms 3.00x · 2 failed · 1 WRONG\n",
			"on node17 since ", ": racing, round 4, about 1m30s left (seen 1s ago)\n"}, "resume"},
		"interrupted": {standing(known, dead, silent), []string{
			"interrupted · 7 variants of 64 candidates tried · best a 1.00 s 2.00x", "\n    resume in /home/me: tune --bench 2mm\n"}, "process"},
		"search": {standing(`{"candidates":64,"search":"evolution 1"}`), []string{"interrupted · 7 variants tried · best a"}, "resume"},
	} {
		r, err := reportSession(c.standing, now)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		r.write(&text, now, 0)
		for _, want := range c.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: %q is not in\n%s", name, want, &text)
			}
		}
		text.Reset()
		r.write(&text, now, 60)
		for line := range strings.Lines(text.String()) {
			if isCommand := strings.Contains(line, "resume in") || strings.Contains(line, "process"); !isCommand && utf8.RuneCountInString(line) > 61 {
				t.Errorf("%s: wider than 60: %s", name, line)
			}
		}
		if strings.Contains(text.String(), c.lacks) {
			t.Errorf("%s: %q is in\n%s", name, c.lacks, &text)
		}
	}
	if _, err := reportSession(standing("no JSON"), now); err == nil {
		t.Error("details that are no JSON")
	}
}
