package main

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"polytune/runner"
)

// plan says how a program is timed once.
type plan struct {
	repetitions, warmups int
	// limit bounds the whole process; 0 for none.
	limit time.Duration
}

// contestant is one peer's program for a kernel.
type contestant struct {
	result *result
	// time runs the program in a process of its own; the least of the seconds
	// that it reports is the sample.
	time func(ctx context.Context, p plan) (runner.Timing, error)
	plan plan
}

// race times programs of one kernel in rounds: each has all of them once, in
// random order, so that what else the machine does disturbs all alike.
type race struct {
	// rounds is how many there are; no new round begins once the budget is
	// spent and everyone has the minimum of samples. What slow programs take is
	// not counted: the others would have two samples, too, where an original
	// takes as long as the whole budget.
	rounds, minimum int
	budget          time.Duration
	// slow is the multiple of the best time beyond which two samples do.
	slow float64
	// sample is how long a sample takes at least, in seconds; shorter calls are
	// repeated.
	sample float64
	// limit bounds a run of unknown duration.
	limit     time.Duration
	tolerance runner.Tolerance
	random    *rand.Rand
	// lock waits for the right to time on this machine.
	lock func(ctx context.Context) (unlock func(), err error)

	fingerprints []runner.Fingerprint
}

// long is the number of seconds from which on the first call of a process
// counts: what happens once, such as the start of threads, does not matter then.
const long = 0.5

// runLimit is the multiple of the reference's time at which a run is stopped; it
// also has a minute for all else that a process does.
const runLimit = 20

// run times all contestants. The first is the reference, whose results the
// others must have; its failure is an error, theirs are in their results.
func (r *race) run(ctx context.Context, all []*contestant) error {
	if err := r.probeAll(ctx, all); err != nil {
		return err
	}
	var spent time.Duration
	for range r.rounds {
		if spent > r.budget && r.isEnough(all) {
			return nil
		}
		took, err := r.round(ctx, all)
		if err != nil {
			return err
		}
		spent += took
	}
	return nil
}

// probeAll runs each once, to see how long it takes and whether it is right.
func (r *race) probeAll(ctx context.Context, all []*contestant) error {
	unlock, err := r.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	first := all[0]
	first.plan.limit = r.limit
	seconds, err := r.probe(ctx, first)
	if err != nil {
		return err
	}
	if first.result.Status != ok {
		return errors.New("the reference: " + first.result.Detail)
	}
	limit := min(r.limit, time.Duration(seconds*runLimit*float64(time.Second))+time.Minute)
	for _, i := range r.random.Perm(len(all) - 1) {
		all[i+1].plan.limit = limit
		if _, err := r.probe(ctx, all[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// probe runs a program once and plans its samples.
func (r *race) probe(ctx context.Context, c *contestant) (seconds float64, err error) {
	c.plan.repetitions = 1
	timing, err := r.once(ctx, c)
	if err != nil || c.result.Status != ok {
		return 0, err
	}
	seconds = slices.Min(timing.Seconds)
	if seconds >= long {
		c.result.add(seconds)
		return seconds, nil
	}
	c.plan.warmups = 1
	// The data are made anew before each call, which can take much longer: all
	// calls and that take about a second at most.
	affordable := math.Max(1/timing.Wall.Seconds(), 1)
	c.plan.repetitions = int(math.Min(math.Ceil(r.sample/seconds), affordable))
	return seconds, nil
}

// isEnough says whether everyone has the minimum of samples, or needs no more.
func (r *race) isEnough(all []*contestant) bool {
	best := fastest(all)
	return !slices.ContainsFunc(all, func(c *contestant) bool {
		return len(c.result.Seconds) < r.minimum && !r.isDone(c, best)
	})
}

// isDone says whether no more samples of a contestant are of use.
func (r *race) isDone(c *contestant, best float64) bool {
	return c.result.Status != ok || len(c.result.Seconds) >= 2 && r.isSlow(c, best)
}

func (r *race) isSlow(c *contestant, best float64) bool {
	t, known := c.result.median()
	return known && t > r.slow*best
}

// fastest is the least median so far.
func fastest(all []*contestant) float64 {
	best := math.Inf(1)
	for _, c := range all {
		if t, known := c.result.median(); known {
			best = math.Min(best, t)
		}
	}
	return best
}

// round takes a sample of everyone who has not got enough. It took the time of
// those who are not slow.
func (r *race) round(ctx context.Context, all []*contestant) (took time.Duration, err error) {
	unlock, err := r.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	before := fastest(all)
	walls := map[*contestant]time.Duration{}
	for _, i := range r.random.Perm(len(all)) {
		c := all[i]
		if r.isDone(c, before) {
			continue
		}
		timing, err := r.once(ctx, c)
		if err != nil {
			return 0, err
		}
		walls[c] = timing.Wall
		if c.result.Status == ok {
			c.result.add(slices.Min(timing.Seconds))
		}
	}
	for c, wall := range walls {
		if !r.isSlow(c, fastest(all)) {
			took += wall
		}
	}
	return took, nil
}

// once runs a program and compares what it computes with the reference's
// result. The error is about the run as a whole, not about the program.
func (r *race) once(ctx context.Context, c *contestant) (runner.Timing, error) {
	timing, err := c.time(ctx, c.plan)
	if ctx.Err() != nil {
		return timing, ctx.Err()
	}
	var failure *runner.RunError
	switch {
	case errors.As(err, &failure):
		c.result.fail(failed, err.Error())
		return timing, nil
	case err != nil:
		return timing, err
	}
	if r.fingerprints == nil {
		r.fingerprints = timing.Fingerprints
	}
	if err := runner.CompareFingerprints(r.fingerprints, timing.Fingerprints, r.tolerance); err != nil {
		c.result.fail(wrong, err.Error())
	}
	return timing, nil
}
