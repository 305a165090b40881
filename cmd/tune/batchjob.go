package main

import (
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

// allotment is what a session may take of the time: the user's budget, 0 for any,
// and not more than a batch job leaves.
type allotment struct {
	budget time.Duration
	// stop is when the batch job's part ends; zero for no job.
	stop time.Time
}

// newAllotment is the user's budget within the batch job that this process
// belongs to; it says so on w when the job is what limits the session.
func newAllotment(w io.Writer, budget time.Duration, getenv func(string) string, now time.Time) (allotment, error) {
	stop, err := jobStop(getenv, now)
	if err == nil && !stop.IsZero() && (budget == 0 || now.Add(budget).After(stop)) {
		fmt.Fprintf(w, "tune: this batch job ends soon after %s; what is not finished then is resumed by the same command\n",
			stop.Local().Format("2006-01-02 15:04:05"))
	}
	return allotment{budget, stop}, err
}

// at is the budget of a session that begins now, 0 for any; byJob says that it is
// the batch job's end that limits it, and over that no time is left.
func (a allotment) at(now time.Time) (budget time.Duration, byJob, over bool) {
	if a.stop.IsZero() {
		return a.budget, false, false
	}
	left := a.stop.Sub(now)
	if a.budget > 0 && a.budget < left {
		return a.budget, false, false
	}
	return left, true, left <= 0
}
