package isl

// #include "bridge.h"
import "C"

import (
	"context"
	"errors"
	"sync"
	"time"
)

// AbortOn makes isl's operations fail with ErrorAborted from the moment done
// ends, also the one that is running then: a limit on time, or a signal. The
// returned function ends the watch; it is to be called before Close.
//
// isl_ctx_abort sets a flag that isl looks at wherever it counts operations;
// it is meant to be called from signal handlers and other threads.
func (c *Context) AbortOn(done context.Context) (stop func()) {
	var mutex sync.Mutex
	watching := true
	cancel := context.AfterFunc(done, func() {
		mutex.Lock()
		defer mutex.Unlock()
		if watching {
			C.isl_ctx_abort(c.ptr)
		}
	})
	return func() {
		cancel()
		mutex.Lock()
		defer mutex.Unlock()
		watching = false
	}
}

// Limit bounds the work of all later calls together by operations, as SetMaxOperations does, and by
// the time on the clock. The returned function ends that; it is to be called before Close.
func (c *Context) Limit(operations uint64, time time.Duration) (stop func()) {
	c.SetMaxOperations(operations)
	ended, cancel := context.WithTimeout(context.Background(), time)
	stopWatch := c.AbortOn(ended)
	return func() {
		stopWatch()
		cancel()
	}
}

// Abort makes isl's operations fail with ErrorAborted from now on.
func (c *Context) Abort() { C.isl_ctx_abort(c.ptr) }

// aborted says whether the context's operations have been aborted.
func (c *Context) aborted() bool { return C.isl_ctx_aborted(c.ptr) != 0 }

// Aborted is the error of an abort by AbortOn, for long work that isl does not do
// itself; nil when there was none.
func (c *Context) Aborted() error {
	if !c.aborted() {
		return nil
	}
	return &Error{Code: ErrorAborted}
}

// IsLimit says whether err is a failure by the limit on operations, by
// AbortOn, or by a number that does not fit: the question was too hard, not wrong.
func IsLimit(err error) bool {
	var e *Error
	return errors.Is(err, ErrTooLarge) || errors.As(err, &e) && (e.Code == ErrorQuota || e.Code == ErrorAborted)
}
