package limit

import (
	"context"
	"sync/atomic"
	"time"

	"polytune/internal/processor"
)

// allowance is a context that ends when polytune has spent so much processor
// time on it: unlike the time on the clock, that does not depend on what else the
// machine does. Allowances that are open at the same time share what is spent.
type allowance struct {
	context.Context
	limit time.Duration
	// spent is since it began anew, before what was spent before that.
	spent, before atomic.Int64
}

// openAllowances is the number of allowances that have not ended.
var openAllowances atomic.Int64

// allowancePeriod is the time between two looks at the processor time.
const allowancePeriod = 20 * time.Millisecond

// newAllowance begins an allowance; end is to be called when it is not needed any
// more.
func newAllowance(parent context.Context, limit time.Duration) (a *allowance, end context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	a = &allowance{Context: ctx, limit: limit}
	openAllowances.Add(1)
	go func() {
		defer openAllowances.Add(-1)
		defer cancel()
		ticker := time.NewTicker(allowancePeriod)
		defer ticker.Stop()
		for last := processor.Time(); time.Duration(a.spent.Load()) < limit; {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			now := processor.Time()
			a.spent.Add(int64(now-last) / max(1, openAllowances.Load()))
			last = now
		}
	}()
	return a, cancel
}

// renew lets the allowance begin anew, unless it has ended.
func (a *allowance) renew() { a.before.Add(a.spent.Swap(0)) }

// used is what was spent in all.
func (a *allowance) used() time.Duration { return time.Duration(a.before.Load() + a.spent.Load()) }
