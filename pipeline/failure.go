package pipeline

import (
	"errors"
	"fmt"
)

// failure is an error whose text has the name of the target that it is about.
type failure struct {
	error
	target string
}

func (f failure) Unwrap() error { return f.error }

// Failed is an error with the target's name in front of it, where the text has not got that yet.
func (t *Target) Failed(err error) error {
	var known failure
	if errors.As(err, &known) && known.target == t.Name {
		return err
	}
	return failure{fmt.Errorf("%s: %w", t.Name, err), t.Name}
}
