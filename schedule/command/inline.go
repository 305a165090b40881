package command

import (
	"fmt"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// Inline computes what a statement writes where it is read, in the place of each reference to it,
// with the conversion that the element's type makes:
//
//	inline S0
//
//	for … S0: x[i] = a[i] * a[i];      for … S1: y[i] = (a[i] * a[i]) + (a[i + 1] * a[i + 1]);
//	for … S1: y[i] = x[i] + x[i + 1];
//
// The statement itself goes where nobody else may see what it has written. What runs is another
// program, of which depend.Inline proves that it computes the same.
type Inline struct{ Statement int }

var _ = All.Add(schedule.Spec{
	Syntax:  "inline STATEMENT",
	Doc:     "the evaluation of a statement where it is read",
	Example: "inline S0",
	New:     func() schedule.Command { return Inline{} },
	Random:  schedule.Chosen[Inline],
	Say:     schedule.Silent,
})

// Rewrites says that the program is another one behind it.
func (Inline) Rewrites() {}

// Apply makes the other program.
func (c Inline) Apply(t *schedule.Tree) error {
	if err := mayRewrite(t, c.Statement, "inline"); err != nil {
		return err
	}
	err := t.Rewrite(fmt.Sprint("inline ", c.Statement), func(m *scop.Model) (*scop.Program, error) { return depend.Inline(m, c.Statement) })
	if err == nil && t.Program.IsLeft(c.Statement) {
		t.Remove(c.Statement)
		t.Merge()
	}
	return err
}

// mayRewrite says why a statement cannot be computed elsewhere in a tree, or nil: nobody may have said
// anything yet of loops around it and around those that use the array which it writes, whose
// references become others.
func mayRewrite(t *schedule.Tree, statement int, word string) error {
	switch {
	case t.Classes == nil:
		return fmt.Errorf("there are no loops yet; %s comes behind original", word)
	case t.HasPhases():
		return fmt.Errorf("tiles run in phases; %s before", word)
	case len(t.Program.Statements[statement].Accesses) == 0:
		return fmt.Errorf("%s writes nothing", t.Program.Statements[statement].Spelling())
	}
	written := t.Program.Statements[statement].Accesses[0].Array
	for s := range t.Program.Statements {
		if s != statement && !t.Program.Statements[s].Names(written) {
			continue
		}
		for _, l := range t.Around(s) {
			if own := withoutHeld(l); isTouched(own) || own.Block {
				return fmt.Errorf("loop %q is marked already; %s before", l.Name, word)
			}
		}
	}
	return nil
}
