package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
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
	if err := checkCompared(t); err != nil {
		return err
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

// checkCompared refuses regions that write what a driver does not look at: what pointers in structs
// lead to, and unions.
func checkCompared(t *pipeline.Target) error {
	program := t.Unit.Program
	for i := range program.Statements {
		for _, access := range program.Statements[i].Accesses {
			array := program.Array(access.Array)
			if array == nil || !access.Write || isCompared(program, array) {
				continue
			}
			place := fmt.Sprintf("%s:%d:%d", t.File.Path, access.Line, access.Column)
			if a := hiddenIn(program, array); a != nil {
				return fmt.Errorf("%s: the region writes into elements of %s, of which not all can be compared with the original: %s; give what it writes a place of its own", place, a.Name, a.Opaque)
			}
			cause := ""
			if a := dataOf(program, array); a != nil && a.Opaque != "" {
				cause = fmt.Sprintf(" (of %s, %s)", a.Name, a.Opaque)
			}
			return fmt.Errorf("%s: the region writes %s, which is behind a pointer in a struct or in a union, so that it could not be compared with the original%s; make it an argument of its own, as in %s *restrict %s",
				place, array.Spelling(), cause, array.Type, array.Name)
		}
	}
	return nil
}

// hiddenIn is the data of which an array is whole elements, and in which there is more than a
// driver looks at; nil for other arrays.
func hiddenIn(program *scop.Program, array *scop.Array) *scop.Argument {
	for _, a := range program.Function.Data() {
		if a.Hidden && array.Path == "" && slices.Contains(program.ArraysOf(a.Name), array) {
			return &a
		}
	}
	return nil
}

// isCompared says whether a driver looks at the elements of an array.
func isCompared(program *scop.Program, array *scop.Array) bool {
	if hiddenIn(program, array) != nil {
		return false
	}
	a := dataOf(program, array)
	if a == nil || a.Opaque == "" {
		return true
	}
	path := strings.TrimPrefix(subscriptText.ReplaceAllString(array.Path, ""), a.Name)
	return slices.ContainsFunc(a.Members, func(m scop.Member) bool {
		member := subscriptText.ReplaceAllString(m.Path, "")
		return member == path || strings.HasPrefix(member, path+".")
	})
}

// dataOf is the data that the elements of an array are part of; nil for others than a caller's.
func dataOf(program *scop.Program, array *scop.Array) (innermost *scop.Argument) {
	for _, a := range program.Function.Data() {
		if slices.Contains(program.ArraysOf(a.Name), array) && (innermost == nil || len(a.Name) > len(innermost.Name)) {
			innermost = &a
		}
	}
	return innermost
}

// subscriptText finds the subscripts in a member's path.
var subscriptText = pattern.New(`\[\d*\]`)
