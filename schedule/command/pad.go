package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop"
)

// Pad says that the recipe is for a program in which an array has longer rows, in memory of the
// code's own, for the time of the region: with three dimensions `pad A by 1 8` has a row more in each
// plane, and 8 elements more in each row. Rows that lie a power of two bytes apart share few sets of
// the caches (Lam, Rothberg, Wolf, ASPLOS 1991, section 5; Rivera and Tseng, PLDI 1998).
//
//	pad A by 8      A[i][j]  -->  longer[i][j], of longer[N][M + 8]
//
// depend.Store makes the program, as for Store: what is read is brought there in front of all loops,
// and what is written is brought back behind.
type Pad struct {
	Array string
	By    []int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "pad ARRAY by SIZES",
	Doc:     "how much longer an array's rows are",
	Example: "pad A by 8",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Pad{} },
	Random:  randomPad,
	Say:     schedule.Silent,
})

// Apply checks that the tree's program is one of these.
func (c Pad) Apply(t *schedule.Tree) error {
	s := scop.Storage{Array: c.Array, Padding: c.By}
	if !slices.ContainsFunc(t.Program.Storages, s.Is) {
		return fmt.Errorf("the program has no rows of %s that are longer by %v", c.Array, c.By)
	}
	return nil
}

func (c Pad) storage(p *scop.Program) (scop.Storage, error) { return p.Pad(c.Array, c.By) }

// placed is the command that says of a storage where its elements are.
func placed(s scop.Storage) schedule.Command {
	if len(s.Padding) > 0 {
		return Pad{Array: s.Array, By: s.Padding}
	}
	return Store{Element: s.ElementText(), Place: s.PlaceText()}
}

// randomPad has some array with longer rows.
func randomPad(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	array := pick(random, t.Program.Arrays)
	if len(array.Extents) < 2 {
		return nil
	}
	return []schedule.Command{Pad{Array: array.Name, By: []int64{1 + random.Int64N(9)}}}
}
