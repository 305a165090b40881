package pipeline

import (
	"fmt"
	"io"
	"strings"

	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
)

// untile leaves the loops over tiles that the source has out of the target's program, where it can.
// Where isl needs too long, they stay.
func (t *Target) untile() error {
	return t.withinAttempt(func(m *scop.Model) error {
		program, err := depend.Untile(m)
		if err == nil {
			t.Written = program
		}
		return err
	})
}

// tiledAs is the target with the source's loops over tiles as a recipe's text has them, and without
// anything else that was done to the program.
func (t *Target) tiledAs(text string) (*Target, error) {
	at := *t
	at.Unit.Program, at.Written, at.Inplace = t.Source, t.Source, false
	if command.IsUntiled(text) {
		if err := at.untile(); err != nil {
			return nil, err
		}
	}
	err := at.Change(scop.Room{}, t.Whole.Reassociate)
	return &at, err
}

// noteUntiled says which loops have been left out.
func noteUntiled(t *Target, w io.Writer) {
	if loops := t.Written.Untiled; len(loops) > 0 {
		fmt.Fprintf(w, "tune: %s: the models leave out the loops over tiles that the source has, %s; --untile=false keeps them\n", t.Name, strings.Join(loops, ", "))
	}
}
