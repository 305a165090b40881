package main

import (
	"context"
	"time"

	"polytune/isl"
	"polytune/scop"
)

// limits bound isl's work.
type limits struct {
	operations uint64
	time       time.Duration
}

// of are the limits for a program, whose statements have to be proven in order: more for more of them.
func (l limits) of(p *scop.Program) limits {
	factor := max(1, float64(len(p.Statements))/manyStatements)
	return limits{uint64(float64(l.operations) * factor), time.Duration(float64(l.time) * factor)}
}

// manyStatements is for how many statements limits are.
const manyStatements = 24

// sharedTime is the processor time that all choices and attempts for one region have together, but for
// the last attempt in the order of the source, which has lastLimits.
var sharedTime = 35 * time.Second

// factorLimits bound isl's work for a recipe with large factors in its rows.
var factorLimits = limits{operations: 12_000_000, time: 10 * time.Second}

// spaceLimits bound isl's work where a whole space is counted or listed, which a user may wait for.
var spaceLimits = limits{operations: 2_000_000_000, time: time.Hour}

var lastLimits = limits{operations: 12_000_000, time: 15 * time.Second}

// timeShare is what is left of the processor time that several computations share. nil is one
// without end.
type timeShare struct{ left time.Duration }

// newTimeShare is a share of sharedTime for a program.
func newTimeShare(p *scop.Program) *timeShare {
	return &timeShare{limits{time: sharedTime}.of(p).time}
}

// most is what a computation with a limit of its own may take.
func (a *timeShare) most(limit time.Duration) time.Duration {
	if a == nil {
		return limit
	}
	return max(0, min(limit, a.left))
}

// spend takes time away.
func (a *timeShare) spend(spent time.Duration) {
	if a != nil {
		a.left -= spent
	}
}

// limitedContext is an isl context all of whose calls together end at the limits, or when ctx does: all contexts of this
// package are made by it. next lets the limits begin anew; end closes the context.
func limitedContext(ctx context.Context, l limits, a *timeShare) (c *isl.Context, next, end func()) {
	l = struckAt(l)
	limited, stop := newAllowance(ctx, a.most(l.time))
	c = isl.NewContext()
	stopWatch := c.AbortOn(limited)
	c.SetMaxOperations(l.operations)
	if l.time > 0 && limited.limit == 0 {
		c.Abort()
	}
	next = func() {
		l = struckAt(l)
		limited.renew()
		c.SetMaxOperations(l.operations)
	}
	return c, next, func() {
		stopWatch()
		c.Close()
		stop()
		a.spend(limited.used())
	}
}

// struckAt are the limits that a computation has: those it is to have. Tests strike one in turn.
var struckAt = func(l limits) limits { return l }
