package main

import (
	"fmt"
	"io"
	"strings"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// untile leaves the loops over tiles that the source has out of the target's program, where it can. Where isl needs too long, they stay.
func (t *target) untile() error {
	return withinAttempt(t.region, t.share, func(m *scop.Model) error {
		program, err := depend.Untile(m)
		if err == nil {
			t.written = program
		}
		return err
	})
}

// tiledAs is the target with the source's loops over tiles as a recipe's text has them, and without anything else that was
// done to the program.
func (t *target) tiledAs(text string) (*target, error) {
	at := *t
	region := *t.region
	region.Program = t.source
	at.region, at.written, at.inplace = &region, t.source, false
	if schedule.IsUntiled(text) {
		if err := at.untile(); err != nil {
			return nil, err
		}
	}
	err := at.change(scop.Room{}, t.whole.Reassociate)
	return &at, err
}

// noteUntiled says which loops have been left out.
func (t *target) noteUntiled(w io.Writer) {
	if loops := t.written.Untiled; len(loops) > 0 {
		fmt.Fprintf(w, "tune: %s: the models leave out the loops over tiles that the source has, %s; --untile=false keeps them\n", t.name, strings.Join(loops, ", "))
	}
}
