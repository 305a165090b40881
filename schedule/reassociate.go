package schedule

import (
	"errors"
	"fmt"
	"slices"

	"polytune/scop"
)

// Reassociate says that the recipe is for a program whose reductions may be done
// in any order, so that floating-point numbers are rounded in another way:
//
//	reassociate
//
// It comes first, or right behind inplace and expand. scop.Program.Reassociated makes the program; the command itself
// changes nothing.
type Reassociate struct{}

var _ = register(Spec{
	Syntax:  "reassociate",
	Doc:     "another order of reductions",
	Example: "reassociate",
	New:     func() Command { return Reassociate{} },
})

// Apply checks that the tree's program is one of these.
func (c Reassociate) Apply(t *Tree) error {
	switch {
	case t.Classes != nil || t.cuts > 0:
		return errors.New("it comes in front of all other commands")
	case !t.Program.Reassociate:
		return errors.New("the program's reductions keep their order; allow another one with --reassociate")
	}
	return nil
}

// Reassociates says whether a recipe's text asks for a program whose reductions
// may be done in any order, in which Parse can read the rest.
func Reassociates(text string) bool {
	return slices.Contains(beginning(text), Name(Reassociate{}))
}

// Beginning are the commands that a recipe of the program begins with: what has
// been done to the program itself.
func Beginning(p *scop.Program) Recipe {
	recipe := Cuts(p)
	if p.Reassociate {
		recipe = append(Recipe{Reassociate{}}, recipe...)
	}
	if len(p.Expansions) > 0 {
		recipe = append(Recipe{Expand{p.Room}}, recipe...)
	}
	if len(p.Placements) > 0 {
		recipe = append(Recipe{Inplace{}}, recipe...)
	}
	if len(p.Untiled) > 0 {
		recipe = append(Recipe{Untile{}}, recipe...)
	}
	return recipe
}

// checkClauses refuses clauses that no statement of the program is a reduction
// under.
func (t *Tree) checkClauses(clauses []scop.Clause) error {
	known := t.Program.Reductions()
	for _, c := range clauses {
		if !slices.Contains(known, c) {
			return fmt.Errorf("no statement is a reduction under %s", c)
		}
	}
	return nil
}
