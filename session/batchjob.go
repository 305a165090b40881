package session

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"
)

// jobEndVariable is where Slurm says when the job ends at the latest, as seconds
// since 1970 (man srun, OUTPUT ENVIRONMENT VARIABLES).
const jobEndVariable = "SLURM_JOB_END_TIME"

// jobReserve is how long before the end of a batch job a session stops: time
// for a run that takes longer than expected, and for publishing. Of a short job
// it is a tenth.
const jobReserve = 4 * time.Minute

// jobStop is when a session should stop because the batch job around it ends;
// the zero time where there is none.
func jobStop(getenv func(string) string, now time.Time) (time.Time, error) {
	text := getenv(jobEndVariable)
	if text == "" {
		return time.Time{}, nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds <= 0 {
		return time.Time{}, fmt.Errorf("%s is %q, not a number of seconds since 1970; unset it, or give --budget", jobEndVariable, text)
	}
	end := time.Unix(seconds, 0)
	return end.Add(-min(jobReserve, max(end.Sub(now), 0)/10)), nil
}

// Allotment is what a call may take of the time, all its sessions together: until the end of
// the user's budget, and not longer than a batch job leaves.
type Allotment struct {
	// end is the zero time where nothing ends it.
	end time.Time
	// byJob says that the batch job does.
	byJob bool
}

// NewAllotment is the user's budget, 0 for any, from now on, within the batch job that this
// process belongs to; it says so on w when the job is what limits the call.
func NewAllotment(w io.Writer, budget time.Duration, getenv func(string) string, now time.Time) (Allotment, error) {
	stop, err := jobStop(getenv, now)
	if err == nil && !stop.IsZero() && (budget == 0 || now.Add(budget).After(stop)) {
		fmt.Fprintf(w, "tune: this batch job ends soon after %s; what is not finished then is resumed by the same command\n",
			stop.Local().Format("2006-01-02 15:04:05"))
		return Allotment{stop, true}, nil
	}
	if err != nil || budget == 0 {
		return Allotment{}, err
	}
	return Allotment{end: now.Add(budget)}, nil
}

// ends says that there is an end.
func (a Allotment) ends() bool { return !a.end.IsZero() }

// left is the time that is left, none or less at the end; 0 where there is no end.
func (a Allotment) left(now time.Time) time.Duration {
	if !a.ends() {
		return 0
	}
	return a.end.Sub(now)
}

// Within is ctx until the end, or where that is the user's for so long at least.
func (a Allotment) Within(ctx context.Context, least time.Duration) (context.Context, context.CancelFunc) {
	switch left := a.left(time.Now()); {
	case !a.ends():
		return context.WithCancel(ctx)
	case a.byJob:
		return context.WithTimeout(ctx, left)
	default:
		return context.WithTimeout(ctx, max(left, least))
	}
}

// isOver says that nothing more may begin: behind a budget that is too short something does.
func (a Allotment) isOver(now time.Time) bool { return a.byJob && a.left(now) <= 0 }
