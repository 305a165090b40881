package schedule

import (
	"errors"
	"slices"
	"strings"
)

// Untile says that the recipe is for a program without the loops over tiles that the source has, where other loops determine their
// iterators:
//
//	untile
//
// It comes in front of all commands but others of its kind. depend.Untile makes the program; the command itself changes nothing.
type Untile struct{}

var _ = register(Spec{
	Syntax:  "untile",
	Doc:     "loops without the source's own over tiles",
	Example: "untile",
	New:     func() Command { return Untile{} },
})

// Apply checks that the tree's program is one of these.
func (c Untile) Apply(t *Tree) error {
	switch {
	case t.Classes != nil || t.cuts > 0:
		return errors.New("it comes in front of all other commands")
	case len(t.Program.Untiled) == 0:
		return errors.New("the program has no loops over tiles that others determine")
	}
	return nil
}

// IsUntiled says whether a recipe's text is for a program without loops over tiles of the source.
func IsUntiled(text string) bool { return slices.Contains(beginning(text), Name(Untile{})) }

// beginning are the lines of a recipe's text that say what has been done to the program itself, in front of all others but cuts.
func beginning(text string) (lines []string) {
	for _, line := range commandLines(text) {
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case Name(Untile{}), Name(Inplace{}), Name(Expand{}), Name(Reassociate{}):
			lines = append(lines, line)
		default:
			return lines
		}
	}
	return lines
}
