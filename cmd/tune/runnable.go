package main

import (
	"errors"
	"fmt"
	"io"
)

// checkRunnable says why the target's function cannot be called by a
// generated driver and its results compared, or nil. Whole programs need no
// driver.
func (t *target) checkRunnable() error {
	if t.isProgram {
		return nil
	}
	program := t.region.Program
	for i := range program.Statements {
		for _, a := range program.Statements[i].Accesses {
			if array := program.Array(a.Array); a.Write && array != nil && array.Argument && len(array.Extents) > 0 {
				return nil
			}
		}
	}
	return errors.New("the region writes to no array argument of its function, so that nothing could be compared with the original; pass what it computes as array arguments")
}

// warn prints the front end's assumptions about the target.
func (t *target) warn(w io.Writer) {
	for _, warning := range t.region.Warnings {
		fmt.Fprintf(w, "tune: warning: %v\n", warning)
	}
}
