package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"polytune/report"
	"polytune/store"
	"polytune/tuner"
)

const (
	// mostHints is the number of hints behind the table of a session.
	mostHints = 3
	// hintsShare is the part of a session's time that its hints may take, within leastHintsTime and mostHintsTime.
	hintsShare     = 0.05
	leastHintsTime = 5 * time.Second
	mostHintsTime  = 30 * time.Second
)

// hints prints behind a session's table what is in the way of its best variant where that does not run in parallel, and what
// would free it. What cannot be found in a small part of the session's time is left out: tune explain has more.
func (r *tuneRun) hints(ctx context.Context, w io.Writer, t *target, result tuner.Result) {
	if result.Recipe == "" || ctx.Err() != nil || r.allotted.isOver(time.Now()) {
		return
	}
	limit := min(time.Duration(hintsShare*float64(result.Elapsed)), mostHintsTime)
	if r.allotted.ends() {
		limit = min(limit, r.allotted.left(time.Now()))
	}
	limit = max(limit, leastHintsTime)
	limited, end := context.WithTimeout(ctx, limit)
	defer end()
	hints, _ := r.hintsOf(limited, t, result)
	if len(hints) == 0 {
		return
	}
	fmt.Fprintln(w)
	report.WriteHints(w, hints[:min(len(hints), mostHints)])
}

// hintsOf are the hints with a remedy about the best variant's deepest statements, as far as they were found where there is an error.
func (r *tuneRun) hintsOf(ctx context.Context, t *target, result tuner.Result) (hints []report.Hint, err error) {
	at, recipe, err := t.readRecipe(result.Recipe)
	if err != nil {
		return nil, err
	}
	options, err := sessionModel.options(r.machine)
	if err != nil {
		return nil, err
	}
	h, err := at.newHinter(ctx, recipe, options)
	if err != nil {
		return nil, err
	}
	if err := h.find(ctx, true); err != nil {
		return nil, err
	}
	for _, hint := range h.hints {
		if len(hint.Remedies) > 0 {
			hints = append(hints, hint)
		}
	}
	source := at.file.Source
	if !store.IsOriginal(result.Best.Variant) {
		v, err := at.replay(ctx, recipe)
		if err != nil {
			return hints, err
		}
		source = v.source
	}
	more, err := r.options.target.compilerHints(ctx, at, source, place{toolchain: result.Toolchain, settings: r.settings})
	return append(hints, more...), err
}
