package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Contract gives an expanded array elements for one iteration of a loop alone (array contraction):
// along each dimension along which that loop, or one around it, runs over the array's iterations or
// tiles of them, the array has one element or is as long as a tile, and its subscripts count from
// there. Below a parallel loop each thread has memory of its own.
//
//	contract temp2_1 at c0.1t
//
//	double temp2_1[M][N]                double temp2_1[M][400]
//	for c0.1t { … temp2_1[i][j] … } --> for c0.1t { … temp2_1[i][j - 400 c0] … }
//
// depend.Graph.Check proves that each element is used in one iteration of the loops around,
// by one thread alone, and that the subscripts are within a tile.
type Contract struct{ Array, Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "contract ARRAY at LOOP",
	Doc:     "the contraction of an array",
	Example: "contract temp2_1 at c0.1t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Contract{} },
	Random:  randomContract,
	Say:     sayContract,
})

// Apply notes the contraction at the loop.
func (c Contract) Apply(t *schedule.Tree) error {
	e := t.Expansion(c.Array)
	if e == nil {
		return fmt.Errorf("%q is no expanded array%s", c.Array, expansionsText(t.Program))
	}
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	for _, s := range t.Program.Users(*e) {
		if !slices.Contains(n.Statements, s) {
			return fmt.Errorf("%s uses %s outside of %q", t.Program.Statements[s].Spelling(), c.Array, c.Loop)
		}
	}
	switch {
	case isContracted(t, c.Array):
		return fmt.Errorf("%s is contracted already", c.Array)
	case place == len(n.Loops)-1 && len(n.Parts) == 0:
		return fmt.Errorf("nothing is inside %q for which the array could have elements", c.Loop)
	case len(contractedSides(t.Program, *e, append(t.Outside(n), n.Loops[:place+1]...))) == 0:
		return fmt.Errorf("neither %q nor a loop around it runs over iterations of which %s has elements for each", c.Loop, c.Array)
	}
	n.Loops[place].Ask(c)
	return nil
}

// Stands is below the loop.
func (Contract) Stands() schedule.Standing { return schedule.WithMemory }

// Marks have the tiles that the array's elements are those of.
func (c Contract) Marks(at *schedule.Place) []mark.Mark {
	p, e := at.Tree.Program, at.Tree.Expansion(c.Array)
	m := mark.Local{Array: c.Array, Own: at.IsOnThreads()}
	for _, d := range contractedSides(p, *e, at.Around) {
		m.Sides = append(m.Sides, d.mark(at, e.First[d.dimension], p.Users(*e)))
	}
	return []mark.Mark{m}
}

// contractedSides are the dimensions of an expanded array whose iterations some loops run over, one
// by one or in tiles, for all statements alike.
func contractedSides(p *scop.Program, e scop.Expansion, loops []*schedule.Loop) (sides []side) {
	for d := range e.Dimensions() {
		for _, l := range slices.Backward(loops) {
			if len(l.Terms) == 1 && schedule.IsIterator(p, p.Users(e), l.Terms[0].Rows, e.Shared+d) {
				sides = append(sides, side{dimension: d, tile: l, size: max(1, l.Terms[0].Size)})
				break
			}
		}
	}
	return sides
}

// isContracted says whether an array is contracted at some loop of the tree.
func isContracted(t *schedule.Tree, array string) bool {
	return slices.Contains(namesAtLoops(t, arraysAt[Contract]), array)
}

func (c Contract) array() string { return c.Array }

// expansionsText says which expanded arrays there are.
func expansionsText(p *scop.Program) string {
	var names []string
	for _, e := range p.Expansions {
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		return "; the program has none, ask for them with --expand"
	}
	return "; there are " + strings.Join(names, " ")
}

// randomContract is an expanded array contracted at the first loop that allows it.
func randomContract(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	if len(t.Program.Expansions) == 0 {
		return nil
	}
	e := pick(random, t.Program.Expansions)
	for _, loop := range shuffledLoops(random, t) {
		commands = append(commands, Contract{Array: e.Name, Loop: loop})
	}
	return commands
}

// sayContract says which arrays have elements for one iteration of a loop.
func sayContract(l *schedule.Loop, _ schedule.Telling) (phrases []schedule.Phrase) {
	for _, array := range arraysAt[Contract](l) {
		phrases = append(phrases, schedule.Say(schedule.AboutCopies, "with elements of "+array+" for one iteration alone")...)
	}
	return phrases
}
