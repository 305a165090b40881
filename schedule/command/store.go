package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
)

// Store says that the recipe is for a program that has an array's elements at other places, in memory
// of the code's own: at an affine function of the subscripts, which the element names (Tiramisu,
// Table II: store_in):
//
//	store A[t][i] as [t % 2][i]
//	store A[i][j] as [j][i]
//	store p_x[i] as [i]
//	store s[i] as []
//
// depend.Store makes the program, in front of everything else; the command itself changes nothing, and
// may stand anywhere in the recipe.
type Store struct{ Element, Place string }

var _ = All.Add(schedule.Spec{
	Syntax:  "store ELEMENT as PLACE",
	Doc:     "the places of an array's elements",
	Example: "store A[t][i] as [t % 2][i]",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Store{} },
	Random:  randomStore,
	Say:     schedule.Silent,
})

// Apply checks that the tree's program is one of these.
func (c Store) Apply(t *schedule.Tree) error {
	s, err := scop.ReadStorage(c.Element, c.Place)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(t.Program.Storages, s.Is) {
		return fmt.Errorf("the program has no elements of %s at %s", s.Array, s.PlaceText())
	}
	return nil
}

func (c Store) storage(p *scop.Program) (scop.Storage, error) {
	return p.ParseStorage(c.Element, c.Place)
}

// storedHint says which array to name in the place of one whose elements are elsewhere; "" for others.
func storedHint(p *scop.Program, array string) string {
	at := slices.IndexFunc(p.Storages, func(s scop.Storage) bool { return s.Array == array })
	if at < 0 {
		return ""
	}
	return fmt.Sprintf(": store has its elements in %s; name that", p.Storages[at].Name)
}

// placing is a command that says where an array's elements are.
type placing interface {
	schedule.Command
	// storage is where, of a program's array.
	storage(p *scop.Program) (scop.Storage, error)
}

// Stored is a line of a recipe with such a command.
type Stored struct {
	Line int
	Text string
	placing
}

// Storing are these lines of a recipe's text, in their order. Those that cannot be read are none of
// them.
func Storing(text string) (list []Stored) {
	for number, line := range schedule.Lines(text) {
		word, _, _ := strings.Cut(line, " ")
		if word != schedule.Name(Store{}) && word != schedule.Name(Pad{}) {
			continue
		}
		if c, err := All.ReadLine(nil, line); err == nil {
			if at, is := c.(placing); is {
				list = append(list, Stored{number, line, at})
			}
		}
	}
	return list
}

// Read is where the line says that elements of an array of the program are; the error is a
// *schedule.CommandError.
func (s Stored) Read(p *scop.Program) (scop.Storage, error) {
	storage, err := s.storage(p)
	if err != nil {
		return storage, s.Failed(err)
	}
	return storage, nil
}

// Failed is an error of the line.
func (s Stored) Failed(err error) error {
	return &schedule.CommandError{Line: s.Line, Text: s.Text, Err: err}
}

// randomStore has the subscripts of some array in another order, turned round, or with remainders.
func randomStore(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	array := pick(random, t.Program.Arrays)
	if len(array.Extents) == 0 {
		return nil
	}
	s := RandomStorage(random, array)
	return []schedule.Command{Store{Element: s.ElementText(), Place: s.PlaceText()}}
}

// RandomStorage are places of an array's elements that chance chooses, at which they need not find
// room.
func RandomStorage(random *rand.Rand, array scop.Array) scop.Storage {
	s := scop.Storage{Array: array.Name}
	for d := range array.Extents {
		s.Subscripts = append(s.Subscripts, fmt.Sprint("x", d))
	}
	s.Place = shuffled(random, slices.Clone(s.Subscripts))
	switch random.IntN(5) {
	case 0:
		s.Place[0] = fmt.Sprintf("%s %% %d", s.Place[0], 1+random.IntN(4))
	case 1:
		s.Place = s.Place[1:]
	case 2:
		s.Place = append(s.Place, fmt.Sprintf("%s %% 2", s.Place[0]))
		s.Place[0] = fmt.Sprintf("floor(%s/2)", s.Place[0])
	case 3:
		s.Place[0] += fmt.Sprintf(" + %d%s", random.IntN(3), s.Subscripts[0])
	}
	return s
}
