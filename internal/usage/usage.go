// Package usage marks errors as mistakes in what the user asked for, such as a flag's value:
// a command ends with another exit status for them than for others.
package usage

// Error is a mistake of the user's.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// Mistake marks an error as one of the user's.
func Mistake(err error) error { return &Error{err} }
