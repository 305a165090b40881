package exit

import (
	"context"
	"errors"
	"fmt"
	"io"

	"polytune/internal/usage"
)

// Unanswered are the regions of a file of which a command cannot say anything, while it goes on
// with the others.
type Unanswered struct {
	// Stderr takes why that is so; with nil a command ends with the first such region.
	Stderr io.Writer
	// Each are those regions.
	Each []Region
}

// Region is a region without an answer.
type Region struct {
	Name string
	Why  error
}

// Add tells of a region and notes it.
func (u *Unanswered) Add(name string, why error) {
	fmt.Fprintf(u.Stderr, "tune: %v\n", why)
	u.Each = append(u.Each, Region{name, why})
}

// Goes says whether a command goes on with other regions of a number of them, after an error with
// one, which it notes then. It does not after wrong usage, in the end of its time, and where there
// is no other region.
func (u *Unanswered) Goes(ctx context.Context, name string, err error, regions int) bool {
	if u.Stderr == nil || regions+len(u.Each) < 2 || ctx.Err() != nil || errors.As(err, new(*usage.Error)) {
		return false
	}
	u.Add(name, err)
	return true
}

// Outcome is what a command ends with that has answered for some regions, and for others not: nil
// where that is none.
func (u *Unanswered) Outcome(answered int) error {
	switch {
	case len(u.Each) == 0:
		return nil
	case answered == 0:
		return &Quiet{Status: Error}
	}
	return &Quiet{Status: Incomplete}
}
