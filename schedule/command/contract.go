package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
)

// Contract gives an expanded array elements for one iteration of a loop alone
// (array contraction): along each dimension along which that loop, or one around it, runs over
// the array's iterations or tiles of them, the array has one element or is as long as a tile, and its
// subscripts count from there. Below a parallel loop each thread has memory of its own.
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
	case t.Contracted(c.Array) != nil:
		return fmt.Errorf("%s is contracted already", c.Array)
	case place == len(n.Loops)-1 && len(n.Parts) == 0:
		return fmt.Errorf("nothing is inside %q for which the array could have elements", c.Loop)
	case !t.CanContract(*e, append(t.Outside(n), n.Loops[:place+1]...)):
		return fmt.Errorf("neither %q nor a loop around it runs over iterations of which %s has elements for each", c.Loop, c.Array)
	}
	n.Loops[place].Contracts = append(n.Loops[place].Contracts, c.Array)
	return nil
}

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
	for _, array := range l.Contracts {
		phrases = append(phrases, schedule.Say(schedule.AboutCopies, "with elements of "+array+" for one iteration alone")...)
	}
	return phrases
}
