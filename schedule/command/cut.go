package command

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"polytune/schedule"
	"polytune/scop"
)

// Cut says that the recipe is for a program whose statements have been divided
// at a hyperplane, before its classes are named; pieces of S0 are S0.0, where
// the row is at most 0, and S0.1. A second cut divides S0.0 into S0.0 and S0.2,
// and S0.1 into S0.1 and S0.3:
//
//	cut S0[t, i] -> [2i - N + 1]
//
// Package split makes the pieces; the command itself changes nothing.
type Cut struct{ Cut scop.Cut }

var _ = All.Add(schedule.Spec{
	Syntax:  "cut CUT",
	Doc:     "a cut of a statement",
	Example: "cut S0[i, j] -> [i - N]",
	New:     func() schedule.Command { return Cut{} },
	Random:  schedule.Chosen[Cut],
	Say:     schedule.Silent,
	Most:    math.MaxInt64,
})

// Apply checks that the tree's program has been cut there.
func (c Cut) Apply(t *schedule.Tree) error {
	if t.Classes != nil {
		return errors.New("cuts come before the classes of their pieces")
	}
	if t.Cuts == len(t.Program.Cuts) {
		return fmt.Errorf("the program has been cut %d times, not at a hyperplane more", len(t.Program.Cuts))
	}
	if have := t.Program.CutText(t.Program.Cuts[t.Cuts]); have != t.Program.CutText(c.Cut) {
		return fmt.Errorf("the program has been cut at %s", have)
	}
	t.Cuts++
	return nil
}

// ParseCuts reads the cuts alone of a recipe's text, at which the program p has
// to be cut before Parse can read the rest. An error is a *CommandError.
func ParseCuts(p *scop.Program, text string) ([]scop.Cut, error) {
	var cuts []scop.Cut
	for number, line := range schedule.Lines(text) {
		rest, isCut := strings.CutPrefix(line, schedule.Name(Cut{})+" ")
		if !isCut {
			continue
		}
		cut, err := p.ParseCut(rest)
		if err != nil {
			return nil, &schedule.CommandError{Line: number, Text: line, Err: err}
		}
		cuts = append(cuts, cut)
	}
	return cuts, nil
}

// Cuts are the commands that a recipe of a cut program begins with.
func Cuts(p *scop.Program) schedule.Recipe {
	var recipe schedule.Recipe
	for _, c := range p.Cuts {
		recipe = append(recipe, Cut{c})
	}
	return recipe
}
