package tuner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"polytune/runner"
	"polytune/store"
)

// ErrInterrupted says that the context of a session ended. What was measured
// is in the store; the same request goes on from there.
var ErrInterrupted = errors.New("interrupted; the same command again resumes")

// BaselineError says that the original program could not be built, run or
// compared, so that there is nothing to tune.
type BaselineError struct{ Err error }

func (e *BaselineError) Error() string {
	text := "the original program: " + e.Err.Error()
	if run := (*runner.RunError)(nil); errors.As(e.Err, &run) && run.Kind == runner.OutOfBounds {
		text += "; --extent NAME=N says how many elements the function uses of an array, outside of the region, too"
	}
	return text
}

// Unwrap gives the cause.
func (e *BaselineError) Unwrap() error { return e.Err }

// DisturbedError says that a strict session does not time on this machine.
type DisturbedError struct{ Warnings []runner.Warning }

func (e *DisturbedError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "nothing is timed while something disturbs timings on this machine; change it, or leave out --strict:")
	for _, w := range e.Warnings {
		fmt.Fprintf(&text, "\n  %s\n    %s", w.Message, w.Advice)
	}
	return text.String()
}

// failure is the end of one trial that has no timing.
type failure struct {
	status store.Status
	detail string
}

func (f *failure) Error() string { return fmt.Sprintf("%s: %s", f.status, f.detail) }

// detailLimit is the greatest length of a detail in bytes.
const detailLimit = 4000

// newFailure bounds the detail, which may quote what programs print, and makes it
// valid UTF-8.
func newFailure(status store.Status, detail string) *failure {
	if detail = strings.ToValidUTF8(detail, "?"); len(detail) > detailLimit {
		detail = strings.ToValidUTF8(detail[:detailLimit], "") + " …"
	}
	return &failure{status, detail}
}

// settle sorts an error of generating, building, running or comparing a
// variant: ErrInterrupted when the session was told to stop, a *failure when
// the variant is to blame, and otherwise the error itself, which ends the
// session.
func settle(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if signal := killer(err); slices.Contains(stopSignals, signal) {
		awaitEnd(ctx)
	}
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	if status := StatusOf(err); status != "" {
		return newFailure(status, err.Error())
	}
	return err
}

// StatusOf is the status of a variant that failed with an error, of a Generator or of the
// package runner; "" where the error says nothing about the variant, as on a full disk, or
// is nil.
func StatusOf(err error) store.Status {
	var (
		baseline    *BaselineError
		illegal     *IllegalError
		codegen     *CodegenError
		compile     *runner.CompileError
		run         *runner.RunError
		mismatch    *runner.Mismatch
		fingerprint *runner.FingerprintError
		executions  *runner.ExecutionsError
		reports     *runner.DeviceReports
		shared      *runner.SharedMemoryError
		full        *runner.NoSpaceError
	)
	switch {
	case errors.As(err, &full), errors.As(err, &baseline):
		return ""
	case errors.As(err, &illegal):
		return store.Illegal
	case errors.As(err, &codegen):
		return store.CodegenFailed
	case errors.As(err, &compile):
		return store.CompileFailed
	case errors.As(err, &shared), errors.As(err, &run) && run.Kind == runner.DeviceFailed:
		return store.DeviceFailed
	case errors.As(err, &mismatch), errors.As(err, &fingerprint), errors.As(err, &executions), errors.As(err, &reports):
		return store.WrongResult
	case errors.As(err, &run) && run.Kind == runner.Timeout:
		return store.Timeout
	case errors.As(err, &run) && run.Kind == runner.OutOfBounds:
		return store.WrongResult
	case errors.As(err, &run):
		return store.Crashed
	}
	return ""
}

// stopSignals are sent by batch systems to all processes of a job at once:
// a program may die of one before the tuner has noticed its own.
var stopSignals = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}

// killer is the signal that ended the program or compiler, or 0.
func killer(err error) syscall.Signal {
	var compile *runner.CompileError
	var run *runner.RunError
	switch {
	case errors.As(err, &compile) && !compile.TimedOut:
		return compile.Signal
	case errors.As(err, &run) && run.Kind == runner.Crashed:
		return run.Signal
	}
	return 0
}

// awaitEnd gives the signal that killed a child the time to end ctx, too.
func awaitEnd(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}
