package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/jsondoc"
	"polytune/internal/opendb"
	"polytune/internal/usage"
	"polytune/report"
	"polytune/runner"
	"polytune/session"
	"polytune/store"
	"polytune/tuner"
)

type statusOptions struct {
	limit int
	watch bool
	json  bool
}

func newStatusCommand(global *globalOptions) *cobra.Command {
	o := &statusOptions{}
	c := &cobra.Command{
		Use:   "status",
		Short: "Show what running and interrupted sessions have so far",
		Long: `Show the sessions of the database, those at work first: what they do, how far they
are, what is best so far, and what to type to resume one that was interrupted.
A running tune is not disturbed.` + exitStatusHelp(),
		Example: "  tune status\n  tune status --watch\n  tune status --db /tmp/tune.db --json",
		Args:    maximumArgs(0),
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runStatus(c.Context(), c.OutOrStdout(), o, settings)
		},
	}
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	global.bind(c, map[string]string{"db": "db"})
	c.Flags().IntVar(&o.limit, "limit", 20, "show at most this `number` of sessions; 0 for all")
	c.Flags().BoolVar(&o.watch, "watch", false, "show it again every two seconds, until Ctrl-C")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

// statusReport is the JSON document of tune status.
type statusReport struct {
	Database string          `json:"database"`
	Sessions []sessionReport `json:"sessions"`
	// More counts the sessions that --limit has left out.
	More int `json:"more"`
}

type sessionReport struct {
	Session   string `json:"session"`
	Kernel    string `json:"kernel"`
	Size      string `json:"size"`
	Machine   string `json:"machine"`
	Toolchain string `json:"toolchain"`
	// Target, Device and Timing are left out for processors.
	Target string `json:"target,omitempty"`
	Device string `json:"device,omitempty"`
	Timing string `json:"timing,omitempty"`
	// State is "running", "interrupted" or "finished".
	State string `json:"state"`
	// Started and Opened are when the session began and was last resumed,
	// Finished when it ended, or absent.
	Started  time.Time  `json:"started"`
	Opened   time.Time  `json:"opened"`
	Finished *time.Time `json:"finished,omitempty"`
	// Candidates is what there is to try, where that is known, as it is not of a
	// search; Tried counts variants, of which several candidates may be one.
	Candidates int                  `json:"candidates,omitempty"`
	Tried      int                  `json:"tried"`
	Trials     map[store.Status]int `json:"trials"`
	Best       *bestSoFar           `json:"best,omitempty"`
	// Busy says which other programs used the processors meanwhile.
	Busy    string         `json:"busy,omitempty"`
	Workers []workerReport `json:"workers"`
	// Command, typed in Folder, resumes the session.
	Command string `json:"command,omitempty"`
	Folder  string `json:"folder,omitempty"`
}

type bestSoFar struct {
	Variant string  `json:"variant"`
	Seconds float64 `json:"seconds"`
	// Speedup is 0 while unknown.
	Speedup float64 `json:"speedup"`
}

type workerReport struct {
	Host  string    `json:"host"`
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
	Seen  time.Time `json:"seen"`
	Phase string    `json:"phase"`
	Done  int       `json:"done"`
	Total int       `json:"total"`
	Round int       `json:"round,omitempty"`
	// SecondsLeft is an estimate, absent while unknown.
	SecondsLeft *float64 `json:"seconds_left,omitempty"`
}

