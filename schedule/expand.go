package schedule

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"polytune/scop"
)

// Expand says that the recipe is for a program whose temporaries have elements for
// each iteration of loops, in arrays that take at most so many bytes:
//
//	expand 1073741824
//
// It comes first, or right behind inplace. depend.Expand makes the program; the command itself changes
// nothing.
type Expand struct{ Bytes int64 }

// Name is the command's word.
func (Expand) Name() string { return "expand" }

// Text is the command's line.
func (c Expand) Text(*scop.Program) string { return fmt.Sprint(c.Name(), " ", c.Bytes) }

// Apply checks that the tree's program is one of these.
func (c Expand) Apply(t *Tree) error {
	switch {
	case t.Classes != nil || t.cuts > 0:
		return errors.New("it comes in front of all other commands")
	case len(t.Program.Expansions) == 0:
		return errors.New("the program has no expanded arrays; ask for them with --expand")
	case t.Program.ExpansionLimit != c.Bytes:
		return fmt.Errorf("the program's expanded arrays take at most %d bytes", t.Program.ExpansionLimit)
	}
	return nil
}

func parseExpand(rest string) (Command, error) {
	bytes, err := strconv.ParseInt(rest, 10, 64)
	if err != nil || bytes < 1 {
		return nil, fmt.Errorf("the arrays' memory is a positive number of bytes, not %q", rest)
	}
	return Expand{bytes}, nil
}

// Expands is the memory that a recipe's text lets expanded arrays take, 0 where
// it does not ask for any. A program that has them is needed for Parse to read the
// rest.
func Expands(text string) int64 {
	for _, line := range commandLines(text) {
		rest, is := strings.CutPrefix(line, Expand{}.Name()+" ")
		if c, err := parseExpand(strings.TrimSpace(rest)); is && err == nil {
			return c.(Expand).Bytes
		}
	}
	return 0
}
