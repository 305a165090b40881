package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"polytune/scop"
)

// checkRunnable says why the target's function cannot be called by a
// generated driver and its results compared, or nil. Whole programs need no
// driver.
func (t *target) checkRunnable() error {
	if t.isProgram {
		return nil
	}
	function := t.region.Program.Function
	if function.Result != "" && !strings.HasSuffix(function.Result, "*") {
		return nil
	}
	if slices.ContainsFunc(function.Data(), func(a scop.Argument) bool { return !a.Const }) {
		return nil
	}
	return errors.New("the function has no array argument that it may write to, uses no file-scope data, and returns no number, so that nothing could be compared with the original; let it return or store what it computes")
}

// warn prints the front end's assumptions about the target.
func (t *target) warn(w io.Writer) {
	for _, warning := range t.region.Warnings {
		fmt.Fprintf(w, "tune: warning: %v\n", warning)
	}
}