func runStatus(ctx context.Context, w io.Writer, o *statusOptions, settings configs.Settings) (err error) {
	if o.watch && o.json {
		return usage.Mistake(errors.New("--watch is for people and --json is one document; choose one of them"))
	}
	if o.limit < 0 {
		return usage.Mistake(fmt.Errorf("--limit is a number of sessions, or 0 for all, not %d", o.limit))
	}
	db, err := opendb.ToRead(ctx, os.Stderr, settings.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for {
		r, err := readStatus(ctx, db, o.limit)
		switch {
		case err != nil && o.watch && ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case o.json:
			return jsondoc.Write(w, r)
		}
		text := r.text(time.Now(), session.TerminalWidth(w))
		if o.watch && session.TerminalWidth(w) > 0 {
			text = redrawn(text)
		}
		if _, err := io.WriteString(w, text); err != nil || !o.watch {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(statusInterval):
		}
	}
}

// redrawn is a text over one that a terminal has: the end of each line is cleared, and what is below,
// so that nothing flickers as it does where all is cleared first.
func redrawn(text string) string {
	return "\x1b[H" + strings.ReplaceAll(text, "\n", "\x1b[K\n") + "\x1b[J"
}

const (
	// statusInterval is the time between two views of --watch.
	statusInterval = 2 * time.Second
	// silence is how long ago a tuner whose process cannot be seen from here
	// may have given its last sign of life and still count as running.
	silence = time.Minute
)

func readStatus(ctx context.Context, db *store.Store, limit int) (statusReport, error) {
	standings, more, err := db.Standings(ctx, limit)
	if err != nil {
		return statusReport{}, err
	}
	r := statusReport{Database: db.Path(), More: more, Sessions: make([]sessionReport, len(standings))}
	for i, standing := range standings {
		if r.Sessions[i], err = reportSession(standing, time.Now()); err != nil {
			return statusReport{}, err
		}
	}
	slices.SortStableFunc(r.Sessions, func(a, b sessionReport) int { return rankOf(a.State) - rankOf(b.State) })
	return r, nil
}

// rankOf puts running sessions first, then those that can be resumed.
func rankOf(state string) int {
	return slices.Index([]string{"running", "interrupted", "finished"}, state)
}

func reportSession(s store.Standing, now time.Time) (sessionReport, error) {
	var details struct {
		Candidates              int
		Search, Command, Folder string
	}
	if err := json.Unmarshal(s.Details, &details); err != nil {
		return sessionReport{}, fmt.Errorf("session %s: details: %w", s.UUID, err)
	}
	r := sessionReport{
		Session: s.UUID, Kernel: s.KernelName, Size: s.Size, Machine: s.MachineName, Toolchain: s.ToolchainName, Target: s.Target, Device: s.Device, Timing: s.Timing, State: "interrupted",
		Started: s.Started, Opened: s.Opened, Candidates: details.Candidates, Tried: s.Tried, Trials: s.Trials,
		Command: details.Command, Folder: details.Folder, Workers: []workerReport{}, Busy: tuner.StoredBusy(s.Details),
	}
	if details.Search != "" {
		r.Candidates = 0
	}
	if !s.Finished.IsZero() {
		r.State, r.Finished = "finished", &s.Finished
	}
	if s.Best != "" {
		r.Best = &bestSoFar{s.Best, s.Seconds, s.Speedup}
	}
	for _, w := range s.Workers {
		process := runner.Process{Host: w.Host, Space: w.Space, PID: w.PID, Born: w.Born}
		if process.Gone() || now.Sub(w.Seen) > silence {
			continue
		}
		r.State, r.Workers = "running", append(r.Workers, reportWorker(w))
		if w.Best != "" && w.Speedup > 0 {
			r.Best = &bestSoFar{w.Best, w.Seconds, w.Speedup}
		}
	}
	return r, nil
}

func reportWorker(w store.Worker) workerReport {
	r := workerReport{Host: w.Host, PID: w.PID, Since: w.Since, Seen: w.Seen, Phase: w.Phase, Done: w.Done, Total: w.Total, Round: w.Round}
	if w.Left >= 0 {
		left := w.Left.Seconds()
		r.SecondsLeft = &left
	}
	return r
}

// text is the report for people, in lines of at most width characters but for commands; 0 means any
// width.
func (r *statusReport) text(now time.Time, width int) string {
	if len(r.Sessions) == 0 {
		return fmt.Sprintf("no session in %s; tune --bench 2mm begins one\n", r.Database)
	}
	var text strings.Builder
	for i := range r.Sessions {
		r.Sessions[i].write(&text, now, width)
	}
	if r.More > 0 {
		fmt.Fprintf(&text, "and %d more; --limit 0 shows all\n", r.More)
	}
	return text.String()
}

// write describes a session in a line, and what is to be known or done about it
// in further ones.
func (r *sessionReport) write(w io.Writer, now time.Time, width int) {
	words := []string{r.State}
	if r.State == "finished" {
		words[0] += " " + r.Finished.Local().Format(time.DateTime)
	}
	words = append(words, triedText(r.Tried, r.Candidates))
	if r.Best != nil {
		best := "best " + r.Best.Variant + " " + report.Seconds(r.Best.Seconds)
		if r.Best.Speedup > 0 {
			best += " " + report.Times(r.Best.Speedup) + "x"
		}
		words = append(words, best)
		if r.Busy != "" {
			words = append(words, report.BusyMark)
		}
	}
	words = append(words, report.FailureWords(r.Trials)...)
	on := ""
	if r.Target != "" {
		on = ", " + store.On{Target: r.Target, Device: r.Device, Timing: r.Timing}.Text()
	}
	line := fmt.Sprintf("%s %s on %s with %s%s:", r.Kernel, r.Size, r.Machine, r.Toolchain, on)
	for k, word := range words {
		if k > 0 {
			word = "· " + word
		}
		if width > 0 && utf8.RuneCountInString(line+" "+word) > width {
			fmt.Fprintln(w, line)
			line = "   "
		}
		line += " " + word
	}
	fmt.Fprintln(w, line)
	for _, worker := range r.Workers {
		fmt.Fprintf(w, "    %s\n", worker.text(now))
	}
	if r.State == "interrupted" && r.Command != "" {
		fmt.Fprintf(w, "    resume in %s: %s\n", r.Folder, r.Command)
	}
}

func triedText(tried, candidates int) string {
	if candidates == 0 {
		return fmt.Sprintf("%d variants tried", tried)
	}
	return fmt.Sprintf("%d variants of %d candidates tried", tried, candidates)
}

func (w *workerReport) text(now time.Time) string {
	text := fmt.Sprintf("process %d on %s since %s: %s", w.PID, w.Host, w.Since.Local().Format(time.DateTime), w.Phase)
	switch {
	case w.Round > 0:
		text += fmt.Sprintf(", round %d", w.Round)
	case w.Total > 0:
		text += fmt.Sprintf(", %d of %d candidates", w.Done, w.Total)
	}
	if w.SecondsLeft != nil {
		text += fmt.Sprintf(", about %v left", (time.Duration(*w.SecondsLeft) * time.Second).Round(time.Second))
	}
	return text + fmt.Sprintf(" (seen %v ago)", max(now.Sub(w.Seen), 0).Round(time.Second))
}
