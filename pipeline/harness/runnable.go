package harness

import (
	"errors"
	"slices"
	"strings"

	"polytune/pipeline"
	"polytune/scop"
)

// CheckRunnable says why the target's function cannot be called by a
// generated driver and its results compared, or nil. Whole programs need no
// driver.
func CheckRunnable(t *pipeline.Target) error {
	if t.IsProgram {
		return nil
	}
	function := t.Unit.Program.Function
	if function.Result != "" && !strings.HasSuffix(function.Result, "*") {
		return nil
	}
	if slices.ContainsFunc(function.Data(), func(a scop.Argument) bool { return !a.Const }) {
		return nil
	}
	return errors.New("the function has no array argument that it may write to, uses no file-scope data, and returns no number, so that nothing could be compared with the original; let it return or store what it computes")
}
