package session

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"polytune/internal/exit"
	"polytune/pipeline"
	"polytune/tuner"
)

// LeastPreparing is the time that the first region's candidates may take to be found, whatever
// the budget, so that a call gets ahead.
var LeastPreparing = 3 * time.Second

const (
	// leastShare is the time for which it is worth going on with a region: it takes a second or
	// two to build and run its original again.
	leastShare = 3 * time.Second
	// fairShare is the part of the time that all regions have alike; the rest goes where there
	// is more to win.
	fairShare = 0.5
)

// RegionRun is what a call of tune does for one region.
type RegionRun struct {
	target *pipeline.Target
	// request is nil before the region's candidates are known.
	request *tuner.Request
	// result is what is known of it so far, once it was timed.
	result tuner.Result
	begun  bool
	// unanswered says that nothing can be said of it.
	unanswered bool
}

// finished says that nothing is left to do within the budget.
func (g *RegionRun) finished() bool { return g.begun && !g.result.Early }

// share tunes several regions within one budget. All have their originals and first candidates
// timed before the rest of the time is divided by what they promise, and what regions leave of
// their shares goes to the others.
func (r *Run) share(ctx context.Context, regions []*RegionRun) error {
	for k, g := range regions {
		left := r.Allotted.left(time.Now())
		if left <= 0 && k > 0 || r.Allotted.isOver(time.Now()) {
			return nil
		}
		share := max(left/time.Duration(len(regions)-k), time.Millisecond)
		if err := r.goOn(ctx, g, r.advance(ctx, g, share, true)); err != nil {
			return err
		}
	}
	for {
		open := unfinished(regions)
		began := time.Now()
		for k, g := range open {
			left := r.Allotted.left(time.Now())
			if left < leastShare {
				return nil
			}
			if err := r.goOn(ctx, g, r.advance(ctx, g, firstShare(left, open[k:]), false)); err != nil {
				return err
			}
		}
		if len(open) == 0 || time.Since(began) < leastShare {
			return nil
		}
	}
}

// unfinished are the regions for which there is something left to do, and can be done.
func unfinished(regions []*RegionRun) (open []*RegionRun) {
	for _, g := range regions {
		if !g.finished() && !g.unanswered {
			open = append(open, g)
		}
	}
	return open
}

// firstShare is what the first of some regions gets of the time left: half of it all have
// alike, and half is divided by the time that their best variants take, which is the most that
// can still be won. One that was not timed yet counts as the mean of the others.
func firstShare(left time.Duration, regions []*RegionRun) time.Duration {
	sum, timed := 0.0, 0
	for _, g := range regions {
		if seconds := g.result.Best.Seconds.Median; seconds > 0 {
			sum += seconds
			timed++
		}
	}
	n := float64(len(regions))
	promise := 1 / n
	if timed > 0 {
		mean := sum / float64(timed)
		seconds := regions[0].result.Best.Seconds.Median
		if seconds <= 0 {
			seconds = mean
		}
		promise = seconds / (sum + mean*(n-float64(timed)))
	}
	return time.Duration(float64(left) * (fairShare/n + (1-fairShare)*promise))
}

// advance goes on with a region for some time, 0 for as long as it takes; briefly it has the first
// candidates tried alone. A region that the time ends before it begins has no result.
func (r *Run) advance(ctx context.Context, g *RegionRun, budget time.Duration, briefly bool) error {
	began := time.Now()
	if g.request == nil {
		most := budget
		if budget > 0 && !r.prepared {
			most, r.prepared = max(budget, LeastPreparing), true
		}
		if err := r.prepare(ctx, g, most); err != nil || g.request == nil {
			return err
		}
		if budget > 0 {
			budget = max(budget-time.Since(began), time.Millisecond)
		}
	}
	request := *g.request
	request.Budget, request.Briefly = budget, briefly
	result, err := r.session(ctx, request)
	if err != nil {
		return g.target.Failed(err)
	}
	if r.Allotted.byJob {
		result.Early = !result.Complete
	}
	result.Elapsed += g.result.Elapsed
	result.Overhead += g.result.Overhead
	result.Waited += g.result.Waited
	result.Recalled = result.Recalled && (!g.begun || g.result.Recalled)
	g.result, g.begun = result, true
	return nil
}

// prepare finds a region's candidates; the request stays nil where the time ends before.
func (r *Run) prepare(ctx context.Context, g *RegionRun, budget time.Duration) error {
	within, stop := ctx, func() {}
	if budget > 0 {
		within, stop = context.WithTimeout(ctx, budget)
	}
	defer stop()
	request, _, err := r.request(within, ctx, g.target)
	switch {
	case err != nil && within.Err() != nil && ctx.Err() == nil:
		return nil
	case err != nil:
		return g.target.Failed(err)
	}
	g.request = &request
	return nil
}

// BudgetEnded says on w which regions are not finished, and how to go on.
func (r *Run) BudgetEnded(w io.Writer, open []*RegionRun, regions int) error {
	what := "before all was done"
	if regions > 1 {
		var names []string
		for _, g := range open {
			names = append(names, g.target.Name)
		}
		what = "before all was done for " + strings.Join(names, ", ")
	}
	why := fmt.Sprintf("the budget of %v has ended", r.Options.Budget)
	if r.Allotted.byJob {
		why = "the time of this batch job has ended"
	}
	fmt.Fprintf(w, "tune: %s %s; to go on: %s\n", why, what, r.Options.Command)
	return &exit.Quiet{Status: exit.Interrupted}
}
