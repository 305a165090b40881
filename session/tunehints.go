package session

import (
	"context"
	"fmt"
	"io"
	"time"

	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/pipeline/remedy"
	"polytune/pipeline/variant"
	"polytune/report"
	"polytune/store"
	"polytune/tuner"
)

const (
	// mostHints is the number of hints behind the table of a session.
	mostHints = 3
	// hintsShare is the part of a session's time that its hints may take, within leastHintsTime and
	// mostHintsTime.
	hintsShare     = 0.05
	leastHintsTime = 5 * time.Second
	mostHintsTime  = 30 * time.Second
)

// hints prints behind a session's table what is in the way of its best variant where that does not
// run in parallel, and what would free it. What cannot be found in a small part of the session's
// time is left out: tune explain has more.
func (r *Run) hints(ctx context.Context, w io.Writer, t *pipeline.Target, result tuner.Result) {
	if result.Recipe == "" || ctx.Err() != nil || r.Allotted.isOver(time.Now()) {
		return
	}
	limit := min(time.Duration(hintsShare*float64(result.Elapsed)), mostHintsTime)
	if r.Allotted.ends() {
		limit = min(limit, r.Allotted.left(time.Now()))
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

// hintsOf are the hints with a remedy about the best variant's deepest statements, as far as they
// were found where there is an error.
func (r *Run) hintsOf(ctx context.Context, t *pipeline.Target, result tuner.Result) (hints []report.Hint, err error) {
	at, recipe, err := t.ReadRecipe(result.Recipe)
	if err != nil {
		return nil, err
	}
	options, err := pipeline.SessionModel.Options(r.Machine)
	if err != nil {
		return nil, err
	}
	h, err := remedy.NewHinter(ctx, at, recipe, options)
	if err != nil {
		return nil, err
	}
	if err := h.Find(ctx, true); err != nil {
		return nil, err
	}
	for _, hint := range h.Hints {
		if len(hint.Remedies) > 0 {
			hints = append(hints, hint)
		}
	}
	source := at.UsersText()
	if !store.IsOriginal(result.Best.Variant) {
		v, err := variant.Replay(ctx, at, recipe)
		if err != nil {
			return hints, err
		}
		source = v.Source
	}
	more, err := remedy.CompilerHints(ctx, &r.Options.Target, at, source, harness.Place{Toolchain: result.Toolchain, Settings: r.Settings})
	return append(hints, more...), err
}
