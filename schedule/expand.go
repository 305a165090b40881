package schedule

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"polytune/scop"
)

// Expand says that the recipe is for a program whose temporaries have elements for
// each iteration of loops, in arrays that take at most so many bytes:
//
//	expand 1073741824
//
// Iterations of outermost loops may share the elements of some arrays, so many as stand behind the array's name, and
// with the word sums temporaries are left alone that no statement uses often in one iteration of the loops that have values of their own:
//
//	expand 1073741824 sums sharing d_1 1 d_2 1
//
// With the word outermost, iterations of the outermost loop alone have elements, and what may be private has none:
//
//	expand 1073741824 outermost
//
// It comes first, or right behind inplace. depend.Expand makes the program; the command itself changes
// nothing.
type Expand struct{ Room scop.Room }

var _ = register(Spec{
	Syntax:  "expand ROOM",
	Doc:     "the memory of expanded arrays",
	Example: "expand 2000000 sums outermost sharing t_1 2",
	New:     func() Command { return Expand{} },
	Most:    maxNumber,
})

// sharingWord stands in front of the arrays whose elements iterations share, and the others for scop.Room's fields of their names.
const sharingWord, sumsWord, outermostWord = "sharing", "sums", "outermost"

// Apply checks that the tree's program is one of these.
func (c Expand) Apply(t *Tree) error {
	switch {
	case t.Classes != nil || t.cuts > 0:
		return errors.New("it comes in front of all other commands")
	case len(t.Program.Expansions) == 0:
		return errors.New("the program has no expanded arrays; ask for them with --expand")
	case t.Program.Room.Bytes != c.Room.Bytes:
		return fmt.Errorf("the program's expanded arrays take at most %d bytes", t.Program.Room.Bytes)
	case t.Program.Room.Sums != c.Room.Sums, t.Program.Room.Outermost != c.Room.Outermost:
		return errors.New("the program has other expanded arrays")
	case !t.Program.Room.Equal(c.Room):
		return errors.New("the program's expanded arrays have other dimensions")
	}
	return nil
}

// roomText is the memory with what it is for.
func roomText(room scop.Room) string {
	text := fmt.Sprint(room.Bytes)
	if room.Sums {
		text += " " + sumsWord
	}
	if room.Outermost {
		text += " " + outermostWord
	}
	if len(room.Sharing) > 0 {
		text += " " + sharingWord
	}
	for _, array := range slices.Sorted(maps.Keys(room.Sharing)) {
		text += fmt.Sprint(" ", array, " ", room.Sharing[array])
	}
	return text
}

// parseRoom reads 2000000 sums outermost sharing t_1 2.
func parseRoom(text string) (room scop.Room, err error) {
	words := append(strings.Fields(text), "")
	bytes, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil || bytes < 1 {
		return room, fmt.Errorf("the arrays' memory is a positive number of bytes, not %q", words[0])
	}
	room = scop.Room{Bytes: bytes, Sharing: scop.Sharing{}}
	pairs := words[1 : len(words)-1]
	for word, is := range map[string]*bool{sumsWord: &room.Sums, outermostWord: &room.Outermost} {
		k := slices.Index(pairs, word)
		if *is = k >= 0 && !slices.Contains(pairs[:k], sharingWord); *is {
			pairs = slices.Delete(pairs, k, k+1)
		}
	}
	if len(pairs) == 0 {
		return room, nil
	}
	if pairs[0] != sharingWord || len(pairs)%2 == 0 || len(pairs) < 3 {
		return room, fmt.Errorf("behind the memory may stand %s or %s, and then %s, arrays, and for each the number of loops that share its elements", sumsWord, outermostWord, sharingWord)
	}
	for k := 1; k < len(pairs); k += 2 {
		loops, err := strconv.Atoi(pairs[k+1])
		if err != nil || loops < 1 {
			return room, fmt.Errorf("the number of loops that share elements of %s is positive, not %q", pairs[k], pairs[k+1])
		}
		room.Sharing[pairs[k]] = loops
	}
	return room, nil
}

// Expands is what a recipe's text says of expanded arrays; no bytes where
// it does not ask for any. A program that has them is needed for Parse to read the
// rest.
func Expands(text string) Expand {
	for _, line := range beginning(text) {
		rest, is := strings.CutPrefix(line, Name(Expand{})+" ")
		if room, err := parseRoom(strings.TrimSpace(rest)); is && err == nil {
			return Expand{room}
		}
	}
	return Expand{}
}
