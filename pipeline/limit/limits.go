package limit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"polytune/isl"
	"polytune/scop"
)

// Memory bound isl's work for one attempt at other memory for temporaries, or at a program without
// the source's loops over tiles: there is one without these, too.
var Memory = Limits{Operations: Attempt.Operations / 3, Time: Attempt.Time / 4}

// Limits bound isl's work.
type Limits struct {
	Operations uint64
	Time       time.Duration
}

// Of are the limits for a program, whose statements have to be proven in order: more for more of
// them.
func (l Limits) Of(p *scop.Program) Limits {
	factor := max(1, float64(len(p.Statements))/manyStatements)
	return Limits{uint64(float64(l.Operations) * factor), time.Duration(float64(l.Time) * factor)}
}

// manyStatements is for how many statements limits are.
const manyStatements = 24

// SharedTime is the processor time that all choices and attempts for one region have together, but
// for the last attempt in the order of the source, which has Last.
var SharedTime = 35 * time.Second

// Factors bound isl's work for a recipe with large factors in its rows.
var Factors = Limits{Operations: 12_000_000, Time: 10 * time.Second}

// Space bound isl's work where a whole space is counted or listed, which a user may wait for.
var Space = Limits{Operations: 2_000_000_000, Time: time.Hour}

// Last bounds the last attempt, in the order of the source.
var Last = Limits{Operations: 12_000_000, Time: 15 * time.Second}

// Share is what is left of the processor time that several computations share. nil is one
// without end.
type Share struct{ Left time.Duration }

// NewShare is a share of SharedTime for a program.
func NewShare(p *scop.Program) *Share {
	return &Share{Limits{Time: SharedTime}.Of(p).Time}
}

// most is what a computation with a limit of its own may take.
func (a *Share) most(limit time.Duration) time.Duration {
	if a == nil {
		return limit
	}
	return max(0, min(limit, a.Left))
}

// spend takes time away.
func (a *Share) spend(spent time.Duration) {
	if a != nil {
		a.Left -= spent
	}
}

// Context is an isl context all of whose calls together end at the limits, or when ctx does. next
// lets the limits begin anew; end closes the context.
func Context(ctx context.Context, l Limits, a *Share) (c *isl.Context, next, end func()) {
	c = isl.NewContext()
	next, release := On(ctx, c, l, a)
	return c, next, func() {
		release()
		c.Close()
	}
}

// On lets all calls of an isl context together end at the limits, or when ctx does, until end. next
// lets the limits begin anew. A context that was stopped cannot be used any more.
func On(ctx context.Context, c *isl.Context, l Limits, a *Share) (next, end func()) {
	l = StruckAt(l)
	limited, stop := newAllowance(ctx, a.most(l.Time))
	stopWatch := c.AbortOn(limited)
	c.SetMaxOperations(l.Operations)
	if l.Time > 0 && limited.limit == 0 {
		c.Abort()
	}
	next = func() {
		l = StruckAt(l)
		limited.renew()
		c.SetMaxOperations(l.Operations)
	}
	return next, func() {
		stopWatch()
		stop()
		a.spend(limited.used())
	}
}

// StruckAt are the limits that a computation has: those it is to have. Tests strike one in turn.
var StruckAt = func(l Limits) Limits { return l }

// Attempt bound isl's work for one attempt at a variant, so that a schedule whose code explodes
// ends: on the one hand for dependences and transformation, and on the other for the proof and the
// code. The number of operations is the same on all machines; processor time is the limit for those
// on large numbers, and far above what the others take: the dearest, swim's pieces, take 14 s on an
// Intel Xeon (2.5 GHz), and 33 s in the hours when its host gives the same work 2.5 times the time.
// Variants must not depend on that. The built-in kernels need less than 3,000,000 operations. They
// are for programs of manyStatements at most: a lattice Boltzmann step with 19 directions in 100
// statements takes 25,000,000.
var Attempt = Limits{Operations: 12_000_000, Time: time.Minute}

// Name is the name of the limit of an attempt at a program that an error of isl's met.
func Name(p *scop.Program, err error) string {
	l := Attempt.Of(p)
	switch own := (*isl.Error)(nil); {
	case errors.Is(err, isl.ErrTooLarge):
		return "the limit of numbers, which have 64 bits"
	case errors.As(err, &own) && own.Code == isl.ErrorQuota:
		return fmt.Sprintf("the limit on operations of isl's, %d", l.Operations)
	}
	return fmt.Sprintf("the limit on processor time, %v", min(l.Time, NewShare(p).Left))
}
