package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"time"

	"polytune/report"
	"polytune/report/figure"
	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

// sessionView says where the numbers of a session come from.
type sessionView struct {
	UUID, Started, Opened, Finished string
	// Resumed says that Opened is a resumption.
	Resumed bool
	// Open says that the session is unfolded.
	Open     bool
	Host     string
	Settings string
	Trials   string
	Warnings []runner.Warning
	// Unknown says that the database does not have what a preflight found.
	Unknown  bool
	Timeline template.HTML
	Pauses   []string
}

// mostSessions is the number of sessions of a cell that are shown, the newest.
const mostSessions = 6

// details is what the tuner keeps with a session, as far as it is shown.
type details struct {
	Host string `json:"host"`
}

func (v *cellView) addSessions(c *report.Cell, unfold bool) error {
	shown := c.Sessions
	if len(shown) > mostSessions {
		v.EarlierSessions = len(shown) - mostSessions
		shown = shown[v.EarlierSessions:]
	}
	for _, s := range shown {
		session, err := newSessionView(c, s)
		if err != nil {
			return err
		}
		session.Open = s.Finished.IsZero() || unfold && c.Best != nil && c.Best.Session == s.UUID
		v.Sessions = append(v.Sessions, session)
	}
	return nil
}

func newSessionView(c *report.Cell, s store.SessionStatus) (sessionView, error) {
	v := sessionView{
		UUID: s.UUID, Started: dateText(s.Started), Opened: dateText(s.Opened), Finished: dateText(s.Finished),
		Resumed: s.Opened.Sub(s.Started) > time.Second, Settings: string(s.Settings), Trials: report.TrialsText(c.Counts(s.UUID)),
	}
	var d details
	if err := json.Unmarshal(s.Details, &d); err == nil {
		v.Host = d.Host
	}
	warnings, known := tuner.StoredWarnings(s.Details)
	v.Warnings, v.Unknown = warnings, !known
	return v, v.addTimeline(c, s)
}

// addTimeline draws the trials of the session. What a trial's time means for the best so far
// is known only when it is finished: most are at the session's end.
func (v *sessionView) addTimeline(c *report.Cell, s store.SessionStatus) error {
	drawn := figure.Session{Finished: !s.Finished.IsZero(), End: s.Finished.Sub(s.Started)}
	for i := range c.Trials {
		t := &c.Trials[i]
		if t.Session != s.UUID || t.Variant == store.Original || t.Started.Before(s.Started) {
			continue
		}
		moment := figure.Moment{At: t.Started.Sub(s.Started), Tip: tip(c, t)}
		if t.Timed() {
			moment.Ratio = t.Summary.Speedup.Median
			moment.Sure = t.Summary.Coverage >= store.FullCoverage || c.Best != nil && c.Best.Summary.Coverage < store.FullCoverage
		}
		drawn.Trials = append(drawn.Trials, moment)
		if !drawn.Finished {
			drawn.End = max(drawn.End, moment.At, t.Finished.Sub(s.Started))
		}
	}
	if v.Resumed {
		drawn.Resumed = s.Opened.Sub(s.Started)
	}
	for _, pause := range figure.Pauses(drawn.Trials) {
		v.Pauses = append(v.Pauses, fmt.Sprintf("No trial began for %s after %s.", report.Duration(pause.To-pause.From), report.Duration(pause.From)))
	}
	svg, err := figure.Timeline("Timeline of a session on "+c.Name(),
		fmt.Sprintf("%d trials over %s: the best speed-up so far, and when trials began.", len(drawn.Trials), report.Duration(drawn.End)), drawn)
	v.Timeline = svg
	return err
}
