// Package exit has what a command ends with: its exit statuses, and the errors that stand for them.
package exit

import (
	"errors"
	"fmt"
	"runtime/debug"

	"polytune/internal/usage"
)

// The exit statuses of every command.
const (
	OK          = 0
	Error       = 1
	Usage       = 2
	Incomplete  = 3
	TooSlow     = 4
	Interrupted = 75
)

// Guarded turns a panic, which is a bug of polytune, into an error with all that
// is needed to report it: whoever waits for a run in the morning finds an exit
// status that means what it says.
func Guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Panic{fmt.Errorf("internal error: %v\nThis is a bug of polytune, not of your program; what was measured is safe. Please report it with the command, the file and what tune --version prints:\n%s", p, debug.Stack())}
		}
	}()
	return f()
}

// Panic is what Guarded makes of a panic.
type Panic struct{ error }

// With is an error with an exit status of its own.
type With struct {
	Status int
	Err    error
}

func (e *With) Error() string { return e.Err.Error() }
func (e *With) Unwrap() error { return e.Err }

// Quiet is an outcome that the command has reported already.
type Quiet struct{ Status int }

func (e *Quiet) Error() string { return fmt.Sprintf("exit status %d", e.Status) }

// Status is the exit status of an outcome: that of nil is OK.
func Status(err error) int {
	var status *With
	var quiet *Quiet
	switch {
	case err == nil:
		return OK
	case errors.As(err, new(*usage.Error)):
		return Usage
	case errors.As(err, &quiet):
		return quiet.Status
	case errors.As(err, &status):
		return status.Status
	}
	return Error
}
